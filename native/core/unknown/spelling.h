// Known words that are spelt nearly like an unknown one, by edits that were learnt in Python
// (dragoman.unknown.spelling).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "unknown/lexicon.h"
#include "unknown/relatives.h"

namespace dragoman {

// One letter for another; `from` is empty for one that is put in, `to` for one that is left out.
struct Edit {
  std::string from;
  std::string to;
  double goodness = 0;  // how much words that differ so mean the same, between 0 and 1
};

struct EditKnowledge {
  std::vector<Edit> edits;
  double other = 0;           // the goodness of edits that are not among them
  std::vector<double> sizes;  // factors by letters of the word, from shortest on
  std::size_t shortest = 4;   // shorter words are not looked for
};

// The vocabulary is sorted when the first word is looked for; words with the same beginning then
// share the first rows of the distance table, and a beginning that is too far away is left with
// all its words (Oflazer 1996 walks an automaton in the same way).
class Spelling {
 public:
  explicit Spelling(const EditKnowledge& knowledge);

  // Known words that differ by a letter or two, best first, at most `most`.
  std::vector<LikeWord> near(std::string_view word, Lexicon& lexicon, std::size_t most);

 private:
  static constexpr std::uint32_t kNoLetter = 0xffffffff;
  using Changes = std::unordered_map<char32_t, double>;  // into a letter, or nothing

  double cost(char32_t from, char32_t to) const;
  void sort_words(const Lexicon& lexicon);

  std::unordered_map<char32_t, Changes> costs_;  // by the letter that is changed, or nothing
  double other_cost_ = 0;
  std::vector<double> sizes_;
  std::size_t shortest_;
  bool sorted_ = false;
  // Known words by spelling: the letters of each, by their number in the alphabet, and how many at
  // the beginning are those of the word before.
  std::vector<WordId> words_;
  std::vector<std::uint32_t> letters_;
  std::vector<std::size_t> starts_;
  std::vector<std::uint32_t> shared_;
  std::unordered_map<char32_t, std::uint32_t> alphabet_;
  std::vector<double> added_;  // what it costs to put a letter in
};

}  // namespace dragoman
