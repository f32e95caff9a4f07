#include "text/checksum.h"

#include <algorithm>
#include <cstring>

namespace dragoman {
namespace {

// Odd constants without structure (digits of pi and e), one per lane and purpose.
constexpr std::uint64_t kMix0 = 0x9e3779b97f4a7c15;
constexpr std::uint64_t kMix1 = 0xb7e151628aed2a6b;

std::uint64_t load(const std::byte* from, std::size_t count = 8) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, count);
  return word;
}

}  // namespace

std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed) {
  const auto* at = reinterpret_cast<const std::byte*>(bytes.data());
  std::size_t left = bytes.size();
  std::uint64_t state = seed ^ fold_multiply(bytes.size() ^ kMix0, kMix1);
  while (left > 8) {
    state = fold_multiply(state ^ load(at), kMix0);
    at += 8;
    left -= 8;
  }
  state = fold_multiply(state ^ (left > 0 ? load(at, left) : 0), kMix1);
  return fold_multiply(state ^ kMix0, kMix1);
}

void StreamChecksum::absorb(const std::byte* block) {
  for (int lane = 0; lane < 4; ++lane) {
    lanes_[lane] = fold_multiply(lanes_[lane] ^ load(block + 16 * lane),
                                 kMix0 ^ load(block + 16 * lane + 8)) +
                   kMix1 * lanes_[lane];
  }
}

void StreamChecksum::add(std::span<const std::byte> bytes) {
  const std::size_t pending = length_ % kBlock;
  length_ += bytes.size();
  if (pending > 0) {
    const std::size_t taken = std::min(kBlock - pending, bytes.size());
    std::copy_n(bytes.data(), taken, pending_ + pending);
    bytes = bytes.subspan(taken);
    if (pending + taken < kBlock) return;
    absorb(pending_);
  }
  while (bytes.size() >= kBlock) {
    absorb(bytes.data());
    bytes = bytes.subspan(kBlock);
  }
  std::copy_n(bytes.data(), bytes.size(), pending_);
}

std::uint64_t StreamChecksum::value() const {
  StreamChecksum last = *this;
  std::fill(last.pending_ + length_ % kBlock, last.pending_ + kBlock, std::byte{0});
  last.absorb(last.pending_);
  std::uint64_t value = fold_multiply(length_ ^ kMix0, kMix1);
  for (const std::uint64_t lane : last.lanes_) value = fold_multiply(value ^ lane, kMix0);
  return value;
}

}  // namespace dragoman
