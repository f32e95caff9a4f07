// What text may be made of.
#pragma once

#include <string_view>

namespace dragoman {

// Whether bytes are well-formed UTF-8 (RFC 3629: no surrogates, no overlong forms).
bool is_utf8(std::string_view bytes);

// Whether bytes can be a token of a line: UTF-8, at least one byte, no ASCII white space.
bool is_token(std::string_view bytes);

}  // namespace dragoman
