#include "grammar/dotted_rule.h"

namespace dragoman {

namespace {

std::vector<std::uint32_t> places_of(std::span<const SymbolId> side) {
  std::vector<std::uint32_t> places;
  for (std::uint32_t i = 0; i < side.size(); ++i) {
    if (!is_terminal(side[i])) places.push_back(i);
  }
  return places;
}

}  // namespace

DottedRule dotted(const Rule& rule, std::uint32_t index) {
  DottedRule result;
  result.rule = rule;
  result.index = index;
  const auto source = places_of(rule.source);
  const auto target = places_of(rule.target);
  const std::size_t rank = source.size();
  const auto source_size = static_cast<std::uint32_t>(rule.source.size());
  result.source_before = {0, rank == 0 ? source_size : source[0]};
  const auto permutation = rule_permutation(rule);
  std::vector<bool> filled(rank, false);
  for (std::size_t k = 0; k < rank; ++k) {
    const auto slot = static_cast<std::size_t>(permutation[k]);
    Step step;
    step.name = ~rule.source[source[k]];
    step.source_after = {source[k] + 1, k + 1 < rank ? source[k + 1] : source_size};
    step.target_before = {slot == 0 ? 0 : target[slot - 1] + 1, target[slot]};
    if (slot + 1 == rank) {
      step.target_after = {target[slot] + 1, static_cast<std::uint32_t>(rule.target.size())};
    }
    for (std::size_t left = 0; left < slot; ++left) {
      if (filled[left] && (left == 0 || !filled[left - 1])) ++step.fragment;
    }
    const bool left = slot > 0 && filled[slot - 1];
    const bool right = slot + 1 < rank && filled[slot + 1];
    step.filled = static_cast<Neighbours>((left ? kLeft : kNone) | (right ? kRight : kNone));
    filled[slot] = true;
    result.steps.push_back(step);
  }
  return result;
}

}  // namespace dragoman
