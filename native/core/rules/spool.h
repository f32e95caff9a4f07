// Records on their way from one stage to the next: in memory up to a budget, then in temporary
// files without names, or in files that other processes have put away.
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

#include "text/binary_format.h"
#include "text/error.h"
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
        read(extent, 0, std::span(all).subspan(at, extent.size));
        at += extent.size;
      }
      std::copy(partition.recent.begin(), partition.recent.end(), all.begin() + at);
    }
    partition.recent = std::vector<T>();
    partition.extents = std::vector<Extent>();
    partition.size = 0;
    return all;
  }

  // For other processes to go on with: two sections, how many records each partition has that
  // were appended here, and these.
  static constexpr std::uint32_t kSections = 2;
  void put_away(BinaryWriter& writer) const {
    std::vector<std::uint64_t> sizes;
    for (const Partition& partition : partitions_) {
      std::uint64_t size = partition.recent.size();
      for (const Extent& extent : partition.extents) {
        size += extent.mapped == nullptr ? extent.size : 0;
      }
      sizes.push_back(size);
    }
    writer.section(std::span<const std::uint64_t>(sizes));
    writer.begin_section();
    std::vector<T> room;
    for (const Partition& partition : partitions_) {
      for (const Extent& extent : partition.extents) {
        if (extent.mapped != nullptr) continue;
        room.resize(extent.size);
        read(extent, 0, room);
        writer.append(std::span<const T>(room));
      }
      writer.append(std::span<const T>(partition.recent));
    }
  }
  // Has what another process has put away, beginning with this section, as if it had been
  // appended here. Throws InputError when it does not fit.
  void take_up(const std::shared_ptr<const BinaryFile>& file, std::uint32_t section) {
    const auto sizes = file->section<std::uint64_t>(section);
    std::span<const T> records = file->section<T>(section + 1);
    bool fits = sizes.size() == partitions_.size();
    for (std::size_t index = 0; fits && index < sizes.size(); ++index) {
      const std::uint64_t size = sizes[index];
      fits = size <= records.size();
      if (!fits || size == 0) continue;
      Partition& partition = partitions_[index];
      partition.extents.push_back({0, static_cast<std::size_t>(size), records.data()});
      partition.size += size;
      records = records.subspan(size);
    }
    if (!fits || !records.empty()) {
      throw InputError(file->path() + ": not from this work, or damaged");
    }
    files_.push_back(file);
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
          spool_->read(*extent, position_ - begin, room);
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
    std::uint64_t offset = 0;   // in the file, in bytes
    std::size_t size = 0;       // in records
    const T* mapped = nullptr;  // where another process has put them away
  };
  struct Partition {
    std::mutex mutex;
    std::vector<T> recent;
    std::vector<Extent> extents;
    std::size_t size = 0;
  };

  // The records of an extent from number `first` on.
  void read(const Extent& extent, std::size_t first, std::span<T> into) const {
    if (extent.mapped != nullptr) {
      std::copy_n(extent.mapped + first, into.size(), into.begin());
    } else {
      file_->read(extent.offset + first * sizeof(T), std::as_writable_bytes(into));
    }
  }

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
  std::vector<std::shared_ptr<const BinaryFile>> files_;  // taken up
};

}  // namespace dragoman
