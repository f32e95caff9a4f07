#include "tuning/objective.h"

#include <cmath>
#include <string>

#include "text/error.h"

namespace dragoman {

namespace {

// With exponential smoothing, as sacrebleu: each order without a match counts half as much as
// the one before it without a match.
double bleu(std::span<const double> left, std::span<const double> right) {
  const std::size_t orders = (left.size() - 2) / 2;
  double matches = 1;
  double totals = 1;
  double missing = 1;
  bool any = false;
  for (std::size_t n = 0; n < orders; ++n) {
    const double match = left[2 + n] + right[2 + n];
    const double total = left[2 + orders + n] + right[2 + orders + n];
    if (!(total > 0)) return 0;
    if (match > 0) {
      any = true;
      matches *= match;
    } else {
      missing *= 0.5;
      matches *= missing;
    }
    totals *= total;
  }
  if (!any) return 0;
  const double precision = orders == 4 ? std::sqrt(std::sqrt(matches / totals))
                                       : std::pow(matches / totals, 1.0 / double(orders));
  const double length = left[0] + right[0];
  const double reference = left[1] + right[1];
  return length < reference ? precision * std::exp(1 - reference / length) : precision;
}

// F with beta 2 of precision and recall, each a mean over the orders that both sides have.
double chrf(std::span<const double> left, std::span<const double> right) {
  constexpr double kFactor = 4;
  double precision = 0;
  double recall = 0;
  double orders = 0;
  for (std::size_t at = 0; at + 2 < left.size(); at += 3) {
    const double hypothesis = left[at] + right[at];
    const double reference = left[at + 1] + right[at + 1];
    if (!(hypothesis > 0 && reference > 0)) continue;
    const double match = left[at + 2] + right[at + 2];
    precision += match / hypothesis;
    recall += match / reference;
    ++orders;
  }
  if (!(precision + recall > 0)) return 0;
  precision /= orders;
  recall /= orders;
  return (1 + kFactor) * precision * recall / (kFactor * precision + recall);
}

double ratio(std::span<const double> left, std::span<const double> right) {
  const double size = left[1] + right[1];
  return size > 0 ? (left[0] + right[0]) / size : 0.0;
}

}  // namespace

Objective objective_of(std::string_view metric) {
  if (metric == "BLEU") return Objective::kBleu;
  if (metric == "RIBES") return Objective::kRatio;
  if (metric == "TER") return Objective::kNegativeRatio;
  if (metric == "chrF") return Objective::kChrf;
  throw InputError("no such objective: " + std::string(metric));
}

double corpus_score(Objective objective, std::span<const double> left,
                    std::span<const double> right) {
  switch (objective) {
    case Objective::kBleu:
      return bleu(left, right);
    case Objective::kRatio:
      return ratio(left, right);
    case Objective::kNegativeRatio:
      return -ratio(left, right);
    case Objective::kChrf:
      return chrf(left, right);
  }
  return 0;
}

}  // namespace dragoman
