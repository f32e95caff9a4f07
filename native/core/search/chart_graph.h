// From what a chart search has found to a hypergraph, and to derivations with their features.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/chart.h"
#include "search/hypergraph.h"

namespace dragoman {

// Only what leads to a complete translation; empty when there is none. Begin, glue and end of the
// sentence are edges of no rule over no source words.
Hypergraph make_hypergraph(const WeightedModel& weighted, const ChartSpace& space,
                           bool with_values);

// One edge of a derivation, of which the tails come before.
struct RuleStep {
  SourceSpan source;           // empty for begin, glue and end of the sentence
  std::uint32_t row = kNoRow;  // of the table
  std::vector<WordId> target;  // words as in ChartSentence; -1 - k for what tail k derives
  std::uint16_t tails = 0;
  Provenance provenance;  // of what is not in the table

  bool applies_rule() const { return source.begin < source.end; }
};

using RuleDerivation = std::vector<RuleStep>;  // tails before heads, in order

// None when the search found no translation.
RuleDerivation best_derivation(const ChartSpace& space);
RuleDerivation derivation_of(const Hypergraph& graph, std::span<const std::uint32_t> edges);

// Where a step's tails and words are.
struct RulePlace {
  std::vector<std::uint32_t> tails;  // steps
  std::uint32_t target_begin = 0;
  std::uint32_t target_end = 0;
};
struct RuleTree {
  std::vector<RulePlace> places;  // by step
  std::vector<WordId> target;
};
RuleTree tree_of(std::span<const RuleStep> derivation);

// All features of a derivation, recomputed with nothing the search has summed: rule by rule, the
// language models over the words as they come.
std::vector<double> derivation_features(const TranslationModel& model,
                                        const ChartSentence& sentence,
                                        std::span<const RuleStep> derivation);

}  // namespace dragoman
