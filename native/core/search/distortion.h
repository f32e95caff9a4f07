// Distortion: what jumps cost and which jumps are allowed (paper 000, sections 4 and 6).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "rules/orientation.h"

namespace dragoman {

// Koehn's distance from the last phrase to the next one.
constexpr std::uint32_t jump(std::uint32_t last_end, std::uint32_t next_begin) {
  return last_end < next_begin ? next_begin - last_end : last_end - next_begin;
}

// The increment of the modified penalty: accumulated, it is at every step Koehn's penalty so far
// plus the smallest that is still to come, which goes to `first` (the left-most uncovered word
// before `next` is translated), from there left to right, and to the end of the sentence.
// The four cases of section 4; `last` is [0, 0) at the start.
constexpr std::uint32_t modified_increment(std::uint32_t first, std::uint32_t last_end,
                                           std::uint32_t next_begin, std::uint32_t next_end) {
  const std::uint32_t length = next_end - next_begin;
  if (next_begin == first) return 0;
  if (next_begin < last_end) return 2 * length;  // phrases do not overlap: it lies to the left
  if (last_end <= first) return 2 * (next_begin - first + length);
  return 2 * (next_begin - last_end + length);
}

inline constexpr std::uint32_t kNoLimit = 0xffffffff;

// Section 6: the limit bounds Koehn's distance forwards, and allows one word more backwards.
constexpr bool jump_allowed(std::uint32_t last_end, std::uint32_t next_begin,
                            std::uint32_t limit) {
  if (limit == kNoLimit) return true;
  return last_end <= next_begin ? next_begin - last_end <= limit
                                : last_end - next_begin <= limit + 1;
}

// Section 6: whether the way back from the end of the new phrase to `first` keeps the limit.
// Phrases that begin at `first` always may: what lies covered behind them was reached from a
// word further left, so it is short enough to jump over.
constexpr bool return_allowed(std::uint32_t first, std::uint32_t next_begin,
                              std::uint32_t next_end, std::uint32_t limit) {
  return limit == kNoLimit || next_begin == first || next_end - first <= limit + 1;
}

}  // namespace dragoman
