// Translation edit rate (Snover et al. 2006): how many words to insert, delete, replace, and
// sequences of words to move, until a translation reads like its reference.
//
// The best sequence of moves cannot be searched for exhaustively; which are tried, and in which
// order, is part of the number. This is sacrebleu's way, itself close to that of the program
// tercom, and gives the same counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace dragoman {

class EditCounter {
 public:
  // Words are runs without white space.
  std::size_t edits(std::string_view hypothesis, std::string_view reference);

 private:
  using Word = std::int32_t;
  struct Move {
    std::size_t start, length, target;
  };
  struct Range {
    std::size_t begin, end;
  };
  enum class Step : std::uint8_t { kMatch, kReplace, kDelete, kInsert };

  std::size_t edits();
  // The distance of the hypothesis and the reference, a row of the matrix of their beginnings
  // after the other; keeps the rows.
  std::size_t distance();
  // The same after a move, which leaves the rows before it as they are. Behind it the words are
  // those of the hypothesis again: once all cells of a row differ from the kept ones by the same
  // number, so will all that follow.
  std::size_t distance_after(const Move& move);
  void begin_rows(std::size_t known, std::size_t rows);
  void next_row(std::span<const Word> words, std::size_t row);
  // By how much a row differs from the kept one, everywhere.
  std::optional<std::ptrdiff_t> difference(std::size_t row) const;
  Range cells(std::size_t row) const;  // what is looked at: the surroundings of the diagonal
  std::uint32_t cost(std::size_t row, std::size_t column) const;
  void align();
  bool find_best_move(std::size_t before, Move& best);
  void shift(const Move& move, std::vector<Word>& words) const;

  std::vector<Word> hypothesis_, reference_, moved_;
  std::vector<std::uint32_t> above_, row_;
  Range next_{};  // of the row to come
  // The kept rows of the hypothesis, without the first: their cells, and where each begins.
  std::vector<std::uint32_t> kept_;
  std::vector<std::size_t> kept_starts_;
  std::vector<Step> steps_;
  // By reference position: the hypothesis position at or behind which it stands.
  std::vector<std::ptrdiff_t> aligned_;
  std::vector<bool> hypothesis_wrong_, reference_wrong_;
  std::size_t tried_ = 0;
};

}  // namespace dragoman
