#include "text/characters.h"

#include <algorithm>
#include <array>

namespace dragoman {

namespace {

struct Range {
  char32_t begin;
  Character character;
};

constexpr Range kRanges[] = {
#include "text/characters.inc"
};

Character search_ranges(char32_t code) {
  const Range* after =
      std::upper_bound(std::begin(kRanges), std::end(kRanges), code,
                       [](char32_t wanted, const Range& range) { return wanted < range.begin; });
  return (after - 1)->character;
}

// Nearly all text lies below; the rest is searched for.
constexpr std::size_t kDirect = 0x800;

const std::array<Character, kDirect>& direct_table() {
  static const auto table = [] {
    std::array<Character, kDirect> made{};
    for (std::size_t code = 0; code < kDirect; ++code) {
      made[code] = search_ranges(static_cast<char32_t>(code));
    }
    return made;
  }();
  return table;
}

}  // namespace

Character character_of(char32_t code) {
  return code < kDirect ? direct_table()[code] : search_ranges(code);
}

CodePoint code_point_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t offset) {
    return static_cast<unsigned char>(text[at + offset]);
  };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  constexpr CodePoint kBroken{0xFFFD, 1};
  if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return kBroken;
  char32_t code = first & (0x7Fu >> length);
  for (std::size_t offset = 1; offset < length; ++offset) {
    if ((byte(offset) & 0xC0) != 0x80) return kBroken;
    code = code << 6 | (byte(offset) & 0x3F);
  }
  return {code, length};
}

}  // namespace dragoman
