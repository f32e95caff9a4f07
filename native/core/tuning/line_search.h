// The exact line search of minimum error rate training (Och 2003, section 4).
#pragma once

#include <span>

#include "tuning/mira.h"
#include "tuning/objective.h"

namespace dragoman {

struct LinePoint {
  double gamma = 0;
  double score = 0;  // as corpus_score
};

// Along weights + gamma * direction the score of a candidate is a straight line in gamma, and the
// best candidate of a sentence changes only where lines cross on the upper envelope. So the corpus
// score is constant between crossings, and its maximum is found exactly. Of equally good
// intervals the widest wins, because it generalises best; its middle is taken.
LinePoint line_search(const CandidateRows& candidates, Objective objective,
                      std::span<const double> weights, std::span<const double> direction);

}  // namespace dragoman
