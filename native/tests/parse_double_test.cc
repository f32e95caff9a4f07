#include "text/parse_double.h"

#include <bit>
#include <charconv>
#include <clocale>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>

#include "check.h"

using namespace dragoman;

namespace {

double parsed(const std::string& text) {
  double value = 0;
  if (!parse_double(text, value)) throw std::runtime_error("'" + text + "' was refused");
  return value;
}

bool refused(std::string_view text) {
  double value = 42;
  const bool read = parse_double(text, value);
  CHECK(read || value == 42);
  return !read;
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

TEST(numbers_are_read) {
  struct Row {
    const char* text;
    double value;
  };
  for (const Row& row : {
           Row{"0", 0.0},
           {"-0", -0.0},
           {"00012", 12},
           {"5.", 5},
           {".5", 0.5},
           {"-.5", -0.5},
           {"-0.30103", -0.30103},
           {"1e5", 1e5},
           {"1E+05", 1e5},
           {"1.e-5", 1e-5},
           {"0e99999999999", 0},
           {"-0.000e-99999999999", -0.0},
           {"9007199254740992", 0x1p53},
           {"9007199254740993", 0x1p53},  // half way: to even
           {"9007199254740993.0001", 0x1p53 + 2},
           {"123456789012345678901234567890", 123456789012345678901234567890.0},
           {"1e22", 1e22},
           {"1e23", 1e23},
           {"3e-23", 3e-23},
           {"2.2250738585072011e-308", 0x0.fffffffffffffp-1022},
           {"4.9e-324", 0x1p-1074},
           {"2.5e-324", 0x1p-1074},
           {"1.7976931348623158e308", std::numeric_limits<double>::max()},
           {"inf", std::numeric_limits<double>::infinity()},
           {"-INF", -std::numeric_limits<double>::infinity()},
           {"Infinity", std::numeric_limits<double>::infinity()},
       }) {
    if (!same_bits(parsed(row.text), row.value)) {
      check::fail(__FILE__, __LINE__, std::string(row.text) + " was read as another number");
    }
  }
  for (const char* text : {"nan", "-NaN", "nan()", "nan(a_1)"}) CHECK(std::isnan(parsed(text)));
}

TEST(what_is_no_number_is_refused) {
  for (const char* text :
       {"",          "-",   "+1",   "--1",    "-+1",  ".",     "-.",       "..5",        "1.2.3",
        "e5",        ".e5", "1e",   "1e+",    "1e-",  "1e5.0", "1e+-5",    "0x10",       " 1",
        "1 ",        "1\n", "1,5",  "1'000",  "1d5",  "1f",    "in",       "infi",       "infinit",
        "infinityx", "na",  "nan(", "nan(-)", "nan)", "nanx",  "\xd9\xa1", "i\xcc\x87nf"}) {
    if (!refused(text)) check::fail(__FILE__, __LINE__, std::string(text) + " was accepted");
  }
  CHECK(refused(std::string_view("1\0", 2)));
  CHECK(refused(std::string_view("\0", 1)));
}

TEST(numbers_beyond_a_double_are_refused) {
  for (const char* text :
       {"1e309", "-1e309", "1.7976931348623159e308", "1e99999999999999999999", "2e-324",
        "2.4703282292062327208e-324", "1e-400", "-1e-99999999999999999999"}) {
    if (!refused(text)) check::fail(__FILE__, __LINE__, std::string(text) + " was accepted");
  }
}

// Only the view counts; what follows in memory may look like more of the number.
TEST(the_end_of_the_text_is_the_end_of_the_number) {
  const std::string text = "-1.25678901234567890123e2";
  double value = 0;
  CHECK(parse_double(std::string_view(text).substr(0, 5), value));
  CHECK_EQUAL(value, -1.25);
  CHECK(parse_double(std::string_view(text).substr(0, 23), value));
  CHECK_EQUAL(value, -1.25678901234567890123);
}

TEST(numbers_of_any_length_are_rounded_once) {
  const std::string zeros(5'000, '0');
  CHECK_EQUAL(parsed("0." + zeros + "1e5001"), 1.0);
  CHECK_EQUAL(parsed("1" + zeros + "e-5000"), 1.0);
  CHECK_EQUAL(parsed("9007199254740993." + zeros), 0x1p53);
  CHECK_EQUAL(parsed("9007199254740993." + zeros + "1"), 0x1p53 + 2);
}

TEST(every_double_comes_back) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200'000; ++round) {
    // Half of them of the size of logarithms, which go the short way.
    double value = std::bit_cast<double>(random());
    if (round % 2 == 0) value = static_cast<double>(random() % 1'000'000'000) * -1e-8;
    if (!std::isfinite(value)) continue;
    char digits[32];
    const auto written = std::to_chars(digits, digits + sizeof digits, value);
    double back = 0;
    CHECK(parse_double({digits, static_cast<std::size_t>(written.ptr - digits)}, back));
    CHECK(same_bits(value, back));
  }
}

// The C library's strtod, of which only the locale is in the way, is right for these.
TEST(random_digits_are_rounded_as_the_c_library_does) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 200'000; ++round) {
    std::string text = std::to_string(random() >> (random() % 64));
    text.insert(random() % (text.size() + 1), ".");
    if (random() % 2 == 0) text += "e" + std::to_string(static_cast<int>(random() % 60) - 30);
    CHECK(same_bits(parsed(text), std::strtod(text.c_str(), nullptr)));
  }
}

TEST(the_locale_does_not_matter) {
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "sv_SE.UTF-8"}) {
    if (std::setlocale(LC_ALL, name) == nullptr) continue;  // not on this machine
    CHECK_EQUAL(parsed("1.5"), 1.5);
    CHECK_EQUAL(parsed("1.2345678901234567890"), 1.2345678901234567890);
    CHECK(refused("1,5"));
    CHECK(refused("1,2345678901234567890"));
  }
  std::setlocale(LC_ALL, "C");
}

CHECK_MAIN()
