// Counting all hierarchical rules of a corpus in bounded memory, as PhraseCounter does phrase
// pairs: partitions by a hash of the source side, spilled to disk beyond the memory given, totals
// of target sides summed across them. Counts are fractions (extract_rules.h), summed in the order
// of the text, so that they do not depend on the number of threads.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "align/links.h"
#include "rules/extract_rules.h"
#include "rules/partitions.h"
#include "rules/spool.h"
#include "rules/target_totals.h"
#include "text/sentences.h"

namespace dragoman {

// A distinct rule: where it stands for the first time, and its count.
struct RuleRow {
  std::uint64_t target_hash = 0;
  std::uint32_t sentence = 0;
  std::uint32_t first_of_source = 0;  // 1 where a new source side begins
  RuleInstance place;
  double count = 0;
};

struct RuleStatistics {
  std::uint64_t instances = 0;  // rules, as often as they occur
  std::uint64_t rules = 0;      // different ones
  std::uint64_t with_gaps = 0;  // of these
};

class RuleCounter {
 public:
  // The views must live longer. Throws InputError when the three differ in their number of
  // sentence pairs.
  RuleCounter(Sentences source, Sentences target, LinkSets links,
              const RuleExtractionOptions& options, const WorkResources& resources);

  std::size_t pairs() const { return source_.size(); }
  std::size_t partitions() const { return partitions_.count(); }

  // One after another: extract over sentence pairs, then aggregate over partitions, then join.
  void extract(std::size_t first_pair, std::size_t last_pair);
  void aggregate(std::size_t first_partition, std::size_t last_partition);
  void join(std::size_t first_partition, std::size_t last_partition);

  // After join: what a partition holds, sorted by source symbols, then target symbols. Each may
  // be taken once.
  struct Partition {
    std::vector<RuleRow> rows;
    std::vector<double> target_totals;  // in the order of the rows
  };
  Partition take(std::size_t partition);

  const RuleStatistics& statistics() const { return statistics_; }
  std::uint64_t spilled_bytes() const;

  void source_side(const RuleRow& row, std::vector<WordId>& symbols) const {
    source_symbols(row.place, source_[row.sentence], symbols);
  }
  void target_side(const RuleRow& row, std::vector<WordId>& symbols) const {
    target_symbols(row.place, target_[row.sentence], symbols);
  }
  // Replaces `links` by the links between the rule's words, by their places among its symbols.
  void alignment(const RuleRow& row, std::vector<PhraseLink>& links) const;
  const WorkResources& resources() const { return resources_; }

 private:
  struct Instance {
    std::uint64_t source_hash = 0;
    std::uint64_t target_hash = 0;
    // Packed so that comparing them compares places in the text.
    std::uint64_t where = 0;  // sentence, source begin, target begin
    std::uint64_t what = 0;   // shape, share
  };
  static_assert(sizeof(RuleRow) == 40 && sizeof(Instance) == 32);
  static Instance pack(std::size_t sentence, const RuleInstance& rule);
  static RuleInstance unpack(const Instance& instance);
  struct ExtractScratch;

  void extract_pair(std::size_t pair, ExtractScratch& scratch);
  void aggregate_partition(std::size_t partition);

  Sentences source_;
  Sentences target_;
  LinkSets links_;
  RuleExtractionOptions options_;
  WorkResources resources_;
  Partitions partitions_;
  PartitionedSpool<Instance> instances_;
  PartitionedSpool<RuleRow> rows_;
  TargetTotals<double, double> totals_;
  std::mutex statistics_mutex_;
  RuleStatistics statistics_;
};

}  // namespace dragoman
