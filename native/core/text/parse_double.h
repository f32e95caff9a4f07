// Numbers with a fraction, read the same under every locale.
#pragma once

#include <string_view>

namespace dragoman {

// Reads the whole of `text` as a decimal number, correctly rounded: an optional minus, digits with
// or without a point, an optional exponent; or inf, infinity, nan, nan(...), in either case of
// letters. No plus in front, no space, no hexadecimal. False, and `value` as it was, for anything
// else and for numbers that a double cannot hold: too large, or so small that only 0 is left.
//
// This is std::from_chars, which some standard libraries have for whole numbers only.
bool parse_double(std::string_view text, double& value);

}  // namespace dragoman
