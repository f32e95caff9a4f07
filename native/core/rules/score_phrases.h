// From counts to a phrase table: probabilities, lexical weights, reordering scores, and the
// options of each source phrase by falling estimated score.
#pragma once

#include <array>

#include "rules/count_phrases.h"
#include "rules/table_scorer.h"

namespace dragoman {

// By ReorderingKind.
inline constexpr std::array<const char*, kReorderingKinds> kReorderingNames = {"word", "phrase",
                                                                               "hierarchical"};

struct ScoringOptions : TableScoring {
  // Added to each of a phrase pair's three orientation counts, as Moses does.
  double reordering_smoothing = 0.5;
};

class PhraseScorer final : public TableScorer<PhraseCounter, ScoringOptions> {
 public:
  // After counter.join(). Everything given must live longer.
  PhraseScorer(PhraseCounter& counter, const LexicalTable& forward, const LexicalTable& backward,
               const ScoringOptions& options);

 private:
  void score_partition(std::size_t partition, LexicalScorer& lexical) override;
};

}  // namespace dragoman
