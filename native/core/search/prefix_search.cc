#include "search/prefix_search.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <unordered_map>

#include "search/kbest.h"
#include "text/error.h"

namespace dragoman {

namespace {

constexpr double kUnreachable = -std::numeric_limits<double>::infinity();
constexpr std::uint32_t kNoEdge = ~std::uint32_t{0};
// For each completion that is asked for, so many are looked at.
constexpr std::size_t kTried = 50;

}  // namespace

PrefixSearch::PrefixSearch(const Hypergraph& graph, std::size_t most_translations) {
  bool lattice = true;
  for (std::size_t e = 0; e < graph.edges(); ++e) {
    const Hyperedge& edge = graph.edge(e);
    const Sentence target = graph.target(edge);
    lattice = lattice && edge.tails <= 1 &&
              std::none_of(target.begin() + (edge.tails == 0 || target.empty() ? 0 : 1),
                           target.end(), [](WordId word) { return word < 0; });
  }
  if (graph.empty()) return;
  if (lattice) {
    take(graph);
  } else {
    take_best(graph, most_translations);
  }
  finish();
}

void PrefixSearch::take(const Hypergraph& graph) {
  // A node of its own before all edges without tails.
  nodes_ = graph.nodes() + 1;
  for (std::size_t e = 0; e < graph.edges(); ++e) {
    const Hyperedge& edge = graph.edge(e);
    const auto tails = graph.tails(edge);
    const Sentence target = graph.target(edge);
    add_edge(tails.empty() ? 0 : tails[0] + 1, edge.head + 1,
             tails.empty() ? target : target.subspan(1), edge.score);
  }
  // What lies behind the goal is no way to it.
  outside_.assign(nodes_, kUnreachable);
  outside_[graph.goal() + 1] = 0;
}

void PrefixSearch::take_best(const Hypergraph& graph, std::size_t most) {
  nodes_ = 2;
  KBest kbest(graph, true);
  for (const KBest::Entry& entry : kbest.entries(most)) {
    add_edge(0, 1, graph.spell(entry.edges), entry.score);
  }
  outside_ = {kUnreachable, 0};
}

void PrefixSearch::add_edge(std::uint32_t tail, std::uint32_t head, Sentence target,
                            double score) {
  edges_.push_back({tail, head, static_cast<std::uint32_t>(places_.size()),
                    static_cast<std::uint32_t>(target.size()), score});
  for (const WordId word : target) places_.push_back(static_cast<std::uint32_t>(word));
}

void PrefixSearch::finish() {
  std::unordered_map<std::uint32_t, std::uint32_t> numbers;
  for (std::uint32_t& place : places_) {
    const auto [found, added] = numbers.try_emplace(place, words_.size());
    if (added) words_.push_back(static_cast<WordId>(place));
    place = found->second;
  }
  best_exit_.assign(nodes_, kNoEdge);
  for (std::size_t e = edges_.size(); e-- > 0;) {
    const Edge& edge = edges_[e];
    const double score = edge.score + outside_[edge.head];
    if (score > outside_[edge.tail]) {
      outside_[edge.tail] = score;
      best_exit_[edge.tail] = static_cast<std::uint32_t>(e);
    }
  }
}

// Nothing is typed: every word before a place is one too many.
void PrefixSearch::first_column() {
  at_nodes_.assign(nodes_, kUnreachable);
  at_places_.assign(places_.size(), kUnreachable);
  at_nodes_[0] = 0;
  for (const Edge& edge : edges_) {
    double score = entering(edge);
    for (std::uint32_t i = 0; i < edge.words; ++i) {
      score -= edit_cost_;
      at_places_[edge.first + i] = score;
    }
    at_nodes_[edge.head] = std::max(at_nodes_[edge.head], score);
  }
  typed_.clear();
}

void PrefixSearch::next_column(std::span<const float> row) {
  // What was reached at nodes before this word, of which edges still begin.
  const std::vector<double> before = at_nodes_;
  std::fill(at_nodes_.begin(), at_nodes_.end(), kUnreachable);
  at_nodes_[0] = before[0] - edit_cost_;
  for (const Edge& edge : edges_) {
    double diagonal = before[edge.tail] + edge.score;
    double score = entering(edge);
    for (std::uint32_t i = 0; i < edge.words; ++i) {
      double& here = at_places_[edge.first + i];
      const double replaced = diagonal - edit_cost_ * row[places_[edge.first + i]];
      diagonal = here;
      score = std::max({replaced, score - edit_cost_, here - edit_cost_});
      here = score;
    }
    at_nodes_[edge.head] = std::max(at_nodes_[edge.head], score);
  }
  typed_.insert(typed_.end(), row.begin(), row.end());
}

// The last word typed ends here: whatever comes behind it is the completion.
std::vector<PrefixSearch::Begin> PrefixSearch::begins(std::span<const float> row) const {
  std::vector<Begin> found;
  const double nothing = at_nodes_[0] - edit_cost_;
  found.push_back({nothing + outside_[0], kNoEdge, 0, false});
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    const Edge& edge = edges_[e];
    if (outside_[edge.head] == kUnreachable) continue;
    double diagonal = entering(edge);
    for (std::uint32_t i = 0; i < edge.words; ++i) {
      const double here = at_places_[edge.first + i];
      const double replaced = diagonal - edit_cost_ * row[places_[edge.first + i]];
      const bool matched = replaced >= here - edit_cost_;
      const double score = matched ? replaced : here - edit_cost_;
      found.push_back(
          {score + outside_[edge.head], static_cast<std::uint32_t>(e), i + 1, matched});
      diagonal = here;
    }
  }
  return found;
}

Completion PrefixSearch::follow(const Begin& begin) const {
  Completion completion;
  completion.score = begin.score;
  std::uint32_t node = 0;
  const auto say = [&](const Edge& edge, std::uint32_t from) {
    for (std::uint32_t i = from; i < edge.words; ++i) {
      completion.words.push_back(words_[places_[edge.first + i]]);
    }
    node = edge.head;
  };
  if (begin.edge != kNoEdge) {
    const Edge& edge = edges_[begin.edge];
    if (begin.matched) completion.last = words_[places_[edge.first + begin.place - 1]];
    say(edge, begin.place);
  }
  while (best_exit_[node] != kNoEdge) say(edges_[best_exit_[node]], 0);
  return completion;
}

std::vector<Completion> PrefixSearch::complete(std::span<const float> costs, double edit_cost,
                                               std::size_t most) {
  std::vector<Completion> completions;
  if (edges_.empty() || most == 0) return completions;
  if (!(edit_cost > 0)) throw InputError("an edit must cost something");
  const std::size_t width = words_.size();
  if (width == 0 ? !costs.empty() : costs.size() % width != 0) {
    throw InputError("a row of costs has one for each word of the graph");
  }
  if (costs.empty()) return {follow({outside_[0], kNoEdge, 0, false})};
  const auto all_but_last = costs.first(costs.size() - width);
  if (edit_cost != edit_cost_ || typed_.size() > all_but_last.size() || at_nodes_.empty() ||
      !std::equal(typed_.begin(), typed_.end(), all_but_last.begin())) {
    edit_cost_ = edit_cost;
    first_column();
  }
  while (typed_.size() < all_but_last.size()) next_column(costs.subspan(typed_.size(), width));
  std::vector<Begin> found = begins(costs.last(width));
  // Many begin differently and go on alike. Of equal ones, one in which something stands for the
  // last word; then the first edge, so that the answer is the same everywhere.
  const std::size_t looked_at = std::min(found.size(), kTried * most);
  const auto rank = [](const Begin& begin) {
    return std::make_tuple(-begin.score, !begin.matched, begin.edge, begin.place);
  };
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(looked_at),
                    found.end(),
                    [&rank](const Begin& a, const Begin& b) { return rank(a) < rank(b); });
  found.resize(looked_at);
  std::set<std::vector<WordId>> seen;
  for (const Begin& begin : found) {
    if (completions.size() == most || begin.score == kUnreachable) break;
    Completion completion = follow(begin);
    std::vector<WordId> key = completion.words;
    key.push_back(completion.last);
    if (seen.insert(std::move(key)).second) completions.push_back(std::move(completion));
  }
  return completions;
}

}  // namespace dragoman
