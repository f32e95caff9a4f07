#include "search/kbest.h"

#include <algorithm>
#include <set>

namespace dragoman {

KBest::KBest(const Hypergraph& graph) : graph_(graph), states_(graph.nodes()) {
  if (graph.empty()) return;
  // Best first entries bottom-up, so that no recursion is deeper than what k asks for.
  for (Hypergraph::Node node = 0; node < graph.nodes(); ++node) reach(node, 0);
}

// Makes sure that the k-th best of `node` is known, if there is one. The nodes below are asked
// for at most their k-th best; their best is known already.
bool KBest::reach(Hypergraph::Node node, std::size_t k) {
  State& state = states_[node];
  if (!state.begun) begin(node);
  while (state.found.size() <= k) {
    if (!state.found.empty()) next(node, state.found.back());
    if (state.waiting.empty()) return false;
    std::pop_heap(state.waiting.begin(), state.waiting.end(), worse);
    state.found.push_back(state.waiting.back());
    state.waiting.pop_back();
  }
  return true;
}

void KBest::begin(Hypergraph::Node node) {
  State& state = states_[node];
  state.begun = true;
  for (std::uint32_t edge = graph_.first_edge(node); edge < graph_.last_edge(node); ++edge) {
    add(state, node, edge, std::vector<std::uint32_t>(graph_.edge(edge).tails, 0));
  }
}

void KBest::add(State& state, Hypergraph::Node, std::uint32_t edge,
                const std::vector<std::uint32_t>& ranks) {
  Candidate candidate;
  candidate.edge = edge;
  candidate.score = graph_.edge(edge).score;
  const auto tails = graph_.tails(graph_.edge(edge));
  for (std::size_t i = 0; i < tails.size(); ++i) {
    if (!reach(tails[i], ranks[i])) return;
    candidate.score += states_[tails[i]].found[ranks[i]].score;
  }
  candidate.first_rank = static_cast<std::uint32_t>(ranks_.size());
  ranks_.insert(ranks_.end(), ranks.begin(), ranks.end());
  state.waiting.push_back(candidate);
  std::push_heap(state.waiting.begin(), state.waiting.end(), worse);
}

// The neighbours of `last` on its edge: one tail one rank further. To meet each vector of ranks
// once, only tails up to and including the first that is beyond its best are moved on.
void KBest::next(Hypergraph::Node node, const Candidate& last) {
  const Hyperedge& edge = graph_.edge(last.edge);
  const std::uint32_t first_rank = last.first_rank;
  const std::uint32_t edge_index = last.edge;
  std::vector<std::uint32_t> ranks(ranks_.begin() + first_rank,
                                   ranks_.begin() + first_rank + edge.tails);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const bool beyond = ranks[i] > 0;
    ++ranks[i];
    add(states_[node], node, edge_index, ranks);
    --ranks[i];
    if (beyond) break;
  }
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

std::vector<KBest::Entry> KBest::entries(std::size_t k, bool distinct, std::size_t effort) {
  std::vector<Entry> found;
  std::set<std::vector<WordId>> seen;
  for (std::size_t i = 0; found.size() < k && (!distinct || i < k * effort); ++i) {
    std::optional<Entry> one = entry(i);
    if (!one) break;
    if (!distinct || seen.insert(one->target).second) found.push_back(std::move(*one));
  }
  return found;
}

}  // namespace dragoman
