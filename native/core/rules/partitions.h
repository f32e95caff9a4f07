// Cutting the work of counting into partitions by hashes (phrase_hash.h).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rules/spool.h"

namespace dragoman {

// What the work may use.
struct WorkResources {
  std::uint64_t memory = std::uint64_t{2} << 30;  // bytes, for records in flight
  std::string directory = ".";                    // for temporary files
  int threads = 1;
};

// A power of two of partitions, told apart by the first bits of a hash.
class Partitions {
 public:
  // So many that each holds about `records_each`, up to 1024.
  Partitions(std::uint64_t records, std::uint64_t records_each)
      : bits_(std::min(static_cast<unsigned>(std::bit_width(records / records_each)), kMostBits)) {
  }

  std::size_t count() const { return std::size_t{1} << bits_; }
  std::size_t of(std::uint64_t hash) const { return bits_ == 0 ? 0 : hash >> (64 - bits_); }

 private:
  static constexpr unsigned kMostBits = 10;
  unsigned bits_;
};

// One worker's way into a spool: records wait in small batches, so that partitions are rarely
// locked.
template <class T>
class BatchedAppender {
 public:
  explicit BatchedAppender(PartitionedSpool<T>& spool)
      : spool_(spool), waiting_(spool.partitions()) {}

  void append(std::size_t partition, const T& record) {
    std::vector<T>& batch = waiting_[partition];
    batch.push_back(record);
    if (batch.size() == kBatch) send(partition);
  }
  // When there is no more to append.
  void flush() {
    for (std::size_t partition = 0; partition < waiting_.size(); ++partition) send(partition);
  }

 private:
  static constexpr std::size_t kBatch = 32;

  void send(std::size_t partition) {
    spool_.append(partition, waiting_[partition]);
    waiting_[partition].clear();
  }

  PartitionedSpool<T>& spool_;
  std::vector<std::vector<T>> waiting_;
};

}  // namespace dragoman
