// The sections of a language-model file, shared by the one who writes and the one who reads.
#pragma once

#include <cstdint>
#include <string_view>

namespace dragoman {

inline constexpr std::string_view kLmKind = "ngram-lm";
inline constexpr std::uint32_t kLmVersion = 2;

enum LmSection : std::uint32_t {
  kLmCounts,      // n-grams per order; its length is the order of the model
  kLmWordStarts,  // the three parts of LmVocabulary
  kLmWordCharacters,
  kLmWordSlots,
  kLmUnigrams,  // a ContextEntry per word
  kLmLongest,   // LongestEntry: the highest order, unless that is 1
  kLmContexts,  // ContextEntry: the orders 2 .. highest - 1; empty above
  kLmSections = kLmContexts + 6
};

}  // namespace dragoman
