#include "search/coverage.h"

#include <algorithm>
#include <bit>

#include "text/checksum.h"

namespace dragoman {

namespace {

void shift_right(std::span<std::uint64_t> words, std::size_t bits) {
  const std::size_t whole = bits / 64;
  const std::size_t rest = bits % 64;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint64_t low = i + whole < words.size() ? words[i + whole] : 0;
    const std::uint64_t high = i + whole + 1 < words.size() ? words[i + whole + 1] : 0;
    words[i] = rest == 0 ? low : low >> rest | high << (64 - rest);
  }
}

}  // namespace

CoverageSet::CoverageSet(std::size_t length, std::size_t reach)
    : length_(length), words_((std::min(length, reach) + 64) / 64), slots_(64), scratch_(words_) {
  intern({0, 0, 0});
}

SourceSpan CoverageSet::run_around(CoverageId id, SourceSpan phrase) const {
  const Record& record = records_[id];
  std::size_t begin = phrase.begin;
  std::size_t end = phrase.end;
  if (phrase.begin < record.first) {
    begin = 0;
    end = record.first;
  } else {
    while (begin > record.first && is_covered(id, begin - 1)) --begin;
    while (end < record.top && is_covered(id, end)) ++end;
  }
  return {static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end)};
}

CoverageId CoverageSet::with(CoverageId id, std::size_t begin, std::size_t end) {
  Record record = records_[id];
  const auto old = window(id);
  std::copy(old.begin(), old.end(), scratch_.begin());
  record.covered += static_cast<std::uint32_t>(end - begin);
  record.top = std::max(record.top, static_cast<std::uint32_t>(end));
  if (begin == record.first) {
    // The words from `end` on that are covered already join the covered beginning.
    std::size_t first = end;
    while (first < record.top && is_covered(id, first)) ++first;
    shift_right(scratch_, first - record.first);
    record.first = static_cast<std::uint32_t>(first);
    record.top = std::max(record.top, record.first);
  } else {
    for (std::size_t bit = begin - record.first; bit < end - record.first; ++bit) {
      scratch_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
  }
  return intern(record);
}

std::uint64_t CoverageSet::hash_of(std::uint32_t first,
                                   std::span<const std::uint64_t> window) const {
  std::uint64_t hash = first + 0x9e3779b97f4a7c15;
  for (const std::uint64_t word : window) {
    hash = fold_multiply(hash ^ word, 0xd6e8feb86659fd93);
  }
  return hash;
}

CoverageId CoverageSet::intern(const Record& record) {
  if (records_.size() * 2 >= slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash_of(record.first, scratch_) & mask;; at = (at + 1) & mask) {
    if (slots_[at] == 0) {
      slots_[at] = static_cast<std::uint32_t>(records_.size() + 1);
      records_.push_back(record);
      windows_.insert(windows_.end(), scratch_.begin(), scratch_.end());
      return slots_[at] - 1;
    }
    const CoverageId there = slots_[at] - 1;
    if (records_[there].first == record.first &&
        std::equal(scratch_.begin(), scratch_.end(), window(there).begin())) {
      return there;
    }
  }
}

void CoverageSet::grow() {
  slots_.assign(slots_.size() * 2, 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t id = 0; id < records_.size(); ++id) {
    std::size_t at = hash_of(records_[id].first, window(static_cast<CoverageId>(id))) & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = static_cast<std::uint32_t>(id + 1);
  }
}

std::size_t CoverageSet::bytes() const {
  return records_.capacity() * sizeof(Record) + windows_.capacity() * sizeof(std::uint64_t) +
         slots_.capacity() * sizeof(std::uint32_t);
}

}  // namespace dragoman
