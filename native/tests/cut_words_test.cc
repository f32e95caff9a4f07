#include "text/cut_words.h"

#include "check.h"

#include <random>
#include <string>

#include "text/characters.h"

using namespace dragoman;

namespace {

std::string cut(std::string_view text, Apostrophe apostrophe = Apostrophe::kInside) {
  std::vector<TokenSpan> tokens;
  cut_words(text, apostrophe, tokens);
  std::string line;
  for (const auto [begin, end] : tokens) {
    if (!line.empty()) line += ' ';
    line += text.substr(begin, end - begin);
  }
  return line;
}

}  // namespace

TEST(words_numbers_and_symbols) {
  CHECK_EQUAL(cut("Hello, world..."), "Hello , world ...");
  CHECK_EQUAL(cut("1,000.5 at 10:30 or 3-5%"), "1,000.5 at 10:30 or 3 - 5 %");
  CHECK_EQUAL(cut("e.g. the U.S. end."), "e.g. the U.S. end .");
  CHECK_EQUAL(cut("a--b"), "a -- b");
  CHECK_EQUAL(cut(""), "");
  CHECK_EQUAL(cut(" \t"), "");
}

TEST(apostrophes) {
  CHECK_EQUAL(cut("don't", Apostrophe::kBefore), "don 't");
  CHECK_EQUAL(cut("l'eau", Apostrophe::kBehind), "l' eau");
  CHECK_EQUAL(cut("t'ant'a", Apostrophe::kInside), "t'ant'a");
  CHECK_EQUAL(cut("'quoted'", Apostrophe::kBefore), "' quoted '");
}

TEST(scripts) {
  CHECK_EQUAL(cut("東京タワーis高い。"), "東京タワー is 高い 。");
  CHECK(character_of(U'é') == Character::kLetter);
  CHECK(character_of(0x0301) == Character::kMark);
  CHECK(character_of(0x00A0) == Character::kSpace);
  CHECK(character_of(U'٣') == Character::kDigit);
  CHECK(character_of(0x10FFFF) == Character::kSymbol);
}

TEST(small_letters) {
  CHECK(lower_case("Größe ÄÖÜ ΣΑΣ Москва Ŵǅ 東京 ①2") == "größe äöü σασ москва ŵǆ 東京 ①2");
  CHECK(lower_case("\xC3") == "\xC3");  // a byte that is no character stays
  CHECK(lower_case(char32_t{0x10400}) == 0x10428);
  CHECK(lower_case("\xF0\x90\x90\x80") == "\xF0\x90\x90\xA8");
}

TEST(bounds_of_characters) {
  CHECK(code_point_bounds("") == std::vector<std::size_t>{0});
  CHECK(code_point_bounds("aß東") == (std::vector<std::size_t>{0, 1, 3, 6}));
}

// Whatever the bytes, tokens follow each other, none is empty, and only white space is between.
TEST(any_bytes) {
  std::mt19937 luck(7);
  std::vector<TokenSpan> tokens;
  for (int round = 0; round < 2000; ++round) {
    std::string text(luck() % 40, ' ');
    for (char& byte : text) byte = static_cast<char>(luck() % 256);
    cut_words(text, static_cast<Apostrophe>(round % 3), tokens);
    std::size_t at = 0;
    for (const auto [begin, end] : tokens) {
      CHECK(at <= begin && begin < end && end <= text.size());
      while (at < begin) {
        const CodePoint point = code_point_at(text, at);
        CHECK(character_of(point.code) == Character::kSpace);
        at += point.bytes;
      }
      at = end;
    }
  }
}

CHECK_MAIN()
