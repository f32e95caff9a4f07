// The best derivations of a hypergraph, one after another and only as far as they are asked for
// (Huang & Chiang 2005, algorithm 3).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "search/hypergraph.h"

namespace dragoman {

class KBest {
 public:
  // The graph must live longer.
  explicit KBest(const Hypergraph& graph);

  struct Entry {
    double score = 0;
    std::vector<std::uint32_t> edges;  // tails before heads, in target order where there is one
    std::vector<WordId> target;
  };
  // The k-th best derivation of the goal, from 0; none when there are not so many.
  std::optional<Entry> entry(std::size_t k);
  // The first `k`; with `distinct`, of each target only the best derivation, looking at no more
  // than `effort` times k of them.
  std::vector<Entry> entries(std::size_t k, bool distinct, std::size_t effort = 20);

 private:
  struct Candidate {
    double score = 0;
    std::uint32_t edge = 0;
    std::uint32_t first_rank = 0;  // where the ranks of its tails lie in ranks_
  };
  struct State {
    bool exhausted = false;          // there are no more than those found
    std::vector<Candidate> found;    // best first
    std::vector<Candidate> waiting;  // a heap
    bool settles(std::size_t rank) const { return exhausted || found.size() > rank; }
  };
  struct Wanted {
    Hypergraph::Node node;
    std::size_t rank;
  };
  bool reach(Hypergraph::Node node, std::size_t k);
  static void take_best(State& state);
  void add(State& state, std::uint32_t edge, std::span<const std::uint32_t> ranks);
  template <class Visit>
  void for_each_neighbour(const State& state, Visit&& visit) const;
  std::optional<Wanted> missing_for_next(const State& state) const;
  void add_next(State& state);
  void unfold(Hypergraph::Node node, std::size_t k, Entry& entry) const;
  static bool worse(const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score < b.score : a.first_rank > b.first_rank;
  }

  const Hypergraph& graph_;
  std::vector<State> states_;
  std::vector<std::uint32_t> ranks_;
};

}  // namespace dragoman
