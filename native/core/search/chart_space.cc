#include "search/chart_space.h"

#include <algorithm>
#include <utility>

namespace dragoman {

namespace {

// Marks beside places; no space has so many nodes.
constexpr std::uint32_t kPart = 0xfffffffe;    // of something that is kept
constexpr std::uint32_t kWanted = 0xfffffffd;  // for itself

ChartEdge renumbered(ChartEdge edge, std::span<const std::uint32_t> places) {
  for (std::size_t tail = 0; tail < edge.tail_count(); ++tail) {
    edge.tails[tail] = places[edge.tails[tail]];
  }
  return edge;
}

template <class Half>
struct KeptHalves {
  const HalfPool<Half>* from;
  HalfPool<Half> kept;
  std::vector<std::uint32_t> places;

  explicit KeptHalves(const HalfPool<Half>& pool) : from(&pool), places(pool.size(), kNone) {}
  std::uint32_t keep(std::uint32_t id) {
    if (places[id] == kNone) places[id] = kept.add((*from)[id]);
    return places[id];
  }
};

}  // namespace

void ChartSpace::clear(ChartKeeps keeps) {
  keeps_ = keeps;
  nodes_.shrink(0);
  others_.shrink(0);
  halves_.shrink(0);
  for (auto& pool : lefts_) pool.clear();
  for (auto& pool : rights_) pool.clear();
  goal_ = kNone;
  stats = {};
}

void ChartSpace::halves_of(const LmBoundary* boundaries, std::span<Halves> halves) {
  for (std::size_t m = 0; m < halves.size(); ++m) {
    halves[m] = {lefts_[m].add(boundaries[m].left), rights_[m].add(boundaries[m].right)};
  }
}

std::uint32_t ChartSpace::add_node(const ChartEdge& best, std::span<const Halves> halves) {
  nodes_.push_back(best);
  std::copy(halves.begin(), halves.end(), halves_.add_row());
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

void ChartSpace::add_edge(std::uint32_t node, ChartEdge edge) {
  ChartEdge& best = nodes_[node];
  const bool better = edge.score > best.score;
  if (better) std::swap(edge, best);
  if (!keeps_.others) return;
  // The one that has become the best has no next yet, the one it was before leads to the others.
  edge.next = better ? edge.next : best.next;
  best.next = static_cast<std::uint32_t>(others_.size());
  others_.push_back(edge);
}

void ChartSpace::keep(std::span<Nodes* const> wanted) {
  Nodes places(nodes_.size(), kNone);
  places[0] = kPart;  // the begin of the sentence stays the first
  for (const Nodes* nodes : wanted) {
    for (const std::uint32_t node : *nodes) places[node] = kWanted;
  }
  for (std::size_t node = nodes_.size(); node-- > 0;) {
    if (places[node] == kNone) continue;
    for_each_edge(static_cast<std::uint32_t>(node), [&places](const ChartEdge& edge) {
      for (std::size_t tail = 0; tail < edge.tail_count(); ++tail) {
        std::uint32_t& place = places[edge.tails[tail]];
        if (place == kNone) place = kPart;
      }
    });
  }
  std::vector<KeptHalves<LmLeft>> lefts(lefts_.begin(), lefts_.end());
  std::vector<KeptHalves<LmState>> rights(rights_.begin(), rights_.end());
  Blocks<ChartEdge> others;
  std::uint32_t kept = 0;
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    if (places[node] == kNone) continue;
    const bool readable = keeps_.boundaries || places[node] == kWanted;
    places[node] = kept;
    ChartEdge* last = &(nodes_[kept] = renumbered(nodes_[node], places));
    for (std::uint32_t next = last->next; next != kNone; next = last->next) {
      last->next = static_cast<std::uint32_t>(others.size());
      others.push_back(renumbered(others_[next], places));
      last = &others[last->next];
    }
    for (std::size_t m = 0; m < lefts.size(); ++m) {
      const Halves from = halves_.row(node)[m];
      halves_.row(kept)[m] =
          readable ? Halves{lefts[m].keep(from.left), rights[m].keep(from.right)} : Halves{};
    }
    ++kept;
  }
  nodes_.shrink(kept);
  halves_.shrink(kept);
  others_ = std::move(others);
  for (std::size_t m = 0; m < lefts.size(); ++m) {
    lefts_[m] = std::move(lefts[m].kept);
    rights_[m] = std::move(rights[m].kept);
  }
  for (Nodes* nodes : wanted) {
    for (std::uint32_t& node : *nodes) node = places[node];
  }
}

}  // namespace dragoman
