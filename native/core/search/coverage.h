// Sets of covered source words, each kept once and known by a number.
//
// A set is its left-most uncovered word and a window of bits from there on. A distortion limit
// keeps everything covered near that word, so the window is one machine word for sentences of
// any length; without a limit it is as long as the sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/orientation.h"

namespace dragoman {

using CoverageId = std::uint32_t;

class CoverageSet {
 public:
  // `reach`: how far behind the left-most uncovered word a word may be covered.
  CoverageSet(std::size_t length, std::size_t reach);

  static constexpr CoverageId kEmpty = 0;

  std::size_t length() const { return length_; }
  std::uint32_t first(CoverageId id) const { return records_[id].first; }  // length() when full
  std::uint32_t covered(CoverageId id) const { return records_[id].covered; }
  // Behind the last covered word, or first() when nothing behind that is covered.
  std::uint32_t top(CoverageId id) const { return records_[id].top; }
  bool is_covered(CoverageId id, std::size_t position) const {
    const Record& record = records_[id];
    if (position < record.first) return true;
    if (position >= record.top) return false;
    const std::size_t bit = position - record.first;
    return window(id)[bit / 64] >> (bit % 64) & 1;
  }
  bool is_free(CoverageId id, std::size_t begin, std::size_t end) const {
    for (std::size_t position = begin; position < end; ++position) {
      if (is_covered(id, position)) return false;
    }
    return true;
  }
  // The largest run of covered words around `phrase`, which is covered.
  SourceSpan run_around(CoverageId id, SourceSpan phrase) const;
  // Calls visit(begin, end) for every maximal run of uncovered words, from left to right.
  template <class Visit>
  void for_each_gap(CoverageId id, Visit&& visit) const {
    const Record& record = records_[id];
    std::size_t begin = record.first;
    for (std::size_t position = record.first; position < record.top; ++position) {
      if (!is_covered(id, position)) continue;
      if (begin < position) visit(begin, position);
      begin = position + 1;
    }
    if (begin < length_) visit(begin, length_);
  }

  // The set with [begin, end), which must be uncovered and within reach, added.
  CoverageId with(CoverageId id, std::size_t begin, std::size_t end);

  std::size_t size() const { return records_.size(); }
  std::size_t bytes() const;

 private:
  struct Record {
    std::uint32_t first = 0;
    std::uint32_t top = 0;
    std::uint32_t covered = 0;
  };
  std::span<const std::uint64_t> window(CoverageId id) const {
    return {windows_.data() + std::size_t{id} * words_, words_};
  }
  CoverageId intern(const Record& record);  // with the window in scratch_
  std::uint64_t hash_of(std::uint32_t first, std::span<const std::uint64_t> window) const;
  void grow();

  std::size_t length_;
  std::size_t words_;  // per window
  std::vector<Record> records_;
  std::vector<std::uint64_t> windows_;
  std::vector<std::uint32_t> slots_;  // open addressing; 0 is empty, else id + 1
  std::vector<std::uint64_t> scratch_;
};

}  // namespace dragoman
