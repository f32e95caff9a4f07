// Halves of boundaries, each kept once: of the pieces of one sentence, thousands begin or end
// alike.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lm/boundary.h"

namespace dragoman {

// Of LmLeft or LmState.
template <class Half>
class HalfPool {
 public:
  std::size_t size() const { return halves_.size(); }
  const Half& operator[](std::uint32_t id) const { return halves_[id]; }

  void clear() {
    halves_.clear();
    slots_.assign(std::min(slots_.size(), kSlotsKept), kFree);
  }
  // The same id for equal halves.
  std::uint32_t add(const Half& half) {
    std::size_t at = place_of(half);
    for (; slots_[at] != kFree; at = (at + 1) & (slots_.size() - 1)) {
      if (halves_[slots_[at]] == half) return slots_[at];
    }
    slots_[at] = static_cast<std::uint32_t>(halves_.size());
    halves_.push_back(half);
    if (halves_.size() * 2 > slots_.size()) grow();
    return static_cast<std::uint32_t>(halves_.size() - 1);
  }

 private:
  static constexpr std::uint32_t kFree = 0xffffffff;
  static constexpr std::size_t kSlotsKept = 1 << 13;

  static std::uint64_t hash_of(const LmLeft& left) { return left.hash(); }
  static std::uint64_t hash_of(const LmState& right) {
    return right.key() * 0x9e3779b97f4a7c15ull;
  }
  std::size_t place_of(const Half& half) const {
    return hash_of(half) >> 32 & (slots_.size() - 1);
  }
  void grow() {
    slots_.assign(slots_.size() * 2, kFree);
    for (std::uint32_t id = 0; id < halves_.size(); ++id) {
      std::size_t at = place_of(halves_[id]);
      while (slots_[at] != kFree) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = id;
    }
  }

  std::vector<Half> halves_;
  // Open addressing, a power of two, no more than half of them taken.
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(64, kFree);
};

}  // namespace dragoman
