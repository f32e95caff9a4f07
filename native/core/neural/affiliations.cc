#include "neural/affiliations.h"

#include <algorithm>

namespace dragoman {

std::vector<std::uint32_t> affiliations(LinkPositions links, std::size_t target_words) {
  std::sort(links.begin(), links.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second < b.second : a.first < b.first;
  });
  std::vector<std::uint32_t> found(target_words, 0);
  std::size_t covered = 0;  // words in front that have an affiliation
  std::size_t last = 0;     // the last of them that has links
  bool any = false;
  for (std::size_t begin = 0; begin < links.size();) {
    const std::size_t place = links[begin].second;
    if (place >= target_words) break;
    std::size_t end = begin;
    while (end < links.size() && links[end].second == place) ++end;
    found[place] = links[begin + (end - begin - 1) / 2].first;
    for (std::size_t between = covered; between < place; ++between) {
      const bool nearer_left = any && between - last < place - between;
      found[between] = found[nearer_left ? last : place];
    }
    covered = place + 1;
    last = place;
    any = true;
    begin = end;
  }
  for (std::size_t rest = covered; any && rest < target_words; ++rest) found[rest] = found[last];
  return found;
}

}  // namespace dragoman
