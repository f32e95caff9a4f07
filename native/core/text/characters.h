// What kind of character a code point is, and UTF-8 one code point at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dragoman {

enum class Character : std::uint8_t {
  kSymbol,    // punctuation, signs, everything that is none of the others
  kLetter,    // of scripts that put spaces between words; also fractions and the like
  kMark,      // goes with the character before it
  kDigit,     // decimal
  kSpace,     // white space of any kind
  kUnspaced,  // letters of scripts that put no spaces between words
};

Character character_of(char32_t code);

struct CodePoint {
  char32_t code;
  std::size_t bytes;
};

// The code point that begins at `at`; a byte that begins none is one of its own, U+FFFD.
CodePoint code_point_at(std::string_view text, std::size_t at);
// Where the code points of a text begin, and where it ends.
std::vector<std::size_t> code_point_bounds(std::string_view text);

// A capital's small letter; other characters as they are.
char32_t lower_case(char32_t code);
std::string lower_case(std::string_view text);

}  // namespace dragoman
