// What the user demands of one line, beside its words.
#pragma once

#include <cstdint>
#include <span>
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
  bool operator==(const Zone&) const = default;
};

struct Demands {
  std::vector<GivenTranslation> given;
  std::vector<Zone> zones;
  std::vector<std::uint32_t> walls;  // nothing from the wall on before all that is before it
};

// Two spans that are neither apart nor one inside the other.
bool cross(std::size_t begin, std::size_t end, const Zone& zone);
bool overlap(std::size_t begin, std::size_t end, std::size_t other_begin, std::size_t other_end);

// Walls and zones that do not contradict each other, ready to be asked place by place: a line may
// have as many of them as it has words.
class Barriers {
 public:
  Barriers(const Demands& demands, std::size_t words);

  bool empty() const { return places_.empty(); }
  // The first wall behind a place; behind the end of the line when there is none.
  std::uint32_t next_wall(std::size_t place) const { return places_[place].next_wall; }
  // The smallest zone that begins before a place and ends behind it, or null.
  const Zone* around(std::size_t place) const {
    return places_[place].zone == kNoZone ? nullptr : &zones_[places_[place].zone];
  }
  // Whether a span lies across a wall or the edge of a zone.
  bool crossed(std::size_t begin, std::size_t end) const {
    if (empty()) return false;
    const Zone* const left = around(begin);
    const Zone* const right = around(end);
    return next_wall(begin) < end || (left != nullptr && left->end < end) ||
           (right != nullptr && right->begin > begin);
  }
  // The zones that begin in [from, to), each once, by begin.
  std::span<const Zone> zones_from(std::size_t from, std::size_t to) const;

 private:
  static constexpr std::uint32_t kNoZone = 0xffffffff;
  struct Place {
    std::uint32_t next_wall = 0;
    std::uint32_t zone = kNoZone;
    std::uint32_t first_zone = 0;  // of those that begin here or later
  };
  std::vector<Place> places_;  // before each word and at the end; none when nothing is demanded
  std::vector<Zone> zones_;    // by begin, larger ones first
};

// The words of a line. Throws InputError when there are too many of them, and when demands point
// outside the line or contradict each other.
std::vector<std::string> checked_words(std::string_view line, const Demands& demands);

}  // namespace dragoman
