#include "search/kbest.h"

#include <algorithm>

#include "text/checksum.h"

namespace dragoman {

namespace {

// That a list may look at, for each of its entries.
constexpr std::size_t kEffort = 1000;

}  // namespace

KBest::KBest(const Hypergraph& graph, bool distinct, std::size_t most)
    : graph_(graph), distinct_(distinct), left_(most), states_(graph.nodes()) {
  std::size_t most_tails = 0;
  for (std::size_t e = 0; e < graph.edges(); ++e) {
    most_tails = std::max<std::size_t>(most_tails, graph.edge(e).tails);
  }
  ranks_.assign(most_tails, 0);
  // Bottom up: the best of all tails is known when a node begins.
  best_.reserve(graph.nodes());
  for (Hypergraph::Node node = 0; node < graph.nodes(); ++node) {
    std::optional<Candidate> best;
    for (std::uint32_t edge = graph.first_edge(node); edge < graph.last_edge(node); ++edge) {
      const std::optional<Candidate> one = combined(edge, 0);
      if (one && (!best || worse(*best, *one))) best = one;
    }
    best_.push_back(best.value_or(Candidate()));
    states_[node].empty = states_[node].exhausted = !best;
  }
}

// Makes sure that the k-th best of `node` is known, if there is one. What it is made of waits on
// a stack of our own: a derivation is as deep as a sentence is long.
bool KBest::reach(Hypergraph::Node node, std::size_t k) {
  wanted_.assign(1, {node, k});
  while (!wanted_.empty()) {
    const Wanted now = wanted_.back();
    State& state = states_[now.node];
    if (state.settles(now.rank)) {
      wanted_.pop_back();
    } else if (!state.begun) {
      begin(now.node);
    } else if (!state.to_expand) {
      take_best(now.node);
    } else if (const std::optional<Wanted> missing = missing_for_next(state)) {
      wanted_.push_back(*missing);
    } else {
      add_next(state);
    }
  }
  return states_[node].has(k);
}

void KBest::begin(Hypergraph::Node node) {
  State& state = states_[node];
  state.begun = state.to_expand = true;
  state.last = best_[node];
  if (distinct_) is_new(node, state.last.target);
  for (std::uint32_t edge = graph_.first_edge(node); edge < graph_.last_edge(node); ++edge) {
    if (edge == state.last.edge) continue;
    if (const auto one = combined(edge, 0)) wait(state, *one);
  }
}

void KBest::take_best(Hypergraph::Node node) {
  State& state = states_[node];
  if (state.waiting.empty() || left_ == 0) {
    state.exhausted = true;
    return;
  }
  --left_;
  std::pop_heap(state.waiting.begin(), state.waiting.end(), worse);
  state.last = state.waiting.back();
  state.waiting.pop_back();
  state.to_expand = true;
  if (!distinct_ || is_new(node, state.last.target)) state.found.push_back(state.last);
}

// Values of short targets are small, and so are nodes: without large numbers beside them their
// products would be the same too often.
bool KBest::is_new(Hypergraph::Node node, const TargetHash& target) {
  return seen_
      .insert(fold_multiply(target.value() + 0x9e3779b97f4a7c15,
                            (2 * std::uint64_t{node} + 1) * 0xd6e8feb86659fd93))
      .second;
}

// An edge over tails of these ranks; none when a tail has not so many.
std::optional<KBest::Candidate> KBest::combined(std::uint32_t edge,
                                                std::uint32_t first_rank) const {
  Candidate one;
  one.edge = edge;
  one.first_rank = first_rank;
  const Hyperedge& rule = graph_.edge(edge);
  one.score = rule.score;
  const auto tails = graph_.tails(rule);
  const auto part = [&](std::size_t i) -> const Candidate& {
    return candidate(tails[i], ranks_[first_rank + i]);
  };
  for (std::size_t i = 0; i < tails.size(); ++i) {
    if (!states_[tails[i]].has(ranks_[first_rank + i])) return std::nullopt;
    one.score += part(i).score;
  }
  if (distinct_) {
    for (const WordId word : graph_.target(rule)) {
      if (word >= 0) {
        one.target.append(word);
      } else {
        one.target.append(part(static_cast<std::size_t>(-1 - word)).target);
      }
    }
  }
  return one;
}

void KBest::wait(State& state, const Candidate& candidate) const {
  state.waiting.push_back(candidate);
  std::push_heap(state.waiting.begin(), state.waiting.end(), worse);
}

// Its neighbours, on its edge: one tail one rank further. To meet each vector of ranks once, only
// tails up to and including the first that is beyond its best are moved on.
template <class Visit>
void KBest::for_each_neighbour(const Candidate& candidate, Visit&& visit) const {
  for (std::size_t i = 0; i < graph_.edge(candidate.edge).tails; ++i) {
    const std::uint32_t rank = ranks_[candidate.first_rank + i];
    if (!visit(i, rank + 1) || rank > 0) return;
  }
}

// A tail's rank must be known, or known not to be there, before what has it is put together.
std::optional<KBest::Wanted> KBest::missing_for_next(const State& state) const {
  std::optional<Wanted> missing;
  const auto tails = graph_.tails(graph_.edge(state.last.edge));
  for_each_neighbour(state.last, [&](std::size_t i, std::uint32_t rank) {
    if (!states_[tails[i]].settles(rank)) missing = Wanted{tails[i], rank};
    return !missing;
  });
  return missing;
}

void KBest::add_next(State& state) {
  state.to_expand = false;
  const std::size_t tails = graph_.edge(state.last.edge).tails;
  for_each_neighbour(state.last, [&](std::size_t i, std::uint32_t rank) {
    const std::size_t first = ranks_.size();
    for (std::size_t t = 0; t < tails; ++t) ranks_.push_back(ranks_[state.last.first_rank + t]);
    ranks_[first + i] = rank;
    if (const auto next = combined(state.last.edge, static_cast<std::uint32_t>(first))) {
      wait(state, *next);
    } else {
      ranks_.resize(first);
    }
    return true;
  });
}

// What came first wins, so that the order is the same everywhere.
bool KBest::worse(const Candidate& a, const Candidate& b) {
  if (a.score != b.score) return a.score < b.score;
  return a.first_rank != b.first_rank ? a.first_rank > b.first_rank : a.edge > b.edge;
}

void KBest::unfold(Hypergraph::Node node, std::size_t k, Entry& entry) {
  // Depth first, without recursion for long chains of single tails.
  frames_.assign(1, {&candidate(node, k), 0});
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    const Candidate& one = *frame.one;
    const auto tails = graph_.tails(graph_.edge(one.edge));
    if (frame.next_tail < tails.size()) {
      const std::size_t tail = frame.next_tail++;
      frames_.push_back({&candidate(tails[tail], ranks_[one.first_rank + tail]), 0});
    } else {
      entry.edges.push_back(one.edge);
      frames_.pop_back();
    }
  }
}

std::optional<KBest::Entry> KBest::entry(std::size_t k) {
  if (graph_.empty() || !reach(graph_.goal(), k)) return std::nullopt;
  Entry entry;
  entry.score = candidate(graph_.goal(), k).score;
  unfold(graph_.goal(), k, entry);
  return entry;
}

std::vector<KBest::Entry> KBest::entries(std::size_t k) {
  std::vector<Entry> found;
  while (found.size() < k) {
    std::optional<Entry> one = entry(found.size());
    if (!one) break;
    found.push_back(std::move(*one));
  }
  return found;
}

std::vector<KBest::Entry> best_entries(const Hypergraph& graph, std::size_t k, bool distinct) {
  return (distinct ? KBest(graph, true, graph.edges() + kEffort * k) : KBest(graph)).entries(k);
}

}  // namespace dragoman
