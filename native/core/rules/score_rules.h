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
  // Taken off the count of each rule (of one that counts less than 1, this part of it) and given
  // to all rules of a side as the other sides have partners: interpolated Kneser-Ney smoothing
  // (Foster, Kuhn & Johnson 2006) for fractional counts. 0: relative frequencies.
  double discount = 0.8;
  // Of each source side, only so many rules by estimated score; 0: all.
  std::uint32_t max_options = 100;
};

class RuleScorer final : public TableScorer<RuleCounter, RuleScoringOptions> {
 public:
  // After counter.join(). Everything given must live longer.
  RuleScorer(RuleCounter& counter, const LexicalTable& forward, const LexicalTable& backward,
             const RuleScoringOptions& options);

 private:
  double log_probability(double count, const RuleTotal& given, const RuleTotal& wanted) const;
  void score_partition(std::size_t partition, LexicalScorer& lexical) override;

  double partners_;  // of all sides together
};

}  // namespace dragoman
