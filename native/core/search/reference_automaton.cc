#include "search/reference_automaton.h"

#include <limits>
#include <string>

#include "text/error.h"

namespace dragoman {

ReferenceAutomaton::ReferenceAutomaton(Sentence reference) : reference_length_(reference.size()) {
  if (reference.size() > kLongestReference) {
    throw InputError("a reference of " + std::to_string(reference.size()) + " words; at most " +
                     std::to_string(kLongestReference) + " can be compared with");
  }
  std::vector<Word> text;
  text.reserve(reference.size());
  for (const WordId id : reference) {
    text.push_back(words_.emplace(id, static_cast<Word>(words_.size())).first->second);
  }
  const std::size_t words = words_.size();
  constexpr Ngram kNone = std::numeric_limits<Ngram>::max();
  ngrams_.emplace_back();
  std::vector<Ngram> children(words, kNone);     // by n-gram and next word
  std::vector<Ngram> here(text.size(), kStart);  // the n-gram of the last length, by its begin
  // Length by length, so that shorter n-grams are known before longer ones.
  for (std::size_t n = 1; n <= kBleuOrder; ++n) {
    for (std::size_t begin = 0; begin + n <= text.size(); ++begin) {
      const std::size_t place = here[begin] * words + text[begin + n - 1];
      if (children[place] == kNone) {
        children[place] = static_cast<Ngram>(ngrams_.size());
        ngrams_.push_back({kStart, static_cast<std::uint16_t>(n), 0});
        children.resize(ngrams_.size() * words, kNone);
      }
      here[begin] = children[place];
      ++ngrams_[here[begin]].occurrences;
    }
    for (std::size_t begin = 0; n > 1 && begin + n <= text.size(); ++begin) {
      Ngram tail = kStart;
      for (std::size_t i = 1; i < n; ++i) tail = children[tail * words + text[begin + i]];
      ngrams_[here[begin]].shorter = tail;
    }
  }
  std::size_t states = 0;
  while (states < ngrams_.size() && ngrams_[states].length < kBleuOrder) ++states;
  steps_.resize(states * words, kStart);
  for (std::size_t state = 0; state < states; ++state) {
    for (std::size_t word = 0; word < words; ++word) {
      const std::size_t place = state * words + word;
      if (children[place] != kNone) {
        steps_[place] = children[place];
      } else if (state != kStart) {
        steps_[place] = steps_[ngrams_[state].shorter * words + word];
      }
    }
  }
}

BleuCounts ReferenceAutomaton::count(Sentence target) const {
  BleuCounts counts;
  counts.length = static_cast<double>(target.size());
  counts.reference_length = static_cast<double>(reference_length_);
  std::vector<std::uint16_t> used(ngrams_.size(), 0);
  Ngram at = kStart;
  for (const WordId id : target) {
    const Ngram found = step(at, word(id));
    at = state(found);
    for (Ngram ngram = found; ngram != kStart; ngram = shorter(ngram)) {
      if (used[ngram]++ < ngrams_[ngram].occurrences) ++counts.matches[length(ngram) - 1u];
    }
  }
  for (std::size_t n = 0; n < kBleuOrder; ++n) {
    counts.totals[n] = target.size() > n ? static_cast<double>(target.size() - n) : 0.0;
  }
  return counts;
}

}  // namespace dragoman
