// The best derivations of a hypergraph, one after another and only as far as they are asked for
// (Huang & Chiang 2005, algorithm 3); or the best different targets.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "search/hypergraph.h"
#include "search/target_hash.h"

namespace dragoman {

// With `distinct`, the best derivation of each target. A worse derivation of the same target is
// dropped at the node where it ends, not at the goal: whatever it could become a part of, the
// better one makes the same target of. So the ranks of tails count targets too, and the many
// derivations of a hierarchical model that only differ in their brackets are met once.
class KBest {
 public:
  // The graph must live longer. `most`: derivations of all nodes together that may be looked at
  // beyond the best of each; when they are used up, there are no more.
  explicit KBest(const Hypergraph& graph, bool distinct = false,
                 std::size_t most = std::numeric_limits<std::size_t>::max());

  struct Entry {
    double score = 0;
    std::vector<std::uint32_t> edges;  // tails before heads, in target order where there is one
  };
  // The k-th best of the goal, from 0; none when there are not so many.
  std::optional<Entry> entry(std::size_t k);
  // The first `k`.
  std::vector<Entry> entries(std::size_t k);

 private:
  struct Candidate {
    double score = 0;
    std::uint32_t edge = 0;
    std::uint32_t first_rank = 0;  // where the ranks of its tails lie in ranks_
    TargetHash target;             // if distinct
  };
  // What is known of a node beyond its best.
  struct State {
    bool empty = false;  // there is not even a best
    bool begun = false;
    bool exhausted = false;          // there are no more than those found
    bool to_expand = false;          // the neighbours of `last` are not waiting yet
    Candidate last;                  // taken from those waiting
    std::vector<Candidate> found;    // the second best and on
    std::vector<Candidate> waiting;  // a heap
    bool has(std::size_t rank) const { return !empty && found.size() >= rank; }
    bool settles(std::size_t rank) const { return exhausted || has(rank); }
  };
  struct Wanted {
    Hypergraph::Node node;
    std::size_t rank;
  };
  struct Frame {
    const Candidate* one;
    std::size_t next_tail;
  };
  const Candidate& candidate(Hypergraph::Node node, std::size_t rank) const {
    return rank == 0 ? best_[node] : states_[node].found[rank - 1];
  }
  bool reach(Hypergraph::Node node, std::size_t k);
  void begin(Hypergraph::Node node);
  void take_best(Hypergraph::Node node);
  bool is_new(Hypergraph::Node node, const TargetHash& target);
  std::optional<Candidate> combined(std::uint32_t edge, std::uint32_t first_rank) const;
  void wait(State& state, const Candidate& candidate) const;
  template <class Visit>
  void for_each_neighbour(const Candidate& candidate, Visit&& visit) const;
  std::optional<Wanted> missing_for_next(const State& state) const;
  void add_next(State& state);
  void unfold(Hypergraph::Node node, std::size_t k, Entry& entry);
  static bool worse(const Candidate& a, const Candidate& b);

  const Hypergraph& graph_;
  bool distinct_;
  std::size_t left_;  // that may still be looked at
  std::vector<Candidate> best_;
  std::vector<State> states_;
  std::vector<std::uint32_t> ranks_;        // begins with those of the best of any edge
  std::unordered_set<std::uint64_t> seen_;  // targets of nodes, if distinct
  // Stacks of reach and unfold, kept from entry to entry.
  std::vector<Wanted> wanted_;
  std::vector<Frame> frames_;
};

// The first `k` in bounded time: a graph in which nearly everything derives the same target gives
// fewer different ones than there may be.
std::vector<KBest::Entry> best_entries(const Hypergraph& graph, std::size_t k, bool distinct);

}  // namespace dragoman
