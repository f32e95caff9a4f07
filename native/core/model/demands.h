// What the user demands of one line, beside its words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dragoman {

// A translation that the user gave for source words [begin, end).
struct GivenTranslation {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string target;  // tokens separated by white space
  double log_prob = 0;
  // Whether the span must be translated so; else it competes with what the table has.
  bool exclusive = true;

  bool operator==(const GivenTranslation&) const = default;
};

// Words that must be translated together: once begun, nothing else comes before they are done.
struct Zone {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct Demands {
  std::vector<GivenTranslation> given;
  std::vector<Zone> zones;
  std::vector<std::uint32_t> walls;  // nothing from the wall on before all that is before it
};

// Two spans that are neither apart nor one inside the other.
bool cross(std::size_t begin, std::size_t end, const Zone& zone);
bool overlap(std::size_t begin, std::size_t end, std::size_t other_begin, std::size_t other_end);

// The words of a line. Throws InputError when there are too many of them, and when demands point
// outside the line or contradict each other.
std::vector<std::string> checked_words(std::string_view line, const Demands& demands);

}  // namespace dragoman
