// From counts of rules to a table of rules: relative frequencies and lexical weights, with the
// columns of a phrase table; gaps have no part in lexical weights.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "align/lexical_table.h"
#include "rules/count_rules.h"
#include "rules/lexical_weight.h"
#include "rules/scored_table.h"

namespace dragoman {

struct RuleScoringOptions {
  LexicalWeighting weighting = LexicalWeighting::kViterbi;
  // Rules with gaps that count less are left out, after all probabilities are computed.
  double min_count = 0;
  // Of each source side, only so many rules by estimated score; 0: all.
  std::uint32_t max_options = 0;
  // Of the features, for the order of the options.
  std::array<double, 4> sort_weights = {0.2, 0.2, 0.2, 0.2};
  std::uint32_t source_words = 0;  // vocabulary sizes
  std::uint32_t target_words = 0;
};

class RuleScorer {
 public:
  // After counter.join(). Everything given must live longer.
  RuleScorer(RuleCounter& counter, const LexicalTable& forward, const LexicalTable& backward,
             const RuleScoringOptions& options);

  void score(std::size_t first_partition, std::size_t last_partition);
  // After all partitions are scored. Returns true when done, false when there is more.
  bool write(const std::string& path) { return scored_.write(path); }

  std::uint64_t written() const { return scored_.written(); }
  std::uint64_t spilled_bytes() const { return scored_.spilled_bytes(); }

 private:
  void score_partition(std::size_t partition, LexicalScorer& lexical);

  RuleCounter& counter_;
  const LexicalTable& forward_;
  const LexicalTable& backward_;
  RuleScoringOptions options_;
  ScoredTable scored_;
};

}  // namespace dragoman
