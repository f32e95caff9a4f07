#include "alignment/symmetrise.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include "text/error.h"

namespace dragoman {
namespace {

struct Named {
  std::string_view name;
  Symmetry symmetry;
};
constexpr std::array kNames{
    Named{"grow-diag-final-and", Symmetry::kGrowDiagFinalAnd},
    Named{"grow-diag-final", Symmetry::kGrowDiagFinal},
    Named{"grow-diag", Symmetry::kGrowDiag},
    Named{"intersection", Symmetry::kIntersection},
    Named{"union", Symmetry::kUnion},
    Named{"forward", Symmetry::kForward},
    Named{"backward", Symmetry::kBackward},
    Named{"posterior", Symmetry::kPosterior},
};

// Straight neighbours before diagonal ones: where two could join and each would stop the other,
// the straight one does.
constexpr std::array<std::array<int, 2>, 8> kNeighbours{
    {{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}};

}  // namespace

Symmetry symmetry_from_name(std::string_view name) {
  std::string names;
  for (const Named& known : kNames) {
    if (known.name == name) return known.symmetry;
    names += (names.empty() ? "" : ", ") + std::string(known.name);
  }
  throw InputError("no symmetrisation is called \"" + std::string(name) + "\"; there are " +
                   names);
}

void Symmetriser::flip(std::span<const Link> links, std::vector<Point>& points) {
  points.clear();
  for (const Link link : links) points.push_back({link.target, link.source});
  std::sort(points.begin(), points.end());
}

void Symmetriser::add(Point point) {
  current_.insert(std::lower_bound(current_.begin(), current_.end(), point), point);
  source_aligned_[point.source] = 1;
  target_aligned_[point.target] = 1;
}

void Symmetriser::grow_diag() {
  // Points that join are visited in the same sweep when they lie ahead of it, and in the next
  // one otherwise.
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t at = 0; at < current_.size(); ++at) {
      const Point centre = current_[at];
      for (const auto& [across, down] : kNeighbours) {
        const int target = centre.target + across;
        const int source = centre.source + down;
        if (target < 0 || source < 0) continue;
        const Point point{static_cast<std::uint16_t>(target), static_cast<std::uint16_t>(source)};
        if (!std::binary_search(union_.begin(), union_.end(), point)) continue;
        if (source_aligned_[point.source] && target_aligned_[point.target]) continue;
        add(point);
        grown = true;
      }
      // Points inserted before the centre have moved it to the right.
      at = static_cast<std::size_t>(std::lower_bound(current_.begin(), current_.end(), centre) -
                                    current_.begin());
    }
  }
}

void Symmetriser::finish(std::span<const Point> candidates, bool both_unaligned) {
  for (const Point point : candidates) {
    const bool source_free = !source_aligned_[point.source];
    const bool target_free = !target_aligned_[point.target];
    if (both_unaligned ? source_free && target_free : source_free || target_free) add(point);
  }
}

void Symmetriser::combine(std::span<const Link> forward, std::span<const Link> backward,
                          Symmetry symmetry, std::vector<Link>& links) {
  switch (symmetry) {
    case Symmetry::kForward:
      links.insert(links.end(), forward.begin(), forward.end());
      return;
    case Symmetry::kBackward:
      links.insert(links.end(), backward.begin(), backward.end());
      return;
    case Symmetry::kUnion:
      std::set_union(forward.begin(), forward.end(), backward.begin(), backward.end(),
                     std::back_inserter(links));
      return;
    case Symmetry::kIntersection:
      std::set_intersection(forward.begin(), forward.end(), backward.begin(), backward.end(),
                            std::back_inserter(links));
      return;
    case Symmetry::kPosterior:
      throw InputError("the posterior symmetrisation needs posteriors, not links");
    case Symmetry::kGrowDiag:
    case Symmetry::kGrowDiagFinal:
    case Symmetry::kGrowDiagFinalAnd:
      break;
  }
  flip(forward, forward_);
  flip(backward, backward_);
  union_.clear();
  current_.clear();
  std::set_union(forward_.begin(), forward_.end(), backward_.begin(), backward_.end(),
                 std::back_inserter(union_));
  std::set_intersection(forward_.begin(), forward_.end(), backward_.begin(), backward_.end(),
                        std::back_inserter(current_));
  std::size_t sources = 0;
  std::size_t targets = 0;
  for (const Point point : union_) {
    sources = std::max<std::size_t>(sources, point.source + std::size_t{1});
    targets = std::max<std::size_t>(targets, point.target + std::size_t{1});
  }
  source_aligned_.assign(sources, 0);
  target_aligned_.assign(targets, 0);
  for (const Point point : current_) {
    source_aligned_[point.source] = 1;
    target_aligned_[point.target] = 1;
  }
  grow_diag();
  if (symmetry != Symmetry::kGrowDiag) {
    const bool both = symmetry == Symmetry::kGrowDiagFinalAnd;
    finish(forward_, both);
    finish(backward_, both);
  }
  const auto begin = static_cast<std::ptrdiff_t>(links.size());
  for (const Point point : current_) links.push_back({point.source, point.target});
  std::sort(links.begin() + begin, links.end());
}

}  // namespace dragoman
