// Which phrases may come next, whatever has been translated how.
#include <algorithm>

#include "search/stack.h"

namespace dragoman {

// All phrases that may come next, by begin and end.
void StackSearch::find_steps(CoverageId coverage) {
  const CoverageSet& coverages = *space_.coverages;
  const std::size_t n = sentence_->length();
  const std::uint32_t first = coverages.first(coverage);
  std::size_t last_begin = n;
  if (options_.distortion_limit != kNoLimit) {
    last_begin = std::min<std::size_t>(n, std::size_t{first} + options_.distortion_limit + 1);
  }
  double future = 0;
  coverages.for_each_gap(coverage, [this, &future](std::size_t begin, std::size_t end) {
    future += future_->run(begin, end);
  });
  if (!sentence_->barriers().empty()) find_zones(coverage, last_begin);
  steps_.clear();
  begins_.clear();
  std::size_t gap_begin = first;
  for (std::size_t begin = first; begin < last_begin; ++begin) {
    if (coverages.is_covered(coverage, begin)) {
      gap_begin = begin + 1;
      continue;
    }
    std::size_t gap_end = begin + 1;
    const std::size_t top = coverages.top(coverage);
    if (begin >= top) {
      gap_end = n;
    } else {
      while (gap_end < top && !coverages.is_covered(coverage, gap_end)) ++gap_end;
      if (gap_end == top) gap_end = n;  // nothing is covered from there on
    }
    const auto first_step = static_cast<std::uint32_t>(steps_.size());
    const double without_gap = future - future_->run(gap_begin, gap_end);
    const double before = begin > gap_begin ? future_->run(gap_begin, begin) : 0;
    for (std::size_t end = begin + 1; end <= std::min(gap_end, begin + sentence_->max_length());
         ++end) {
      const OptionList* options = sentence_->options(begin, end);
      if (options == nullptr || !step_allowed(coverage, begin, end)) continue;
      Step step;
      step.span = {static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end)};
      step.options = options;
      step.completes = coverages.covered(coverage) + end - begin == n;
      step.future = without_gap + before + (end < gap_end ? future_->run(end, gap_end) : 0);
      step.best = options->best() + step.future;
      steps_.push_back(step);
    }
    if (first_step < steps_.size()) {
      begins_.push_back({first_step, static_cast<std::uint32_t>(steps_.size()),
                         static_cast<std::uint16_t>(begin)});
    }
  }
}

bool StackSearch::step_allowed(CoverageId coverage, std::size_t begin, std::size_t end) const {
  const CoverageSet& coverages = *space_.coverages;
  const std::uint32_t first = coverages.first(coverage);
  if (!return_allowed(first, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end),
                      options_.distortion_limit)) {
    return false;
  }
  if (options_.gap_limit != kNoLimit) {
    std::uint32_t gaps = 0;
    coverages.for_each_gap(coverage, [&gaps, begin, end](std::size_t from, std::size_t to) {
      const bool inside = from <= begin && end <= to;
      gaps += inside
                  ? static_cast<std::uint32_t>(from < begin) + static_cast<std::uint32_t>(end < to)
                  : 1;
    });
    if (gaps > options_.gap_limit) return false;
  }
  const Barriers& barriers = sentence_->barriers();
  if (barriers.empty()) return true;
  if (barriers.next_wall(first) <= begin) return false;
  if (begin < open_zone_.begin || end > open_zone_.end) return false;
  const auto behind =
      std::upper_bound(barred_zones_.begin(), barred_zones_.end(), begin,
                       [](std::size_t place, const Zone& zone) { return place < zone.begin; });
  return behind == barred_zones_.begin() || behind[-1].end < end;
}

// What zones leave of the steps from a coverage on.
void StackSearch::find_zones(CoverageId coverage, std::size_t last_begin) {
  const Barriers& barriers = sentence_->barriers();
  const CoverageSet& coverages = *space_.coverages;
  const std::uint32_t first = coverages.first(coverage);
  const std::uint32_t top = coverages.top(coverage);
  open_zone_ = {0, static_cast<std::uint32_t>(sentence_->length())};
  barred_zones_.clear();
  // Those that begin before the first uncovered word are begun, and not done if it is in them.
  if (const Zone* const around = barriers.around(first)) open_zone_ = *around;
  const auto zones = barriers.zones_from(first, std::max<std::size_t>(top, last_begin));
  if (zones.empty()) return;
  next_covered_.assign(top - first + 1, top);
  next_free_.assign(top - first + 1, top);
  for (std::uint32_t at = top; at-- > first;) {
    const bool covered = coverages.is_covered(coverage, at);
    next_covered_[at - first] = covered ? at : next_covered_[at - first + 1];
    next_free_[at - first] = covered ? next_free_[at - first + 1] : at;
  }
  for (const Zone& zone : zones) {
    const bool begun =
        zone.begin < top && next_covered_[zone.begin - first] < std::min(top, zone.end);
    const bool done = zone.end <= top && next_free_[zone.begin - first] >= zone.end;
    if (begun && !done) {
      open_zone_.begin = std::max(open_zone_.begin, zone.begin);
      open_zone_.end = std::min(open_zone_.end, zone.end);
    }
    // Whoever enters a zone must be able to come back from its end.
    if (!begun && !return_allowed(first, zone.begin, zone.end, options_.distortion_limit)) {
      const std::uint32_t end = barred_zones_.empty() ? 0 : barred_zones_.back().end;
      barred_zones_.push_back({zone.begin, std::max(end, zone.end)});
    }
  }
}

}  // namespace dragoman
