// Raw text cut into words, numbers and symbols; nothing is lost, as tokens are pieces of the text
// and what stands between two of them is white space or nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace dragoman {

// Where a word is cut at an apostrophe between letters.
enum class Apostrophe : std::uint8_t {
  kInside,  // nowhere: the apostrophe is a letter, or part of one
  kBefore,  // don 't, John 's
  kBehind,  // l' action, aujourd' hui
};

struct TokenSpan {
  std::size_t begin;  // in bytes
  std::size_t end;
};

// A token is one of
// - a run of letters and digits with their marks, over inner apostrophes and full stops;
// - a number with inner full stops, commas, colons or apostrophes between digits;
// - a run of letters of a script that puts no spaces between words;
// - a symbol, or several that are the same.
void cut_words(std::string_view text, Apostrophe apostrophe, std::vector<TokenSpan>& tokens);

}  // namespace dragoman
