#include "tuning/line_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace dragoman {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Scores that differ by no more are equally good: totals are running sums.
constexpr double kSameScore = 1e-12;

struct Line {
  double slope;
  double height;
  std::size_t row;
};

// From here on, another candidate of a sentence is on top.
struct Change {
  double gamma;
  std::size_t sentence;
  std::size_t row;
};

double crossing(const Line& below, const Line& above) {
  return (below.height - above.height) / (above.slope - below.slope);
}

// Leaves the lines of the upper envelope, from minus to plus infinity. Of parallel lines the
// highest stays, of equal ones the first.
void keep_envelope(std::vector<Line>& lines) {
  std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    if (a.slope != b.slope) return a.slope < b.slope;
    return a.height != b.height ? a.height > b.height : a.row < b.row;
  });
  std::size_t kept = 0;
  for (const Line& line : lines) {
    if (kept > 0 && lines[kept - 1].slope == line.slope) continue;
    // The last line goes when the new one is above it already where it would come on top.
    while (kept > 1 &&
           crossing(lines[kept - 1], line) <= crossing(lines[kept - 2], lines[kept - 1])) {
      --kept;
    }
    lines[kept++] = line;
  }
  lines.resize(kept);
}

double middle(double low, double high) {
  if (std::isinf(low) && std::isinf(high)) return 0;
  if (std::isinf(low)) return high - 0.1 * std::max(1.0, std::abs(high));
  if (std::isinf(high)) return low + 0.1 * std::max(1.0, std::abs(low));
  return (low + high) / 2;
}

}  // namespace

LinePoint line_search(const CandidateRows& candidates, Objective objective,
                      std::span<const double> weights, std::span<const double> direction) {
  std::vector<double> totals(candidates.statistic_columns, 0.0);
  std::vector<std::size_t> on_top(candidates.sentences());
  std::vector<Change> changes;
  std::vector<Line> lines;
  for (std::size_t sentence = 0; sentence < candidates.sentences(); ++sentence) {
    lines.clear();
    const auto end = static_cast<std::size_t>(candidates.starts[sentence + 1]);
    for (auto row = static_cast<std::size_t>(candidates.starts[sentence]); row < end; ++row) {
      const auto values = candidates.values(row);
      lines.push_back({product(direction, values), product(weights, values), row});
    }
    keep_envelope(lines);
    on_top[sentence] = lines.front().row;
    const auto counts = candidates.counts(lines.front().row);
    for (std::size_t k = 0; k < totals.size(); ++k) totals[k] += counts[k];
    for (std::size_t i = 1; i < lines.size(); ++i) {
      changes.push_back({crossing(lines[i - 1], lines[i]), sentence, lines[i].row});
    }
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.gamma < b.gamma; });
  const std::vector<double> nothing(totals.size(), 0.0);
  LinePoint best;
  double best_width = -1;
  double from = -kInfinity;
  for (std::size_t i = 0; i <= changes.size(); ++i) {
    const double to = i < changes.size() ? changes[i].gamma : kInfinity;
    if (to > from) {  // several sentences may change at one point
      const double score = corpus_score(objective, totals, nothing);
      const bool better = best_width < 0 || score > best.score + kSameScore;
      if (better || (score >= best.score - kSameScore && to - from > best_width)) {
        best = {middle(from, to), better ? score : best.score};
        best_width = to - from;
      }
      from = to;
    }
    if (i == changes.size()) break;
    const auto old_counts = candidates.counts(on_top[changes[i].sentence]);
    const auto new_counts = candidates.counts(changes[i].row);
    for (std::size_t k = 0; k < totals.size(); ++k) totals[k] += new_counts[k] - old_counts[k];
    on_top[changes[i].sentence] = changes[i].row;
  }
  return best;
}

}  // namespace dragoman
