// Records on their way from one stage to the next: in memory up to a budget, then in temporary
// files without names.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "text/spool_file.h"

namespace dragoman {

// Records in numbered partitions. Appending is safe from several threads; the order within a
// partition is then not fixed, so whoever takes it sorts.
template <class T>
class PartitionedSpool {
  struct Partition;

  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // `memory` bounds, in bytes, what stays in memory (beside a small buffer per partition).
  PartitionedSpool(std::size_t partitions, std::uint64_t memory, std::string directory)
      : partitions_(partitions), memory_(memory), directory_(std::move(directory)) {}

  std::size_t partitions() const { return partitions_.size(); }
  std::uint64_t spilled_bytes() const { return file_ ? file_->size() : 0; }

  void append(std::size_t index, std::span<const T> records) {
    Partition& partition = partitions_[index];
    const std::lock_guard lock(partition.mutex);
    const std::size_t before = partition.recent.capacity();
    partition.recent.insert(partition.recent.end(), records.begin(), records.end());
    partition.size += records.size();
    const std::size_t after = partition.recent.capacity();
    const std::uint64_t in_memory = used_ += (after - before) * sizeof(T);
    if (in_memory > memory_ && partition.recent.size() * sizeof(T) >= kSmallestSpill) {
      spill(partition);
    }
  }

  std::size_t size(std::size_t index) const { return partitions_[index].size; }
  // What is really held in memory, counted anew; while nobody appends.
  std::uint64_t held_bytes() const {
    std::uint64_t bytes = 0;
    for (const Partition& partition : partitions_) {
      bytes += partition.recent.capacity() * sizeof(T);
    }
    return bytes;
  }

  // All records of a partition, which is empty afterwards; those appended by one thread are in
  // the order in which it appended them.
  std::vector<T> take(std::size_t index) {
    Partition& partition = partitions_[index];
    std::vector<T> all;
    used_ -= partition.recent.capacity() * sizeof(T);
    if (partition.extents.empty()) {
      all = std::move(partition.recent);
    } else {
      all.resize(partition.size);
      std::size_t at = 0;
      for (const Extent& extent : partition.extents) {
        file_->read(extent.offset,
                    std::as_writable_bytes(std::span(all).subspan(at, extent.size)));
        at += extent.size;
      }
      std::copy(partition.recent.begin(), partition.recent.end(), all.begin() + at);
    }
    partition.recent = std::vector<T>();
    partition.extents = std::vector<Extent>();
    partition.size = 0;
    return all;
  }

  // Reads a partition from its begin in pieces, without taking it.
  class Reader {
   public:
    Reader(const PartitionedSpool& spool, std::size_t index)
        : spool_(&spool), partition_(&spool.partitions_[index]) {}

    // The next `count` records, which stay where they are until the next call. Empty at the end;
    // asking for more than there are is a logic error of the caller.
    std::span<const T> next(std::size_t count) {
      if (buffer_.size() - at_ < count) refill(count);
      const std::span<const T> records = std::span(buffer_).subspan(at_, count);
      at_ += count;
      return records;
    }
    bool at_end() const { return position_ == partition_->size && at_ == buffer_.size(); }

   private:
    void refill(std::size_t count) {
      buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(at_));
      at_ = 0;
      const std::size_t wanted = std::max(count, kReadAhead / sizeof(T));
      while (buffer_.size() < wanted && position_ < partition_->size) {
        // Which extent is `position_` in?
        std::size_t begin = 0;
        const Extent* extent = nullptr;
        for (const Extent& candidate : partition_->extents) {
          if (position_ < begin + candidate.size) {
            extent = &candidate;
            break;
          }
          begin += candidate.size;
        }
        const std::size_t available =
            (extent != nullptr ? begin + extent->size : partition_->size) - position_;
        const std::size_t piece = std::min(wanted - buffer_.size(), available);
        const std::size_t old = buffer_.size();
        buffer_.resize(old + piece);
        const std::span<T> room = std::span(buffer_).subspan(old);
        if (extent != nullptr) {
          spool_->file_->read(extent->offset + (position_ - begin) * sizeof(T),
                              std::as_writable_bytes(room));
        } else {
          std::copy_n(partition_->recent.begin() + static_cast<std::ptrdiff_t>(position_ - begin),
                      piece, room.begin());
        }
        position_ += piece;
      }
    }

    static constexpr std::size_t kReadAhead = 1 << 15;  // bytes
    const PartitionedSpool* spool_;
    const Partition* partition_;
    std::vector<T> buffer_;
    std::size_t at_ = 0;        // first unread record of the buffer
    std::size_t position_ = 0;  // first record of the partition not yet in the buffer
  };

 private:
  struct Extent {
    std::uint64_t offset = 0;  // in the file, in bytes
    std::size_t size = 0;      // in records
  };
  struct Partition {
    std::mutex mutex;
    std::vector<T> recent;
    std::vector<Extent> extents;
    std::size_t size = 0;
  };

  void spill(Partition& partition) {
    {
      const std::lock_guard lock(file_mutex_);
      if (!file_) file_ = std::make_unique<SpoolFile>(directory_);
    }
    const std::uint64_t offset = file_->append(std::as_bytes(std::span(partition.recent)));
    partition.extents.push_back({offset, partition.recent.size()});
    used_ -= partition.recent.capacity() * sizeof(T);
    partition.recent = std::vector<T>();  // "= {}" would keep the memory
  }

  // Smaller pieces than this would turn reading back into seeking.
  static constexpr std::size_t kSmallestSpill = 1 << 16;

  std::vector<Partition> partitions_;
  std::uint64_t memory_;
  std::string directory_;
  std::atomic<std::uint64_t> used_ = 0;
  std::mutex file_mutex_;
  std::unique_ptr<SpoolFile> file_;
};

}  // namespace dragoman
