// Unary rules applied to what is known of one pair of spans.
#pragma once

#include <vector>

#include "grammar/parse_chart.h"
#include "grammar/unary_closure.h"

namespace dragoman {

// The inside and best scores of all nonterminals over one pair of spans. Used again and again:
// put what is known, apply, take.
class UnaryValues {
 public:
  // Keeps a reference.
  UnaryValues(const UnaryClosure& unary, std::size_t nonterminals)
      : unary_(unary),
        inside_(nonterminals, kLogZero),
        best_(nonterminals, kLogZero),
        back_(nonterminals) {}

  // For nonterminals that the closure involves.
  void put(SymbolId name, double inside, double best) {
    inside_[place(name)] = inside;
    best_[place(name)] = best;
  }

  // Adds all that chains of unary rules make of them.
  void apply();

  // Calls visit(name, inside, best, rule) for all that are there now, and forgets them. `rule`
  // is the first of the best chain where that is better than what was put.
  template <class Visit>
  void take(Visit&& visit) {
    for (const auto& group : unary_.groups()) {
      for (const auto name : group.members) {
        const auto at = place(name);
        if (inside_[at] != kLogZero) visit(name, inside_[at], best_[at], back_[at]);
        inside_[at] = kLogZero;
        best_[at] = kLogZero;
      }
    }
  }

 private:
  static std::size_t place(SymbolId name) { return static_cast<std::size_t>(name); }
  void sum_cycle(const UnaryGroup& group);
  void improve_best(const UnaryGroup& group);

  const UnaryClosure& unary_;
  std::vector<double> inside_;
  std::vector<double> best_;
  std::vector<UnaryRule> back_;
};

}  // namespace dragoman
