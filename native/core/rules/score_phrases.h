// From counts to a phrase table: probabilities, lexical weights, reordering scores, and the
// options of each source phrase by falling estimated score.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "align/lexical_table.h"
#include "rules/count_phrases.h"
#include "rules/lexical_weight.h"
#include "rules/scored_table.h"

namespace dragoman {

// The columns of a table made from counts, in this order.
inline constexpr std::array<const char*, 4> kPhraseFeatures = {"tm.fwd", "tm.bwd", "lex.fwd",
                                                               "lex.bwd"};
// By ReorderingKind.
inline constexpr std::array<const char*, kReorderingKinds> kReorderingNames = {"word", "phrase",
                                                                               "hierarchical"};

struct ScoringOptions {
  LexicalWeighting weighting = LexicalWeighting::kViterbi;
  // Added to each of a phrase pair's three orientation counts, as Moses does.
  double reordering_smoothing = 0.5;
  // Of the features, for the first order of the options; re-sorting after tuning is cheap.
  std::array<double, kPhraseFeatures.size()> sort_weights = {0.2, 0.2, 0.2, 0.2};
  std::uint32_t source_words = 0;  // vocabulary sizes
  std::uint32_t target_words = 0;
};

class PhraseScorer {
 public:
  // After counter.join(). Everything given must live longer.
  PhraseScorer(PhraseCounter& counter, const LexicalTable& forward, const LexicalTable& backward,
               const ScoringOptions& options);

  std::size_t partitions() const { return counter_.partitions(); }
  void score(std::size_t first_partition, std::size_t last_partition);

  // After all partitions are scored: merges them by source phrase into the file.
  // Returns true when done, false when there is more: call again.
  bool write(const std::string& path) { return scored_.write(path); }

  std::uint64_t written() const { return scored_.written(); }  // phrase pairs so far
  std::uint64_t spilled_bytes() const { return scored_.spilled_bytes(); }

 private:
  void score_partition(std::size_t partition, LexicalScorer& lexical);

  PhraseCounter& counter_;
  const LexicalTable& forward_;
  const LexicalTable& backward_;
  ScoringOptions options_;
  ScoredTable scored_;
};

}  // namespace dragoman
