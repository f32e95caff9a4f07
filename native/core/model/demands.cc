#include "model/demands.h"

#include "text/error.h"
#include "text/tokens.h"

namespace dragoman {

bool overlap(std::size_t begin, std::size_t end, std::size_t other_begin, std::size_t other_end) {
  return begin < other_end && other_begin < end;
}

bool cross(std::size_t begin, std::size_t end, const Zone& zone) {
  return overlap(begin, end, zone.begin, zone.end) && !(zone.begin <= begin && end <= zone.end) &&
         !(begin <= zone.begin && zone.end <= end);
}

namespace {

constexpr std::size_t kMaxWords = 65'535;  // positions have sixteen bits

std::string span_text(std::size_t begin, std::size_t end) {
  return "[" + std::to_string(begin) + ", " + std::to_string(end) + ")";
}

void check(const Demands& demands, std::size_t words) {
  const auto check_span = [words](const char* what, std::uint32_t begin, std::uint32_t end) {
    if (begin >= end || end > words) {
      throw InputError(std::string(what) + " " + span_text(begin, end) +
                       " does not lie in a sentence of " + std::to_string(words) + " words");
    }
  };
  for (const GivenTranslation& given : demands.given) {
    check_span("the given translation of", given.begin, given.end);
    if (tokens_of(given.target).size() > kMaxWords) {
      throw InputError("a given translation is too long");
    }
  }
  for (const Zone& zone : demands.zones) check_span("the zone", zone.begin, zone.end);
  for (const std::uint32_t wall : demands.walls) {
    if (wall > words) {
      throw InputError("the wall at " + std::to_string(wall) + " lies outside the sentence");
    }
  }
  for (const GivenTranslation& one : demands.given) {
    for (const GivenTranslation& other : demands.given) {
      const bool same = one.begin == other.begin && one.end == other.end;
      if (!same && one.exclusive && other.exclusive &&
          overlap(one.begin, one.end, other.begin, other.end)) {
        throw InputError("given translations overlap: " + span_text(one.begin, one.end) + " and " +
                         span_text(other.begin, other.end));
      }
    }
    for (const Zone& zone : demands.zones) {
      if (one.exclusive && cross(one.begin, one.end, zone)) {
        throw InputError("the given translation of " + span_text(one.begin, one.end) +
                         " crosses the zone " + span_text(zone.begin, zone.end));
      }
    }
    for (const std::uint32_t wall : demands.walls) {
      if (one.exclusive && one.begin < wall && wall < one.end) {
        throw InputError("the given translation of " + span_text(one.begin, one.end) +
                         " crosses the wall at " + std::to_string(wall));
      }
    }
  }
  for (const Zone& one : demands.zones) {
    for (const Zone& other : demands.zones) {
      if (cross(one.begin, one.end, other)) {
        throw InputError("zones cross: " + span_text(one.begin, one.end) + " and " +
                         span_text(other.begin, other.end));
      }
    }
  }
}

}  // namespace

std::vector<std::string> checked_words(std::string_view line, const Demands& demands) {
  std::vector<std::string> words = tokens_of(line);
  if (words.size() > kMaxWords) {
    throw InputError("a line of " + std::to_string(words.size()) + " words; at most " +
                     std::to_string(kMaxWords) + " can be translated at once");
  }
  check(demands, words.size());
  return words;
}

}  // namespace dragoman
