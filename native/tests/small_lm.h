// A language model of a little text.
#pragma once

#include <string>
#include <utility>

#include "lm/estimator.h"

inline void write_lm(const std::string& text, const std::string& path, int order) {
  dragoman::EstimateOptions options;
  options.order = order;
  dragoman::LmEstimator estimator(std::move(options));
  estimator.begin_file("text");
  estimator.add(text);
  estimator.end_file();
  while (estimator.merge(100)) {
  }
  for (int k = 1; k <= estimator.order(); ++k) estimator.smooth(k);
  estimator.write(path);
}
