// How sure a search is of the words of its best translation: how probable each is among all
// translations in the graph (Ueffing & Ney 2007).
#pragma once

#include <cstdint>
#include <vector>

#include "search/hypergraph.h"

namespace dragoman {

struct WordPosterior {
  WordId word = 0;
  // That some translation of the same source words has this word.
  double word_probability = 0;
  // That the whole phrase or rule which it comes from is used.
  double phrase_probability = 0;
  std::uint32_t phrase_words = 0;  // on the source side
  bool unknown = false;            // of a word never seen in training
};

// Of the best derivation, word by word; derivations are as probable as `scale` times their scores
// say.
std::vector<WordPosterior> word_posteriors(const Hypergraph& graph, double scale);

}  // namespace dragoman
