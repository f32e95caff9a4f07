#include "grammar/unary_values.h"

#include <algorithm>
#include <cmath>

namespace dragoman {

void UnaryValues::apply() {
  for (const auto& group : unary_.groups()) {
    for (const auto& rule : group.rules) {
      const bool within =
          !group.inverse.empty() &&
          std::find(group.members.begin(), group.members.end(), rule.to) != group.members.end();
      const auto to = place(rule.to);
      if (within || inside_[to] == kLogZero) continue;
      const auto from = place(rule.from);
      inside_[from] = log_add(inside_[from], inside_[to] + rule.log_weight);
    }
    if (!group.inverse.empty()) sum_cycle(group);
    improve_best(group);
  }
}

void UnaryValues::sum_cycle(const UnaryGroup& group) {
  const std::size_t size = group.members.size();
  std::vector<double> base(size);
  double largest = kLogZero;
  for (std::size_t k = 0; k < size; ++k) {
    base[k] = inside_[place(group.members[k])];
    largest = std::max(largest, base[k]);
  }
  if (largest == kLogZero) return;
  for (auto& value : base) value = std::exp(value - largest);
  for (std::size_t k = 0; k < size; ++k) {
    double sum = 0;
    for (std::size_t m = 0; m < size; ++m) sum += group.inverse[k * size + m] * base[m];
    inside_[place(group.members[k])] = sum > 0 ? std::log(sum) + largest : kLogZero;
  }
}

// No probability is above 1, so going round a cycle never improves a derivation.
void UnaryValues::improve_best(const UnaryGroup& group) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& rule : group.rules) {
      const auto from = place(rule.from);
      const double score = best_[place(rule.to)] + rule.log_weight;
      if (score > best_[from]) {
        best_[from] = score;
        back_[from] = rule;
        changed = true;
      }
    }
  }
}

}  // namespace dragoman
