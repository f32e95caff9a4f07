// Counting what sentence pairs hold, phrase pairs or hierarchical rules, in bounded memory.
//
// Instances are cut into partitions by a hash of their source side, spill to disk beyond the
// memory given, and each partition is sorted and counted by itself. Totals of target sides cross
// the partitions (target_totals.h). Sides are told apart by hashes (phrase_hash.h).
//
// The stages run in ranges, so that the caller can show progress and stop between them:
// extract over sentence pairs, then aggregate over partitions, then join over partitions.
// Different processes may do different ranges: what each has done it puts away in a file, and
// those that go on take it up. Ranges cut otherwise give the same.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "alignment/aligned_text.h"
#include "parallel/parallel_for.h"
#include "parallel/per_worker.h"
#include "rules/partitions.h"
#include "rules/spool.h"
#include "rules/target_totals.h"
#include "text/binary_format.h"
#include "text/error.h"

namespace dragoman {

// A side of many rows in one array, and their order.
class SideSorter {
 public:
  void clear() {
    symbols_.clear();
    starts_.assign(1, 0);
  }
  // `write` puts the next side into the vector it is given.
  template <class Write>
  void add(Write&& write) {
    write(scratch_);
    symbols_.insert(symbols_.end(), scratch_.begin(), scratch_.end());
    starts_.push_back(static_cast<std::uint32_t>(symbols_.size()));
  }
  // The numbers of the sides, by their symbols.
  const std::vector<std::uint32_t>& order() {
    order_.resize(starts_.size() - 1);
    std::iota(order_.begin(), order_.end(), 0u);
    std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return std::lexicographical_compare(at(a), at(a + 1), at(b), at(b + 1));
    });
    return order_;
  }

 private:
  const WordId* at(std::uint32_t number) const { return symbols_.data() + starts_[number]; }
  std::vector<WordId> scratch_;
  std::vector<WordId> symbols_;
  std::vector<std::uint32_t> starts_{0};
  std::vector<std::uint32_t> order_;
};

// A `Kind` has the types
//   Options, Extractor  what is to be found in a pair, and who finds it
//   Place               what is found
//   Room                what a worker needs beside; kept from pair to pair
//   Instance            a place with the hashes of its sides
//   Row                 different instances with their count
//   Count, Total        of a row; of all rows with the same target side
// and the number kPairsPerBlock that one worker takes at once.
template <class Kind>
class PairCounter {
 public:
  PairCounter(const PairCounter&) = delete;
  PairCounter& operator=(const PairCounter&) = delete;
  virtual ~PairCounter() = default;

  std::size_t pairs() const { return text_.size(); }
  std::size_t partitions() const { return partitions_.count(); }
  const WorkResources& resources() const { return resources_; }
  std::uint64_t spilled_bytes() const {
    return instances_.spilled_bytes() + rows_.spilled_bytes() + totals_.spilled_bytes();
  }

  void extract(std::size_t first_pair, std::size_t last_pair) {
    const std::size_t size = Kind::kPairsPerBlock;
    PerWorker<Worker> workers(resources_.threads);
    parallel_for(resources_.threads, (last_pair - first_pair + size - 1) / size,
                 [&](std::size_t block, int number) {
                   Worker& worker = workers.of(number, options_, instances_);
                   const std::size_t begin = first_pair + block * size;
                   const std::size_t end = std::min(last_pair, begin + size);
                   for (std::size_t pair = begin; pair < end; ++pair) extract_pair(pair, worker);
                 });
    workers.for_each([](Worker& worker) { worker.instances.flush(); });
  }
  void aggregate(std::size_t first_partition, std::size_t last_partition) {
    parallel_for(resources_.threads, last_partition - first_partition,
                 [&](std::size_t block, int) { aggregate_partition(first_partition + block); });
  }
  void join(std::size_t first_partition, std::size_t last_partition) {
    begin_joining();
    parallel_for(resources_.threads, last_partition - first_partition,
                 [&](std::size_t block, int) { join_partition(first_partition + block); });
  }

  // Writes what was done here, not what was taken up.
  void put_away(const std::string& path) const {
    BinaryWriter writer(path, kCountsKind, kCountsVersion, kSections + more_sections());
    instances_.put_away(writer);
    rows_.put_away(writer);
    totals_.put_away(writer);
    put_away_more(writer);
    writer.finish();
  }
  // Adds what a counter of the same text and options has put away. Throws InputError for others.
  void take_up(const std::string& path) {
    const auto file = std::make_shared<const BinaryFile>(
        path, kCountsKind, kCountsVersion, kSections + more_sections(), Verify::kHeader);
    instances_.take_up(file, 0);
    rows_.take_up(file, PartitionedSpool<Instance>::kSections);
    totals_.take_up(file, 2 * PartitionedSpool<Instance>::kSections);
    take_up_more(file, kSections);
  }

 protected:
  using Instance = typename Kind::Instance;
  using Row = typename Kind::Row;

  struct Worker {
    Worker(const typename Kind::Options& options, PartitionedSpool<Instance>& spool)
        : extractor(options), instances(spool) {}

    typename Kind::Extractor extractor;
    std::vector<typename Kind::Place> found;
    typename Kind::Room room;
    BatchedAppender<Instance> instances;
  };

  // Which part of the memory each stage may hold records in: 1 / so much.
  struct MemoryShares {
    unsigned instances, rows, totals;
  };

  // The text must live longer. The number of partitions must depend on it and the options alone.
  PairCounter(const AlignedText& text, const typename Kind::Options& options,
              const WorkResources& resources, const Partitions& partitions, MemoryShares shares)
      : text_(text),
        options_(options),
        resources_(resources),
        partitions_(partitions),
        instances_(partitions.count(), resources.memory / shares.instances, resources.directory),
        rows_(partitions.count(), resources.memory / shares.rows, resources.directory),
        totals_(partitions, resources.memory / shares.totals, resources.directory) {
    check(options);
    if (text.size() > std::uint32_t(-1)) throw InputError("more than 2^32 sentence pairs");
  }

  // What was found in a pair becomes instances.
  virtual void add_instances(std::size_t pair, Worker& worker) = 0;
  // The instances of a partition become rows; see close_partition().
  virtual void aggregate_partition(std::size_t partition) = 0;
  virtual void begin_joining() {}
  virtual void join_partition(std::size_t partition) = 0;
  // What a kind has beside, in sections of its own.
  virtual std::uint32_t more_sections() const = 0;
  virtual void put_away_more(BinaryWriter& writer) const = 0;
  virtual void take_up_more(const std::shared_ptr<const BinaryFile>& file,
                            std::uint32_t section) = 0;

  // Visits the rows of a partition, which stand in groups of one source side by hashes, in the
  // order of their words: visit(row, whether it is the first of its source side). A group ends
  // where the next begins, or at `size`. write_source(row, words) and write_target(row, words)
  // replace the words by those of a side.
  template <class WriteSource, class WriteTarget, class Visit>
  static void for_each_by_words(std::vector<std::size_t> groups, std::size_t size,
                                WriteSource&& write_source, WriteTarget&& write_target,
                                Visit&& visit) {
    SideSorter sources;
    for (const std::size_t group : groups) {
      sources.add([&](std::vector<WordId>& words) { write_source(group, words); });
    }
    groups.push_back(size);
    SideSorter targets;
    for (const std::uint32_t group : sources.order()) {
      const std::size_t begin = groups[group];
      targets.clear();
      for (std::size_t row = begin; row < groups[group + 1]; ++row) {
        targets.add([&](std::vector<WordId>& words) { write_target(row, words); });
      }
      bool first = true;
      for (const std::uint32_t place : targets.order()) {
        visit(begin + place, first);
        first = false;
      }
    }
  }

  // The rows of a partition, in their final order.
  void close_partition(std::size_t partition, const std::vector<Row>& rows) {
    rows_.append(partition, rows);
    totals_.template send<Row>(partition, rows);
  }

  AlignedText text_;
  typename Kind::Options options_;
  WorkResources resources_;
  Partitions partitions_;
  PartitionedSpool<Instance> instances_;
  PartitionedSpool<Row> rows_;
  TargetTotals<typename Kind::Count, typename Kind::Total> totals_;
  std::mutex statistics_mutex_;

 private:
  static constexpr std::string_view kCountsKind = "counts";
  static constexpr std::uint32_t kCountsVersion = 1;
  static constexpr std::uint32_t kSections =
      2 * PartitionedSpool<Instance>::kSections +
      TargetTotals<typename Kind::Count, typename Kind::Total>::kSections;

  void extract_pair(std::size_t pair, Worker& worker) {
    try {
      worker.extractor.extract(text_.source[pair].size(), text_.target[pair].size(),
                               text_.links[pair], worker.found);
    } catch (const InputError& problem) {
      throw InputError("sentence pair " + std::to_string(pair + 1) + ": " + problem.what());
    }
    add_instances(pair, worker);
  }
};

}  // namespace dragoman
