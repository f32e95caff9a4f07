#include "search/hypergraph.h"

#include "text/error.h"

namespace dragoman {

Hyperedge& Hypergraph::add_edge(double score, std::span<const Node> tails, Sentence target,
                                std::uint32_t rule, SourceSpan source,
                                std::span<const float> values) {
  const auto head = static_cast<Node>(nodes() - 1);
  Hyperedge edge;
  edge.score = score;
  edge.head = head;
  edge.first_tail = static_cast<std::uint32_t>(tails_.size());
  edge.tails = static_cast<std::uint16_t>(tails.size());
  edge.first_word = static_cast<std::uint32_t>(words_.size());
  edge.words = static_cast<std::uint32_t>(target.size());
  edge.rule = rule;
  edge.source = source;
  for (const Node tail : tails) {
    if (tail >= head) throw InputError("a node of a hypergraph comes before one of its tails");
  }
  tails_.insert(tails_.end(), tails.begin(), tails.end());
  words_.insert(words_.end(), target.begin(), target.end());
  values_.insert(values_.end(), values.begin(), values.end());
  edges_.push_back(edge);
  ++first_edges_.back();
  return edges_.back();
}

std::vector<WordId> Hypergraph::spell(std::span<const std::uint32_t> edges) const {
  std::vector<std::vector<WordId>> parts;
  for (const std::uint32_t e : edges) {
    const Hyperedge& edge = edges_[e];
    const std::size_t first = parts.size() - edge.tails;
    std::vector<WordId> whole;
    for (const WordId word : target(edge)) {
      if (word >= 0) {
        whole.push_back(word);
      } else {
        std::vector<WordId>& part = parts[first + static_cast<std::size_t>(-1 - word)];
        if (whole.empty()) {
          whole = std::move(part);
        } else {
          whole.insert(whole.end(), part.begin(), part.end());
        }
      }
    }
    parts.resize(first);
    parts.push_back(std::move(whole));
  }
  return std::move(parts.back());
}

void Hypergraph::reweight(std::span<const double> weights) {
  if (weights.size() != features_ || values_.size() != edges_.size() * features_) {
    throw InputError("the hypergraph holds no feature values for these weights");
  }
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    double score = 0;
    const auto row = values(e);
    for (std::size_t i = 0; i < features_; ++i) score += weights[i] * static_cast<double>(row[i]);
    edges_[e].score = score;
  }
}

}  // namespace dragoman
