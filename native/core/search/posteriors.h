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

// Inside-outside; empty for an empty graph.
Posteriors posteriors(const Hypergraph& graph, double scale = 1.0);

}  // namespace dragoman
