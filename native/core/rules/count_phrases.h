// Counting all phrase pairs of a corpus (pair_counter.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "rules/extract_phrases.h"
#include "rules/pair_counter.h"
#include "rules/smoothing.h"

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

struct PhraseCounting {
  using Options = ExtractionOptions;
  using Extractor = PhraseExtractor;
  using Place = PhraseInstance;
  struct Room {
    std::vector<std::uint64_t> source_hashes;
    std::vector<std::uint64_t> target_hashes;
  };
  struct Instance {
    std::uint64_t source_hash = 0;
    std::uint64_t target_hash = 0;
    std::uint64_t alignment = 0;  // equal for equal internal alignments
    std::uint32_t sentence = 0;
    PhraseInstance place;
  };
  using Row = PhraseRow;
  using Count = std::uint32_t;
  using Total = TargetTotal;
  static constexpr std::size_t kPairsPerBlock = 256;
};

class PhraseCounter final : public PairCounter<PhraseCounting> {
 public:
  // The text must live longer.
  PhraseCounter(const AlignedText& text, const ExtractionOptions& options, Smoothing smoothing,
                const WorkResources& resources);

  // After join: what a partition holds, sorted by source words, then target words. Each may be
  // taken once.
  struct Partition {
    std::vector<PhraseRow> rows;
    std::vector<TargetTotal> totals;  // in the order of the rows
    OrientationCounts orientations;   // row by row
  };
  Partition take(std::size_t partition);

  const CountStatistics& statistics() const { return statistics_; }  // taken up ones included
  const SmoothingModel& smoothing();
  std::uint64_t spilled_bytes() const {
    return PairCounter::spilled_bytes() + orientations_.spilled_bytes();
  }

  Sentence source_phrase(const PhraseRow& row) const {
    return text_.source[row.sentence].subspan(row.source_begin, row.source_length);
  }
  Sentence target_phrase(const PhraseRow& row) const {
    return text_.target[row.sentence].subspan(row.target_begin, row.target_length);
  }
  // Replaces `links` by the links inside the phrase pair.
  void alignment(const PhraseRow& row, std::vector<PhraseLink>& links) const;
  const std::vector<ReorderingKind>& reordering_kinds() const { return kinds_; }

 private:
  void add_instances(std::size_t pair, Worker& worker) override;
  void aggregate_partition(std::size_t partition) override;
  void begin_joining() override { smoothing(); }
  void join_partition(std::size_t partition) override;
  std::uint32_t more_sections() const override {
    return 1 + PartitionedSpool<std::uint32_t>::kSections;
  }
  void put_away_more(BinaryWriter& writer) const override;
  void take_up_more(const std::shared_ptr<const BinaryFile>& file, std::uint32_t section) override;

  Smoothing wanted_smoothing_;
  std::vector<ReorderingKind> kinds_;
  PartitionedSpool<std::uint32_t> orientations_;
  CountStatistics own_statistics_;  // of what was counted here
  CountStatistics statistics_;
  std::unique_ptr<SmoothingModel> smoothing_;
};

}  // namespace dragoman
