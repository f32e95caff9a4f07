// Counting all hierarchical rules of a corpus (pair_counter.h). Counts are fractions
// (extract_rules.h), summed in the order of the text, so that they do not depend on the number of
// threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "rules/extract_rules.h"
#include "rules/pair_counter.h"

namespace dragoman {

// A distinct rule: where it stands for the first time, and its count.
struct RuleRow {
  std::uint64_t target_hash = 0;
  std::uint32_t sentence = 0;
  std::uint32_t first_of_source = 0;  // 1 where a new source side begins
  RuleInstance place;
  double count = 0;
};

// One side of a rule: its count, and how many different rules have it. Counts being fractions, a
// rule that counts less than one is only that part of a different one.
struct RuleTotal {
  double count = 0;
  double partners = 0;

  void add(double other) {
    count += other;
    partners += std::min(1.0, other);
  }
};

struct RuleStatistics {
  std::uint64_t instances = 0;  // rules, as often as they occur
  std::uint64_t rules = 0;      // different ones
  std::uint64_t with_gaps = 0;  // of these

  void add(const RuleStatistics& other) {
    instances += other.instances;
    rules += other.rules;
    with_gaps += other.with_gaps;
  }
};

struct RuleCounting {
  using Options = RuleExtractionOptions;
  using Extractor = RuleExtractor;
  using Place = RuleInstance;
  struct Room {
    std::vector<WordId> symbols;
  };
  struct Instance {
    std::uint64_t source_hash = 0;
    std::uint64_t target_hash = 0;
    // Packed so that comparing them compares places in the text.
    std::uint64_t where = 0;  // sentence, source begin, target begin
    std::uint64_t what = 0;   // shape, share
  };
  static_assert(sizeof(RuleRow) == 40 && sizeof(Instance) == 32);
  using Row = RuleRow;
  using Count = double;
  using Total = RuleTotal;
  static constexpr std::size_t kPairsPerBlock = 64;
};

class RuleCounter final : public PairCounter<RuleCounting> {
 public:
  // The text must live longer.
  RuleCounter(const AlignedText& text, const RuleExtractionOptions& options,
              const WorkResources& resources);

  // After join: what a partition holds, sorted by source symbols, then target symbols. Each may
  // be taken once.
  struct Partition {
    std::vector<RuleRow> rows;
    std::vector<RuleTotal> target_totals;  // in the order of the rows
  };
  Partition take(std::size_t partition);

  const RuleStatistics& statistics() const { return statistics_; }
  // After aggregating: of all rules together.
  RuleTotal total() const;

  void source_side(const RuleRow& row, std::vector<WordId>& symbols) const {
    source_symbols(row.place, text_.source[row.sentence], symbols);
  }
  void target_side(const RuleRow& row, std::vector<WordId>& symbols) const {
    target_symbols(row.place, text_.target[row.sentence], symbols);
  }
  // Replaces `links` by the links between the rule's words, by their places among its symbols.
  void alignment(const RuleRow& row, std::vector<PhraseLink>& links) const;

 private:
  static Instance pack(std::size_t sentence, const RuleInstance& rule);
  static RuleInstance unpack(const Instance& instance);
  void add_instances(std::size_t pair, Worker& worker) override;
  void aggregate_partition(std::size_t partition) override;
  void join_partition(std::size_t partition) override;
  std::uint32_t more_sections() const override { return 2; }
  void put_away_more(BinaryWriter& writer) const override;
  void take_up_more(const std::shared_ptr<const BinaryFile>& file, std::uint32_t section) override;

  RuleStatistics own_statistics_;  // of what was counted here
  RuleStatistics statistics_;
  std::vector<RuleTotal> own_;  // by partition
  std::vector<RuleTotal> all_;  // by partition, so that they are always summed in one order
};

}  // namespace dragoman
