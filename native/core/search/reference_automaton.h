// Which n-grams of a text are in a reference, word by word.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "search/bleu.h"
#include "text/words.h"

namespace dragoman {

// Aho-Corasick over the reference's n-grams. A state is the longest of them, of fewer words than
// BLEU's longest, that the text read so far ends in: all that the words to come can match.
class ReferenceAutomaton {
 public:
  using Ngram = std::uint16_t;  // by length; 0 is the empty one
  using Word = std::uint16_t;
  static constexpr Ngram kStart = 0;
  static constexpr Word kStranger = 0xffff;  // a word the reference does not have

  // Its table grows with the square of the reference; a longer one throws InputError.
  static constexpr std::size_t kLongestReference = 2000;
  explicit ReferenceAutomaton(Sentence reference);

  Word word(WordId id) const {
    const auto place = words_.find(id);
    return place == words_.end() ? kStranger : place->second;
  }
  // The longest n-gram that ends in `word` after `state`.
  Ngram step(Ngram state, Word word) const {
    return word == kStranger ? kStart : steps_[state * words_.size() + word];
  }
  std::uint16_t length(Ngram ngram) const { return ngrams_[ngram].length; }
  // What is left without the first word.
  Ngram shorter(Ngram ngram) const { return ngrams_[ngram].shorter; }
  Ngram state(Ngram ngram) const { return length(ngram) < kBleuOrder ? ngram : shorter(ngram); }
  // Like count_bleu(target, reference), and faster.
  BleuCounts count(Sentence target) const;

 private:
  struct Entry {
    Ngram shorter = kStart;
    std::uint16_t length = 0;
    std::uint16_t occurrences = 0;
  };
  std::unordered_map<WordId, Word> words_;
  std::vector<Entry> ngrams_;
  std::vector<Ngram> steps_;  // by state and word
  std::size_t reference_length_ = 0;
};

}  // namespace dragoman
