// From what a stack search has found to a hypergraph.
#pragma once

#include "search/hypergraph.h"
#include "search/stack.h"

namespace dragoman {

// Only what leads to a complete translation; empty when there is none. Edges have Koehn's
// distortion, whichever the search used, and feature values when asked for.
Hypergraph make_hypergraph(const WeightedModel& weighted, const SentenceOptions& sentence,
                           const SearchSpace& space, bool with_values);

}  // namespace dragoman
