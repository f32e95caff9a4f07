// Where a real search went wrong: the step of greatest violation between the best derivation of
// the reference and the best translation, both as far as they had come (Huang et al. 2012; Yu et
// al. 2013), and the difference of their features there.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "learning/forced_search.h"
#include "model/sentence_options.h"
#include "search/stack.h"

namespace dragoman {

// A rule as the real search used it.
struct UsedRule {
  SourceSpan source;
  std::vector<WordId> target;
};

struct Violation {
  bool correct = false;            // the best translation is the reference
  bool found = false;              // the search prefers something wrong at some step
  std::size_t step = 0;            // covered source words
  double size = 0;                 // of the difference of scores, which is above zero
  std::vector<double> difference;  // features of the reference minus those of the translation
  std::vector<PlacedRule> wanted;  // rules of the reference up to there
  std::vector<UsedRule> used;      // rules of the translation up to there
};

// Weights of the model's features that are those of forced decoding.
ForcedWeights forced_weights(const FeatureSet& features, std::span<const double> weights);

// Throws InputError when the model has features that a forced derivation cannot have: other
// columns than tm.fwd, tm.bwd, lex.fwd, lex.bwd and perhaps sparse, a reordering model, a
// bilingual language model.
void check_joint_model(const TranslationModel& model);

// `forced` has reached its reference, the target side of `phrases`; `real` searched the same
// source with the weights of `weighted` and the same limits.
Violation max_violation(const WeightedModel& weighted, const PairPhrases& phrases,
                        const ForcedSpace& forced, const SentenceOptions& sentence,
                        const SearchSpace& real);

}  // namespace dragoman
