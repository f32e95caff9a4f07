// Cube pruning over the stacks of search/stack.h (Huang & Chiang 2007): all ways into a stack
// compete, and only the most promising corner of each grid (hypotheses by phrase options) is
// looked at.
#pragma once

#include <vector>

#include "search/stack.h"

namespace dragoman {

class StackSearch::Cube {
 public:
  void start(std::size_t length);
  // Notes where the hypotheses just grouped can go.
  void close_stack(StackSearch& search, std::size_t covered);
  // Fills the stack with at most `pops` extensions.
  void fill(StackSearch& search, std::size_t covered, std::size_t pops);

 private:
  struct Edge {
    Step step;
    std::vector<Departure> departures;  // best first
  };
  struct Item {
    Hypothesis candidate;
    std::uint32_t edge = 0;
    std::uint32_t departure = 0;
    std::uint32_t option = 0;
    bool admitted = false;
    bool owns_states = false;
    bool complete = false;

    bool operator<(const Item& other) const { return candidate.total < other.candidate.total; }
  };
  void push(StackSearch& search, std::vector<Edge>& edges, std::uint32_t edge,
            std::uint32_t departure, std::uint32_t option, Beam& into);

  std::vector<std::vector<Edge>> into_;  // by number of covered words
  std::vector<Item> queue_;
  StatePool states_;
};

}  // namespace dragoman
