// What a network thinks of the translations of a sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "neural/network.h"
#include "text/key_numbers.h"
#include "text/words.h"

namespace dragoman {

// The first layer of a network is a sum over its inputs, so what each word brings as each input is
// computed once and kept (Devlin et al. 2014, section 2.4). Not for several threads at once. What
// was asked before changes nothing.
class NetworkScorer {
 public:
  explicit NetworkScorer(std::shared_ptr<const Network> network);

  // The sentence that is translated from now on.
  void begin(Sentence source);

  // The log probability of a translation with its end, for which `affiliations` gives the place of
  // a source word for each word.
  double score(Sentence target, std::span<const std::uint32_t> affiliations);

 private:
  using Place = std::size_t;  // of a row of hidden units

  // What a word, or the window around a source word, brings to the hidden units.
  Place row(std::size_t input, WordId word);
  Place window(std::size_t position);
  float word_score(std::span<const WordId> before, std::size_t position, WordId word);

  std::shared_ptr<const Network> network_;
  std::vector<float> rows_;
  std::vector<Place> places_;  // by input and word; the first row is none's
  std::vector<WordId> source_;
  std::vector<Place> windows_;  // by position, of the sentence
  std::vector<float> window_rows_;
  std::vector<float> hidden_;
  std::vector<WordId> words_;
  std::vector<Place> parts_;
  KeyNumbers asked_;  // of the sentence: a word and all that it depends on
  std::vector<float> known_;
};

}  // namespace dragoman
