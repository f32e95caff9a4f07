// What a chart search has found, as far as anybody may still ask for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lm/half_pool.h"
#include "model/rule_options.h"
#include "rules/orientation.h"
#include "search/blocks.h"
#include "search/hypothesis.h"

namespace dragoman {

// A rule applied; glue when it has no rule but two tails, the end of the sentence when it has one
// tail, its begin when it has none.
struct ChartEdge {
  double score = 0;  // of the whole derivation
  const RuleOption* rule = nullptr;
  std::uint32_t tails[2] = {kNone, kNone};  // nodes
  std::uint32_t next = kNone;               // another way to the same node: one of the others
  SourceSpan span;

  std::size_t tail_count() const {
    return (tails[0] != kNone ? 1u : 0u) + (tails[1] != kNone ? 1u : 0u);
  }
};

// What is kept of a search beside the best derivation.
struct ChartKeeps {
  bool others = false;  // what recombination would forget
  bool boundaries =
      false;  // those of all nodes, not only of what may still become part of another
};

// A node is a constituent with the words at its edges, and is told by the best way to derive it.
// Nodes come after those they are made of. The first is the begin of the sentence.
class ChartSpace {
 public:
  // Where the words at a node's edges are, for one sequence model.
  struct Halves {
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    bool operator==(const Halves&) const = default;
  };
  using Nodes = std::vector<std::uint32_t>;

  explicit ChartSpace(std::size_t sequences)
      : halves_(sequences), lefts_(sequences), rights_(sequences) {}

  void clear(ChartKeeps keeps);
  // Nodes of a cell with equal halves are one.
  void halves_of(const LmBoundary* boundaries, std::span<Halves> halves);
  std::uint32_t add_node(const ChartEdge& best, std::span<const Halves> halves);
  // One more way to a node. The first of equally good ones is its best.
  void add_edge(std::uint32_t node, ChartEdge edge);
  void set_goal(std::uint32_t node) { goal_ = node; }
  // Forgets all but these nodes and what they are made of; they get new numbers in the same order.
  void keep(std::span<Nodes* const> wanted);

  std::size_t nodes() const { return nodes_.size(); }
  // What takes the memory: nodes, and other ways to them.
  std::size_t edges() const { return nodes_.size() + others_.size(); }
  std::uint32_t goal() const { return goal_; }  // kNone when no translation was found
  const ChartEdge& best(std::uint32_t node) const { return nodes_[node]; }
  // All ways to a node that were kept, the best first.
  template <class Visit>
  void for_each_edge(std::uint32_t node, Visit&& visit) const {
    const ChartEdge* edge = &nodes_[node];
    visit(*edge);
    while (edge->next != kNone) visit(*(edge = &others_[edge->next]));
  }
  // One for each sequence model.
  const Halves* halves(std::uint32_t node) const { return halves_.row(node); }
  void join(LmJoiner& joiner, std::size_t sequence, Halves halves) const {
    joiner.piece(lefts_[sequence][halves.left], rights_[sequence][halves.right]);
  }

  SearchStats stats;

 private:
  ChartKeeps keeps_;
  Blocks<ChartEdge> nodes_;
  Blocks<ChartEdge> others_;
  Blocks<Halves> halves_;  // node by node
  std::vector<HalfPool<LmLeft>> lefts_;
  std::vector<HalfPool<LmState>> rights_;
  std::uint32_t goal_ = kNone;
};

}  // namespace dragoman
