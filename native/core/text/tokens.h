// Walking over the tokens of a line: maximal runs without ASCII white space.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace dragoman {

inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

inline constexpr std::size_t kTokenChunk = 64;  // bytes looked at together

// Which of the bytes of a chunk are white space, a bit each.
inline std::uint64_t space_mask(const char* bytes) {
  std::uint64_t mask = 0;
#if defined(__SSE2__)
  for (int part = 0; part < 4; ++part) {
    const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes) + part);
    const __m128i from_tab = _mm_sub_epi8(text, _mm_set1_epi8('\t'));
    const __m128i control =
        _mm_cmpeq_epi8(_mm_min_epu8(from_tab, _mm_set1_epi8('\r' - '\t')), from_tab);
    const __m128i spaces = _mm_or_si128(control, _mm_cmpeq_epi8(text, _mm_set1_epi8(' ')));
    mask |= std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(spaces))} << (16 * part);
  }
#else
  for (int k = 0; k < 64; ++k) mask |= std::uint64_t{is_space(bytes[k])} << k;
#endif
  return mask;
}

// Looks at a chunk at once and goes from edge to edge: lengths of words cannot be foreseen, so
// a branch per byte would cost more than all else that is done to a word.
template <class Visit>
void for_each_token(std::string_view line, Visit&& visit) {
  bool inside = false;  // a token
  std::size_t begin = 0;
  for (std::size_t base = 0; base < line.size(); base += kTokenChunk) {
    std::uint64_t spaces = 0;
    if (line.size() - base >= kTokenChunk) {
      spaces = space_mask(line.data() + base);
    } else {
      char tail[kTokenChunk];
      std::memset(tail, ' ', kTokenChunk);
      std::memcpy(tail, line.data() + base, line.size() - base);
      spaces = space_mask(tail);
    }
    std::uint64_t edges = spaces ^ (spaces << 1 | (inside ? 0 : 1));
    for (; edges != 0; edges &= edges - 1) {
      const std::size_t at = base + static_cast<std::size_t>(std::countr_zero(edges));
      if (inside) {
        visit(line.substr(begin, at - begin));
      } else {
        begin = at;
      }
      inside = !inside;
    }
  }
  if (inside) visit(line.substr(begin));
}

inline std::vector<std::string> tokens_of(std::string_view line) {
  std::vector<std::string> tokens;
  for_each_token(line, [&tokens](std::string_view token) { tokens.emplace_back(token); });
  return tokens;
}

}  // namespace dragoman
