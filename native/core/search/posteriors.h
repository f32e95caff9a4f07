// How probable each edge of a hypergraph is when derivations are as probable as their scores say.
#pragma once

#include <vector>

#include "search/hypergraph.h"

namespace dragoman {

struct Posteriors {
  double log_total = 0;       // log of the sum over all derivations of exp(scale * score)
  std::vector<double> nodes;  // log-probability that a derivation passes through
  std::vector<double> edges;  // likewise
};

// Inside-outside; empty for an empty graph. With an infinite scale: by how much the best
// derivation that passes through a node or an edge is worse than the best of all, unscaled
// (max-marginals).
Posteriors posteriors(const Hypergraph& graph, double scale = 1.0);

}  // namespace dragoman
