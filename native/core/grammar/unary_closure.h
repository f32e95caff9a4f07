// Chains of unary rules A -> B[1] | B[1], cycles included, summed in closed form.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grammar/scfg.h"

namespace dragoman {

// A rule that has one nonterminal and nothing else.
bool is_unary(const Rule& rule);

struct UnaryRule {
  std::uint32_t rule;  // in the grammar
  SymbolId from;       // what it rewrites
  SymbolId to;
  double log_weight;
};

// Nonterminals that rewrite each other in a circle. The inside probabilities x of a cycle's
// members solve x = U x + b with U the unary probabilities among them, hence x = (I - U)^-1 b.
struct UnaryGroup {
  std::vector<SymbolId> members;
  std::vector<UnaryRule> rules;  // those that rewrite a member, into this group or one before
  std::vector<double> inverse;   // (I - U)^-1, row by row; empty for a group without a cycle
};

class UnaryClosure {
 public:
  // InputError, with the lines of the rules, when the sum over a cycle is infinite.
  explicit UnaryClosure(const Grammar& grammar);

  // In an order in which a group comes after all that its rules rewrite into.
  std::span<const UnaryGroup> groups() const { return groups_; }
  // Whether the nonterminal is rewritten by or into a unary rule.
  bool involves(SymbolId id) const { return involved_[static_cast<std::size_t>(id)]; }

 private:
  std::vector<UnaryGroup> groups_;
  std::vector<bool> involved_;
};

}  // namespace dragoman
