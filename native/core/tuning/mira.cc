#include "tuning/mira.h"

#include <algorithm>
#include <cmath>

#include "text/error.h"

namespace dragoman {

namespace {

// Scores closer than this, relative to their size, are the same score.
constexpr double kRounding = 1e-12;

}  // namespace

void CandidateRows::check() const {
  if (starts.size() < 2 || starts.front() != 0 || feature_columns == 0 || statistic_columns < 2) {
    throw InputError("there are no candidates");
  }
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    if (starts[i] >= starts[i + 1]) throw InputError("a sentence has no candidates");
  }
  const auto rows = static_cast<std::size_t>(starts.back());
  if (features.size() != rows * feature_columns || statistics.size() != rows * statistic_columns) {
    throw InputError("features and statistics are not of the same candidates");
  }
}

void sentence_gains(const CandidateRows& candidates, Objective objective, std::size_t sentence,
                    std::span<const double> background, std::span<double> gains) {
  const auto first = static_cast<std::size_t>(candidates.starts[sentence]);
  double sizes = 0;
  for (std::size_t i = 0; i < gains.size(); ++i) {
    const auto counts = candidates.counts(first + i);
    sizes += counts[kSizeColumn];
    gains[i] = corpus_score(objective, counts, background);
  }
  const double size = background[kSizeColumn] + sizes / static_cast<double>(gains.size());
  for (double& gain : gains) gain *= size;
}

std::vector<double> mira_epoch(const CandidateRows& candidates, Objective objective,
                               const MiraStep& step, std::span<const std::int64_t> order,
                               std::span<const double> lowest, std::vector<double>& weights,
                               std::vector<double>& background) {
  std::vector<double> total(weights.size(), 0.0);
  std::vector<double> gains;
  std::vector<double> difference(weights.size());
  for (const std::int64_t at : order) {
    const auto sentence = static_cast<std::size_t>(at);
    if (at < 0 || sentence >= candidates.sentences()) throw InputError("no such sentence");
    const auto first = static_cast<std::size_t>(candidates.starts[sentence]);
    gains.resize(static_cast<std::size_t>(candidates.starts[sentence + 1]) - first);
    sentence_gains(candidates, objective, sentence, background, gains);
    std::size_t hope = 0;
    std::size_t fear = 0;
    std::size_t chosen = 0;
    double hope_value = 0;
    double fear_value = 0;
    double chosen_value = 0;
    for (std::size_t i = 0; i < gains.size(); ++i) {
      const double score = product(weights, candidates.values(first + i));
      if (i == 0 || score + gains[i] > hope_value) hope = i, hope_value = score + gains[i];
      if (i == 0 || score - gains[i] > fear_value) fear = i, fear_value = score - gains[i];
      if (i == 0 || score > chosen_value) chosen = i, chosen_value = score;
    }
    if (!step.margin) fear = chosen;
    const auto good = candidates.values(first + hope);
    const auto bad = candidates.values(first + fear);
    double size = 0;
    double preferred = 0;
    for (std::size_t k = 0; k < difference.size(); ++k) {
      difference[k] = good[k] - bad[k];
      size += difference[k] * difference[k];
      preferred += weights[k] * difference[k];
    }
    const double loss = (gains[hope] - gains[fear]) - preferred;
    const bool wrong = step.margin ? loss > 0 : gains[hope] > gains[fear];
    if (wrong && size > 0) {
      const double length =
          step.margin ? std::min(step.aggressiveness, loss / size) : step.aggressiveness;
      for (std::size_t k = 0; k < weights.size(); ++k) {
        weights[k] = std::max(lowest[k], weights[k] + length * difference[k]);
      }
    }
    const auto counts = candidates.counts(first + chosen);
    for (std::size_t k = 0; k < background.size(); ++k) {
      background[k] = step.decay * background[k] + counts[k];
    }
    for (std::size_t k = 0; k < weights.size(); ++k) total[k] += weights[k];
  }
  for (double& value : total) value /= static_cast<double>(order.size());
  return total;
}

std::vector<std::int64_t> best_rows(const CandidateRows& candidates,
                                    std::span<const double> weights) {
  std::vector<std::int64_t> rows(candidates.sentences());
  std::vector<double> scores;
  for (std::size_t sentence = 0; sentence < rows.size(); ++sentence) {
    const std::int64_t first = candidates.starts[sentence];
    scores.clear();
    for (std::int64_t row = first; row < candidates.starts[sentence + 1]; ++row) {
      scores.push_back(product(weights, candidates.values(static_cast<std::size_t>(row))));
    }
    const double top = *std::max_element(scores.begin(), scores.end());
    const double enough = top - kRounding * std::max(1.0, std::abs(top));
    std::size_t best = 0;
    while (best + 1 < scores.size() && !(scores[best] >= enough)) ++best;
    rows[sentence] = first + static_cast<std::int64_t>(best);
  }
  return rows;
}

}  // namespace dragoman
