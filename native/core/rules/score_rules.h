// From counts of rules to a table of rules: relative frequencies and lexical weights, with the
// columns of a phrase table; gaps have no part in lexical weights.
#pragma once

#include <cstdint>

#include "rules/count_rules.h"
#include "rules/table_scorer.h"

namespace dragoman {

struct RuleScoringOptions : TableScoring {
  // Rules with gaps that count less are left out, after all probabilities are computed.
  double min_count = 0;
  // Of each source side, only so many rules by estimated score; 0: all.
  std::uint32_t max_options = 100;
};

class RuleScorer final : public TableScorer<RuleCounter, RuleScoringOptions> {
 public:
  // After counter.join(). Everything given must live longer.
  RuleScorer(RuleCounter& counter, const LexicalTable& forward, const LexicalTable& backward,
             const RuleScoringOptions& options);

 private:
  void score_partition(std::size_t partition, LexicalScorer& lexical) override;
};

}  // namespace dragoman
