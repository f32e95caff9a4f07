// Corpus scores as functions of summed sentence statistics, as dragoman.evaluation.metrics and
// sacrebleu define them; higher is better for all of them here.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace dragoman {

enum class Objective {
  kBleu,           // lengths of hypothesis and reference, matches and totals of each order
  kRatio,          // first column over second: RIBES
  kNegativeRatio,  // the same, where less is better: TER
  kChrf,           // counts of hypothesis, reference and matches for each order
};

// Throws InputError for a metric that is none of BLEU, RIBES, TER, chrF.
Objective objective_of(std::string_view metric);

// Between 0 and 1, or 0 and -1 for what should be small (TER may pass -1). Statistics are a sum
// of two rows, `left` and `right`, of the same size.
double corpus_score(Objective objective, std::span<const double> left,
                    std::span<const double> right);

// In every metric's statistics this column is the size of the reference.
constexpr std::size_t kSizeColumn = 1;

}  // namespace dragoman
