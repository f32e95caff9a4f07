// A translation as the phrases it is made of, and its features computed from these alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/sentence_options.h"
#include "search/stack.h"

namespace dragoman {

// One phrase pair of a derivation. Its words lie in the sentence's options, or in a graph.
struct DerivationStep {
  SourceSpan source;
  std::uint32_t row = kNoRow;  // of the phrase table
  Sentence target;             // ids as in SentenceOptions
  Provenance provenance;       // of what is not in the table
};

using Derivation = std::vector<DerivationStep>;  // in target order

// The best derivation of a search; none when it found no translation.
Derivation best_derivation(const SearchSpace& space);

// All features of a derivation, recomputed with nothing the search has summed: word by word,
// jump by jump.
std::vector<double> derivation_features(const TranslationModel& model,
                                        const SentenceOptions& sentence,
                                        std::span<const DerivationStep> derivation);

double dot(std::span<const double> weights, std::span<const double> values);

}  // namespace dragoman
