// A fingerprint of target words that can be put together from those of their parts, so that
// derivations of the same words are recognised without spelling them out.
#pragma once

#include <cstdint>

#include "text/words.h"

namespace dragoman {

// The words as the digits of a number, modulo the prime 2^61 - 1 (Karp & Rabin 1987). Two
// different targets of one sentence are taken for the same with a chance of less than 1e-12.
class TargetHash {
 public:
  void append(WordId word) {
    value_ = reduced(multiplied(value_, kBase) + static_cast<std::uint64_t>(word) + 1);
    shift_ = multiplied(shift_, kBase);
  }
  void append(const TargetHash& part) {
    value_ = reduced(multiplied(value_, part.shift_) + part.value_);
    shift_ = multiplied(shift_, part.shift_);
  }
  std::uint64_t value() const { return value_; }

 private:
  static constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
  static constexpr std::uint64_t kBase = 0x0d6e8feb86659fd9;

  static std::uint64_t reduced(std::uint64_t value) {
    return value >= kPrime ? value - kPrime : value;
  }
  static std::uint64_t multiplied(std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return reduced((static_cast<std::uint64_t>(product) & kPrime) +
                   static_cast<std::uint64_t>(product >> 61));
  }

  std::uint64_t value_ = 0;
  std::uint64_t shift_ = 1;  // the base to the power of the number of words
};

}  // namespace dragoman
