#include "search/search_options.h"

#include <cmath>
#include <string>

#include "text/error.h"

namespace dragoman {

namespace {

void check_threshold(const char* name, double value) {
  if (std::isnan(value) || value < 0) {
    throw InputError(std::string(name) + " must be zero or more, not " + std::to_string(value));
  }
}

}  // namespace

void check(const SearchOptions& options) {
  check_threshold("ttable-threshold", options.ttable_threshold);
  check_threshold("beam-threshold", options.beam_threshold);
  check_threshold("early-threshold", options.used_early_threshold());
  check_threshold("estimate-margin", options.estimate_margin);
  if (options.gap_limit == 0) throw InputError("gap-limit must be 1 or more");
  if (options.distortion_limit != kNoLimit && options.distortion_limit > 65'535) {
    throw InputError("distortion-limit must be at most 65535, or none");
  }
}

void check(const ChartOptions& options) {
  check_threshold("ttable-threshold", options.ttable_threshold);
  check_threshold("beam-threshold", options.beam_threshold);
}

}  // namespace dragoman
