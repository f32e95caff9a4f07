#include "model/demands.h"

#include <algorithm>
#include <tuple>
#include <utility>

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

struct Demanded {
  std::uint32_t begin, end;
  bool given;
};

// Spans that hold each other must lie one inside the other: sorted, each inside the last one that
// has not ended.
void check_nesting(const Demands& demands) {
  std::vector<Demanded> spans;
  for (const GivenTranslation& given : demands.given) {
    if (given.exclusive) spans.push_back({given.begin, given.end, true});
  }
  for (const Zone& zone : demands.zones) spans.push_back({zone.begin, zone.end, false});
  std::sort(spans.begin(), spans.end(), [](const Demanded& a, const Demanded& b) {
    return std::tuple(a.begin, b.end, a.given) < std::tuple(b.begin, a.end, b.given);
  });
  std::vector<const Demanded*> open;     // each inside the one before it
  const Demanded* last_given = nullptr;  // the one of those that reaches farthest
  for (const Demanded& span : spans) {
    while (!open.empty() && open.back()->end <= span.begin) open.pop_back();
    if (!open.empty() && open.back()->end < span.end) {
      const Demanded& other = *open.back();
      if (!span.given && !other.given) {
        throw InputError("zones cross: " + span_text(other.begin, other.end) + " and " +
                         span_text(span.begin, span.end));
      }
      if (span.given != other.given) {
        const Demanded& given = span.given ? span : other;
        const Demanded& zone = span.given ? other : span;
        throw InputError("the given translation of " + span_text(given.begin, given.end) +
                         " crosses the zone " + span_text(zone.begin, zone.end));
      }
    }
    if (span.given) {
      if (last_given != nullptr && span.begin < last_given->end &&
          (span.begin != last_given->begin || span.end != last_given->end)) {
        throw InputError(
            "given translations overlap: " + span_text(last_given->begin, last_given->end) +
            " and " + span_text(span.begin, span.end));
      }
      last_given = &span;
    }
    open.push_back(&span);
  }
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
  check_nesting(demands);
  std::vector<std::uint32_t> walls = demands.walls;
  std::sort(walls.begin(), walls.end());
  for (const GivenTranslation& given : demands.given) {
    const auto wall = std::upper_bound(walls.begin(), walls.end(), given.begin);
    if (given.exclusive && wall != walls.end() && *wall < given.end) {
      throw InputError("the given translation of " + span_text(given.begin, given.end) +
                       " crosses the wall at " + std::to_string(*wall));
    }
  }
}

}  // namespace

Barriers::Barriers(const Demands& demands, std::size_t words) : zones_(demands.zones) {
  if (zones_.empty() && demands.walls.empty()) return;
  std::sort(zones_.begin(), zones_.end(), [](const Zone& a, const Zone& b) {
    return std::pair(a.begin, b.end) < std::pair(b.begin, a.end);
  });
  zones_.erase(std::unique(zones_.begin(), zones_.end()), zones_.end());
  places_.resize(words + 1);
  std::vector<bool> walled(words + 2, false);
  for (const std::uint32_t wall : demands.walls) walled[wall] = true;
  auto next_wall = static_cast<std::uint32_t>(words + 1);
  for (std::size_t at = words + 1; at-- > 0;) {
    places_[at].next_wall = next_wall;
    if (walled[at]) next_wall = static_cast<std::uint32_t>(at);
  }
  std::vector<std::uint32_t> open;  // zones around the place, each inside the one before it
  std::uint32_t next = 0;
  for (std::uint32_t at = 0; at <= words; ++at) {
    while (!open.empty() && zones_[open.back()].end <= at) open.pop_back();
    if (!open.empty()) places_[at].zone = open.back();
    places_[at].first_zone = next;
    for (; next < zones_.size() && zones_[next].begin == at; ++next) open.push_back(next);
  }
}

std::span<const Zone> Barriers::zones_from(std::size_t from, std::size_t to) const {
  if (from >= to) return {};
  const std::uint32_t first = places_[from].first_zone;
  const auto last =
      to < places_.size() ? places_[to].first_zone : static_cast<std::uint32_t>(zones_.size());
  return std::span(zones_).subspan(first, last - first);
}

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
