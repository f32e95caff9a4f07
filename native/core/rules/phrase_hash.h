// Phrases and rules are told apart by 64-bit hashes of their words: among 10^8 different ones two
// collide with a probability of about 3 in 10,000, and would then share their counts.
#pragma once

#include <cstdint>

#include "text/checksum.h"
#include "text/words.h"

namespace dragoman {

inline constexpr std::uint64_t kHashSeed = 0x243f6a8885a308d3ull;

inline std::uint64_t extend_hash(std::uint64_t hash, WordId word) {
  return fold_multiply(hash ^ (static_cast<std::uint64_t>(word) + 0x9e3779b97f4a7c15ull),
                       0xd6e8feb86659fd93ull) +
         hash;
}

inline std::uint64_t hash_of(Sentence words) {
  std::uint64_t hash = kHashSeed;
  for (const WordId word : words) hash = extend_hash(hash, word);
  return hash;
}

}  // namespace dragoman
