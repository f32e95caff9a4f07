// The rules a chart search may apply, with all that does not depend on where they are applied
// summed up beforehand.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lm/boundary.h"
#include "model/phrase_options.h"
#include "rules/extract_rules.h"

namespace dragoman {

struct RuleOption {
  // Weighted sum of all but the language models.
  double fixed = 0;
  // That plus the language models with nothing known before each run of words. Without gaps, this
  // is the score of what the rule derives.
  double estimate = 0;
  const WordId* target = nullptr;       // words and gaps; ids from the size of the vocabulary on
                                        // are words of the sentence
  const WordId* lm_symbols = nullptr;   // for each sequence model as many; gaps as they are
  const LmBoundary* derived = nullptr;  // for each sequence model; null when there are gaps
  std::uint32_t row = kNoRow;           // of the table
  Provenance provenance;                // of what is not in the table
  std::uint16_t symbols = 0;            // of the target side
  std::uint16_t words = 0;              // among them

  Sentence target_symbols() const { return {target, symbols}; }
};

// The rules of one source side by falling estimate, with the arrays they point to.
class RuleList {
 public:
  RuleList() = default;
  RuleList(const RuleList&) = delete;
  RuleList& operator=(const RuleList&) = delete;

  std::span<const RuleOption> options() const { return options_; }
  std::size_t bytes() const;

 private:
  friend class RuleOptionBuilder;
  std::vector<RuleOption> options_;
  std::vector<WordId> targets_;  // of rules that are not in the table
  std::vector<WordId> lm_symbols_;
  std::vector<LmBoundary> derived_;
};

// Makes rule lists, and keeps those of the table. One per thread.
class RuleOptionBuilder {
 public:
  // `limit` 0: no limit.
  RuleOptionBuilder(const WeightedModel& weighted, std::uint32_t limit, double threshold);

  // The rules of a source side, pruned by limit and threshold. Valid until forget().
  const RuleList& of_node(PhraseTable::Node node);
  // Words that are not in the table: copied, offered, or given by the user. `ids` are those of
  // `words`.
  struct Extra {
    std::vector<std::string> words;
    std::vector<WordId> ids;
    Provenance provenance;
  };
  std::unique_ptr<RuleList> extra(std::span<const Extra> extras);

  std::size_t bytes() const { return bytes_; }
  void forget();
  const WeightedModel& weighted() const { return weighted_; }

 private:
  struct Draft {
    double fixed = 0;
    double estimate = 0;
    std::uint32_t row = kNoRow;
  };
  Draft draft_of(std::uint32_t row);
  double language_models(Sentence lm_symbols, std::size_t symbols, LmBoundary* derived) const;
  void append_lm_symbols(Sentence target, std::vector<WordId>& symbols) const;
  // The estimate of an option with gaps must be there already.
  void finish(RuleList& list, RuleOption option, Sentence lm_symbols);

  const WeightedModel& weighted_;
  std::uint32_t limit_;
  double threshold_;
  std::vector<float> columns_;
  std::vector<WordId> scratch_;
  std::unordered_map<PhraseTable::Node, std::unique_ptr<RuleList>> lists_;
  std::size_t bytes_ = 0;
};

}  // namespace dragoman
