#include "text/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "text/tokens.h"

namespace dragoman {

bool is_utf8(std::string_view bytes) {
  const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
  const auto* const end = at + bytes.size();
  while (at != end) {
    if (end - at >= 8) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, at, 8);
      if ((eight & 0x8080808080808080) == 0) {
        at += 8;
        continue;
      }
    }
    const unsigned char lead = *at;
    if (lead < 0x80) {
      ++at;
      continue;
    }
    const int length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || end - at < length) return false;
    // The second byte of some leads is bounded: overlong forms, surrogates, above U+10FFFF.
    const unsigned char low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (at[1] < low || at[1] > high) return false;
    for (int i = 2; i < length; ++i) {
      if ((at[i] & 0xc0) != 0x80) return false;
    }
    at += length;
  }
  return true;
}

bool is_token(std::string_view bytes) {
  return !bytes.empty() && std::none_of(bytes.begin(), bytes.end(), is_space) && is_utf8(bytes);
}

}  // namespace dragoman
