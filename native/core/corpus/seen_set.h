// Remembers which strings have been seen, in 16 bytes each.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace dragoman {

// Strings are told apart by 128 bits of hash: among 10^9 strings the chance that any two are
// confused is below 10^-20.
class SeenSet {
 public:
  // Whether `text` was new.
  bool insert(std::string_view text);
  bool contains(std::string_view text) const;
  std::size_t size() const { return size_; }

 private:
  struct Key {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    bool operator==(const Key&) const = default;
  };
  static Key key_of(std::string_view text);
  std::size_t find(const Key& key) const;
  void grow();

  std::vector<Key> slots_ = std::vector<Key>(1024);  // power of two; all-zero is empty
  std::size_t size_ = 0;
};

}  // namespace dragoman
