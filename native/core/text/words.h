// Words as numbers, and the numbers that mean something by themselves.
#pragma once

#include <cstdint>
#include <span>

namespace dragoman {

using WordId = std::int32_t;
using Sentence = std::span<const WordId>;

inline bool same_words(Sentence a, Sentence b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

// Word by word by their ids; a beginning comes before what goes on.
inline bool words_before(Sentence a, Sentence b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

inline constexpr WordId kUnknown = 0;        // <unk>
inline constexpr WordId kBeginSentence = 1;  // <s>
inline constexpr WordId kEndSentence = 2;    // </s>
inline constexpr WordId kReserved = 3;       // first id of an ordinary word

}  // namespace dragoman
