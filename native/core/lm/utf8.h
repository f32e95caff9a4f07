// Whether bytes are well-formed UTF-8 (RFC 3629: no surrogates, no overlong forms).
#pragma once

#include <string_view>

namespace dragoman {

bool is_utf8(std::string_view bytes);

}  // namespace dragoman
