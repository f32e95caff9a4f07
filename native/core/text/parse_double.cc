#include "text/parse_double.h"

#include <locale.h>
#include <stdlib.h>
#if __has_include(<xlocale.h>)
#include <xlocale.h>  // macOS declares strtod_l here
#endif

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <string>

namespace dragoman {
namespace {

static_assert(FLT_EVAL_METHOD == 0, "the short way below needs doubles that are rounded as such");

// Up to here every power of ten, and every whole number up to kExactMantissa, is a double; the
// product or quotient of two such is rounded once, which is correct (Clinger 1990).
constexpr std::array<double, 23> kExactPowers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int kExactPower = 22;
constexpr std::uint64_t kExactMantissa = std::uint64_t{1} << 53;
constexpr std::ptrdiff_t kMantissaDigits = 19;  // as many fit in 64 bits
constexpr int kLargeExponent = 1000;    // enough to be beyond kExactPower, with so few digits
constexpr std::size_t kUsualSize = 64;  // characters; longer numbers are allocated

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_word_character(char c) {
  return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// `lower` has lower-case letters only.
bool takes(std::string_view& text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    if ((text[i] | 0x20) != lower[i]) return false;
  }
  text.remove_prefix(lower.size());
  return true;
}

bool parse_name(std::string_view text, double& value) {
  if (takes(text, "inf")) {
    if (!text.empty() && !(takes(text, "inity") && text.empty())) return false;
    value = std::numeric_limits<double>::infinity();
    return true;
  }
  if (!takes(text, "nan")) return false;
  if (!text.empty()) {
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') return false;
    text = text.substr(1, text.size() - 2);
    if (!std::all_of(text.begin(), text.end(), is_word_character)) return false;
  }
  value = std::numeric_limits<double>::quiet_NaN();
  return true;
}

double by_library(const char* terminated) {
  static const locale_t c_locale = ::newlocale(LC_ALL_MASK, "C", nullptr);
  if (c_locale == nullptr) throw std::bad_alloc();
  return ::strtod_l(terminated, nullptr, c_locale);
}

}  // namespace

bool parse_double(std::string_view text, double& value) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  const std::string_view magnitude(at, static_cast<std::size_t>(end - at));

  std::uint64_t mantissa = 0;  // wraps when there are too many digits for it
  const auto take_digits = [&] {
    const char* const begin = at;
    for (; at != end && is_digit(*at); ++at) {
      mantissa = 10 * mantissa + static_cast<std::uint64_t>(*at - '0');
    }
    return at - begin;
  };
  std::ptrdiff_t digits = take_digits();
  std::ptrdiff_t exponent = 0;
  if (at != end && *at == '.') {
    ++at;
    exponent = -take_digits();
    digits -= exponent;
  }
  if (digits == 0) {
    double name = 0;
    if (!parse_name(magnitude, name)) return false;
    value = negative ? -name : name;
    return true;
  }
  const char* const digits_end = at;
  if (at != end) {
    if (*at != 'e' && *at != 'E') return false;
    ++at;
    const bool falling = at != end && *at == '-';
    if (at != end && (*at == '-' || *at == '+')) ++at;
    if (at == end) return false;
    std::ptrdiff_t given = 0;
    for (; at != end; ++at) {
      if (!is_digit(*at)) return false;
      given = std::min<std::ptrdiff_t>(10 * given + (*at - '0'), kLargeExponent);
    }
    exponent += falling ? -given : given;
  }

  double result = 0;
  if (digits <= kMantissaDigits && mantissa <= kExactMantissa &&
      std::abs(exponent) <= kExactPower) {
    const double power = kExactPowers[static_cast<std::size_t>(std::abs(exponent))];
    result = static_cast<double>(mantissa);
    result = exponent < 0 ? result / power : result * power;
  } else {
    if (magnitude.size() < kUsualSize) {
      std::array<char, kUsualSize> terminated{};
      std::copy(magnitude.begin(), magnitude.end(), terminated.begin());
      result = by_library(terminated.data());
    } else {
      result = by_library(std::string(magnitude).c_str());
    }
    if (std::isinf(result)) return false;
    if (result == 0) {
      const auto matters = [](char c) { return c >= '1' && c <= '9'; };
      if (std::any_of(magnitude.data(), digits_end, matters)) return false;
    }
  }
  value = negative ? -result : result;
  return true;
}

}  // namespace dragoman
