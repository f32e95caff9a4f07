// What searches can be told; every option exists here and nowhere else. Python's
// dragoman.search.options has the same names and defaults.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "search/distortion.h"

namespace dragoman {

// Three algorithms of paper 000, which differ in two places only, and cube pruning.
enum class SearchKind : std::uint8_t {
  kPharaoh,   // Koehn's: partial hypotheses know nothing of the jumps still to come
  kEstimate,  // with distortion penalty estimation (section 4)
  kEarly,     // that, and early pruning of extensions (section 5)
  kCube       // distortion penalty estimation, extensions by cube pruning (Huang & Chiang 2007)
};

// What becomes of words nothing is known of.
enum class UnknownWords : std::uint8_t {
  kCopy,
  kDrop,
  kMark  // copied; those who write the translation mark them
};

struct SearchOptions {
  SearchKind search = SearchKind::kEarly;

  // Pruning, in the paper's order. Thresholds are differences of model scores, limits are
  // numbers of hypotheses or options; infinity and 0 turn them off.
  double ttable_threshold = 2.0;
  double beam_threshold = std::numeric_limits<double>::infinity();
  std::uint32_t ttable_limit = 20;
  std::uint32_t beam_limit = 60;
  // Early pruning's own threshold; none: the same as ttable_threshold, as in the paper.
  std::optional<double> early_threshold;
  // Whether an extension is given up half-way, between two of its words, once language models have
  // made it too bad for its stack. What is found is the same; only the effort is not the paper's.
  bool give_up = true;
  // Early pruning gives an extension up already when its estimate, in which language models know
  // nothing of the words before the phrase, lies this much below what its stack admits. Of it, the
  // models that have not been asked yet have the share that their weights have.
  double estimate_margin = 0.3;
  // Cube pruning: how many extensions may enter each stack; 0: as many as beam_limit.
  std::uint32_t pop_limit = 0;

  // Reordering. kNoLimit turns a limit off.
  std::uint32_t distortion_limit = 6;
  // Uncovered runs, the one up to the end included (paper 003).
  std::uint32_t gap_limit = kNoLimit;

  UnknownWords unknown = UnknownWords::kCopy;
  // Whether they are translated as the model's sources offer.
  bool unknown_sources = true;

  double used_early_threshold() const { return early_threshold.value_or(ttable_threshold); }
};

// Of a chart search with hierarchical rules.
struct ChartOptions {
  // Rules of a source side: how much worse than the best, and how many. Infinity and 0: all.
  double ttable_threshold = std::numeric_limits<double>::infinity();
  std::uint32_t ttable_limit = 20;
  // Derivations that may enter a cell: how much worse than its best, and how many.
  double beam_threshold = std::numeric_limits<double>::infinity();
  std::uint32_t pop_limit = 200;
  // Words that a rule may span with its gaps; glue joins what is longer. 0: no limit.
  std::uint32_t span_limit = 10;

  UnknownWords unknown = UnknownWords::kCopy;
  // Whether they are translated as the model's sources offer.
  bool unknown_sources = true;
};

// Throw InputError naming the option that is out of range.
void check(const SearchOptions& options);
void check(const ChartOptions& options);

}  // namespace dragoman
