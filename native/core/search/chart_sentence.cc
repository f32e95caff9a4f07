#include "search/chart_sentence.h"

#include <algorithm>

namespace dragoman {

ChartSentence::ChartSentence(std::string_view line, const Demands& demands,
                             const TranslationModel& model,
                             std::span<const OfferedTranslation> offers)
    : demands_(demands),
      words_(checked_words(line, demands)),
      barriers_(demands, words_.size()),
      offers_(offers),
      target_(model.target()) {
  for (const std::string& word : words_) ids_.push_back(model.source().find(word));
  std::stable_sort(demands_.given.begin(), demands_.given.end(),
                   [](const auto& a, const auto& b) { return a.begin < b.begin; });
  for (const GivenTranslation& given : demands_.given) {
    if (!given.exclusive) continue;
    exclusive_at_.resize(words_.size(), nullptr);
    std::fill(exclusive_at_.begin() + given.begin, exclusive_at_.begin() + given.end, &given);
  }
}

std::span<const GivenTranslation> ChartSentence::given(std::size_t begin) const {
  const auto before = [](const GivenTranslation& one, std::size_t place) {
    return one.begin < place;
  };
  const auto first = std::lower_bound(demands_.given.begin(), demands_.given.end(), begin, before);
  const auto last = std::lower_bound(first, demands_.given.end(), begin + 1, before);
  return {first, last};
}

bool ChartSentence::allows(std::size_t begin, std::size_t end) const {
  if (barriers_.crossed(begin, end)) return false;
  // Exclusive translations do not overlap: what is not whole in the span lies at its edges.
  for (const std::size_t edge : {begin, end - 1}) {
    const GivenTranslation* const given = exclusive(edge);
    if (given != nullptr && (given->begin < begin || end < given->end)) return false;
  }
  return true;
}

bool ChartSentence::allows(std::size_t begin, std::size_t from, std::size_t to,
                           bool as_words) const {
  if (!barriers_.empty()) {
    for (const Zone& zone : barriers_.zones_from(begin + 1, to)) {
      const bool contains = from <= zone.begin && zone.end <= to;
      if (from < zone.end && !contains) return false;
    }
  }
  for (std::size_t at = from; as_words && at < to; ++at) {
    if (exclusive(at) != nullptr) return false;
  }
  return true;
}

bool ChartSentence::begins_well(std::size_t begin, std::size_t gap_end, std::size_t end) const {
  if (barriers_.empty()) return true;
  const auto zones = barriers_.zones_from(begin, begin + 1);
  return std::none_of(zones.begin(), zones.end(),
                      [=](const Zone& zone) { return gap_end < zone.end && zone.end < end; });
}

}  // namespace dragoman
