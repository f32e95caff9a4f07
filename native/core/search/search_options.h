// What a search can be told; every option exists here and nowhere else.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "search/distortion.h"

namespace dragoman {

// Three algorithms of paper 000, which differ in two places only, and cube pruning.
enum class SearchKind : std::uint8_t {
  kPharaoh,   // Koehn's: partial hypotheses know nothing of the jumps still to come
  kEstimate,  // with distortion penalty estimation (section 4)
  kEarly,     // that, and early pruning of extensions (section 5)
  kCube       // distortion penalty estimation, extensions by cube pruning (Huang & Chiang 2007)
};

struct SearchOptions {
  SearchKind search = SearchKind::kEarly;

  // Pruning, in the paper's order. Thresholds are differences of model scores, limits are
  // numbers of hypotheses or options; infinity and 0 turn them off.
  double ttable_threshold = std::numeric_limits<double>::infinity();
  double beam_threshold = std::numeric_limits<double>::infinity();
  std::uint32_t ttable_limit = 20;
  std::uint32_t beam_limit = 100;
  // Early pruning's own threshold; NaN: the same as ttable_threshold, as in the paper.
  double early_threshold = std::numeric_limits<double>::quiet_NaN();
  // Cube pruning: how many extensions may enter each stack; 0: as many as beam_limit.
  std::uint32_t pop_limit = 0;

  // Reordering. kNoLimit turns a limit off.
  std::uint32_t distortion_limit = 6;
  std::uint32_t gap_limit =
      kNoLimit;  // uncovered runs, the one up to the end included (paper 003)

  // Words nothing is known of: copied, or left out.
  bool drop_unknown = false;

  double used_early_threshold() const {
    return early_threshold == early_threshold ? early_threshold : ttable_threshold;
  }
};

// Throws InputError naming the option that is out of range.
void check(const SearchOptions& options);

}  // namespace dragoman
