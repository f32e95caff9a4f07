// 64-bit hashes: of byte strings (hash tables, partitions) and of streams (file checksums).
// They are part of the file formats: changing them means a new format version.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace dragoman {

// Multiply two 64-bit words and fold the 128-bit product: one instruction that mixes well.
inline std::uint64_t fold_multiply(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed = 0);

// Order-sensitive checksum of a stream fed in any pieces; equal streams give equal values
// however they were cut.
class StreamChecksum {
 public:
  void add(std::span<const std::byte> bytes);
  std::uint64_t value() const;

 private:
  static constexpr std::size_t kBlock = 64;
  void absorb(const std::byte* block);

  std::uint64_t lanes_[4] = {0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0,
                             0x082efa98ec4e6c89};
  std::byte pending_[kBlock] = {};
  std::uint64_t length_ = 0;
};

}  // namespace dragoman
