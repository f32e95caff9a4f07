// The translations a search has found, packed: states as nodes, extensions as edges. Both
// decoders write one, and k-best lists, posteriors and oracles read it, so each is written once.
//
// An edge joins any number of tails to its head; nodes come after all they are made of. In a
// phrase-based search there is one tail, and the empty beginning is an edge without any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/offers.h"
#include "rules/orientation.h"
#include "text/words.h"

namespace dragoman {

struct Hyperedge {
  double score = 0;  // weights · features of this edge alone
  std::uint32_t head = 0;
  std::uint32_t first_tail = 0;
  std::uint32_t first_word = 0;
  std::uint32_t words = 0;
  std::uint32_t rule = 0;  // row of the rule table; kNoRow for what is not in it
  std::uint16_t tails = 0;
  SourceSpan source;
  Provenance provenance;  // of what is not in the table
};

class Hypergraph {
 public:
  using Node = std::uint32_t;

  // --- building: nodes in topological order, each with its edges ------------------------------

  explicit Hypergraph(std::size_t features = 0) : features_(features) {}
  // Room for so many edges of a tail each, so that nothing is moved about.
  void reserve(std::size_t edges) {
    edges_.reserve(edges);
    tails_.reserve(edges);
  }
  Node add_node() {
    first_edges_.push_back(first_edges_.back());
    return static_cast<Node>(first_edges_.size() - 2);
  }
  // To the last node. In `target`, -1 - k stands for the words of tail k.
  // `values`: features() numbers, or none at all in the whole graph.
  Hyperedge& add_edge(double score, std::span<const Node> tails, Sentence target,
                      std::uint32_t rule, SourceSpan source, std::span<const float> values);
  void set_goal(Node goal) { goal_ = goal; }

  // --- reading --------------------------------------------------------------------------------

  std::size_t nodes() const { return first_edges_.size() - 1; }
  std::size_t edges() const { return edges_.size(); }
  bool empty() const { return nodes() == 0; }
  Node goal() const { return goal_; }
  const Hyperedge& edge(std::size_t index) const { return edges_[index]; }
  // Edges of a node lie together: [first, last).
  std::uint32_t first_edge(Node node) const { return first_edges_[node]; }
  std::uint32_t last_edge(Node node) const { return first_edges_[node + 1]; }
  std::span<const Node> tails(const Hyperedge& edge) const {
    return {tails_.data() + edge.first_tail, edge.tails};
  }
  Sentence target(const Hyperedge& edge) const {
    return {words_.data() + edge.first_word, edge.words};
  }
  std::size_t features() const { return features_; }
  bool has_values() const { return !values_.empty(); }
  std::span<const float> values(std::size_t edge) const {
    return {values_.data() + edge * features_, features_};
  }
  // The words of a derivation whose edges come tails before heads.
  std::vector<WordId> spell(std::span<const std::uint32_t> edges) const;
  // Gives every edge the score weights · values.
  void reweight(std::span<const double> weights);

 private:
  std::size_t features_;
  std::vector<std::uint32_t> first_edges_{0};
  std::vector<Hyperedge> edges_;
  std::vector<Node> tails_;
  std::vector<WordId> words_;
  std::vector<float> values_;
  Node goal_ = 0;
};

}  // namespace dragoman
