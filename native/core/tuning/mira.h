// One pass of batch MIRA over n-best lists (Cherry & Foster 2012, section 3).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tuning/objective.h"

namespace dragoman {

// The score of one candidate. Four sums go side by side, since one alone would wait for each of
// its additions.
inline double product(std::span<const double> weights, std::span<const double> values) {
  constexpr std::size_t kSums = 4;
  std::array<double, kSums> sums{};
  const std::size_t whole = weights.size() / kSums * kSums;
  for (std::size_t i = 0; i < whole; i += kSums) {
    for (std::size_t k = 0; k < kSums; ++k) sums[k] += weights[i + k] * values[i + k];
  }
  for (std::size_t i = whole; i < weights.size(); ++i) sums[0] += weights[i] * values[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// All candidates of all sentences: rows of feature values and of metric statistics; sentence i
// has rows starts[i] to starts[i + 1].
struct CandidateRows {
  std::span<const double> features;
  std::span<const double> statistics;
  std::span<const std::int64_t> starts;
  std::size_t feature_columns = 0;
  std::size_t statistic_columns = 0;

  // Throws InputError unless the sizes belong together and no sentence is without candidates.
  void check() const;
  std::size_t sentences() const { return starts.size() - 1; }
  std::span<const double> values(std::size_t row) const {
    return features.subspan(row * feature_columns, feature_columns);
  }
  std::span<const double> counts(std::size_t row) const {
    return statistics.subspan(row * statistic_columns, statistic_columns);
  }
};

struct MiraStep {
  double aggressiveness = 0.01;  // the largest step, C of the paper
  double decay = 0.999;          // how fast the background forgets
  // Whether the hope is to win by its difference in metric; else the step is that of a perceptron,
  // of one size, whenever the model prefers something worse to the hope (Liang et al. 2006).
  bool margin = true;
};

// Takes the sentences in `order`: moves `weights` so far that the hope (good by model and metric)
// beats the fear (good by model, bad by metric) by their difference in metric, and adds what the
// model chose to the `background` against which sentences are scored. No weight falls below its
// `lowest`. Returns the mean of the weights after each sentence.
std::vector<double> mira_epoch(const CandidateRows& candidates, Objective objective,
                               const MiraStep& step, std::span<const std::int64_t> order,
                               std::span<const double> lowest, std::vector<double>& weights,
                               std::vector<double>& background);

// What each candidate would add to the corpus score, in units of its size: the score of
// background and candidate together, times how much of the text they are. `gains` has a place
// for each row of the sentence.
void sentence_gains(const CandidateRows& candidates, Objective objective, std::size_t sentence,
                    std::span<const double> background, std::span<double> gains);

// The row of each sentence's best candidate under the weights. Of those whose scores differ by
// no more than rounding it is the first.
std::vector<std::int64_t> best_rows(const CandidateRows& candidates,
                                    std::span<const double> weights);

}  // namespace dragoman
