#include "search/word_posteriors.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "search/kbest.h"
#include "search/posteriors.h"

namespace dragoman {

namespace {

// The words of a derivation in their order, each with its edge.
std::vector<std::pair<WordId, std::uint32_t>> unfolded(const Hypergraph& graph,
                                                       const std::vector<std::uint32_t>& edges) {
  std::unordered_map<Hypergraph::Node, std::uint32_t> chosen;
  for (const std::uint32_t edge : edges) chosen[graph.edge(edge).head] = edge;
  struct Open {
    std::uint32_t edge;
    std::uint32_t next;
  };
  std::vector<std::pair<WordId, std::uint32_t>> words;
  std::vector<Open> stack{{chosen.at(graph.goal()), 0}};
  while (!stack.empty()) {
    Open& top = stack.back();
    const Hyperedge& edge = graph.edge(top.edge);
    const Sentence target = graph.target(edge);
    if (top.next == target.size()) {
      stack.pop_back();
      continue;
    }
    const WordId symbol = target[top.next++];
    if (symbol >= 0) {
      words.emplace_back(symbol, top.edge);
    } else {
      stack.push_back({chosen.at(graph.tails(edge)[static_cast<std::size_t>(-1 - symbol)]), 0});
    }
  }
  return words;
}

}  // namespace

std::vector<WordPosterior> word_posteriors(const Hypergraph& graph, double scale) {
  std::vector<WordPosterior> found;
  if (graph.empty()) return found;
  const auto best = KBest(graph).entry(0);
  if (!best) return found;
  const auto words = unfolded(graph, best->edges);
  const Posteriors all = posteriors(graph, scale);
  for (const auto& [word, own] : words) {
    const Hyperedge& edge = graph.edge(own);
    WordPosterior one;
    one.word = word;
    one.unknown = edge.provenance.unknown || edge.provenance.source >= 0;
    one.phrase_words = static_cast<std::uint32_t>(edge.source.end - edge.source.begin);
    found.push_back(one);
  }
  // Edges that are hardly ever used say nothing, and most are such.
  constexpr double kRare = -16;
  for (std::size_t e = 0; e < graph.edges(); ++e) {
    if (all.edges[e] < kRare) continue;
    const Hyperedge& edge = graph.edge(e);
    const Sentence target = graph.target(edge);
    const double probability = std::exp(all.edges[e]);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const Hyperedge& own = graph.edge(words[i].second);
      if (edge.source.begin >= own.source.end || own.source.begin >= edge.source.end) continue;
      if (std::find(target.begin(), target.end(), words[i].first) == target.end()) continue;
      found[i].word_probability += probability;
      const bool same = edge.source.begin == own.source.begin &&
                        edge.source.end == own.source.end && same_words(target, graph.target(own));
      if (same) found[i].phrase_probability += probability;
    }
  }
  for (WordPosterior& one : found) {
    one.word_probability = std::min(1.0, one.word_probability);
    one.phrase_probability = std::min(1.0, one.phrase_probability);
  }
  return found;
}

}  // namespace dragoman
