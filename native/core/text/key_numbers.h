// Numbers for 64-bit keys, in the order in which they are first seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dragoman {

// For keys that are hashes already: they are not mixed again. Open addressing, since a node for
// each key would cost more than all else that is done with it.
class KeyNumbers {
 public:
  std::uint32_t number(std::uint64_t key) {
    if (2 * count_ >= slots_.size()) grow();
    Slot& slot = slots_[place_of(key)];
    if (slot.behind == 0) slot = {key, ++count_};
    return slot.behind - 1;
  }

  std::size_t size() const { return count_; }

  void clear() {
    slots_.assign(slots_.size(), {});
    count_ = 0;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t behind = 0;  // its number and one; 0: empty
  };

  std::size_t place_of(std::uint64_t key) const {
    std::size_t place = key & (slots_.size() - 1);
    while (slots_[place].behind != 0 && slots_[place].key != key) {
      place = (place + 1) & (slots_.size() - 1);
    }
    return place;
  }

  void grow() {
    std::vector<Slot> before(slots_.empty() ? 256 : 2 * slots_.size());
    before.swap(slots_);
    for (const Slot& slot : before) {
      if (slot.behind != 0) slots_[place_of(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::uint32_t count_ = 0;
};

}  // namespace dragoman
