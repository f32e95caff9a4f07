// Counting all phrase pairs of a corpus in bounded memory.
//
// Instances are cut into partitions by a hash of their source phrase, spill to disk beyond the
// memory given, and each partition is sorted and counted by itself. Totals of target phrases
// cross the partitions (target_totals.h). Phrases are told apart by hashes (phrase_hash.h).
//
// The stages run in ranges, so that the caller can show progress and stop between them:
// extract over sentence pairs, then aggregate over partitions, then join over partitions.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "align/links.h"
#include "rules/extract_phrases.h"
#include "rules/partitions.h"
#include "rules/smoothing.h"
#include "rules/spool.h"
#include "rules/target_totals.h"
#include "text/sentences.h"

namespace dragoman {

// A distinct phrase pair: where it stands for the first time with its most frequent internal
// alignment (of equally frequent ones, the one that occurs first), and its joint count.
struct PhraseRow {
  std::uint64_t target_hash = 0;
  std::uint32_t sentence = 0;
  std::uint16_t source_begin = 0;
  std::uint16_t target_begin = 0;
  std::uint8_t source_length = 0;
  std::uint8_t target_length = 0;
  std::uint16_t first_of_source = 0;  // 1 where a new source phrase begins
  std::uint32_t count = 0;
};
static_assert(sizeof(PhraseRow) == 24);

// Orientation counts of a row: for each model in the order of ReorderingKind, reordering_column.
using OrientationCounts = std::vector<std::uint32_t>;

// Of all phrase pairs with the same target phrase.
struct TargetTotal {
  std::uint32_t count = 0;
  std::uint32_t partners = 0;
  double discounted = 0;
};

class PhraseCounter {
 public:
  // The views must live longer. Throws InputError when the three differ in their number of
  // sentence pairs.
  PhraseCounter(Sentences source, Sentences target, LinkSets links,
                const ExtractionOptions& options, Smoothing smoothing,
                const WorkResources& resources);

  std::size_t pairs() const { return source_.size(); }
  std::size_t partitions() const { return partitions_.count(); }

  void extract(std::size_t first_pair, std::size_t last_pair);
  void aggregate(std::size_t first_partition, std::size_t last_partition);
  void join(std::size_t first_partition, std::size_t last_partition);

  // After join: what a partition holds, sorted by source words, then target words. Each may be
  // taken once.
  struct Partition {
    std::vector<PhraseRow> rows;
    std::vector<TargetTotal> totals;  // in the order of the rows
    OrientationCounts orientations;   // row by row
  };
  Partition take(std::size_t partition);

  const CountStatistics& statistics() const { return statistics_; }
  const SmoothingModel& smoothing();
  std::uint64_t spilled_bytes() const;

  Sentence source_phrase(const PhraseRow& row) const {
    return source_[row.sentence].subspan(row.source_begin, row.source_length);
  }
  Sentence target_phrase(const PhraseRow& row) const {
    return target_[row.sentence].subspan(row.target_begin, row.target_length);
  }
  // Replaces `links` by the links inside the phrase pair.
  void alignment(const PhraseRow& row, std::vector<PhraseLink>& links) const;
  const std::vector<ReorderingKind>& reordering_kinds() const { return kinds_; }
  const WorkResources& resources() const { return resources_; }

 private:
  struct Instance {
    std::uint64_t source_hash = 0;
    std::uint64_t target_hash = 0;
    std::uint64_t alignment = 0;  // equal for equal internal alignments
    std::uint32_t sentence = 0;
    PhraseInstance place;
  };
  struct ExtractScratch;

  void extract_pair(std::size_t pair, ExtractScratch& scratch);
  void aggregate_partition(std::size_t partition);

  Sentences source_;
  Sentences target_;
  LinkSets links_;
  ExtractionOptions options_;
  Smoothing wanted_smoothing_;
  WorkResources resources_;
  std::vector<ReorderingKind> kinds_;
  Partitions partitions_;
  PartitionedSpool<Instance> instances_;
  PartitionedSpool<PhraseRow> rows_;
  PartitionedSpool<std::uint32_t> orientations_;
  TargetTotals<std::uint32_t, TargetTotal> totals_;
  std::mutex statistics_mutex_;
  CountStatistics statistics_;
  std::unique_ptr<SmoothingModel> smoothing_;
};

}  // namespace dragoman
