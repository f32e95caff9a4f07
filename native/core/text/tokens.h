// Walking over the tokens of a line: maximal runs without ASCII white space.
#pragma once

#include <string_view>

namespace dragoman {

inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

template <class Visit>
void for_each_token(std::string_view line, Visit&& visit) {
  const char* at = line.data();
  const char* const end = at + line.size();
  while (true) {
    while (at != end && is_space(*at)) ++at;
    if (at == end) return;
    const char* const begin = at;
    while (at != end && !is_space(*at)) ++at;
    visit(std::string_view(begin, static_cast<std::size_t>(at - begin)));
  }
}

}  // namespace dragoman
