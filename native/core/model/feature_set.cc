#include "model/feature_set.h"

#include <algorithm>
#include <cmath>

#include "rules/orientation.h"
#include "text/error.h"

namespace dragoman {

FeatureSet::FeatureSet(std::span<const std::string> table, std::span<const std::string> sequences,
                       std::span<const std::string> reorderings, bool hierarchical,
                       std::span<const std::string> sources, bool context)
    : names_(table.begin(), table.end()), table_columns_(table.size()) {
  names_.insert(names_.end(), sequences.begin(), sequences.end());
  counters_ = names_.size();
  for (const char* name : {"words", hierarchical ? "rules" : "phrases",
                           hierarchical ? "glue" : "distortion", "unknown"}) {
    names_.push_back(name);
  }
  for (const std::string& kind : reorderings) {
    for (const char* direction : {".backward", ".forward"}) {
      for (const char* orientation : {".monotone", ".swap", ".discontinuous"}) {
        names_.push_back("reorder." + kind + direction + orientation);
      }
    }
  }
  sources_ = names_.size();
  names_.insert(names_.end(), sources.begin(), sources.end());
  if (context) {
    context_ = names_.size();
    names_.insert(names_.end(), {"context.words", "context.none"});
  }
  std::vector<std::string> sorted = names_;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) throw InputError("two features are called " + *twice);
}

std::optional<std::size_t> FeatureSet::find(std::string_view name) const {
  const auto place = std::find(names_.begin(), names_.end(), name);
  if (place == names_.end()) return std::nullopt;
  return static_cast<std::size_t>(place - names_.begin());
}

std::size_t FeatureSet::reordering(std::size_t model) const {
  return counters_ + 4 + model * kScoresPerReordering;
}

void check_weights(const FeatureSet& features, std::span<const double> weights) {
  if (weights.size() != features.size()) {
    throw InputError("the model has " + std::to_string(features.size()) + " features, but " +
                     std::to_string(weights.size()) + " weights were given");
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!std::isfinite(weights[i])) {
      throw InputError("the weight of " + features.names()[i] + " is " +
                       std::to_string(weights[i]) + "; weights must be finite numbers");
    }
  }
}

}  // namespace dragoman
