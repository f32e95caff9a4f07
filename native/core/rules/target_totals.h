// Totals of target sides whose rows lie in partitions by source side.
//
// The counts of each row travel to a partition by target side, are summed there, and the sums
// travel back to the rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "rules/partitions.h"
#include "rules/spool.h"

namespace dragoman {

// Both are trivially copyable; a Total begins as Total{}.
template <class Count, class Total>
class TargetTotals {
 public:
  // `memory` bounds what is on its way there, and again what is on its way back.
  TargetTotals(const Partitions& partitions, std::uint64_t memory, const std::string& directory)
      : partitions_(partitions),
        counts_(partitions.count(), memory, directory),
        totals_(partitions.count(), memory, directory) {}

  // Takes `target_hash` and `count` of all rows of a partition.
  template <class Row>
  void send(std::size_t partition, std::span<const Row> rows) {
    std::vector<RowCount> outgoing;
    outgoing.reserve(rows.size());
    for (const Row& row : rows) {
      outgoing.push_back({row.target_hash, row.count, static_cast<std::uint32_t>(partition),
                          static_cast<std::uint32_t>(outgoing.size())});
    }
    std::sort(outgoing.begin(), outgoing.end(),
              [](const RowCount& a, const RowCount& b) { return a.target_hash < b.target_hash; });
    append_runs(counts_, outgoing,
                [&](const RowCount& row) { return partitions_.of(row.target_hash); });
  }

  // When all is sent: sums with add(Total&, Count), in the order of partitions and rows.
  template <class Add>
  void join(std::size_t partition, Add&& add) {
    std::vector<RowCount> counts = counts_.take(partition);
    std::sort(counts.begin(), counts.end(), [](const RowCount& a, const RowCount& b) {
      return std::tie(a.target_hash, a.partition, a.row) <
             std::tie(b.target_hash, b.partition, b.row);
    });
    std::vector<RowTotal> outgoing;
    outgoing.reserve(counts.size());
    for (std::size_t begin = 0; begin < counts.size();) {
      Total total{};
      std::size_t end = begin;
      for (; end < counts.size() && counts[end].target_hash == counts[begin].target_hash; ++end) {
        add(total, counts[end].count);
      }
      for (; begin < end; ++begin) {
        outgoing.push_back({counts[begin].partition, counts[begin].row, total});
      }
    }
    std::sort(outgoing.begin(), outgoing.end(),
              [](const RowTotal& a, const RowTotal& b) { return a.partition < b.partition; });
    append_runs(totals_, outgoing, [](const RowTotal& row) { return row.partition; });
  }

  // When all is joined: the totals of a partition's `rows` rows, in their order.
  std::vector<Total> take(std::size_t partition, std::size_t rows) {
    std::vector<Total> totals(rows);
    for (const RowTotal& row : totals_.take(partition)) totals[row.row] = row.total;
    return totals;
  }

  // What is on its way there and back (PartitionedSpool).
  static constexpr std::uint32_t kSections = 2 * PartitionedSpool<Count>::kSections;
  void put_away(BinaryWriter& writer) const {
    counts_.put_away(writer);
    totals_.put_away(writer);
  }
  void take_up(const std::shared_ptr<const BinaryFile>& file, std::uint32_t section) {
    counts_.take_up(file, section);
    totals_.take_up(file, section + PartitionedSpool<RowCount>::kSections);
  }

  std::uint64_t spilled_bytes() const { return counts_.spilled_bytes() + totals_.spilled_bytes(); }

 private:
  struct RowCount {
    std::uint64_t target_hash;
    Count count;
    std::uint32_t partition;
    std::uint32_t row;
  };
  struct RowTotal {
    std::uint32_t partition;
    std::uint32_t row;
    Total total;
  };

  // Records of the same destination stand together.
  template <class Record, class Destination>
  static void append_runs(PartitionedSpool<Record>& spool, const std::vector<Record>& records,
                          Destination&& destination_of) {
    for (std::size_t begin = 0; begin < records.size();) {
      const std::size_t destination = destination_of(records[begin]);
      std::size_t end = begin;
      while (end < records.size() && destination_of(records[end]) == destination) ++end;
      spool.append(destination, std::span(records).subspan(begin, end - begin));
      begin = end;
    }
  }

  Partitions partitions_;
  PartitionedSpool<RowCount> counts_;
  PartitionedSpool<RowTotal> totals_;
};

}  // namespace dragoman
