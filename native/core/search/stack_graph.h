// From what a stack search has found to a hypergraph.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/hypergraph.h"
#include "search/stack.h"

namespace dragoman {

// The graph of one sentence, and the features of its edges, which the models are asked for anew.
class StackGraph {
 public:
  StackGraph(const WeightedModel& weighted, const SentenceOptions& sentence,
             const SearchSpace& space)
      : weighted_(weighted), sentence_(sentence), space_(space) {}

  // Only what leads to a complete translation; empty when there is none. Edges have Koehn's
  // distortion, whichever the search used, and feature values when asked for.
  Hypergraph make(bool with_values);

  // Of a derivation of the graph that was made. The derivations of a list share most of their
  // edges, so each edge's features are found once, and only when a derivation has it.
  std::vector<double> features(std::span<const std::uint32_t> edges);

 private:
  // One hypothesis extended by one phrase; by none at the beginning.
  struct Extension {
    const PhraseOption* option = nullptr;
    std::uint32_t from = kNone;
    SourceSpan span;
    bool complete = false;
    std::uint32_t values = kNone;  // where they lie in values_, when they are known
  };
  template <class Visit>
  void for_each_way(const Hypothesis& hypothesis, Visit&& visit) const;
  double plain_score(double score, CoverageId coverage, std::uint32_t end) const;
  void find_values(const Extension& extension, std::span<double> values) const;
  void add_reordering(const Extension& extension, std::size_t model, double* values) const;

  const WeightedModel& weighted_;
  const SentenceOptions& sentence_;
  const SearchSpace& space_;
  std::vector<Extension> extensions_;  // by edge
  std::vector<double> values_;
};

}  // namespace dragoman
