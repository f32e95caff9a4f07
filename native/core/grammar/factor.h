// Factoring a grammar: each rule becomes rules of the smallest possible rank, one for each node
// of its permutation tree, that together generate the same pairs.
#pragma once

#include <cstdint>
#include <vector>

#include "grammar/scfg.h"

namespace dragoman {

struct FactoredGrammar {
  Grammar grammar;
  // Per factored rule the input rule whose place it takes; -1 for the rules of fresh
  // nonterminals, which have probability 1.
  std::vector<std::int32_t> origins;
  std::vector<bool> fresh;  // per nonterminal: made here
};

// The root rule keeps probability and scores. Terminals go to the lowest node that holds the
// nonterminals on both sides of them, those at the edges to the root. Rules that cannot be
// factored are copied as they are. Fresh nonterminals are named after what they derive, so equal
// ones are shared and names do not depend on the other rules.
FactoredGrammar factor(const Grammar& grammar);

}  // namespace dragoman
