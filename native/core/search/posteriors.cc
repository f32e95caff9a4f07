#include "search/posteriors.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dragoman {

namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kImpossible ? a : a + std::log1p(std::exp(b - a));
}

}  // namespace

Posteriors posteriors(const Hypergraph& graph, double scale) {
  Posteriors result;
  if (graph.empty()) return result;
  std::vector<double> inside(graph.nodes(), kImpossible);
  std::vector<double> outside(graph.nodes(), kImpossible);
  std::vector<double> weight(graph.edges());
  // At an infinite scale only the best derivation counts.
  const bool best_only = std::isinf(scale);
  const auto add = [best_only](double a, double b) {
    return best_only ? std::max(a, b) : log_add(a, b);
  };
  for (std::size_t e = 0; e < graph.edges(); ++e) {
    const Hyperedge& edge = graph.edge(e);
    weight[e] = best_only ? edge.score : scale * edge.score;
    for (const auto tail : graph.tails(edge)) weight[e] += inside[tail];
    inside[edge.head] = add(inside[edge.head], weight[e]);
  }
  result.log_total = inside[graph.goal()];
  outside[graph.goal()] = 0;
  result.edges.resize(graph.edges());
  for (std::size_t e = graph.edges(); e-- > 0;) {
    const Hyperedge& edge = graph.edge(e);
    const double whole = outside[edge.head] + weight[e];
    result.edges[e] = whole - result.log_total;
    for (const auto tail : graph.tails(edge)) {
      outside[tail] = add(outside[tail], whole - inside[tail]);
    }
  }
  result.nodes.resize(graph.nodes());
  for (std::size_t node = 0; node < graph.nodes(); ++node) {
    result.nodes[node] = inside[node] + outside[node] - result.log_total;
  }
  return result;
}

}  // namespace dragoman
