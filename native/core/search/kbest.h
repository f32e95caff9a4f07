// The best derivations of a hypergraph, one after another and only as far as they are asked for
// (Huang & Chiang 2005, algorithm 3).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "search/hypergraph.h"

namespace dragoman {

class KBest {
 public:
  // The graph must live longer. With `distinct`, of each target there is only the best
  // derivation.
  explicit KBest(const Hypergraph& graph, bool distinct = false);

  struct Entry {
    double score = 0;
    std::vector<std::uint32_t> edges;  // tails before heads, in target order where there is one
    std::vector<WordId> target;
  };
  // The k-th best derivation of the goal, from 0; none when there are not so many.
  std::optional<Entry> entry(std::size_t k);
  // The first `k`.
  std::vector<Entry> entries(std::size_t k);

 private:
  // The words of a derivation as a number: that of two of them one behind the other follows from
  // theirs.
  struct Spelling {
    std::uint64_t hash = 0;
    std::uint64_t power = 1;  // of the base, by the number of words
    void append(const Spelling& more) {
      hash = hash * more.power + more.hash;
      power *= more.power;
    }
  };
  struct Candidate {
    double score = 0;
    std::uint32_t edge = 0;
    std::uint32_t first_rank = 0;  // where the ranks of its tails lie in ranks_
    Spelling spelling;             // when derivations shall be distinct
  };
  struct State {
    bool exhausted = false;          // there are no more than those found
    Candidate last;                  // the last that was taken, found or spelt like a better one
    std::vector<Candidate> found;    // best first
    std::vector<Candidate> waiting;  // a heap
    bool settles(std::size_t rank) const { return exhausted || found.size() > rank; }
  };
  struct Wanted {
    Hypergraph::Node node;
    std::size_t rank;
  };
  bool reach(Hypergraph::Node node, std::size_t k);
  void take_best(Hypergraph::Node node);
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
  bool distinct_;
  std::unordered_set<std::uint64_t> seen_;  // spellings of nodes
  std::vector<State> states_;
  std::vector<std::uint32_t> ranks_;
};

}  // namespace dragoman
