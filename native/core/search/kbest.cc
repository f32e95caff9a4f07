#include "search/kbest.h"

#include <algorithm>

#include "text/checksum.h"

namespace dragoman {

namespace {

constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;

}  // namespace

KBest::KBest(const Hypergraph& graph, bool distinct)
    : graph_(graph), distinct_(distinct), states_(graph.nodes()) {
  // Bottom up: the best of all tails is known when a node begins.
  for (Hypergraph::Node node = 0; node < graph.nodes(); ++node) {
    for (std::uint32_t edge = graph.first_edge(node); edge < graph.last_edge(node); ++edge) {
      add(states_[node], edge, std::vector<std::uint32_t>(graph.edge(edge).tails, 0));
    }
    take_best(node);
  }
}

// Makes sure that the k-th best of `node` is known, if there is one. What it is made of waits on
// a stack of our own: a derivation is as deep as a sentence is long.
bool KBest::reach(Hypergraph::Node node, std::size_t k) {
  std::vector<Wanted> wanted{{node, k}};
  while (!wanted.empty()) {
    const Wanted now = wanted.back();
    State& state = states_[now.node];
    if (state.settles(now.rank)) {
      wanted.pop_back();
    } else if (const std::optional<Wanted> missing = missing_for_next(state)) {
      wanted.push_back(*missing);
    } else {
      add_next(state);
      take_best(now.node);
    }
  }
  return states_[node].found.size() > k;
}

// What ends in the same node with the same words has the same ways on, so that of equal spellings
// the best is enough, in every node.
void KBest::take_best(Hypergraph::Node node) {
  State& state = states_[node];
  if (state.waiting.empty()) {
    state.exhausted = true;
    return;
  }
  std::pop_heap(state.waiting.begin(), state.waiting.end(), worse);
  state.last = state.waiting.back();
  state.waiting.pop_back();
  if (!distinct_ ||
      seen_.insert(fold_multiply(state.last.spelling.hash + 1, node + kOdd)).second) {
    state.found.push_back(state.last);
  }
}

// A tail's rank must be known, or known not to be there, before its successor is put together.
void KBest::add(State& state, std::uint32_t edge, std::span<const std::uint32_t> ranks) {
  Candidate candidate;
  candidate.edge = edge;
  candidate.score = graph_.edge(edge).score;
  const auto tails = graph_.tails(graph_.edge(edge));
  for (std::size_t i = 0; i < tails.size(); ++i) {
    const State& tail = states_[tails[i]];
    if (tail.found.size() <= ranks[i]) return;
    candidate.score += tail.found[ranks[i]].score;
  }
  if (distinct_) {
    for (const WordId word : graph_.target(graph_.edge(edge))) {
      if (word >= 0) {
        candidate.spelling.append(
            {fold_multiply(static_cast<std::uint64_t>(word) + 1, kOdd), kOdd});
      } else {
        const auto tail = static_cast<std::size_t>(-1 - word);
        candidate.spelling.append(states_[tails[tail]].found[ranks[tail]].spelling);
      }
    }
  }
  candidate.first_rank = static_cast<std::uint32_t>(ranks_.size());
  ranks_.insert(ranks_.end(), ranks.begin(), ranks.end());
  state.waiting.push_back(candidate);
  std::push_heap(state.waiting.begin(), state.waiting.end(), worse);
}

// The neighbours of what was taken last, on its edge: one tail one rank further. To meet each
// vector of ranks once, only tails up to and including the first that is beyond its best are
// moved on.
template <class Visit>
void KBest::for_each_neighbour(const State& state, Visit&& visit) const {
  const Candidate& last = state.last;
  for (std::size_t i = 0; i < graph_.edge(last.edge).tails; ++i) {
    const std::uint32_t rank = ranks_[last.first_rank + i];
    if (!visit(i, rank + 1) || rank > 0) return;
  }
}

std::optional<KBest::Wanted> KBest::missing_for_next(const State& state) const {
  std::optional<Wanted> missing;
  const auto tails = graph_.tails(graph_.edge(state.last.edge));
  for_each_neighbour(state, [&](std::size_t i, std::uint32_t rank) {
    if (!states_[tails[i]].settles(rank)) missing = Wanted{tails[i], rank};
    return !missing;
  });
  return missing;
}

void KBest::add_next(State& state) {
  const Candidate last = state.last;
  std::vector<std::uint32_t> ranks(
      ranks_.begin() + last.first_rank,
      ranks_.begin() + last.first_rank + graph_.edge(last.edge).tails);
  for_each_neighbour(state, [&](std::size_t i, std::uint32_t rank) {
    ranks[i] = rank;
    add(state, last.edge, ranks);
    ranks[i] = rank - 1;
    return true;
  });
}

void KBest::unfold(Hypergraph::Node node, std::size_t k, Entry& entry) const {
  // Depth first, without recursion for long chains of single tails.
  struct Frame {
    Hypergraph::Node node;
    std::size_t rank;
    std::size_t next_tail;
    std::vector<std::vector<WordId>> targets;
  };
  std::vector<Frame> frames;
  frames.push_back({node, k, 0, {}});
  while (true) {
    Frame& frame = frames.back();
    const Candidate& candidate = states_[frame.node].found[frame.rank];
    const Hyperedge& edge = graph_.edge(candidate.edge);
    if (frame.next_tail < edge.tails) {
      const std::size_t tail = frame.next_tail++;
      const std::size_t rank = ranks_[candidate.first_rank + tail];
      frames.push_back({graph_.tails(edge)[tail], rank, 0, {}});
      continue;
    }
    entry.edges.push_back(candidate.edge);
    std::vector<WordId> target;
    for (const WordId word : graph_.target(edge)) {
      if (word >= 0) {
        target.push_back(word);
      } else {
        std::vector<WordId>& part = frame.targets[static_cast<std::size_t>(-1 - word)];
        if (target.empty()) {
          target = std::move(part);
        } else {
          target.insert(target.end(), part.begin(), part.end());
        }
      }
    }
    frames.pop_back();
    if (frames.empty()) {
      entry.target = std::move(target);
      return;
    }
    frames.back().targets.push_back(std::move(target));
  }
}

std::optional<KBest::Entry> KBest::entry(std::size_t k) {
  if (graph_.empty() || !reach(graph_.goal(), k)) return std::nullopt;
  Entry entry;
  entry.score = states_[graph_.goal()].found[k].score;
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

}  // namespace dragoman
