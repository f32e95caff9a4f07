// Which words stand together in some sentence pair: the only entries a lexical table needs.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "corpus/sentences.h"

namespace dragoman {

// Sentence pairs of more cells than this (about 1,000 words on both sides) are left alone: they
// are mistakes of sentence splitting, and the HMM's time grows with the cube of the length.
inline constexpr std::uint64_t kMaxCells = std::uint64_t{1} << 20;
// Positions in a Link have 16 bits.
inline constexpr std::uint64_t kMaxWords = 65'535;

inline bool short_enough(std::uint64_t source_words, std::uint64_t target_words) {
  return source_words <= kMaxWords && target_words <= kMaxWords &&
         source_words * target_words <= kMaxCells;
}

// Numbers the distinct (source word, target word) pairs of a corpus from 0, and notes for each
// cell (source position, target position) of each sentence pair which one it holds, so that
// training never looks a word up. Six bytes a cell are the price; see docs/reference/alignment.md.
// Where four of them would be more than `memory`, nothing is noted, and slots are found again
// whenever they are asked for.
class Cooccurrences {
 public:
  // The sides must have the same number of sentences; throws InputError otherwise. They must
  // outlive this if slots are asked for that are not noted.
  Cooccurrences(const Sentences& source, const Sentences& target, int threads,
                std::uint64_t memory = std::numeric_limits<std::uint64_t>::max());

  std::size_t sentence_pairs() const { return cell_offsets_.size() - 1; }
  std::uint64_t size() const { return words_.size(); }
  // Pairs with words on both sides that are too long to be trained on.
  std::uint64_t skipped() const { return skipped_; }

  // Slots of a sentence pair, row by row (source position by source position); empty when a
  // side is empty or the pair is too long. Only where all are noted.
  std::span<const std::uint32_t> slots(std::size_t pair) const {
    return {slots_.data() + cell_offsets_[pair], cell_offsets_[pair + 1] - cell_offsets_[pair]};
  }
  // Those of the pairs [begin, end), one pair after the other; where none are noted, they are
  // found and put into `found`.
  std::span<const std::uint32_t> slots(std::size_t begin, std::size_t end, int threads,
                                       std::vector<std::uint32_t>& found) const;
  std::span<const std::uint64_t> cell_offsets() const { return cell_offsets_; }

  // Source word s has the slots [row_starts[s], row_starts[s + 1]); the target word of slot k
  // is words[k], rising within a row.
  std::span<const std::uint64_t> row_starts() const { return row_starts_; }
  std::span<const WordId> words() const { return words_; }

 private:
  // For the pairs [begin, end), into as many slots as they have cells.
  void find_slots(std::size_t begin, std::size_t end, int threads,
                  std::span<std::uint32_t> slots) const;

  Sentences source_, target_;
  std::size_t target_words_ = 0;  // one more than the largest of their ids
  bool noted_ = true;
  std::vector<std::uint64_t> cell_offsets_;
  std::vector<std::uint32_t> slots_;
  std::vector<std::uint64_t> row_starts_;
  std::vector<WordId> words_;
  std::uint64_t skipped_ = 0;
};

// One more than the largest id; throws InputError for negative ids.
std::size_t vocabulary_bound(const Sentences& side);

}  // namespace dragoman
