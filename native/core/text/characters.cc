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

struct Capitals {
  char32_t first;
  char32_t last;
  char32_t step;
  std::int32_t distance;
};

constexpr Capitals kCapitals[] = {
#include "text/lower_case.inc"
};

void append(char32_t code, std::string& text) {
  const auto add = [&text](char32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) {
    add(code);
    return;
  }
  const int rest = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  add((0xFF00u >> (rest + 1) & 0xFFu) | code >> 6 * rest);
  for (int at = rest - 1; at >= 0; --at) add(0x80 | (code >> 6 * at & 0x3F));
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

std::vector<std::size_t> code_point_bounds(std::string_view text) {
  std::vector<std::size_t> bounds{0};
  while (bounds.back() < text.size()) {
    bounds.push_back(bounds.back() + code_point_at(text, bounds.back()).bytes);
  }
  return bounds;
}

char32_t lower_case(char32_t code) {
  const Capitals* after = std::upper_bound(
      std::begin(kCapitals), std::end(kCapitals), code,
      [](char32_t wanted, const Capitals& capitals) { return wanted < capitals.first; });
  if (after == std::begin(kCapitals)) return code;
  const Capitals& found = *(after - 1);
  if (code > found.last || (code - found.first) % found.step != 0) return code;
  return static_cast<char32_t>(static_cast<std::int32_t>(code) + found.distance);
}

std::string lower_case(std::string_view text) {
  std::string lower;
  lower.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, bytes] = code_point_at(text, at);
    const char32_t small = lower_case(code);
    if (small == code) {
      lower += text.substr(at, bytes);
    } else {
      append(small, lower);
    }
    at += bytes;
  }
  return lower;
}

}  // namespace dragoman
