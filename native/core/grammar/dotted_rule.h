// A rule as the synchronous parser walks through it: nonterminals from left to right on the
// source side, with what each step demands on the target side worked out beforehand.
#pragma once

#include <cstdint>
#include <vector>

#include "grammar/scfg.h"

namespace dragoman {

// Terminals within one side of a rule.
struct Stretch {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::int32_t size() const { return static_cast<std::int32_t>(end - begin); }
};

// Which neighbours on the target side are filled already.
enum Neighbours : std::uint8_t { kNone = 0, kLeft = 1, kRight = 2, kBoth = 3 };

// Taking the next nonterminal. On the target side each nonterminal owns the terminals before it,
// the last one also those at the end; what is filled so far forms fragments, left to right.
struct Step {
  SymbolId name = 0;
  Stretch source_after;
  Stretch target_before;
  Stretch target_after;
  std::uint32_t fragment = 0;  // how many fragments lie to the left of it
  Neighbours filled = kNone;
};

struct DottedRule {
  Rule rule;
  std::uint32_t index = 0;  // in the grammar
  Stretch source_before;    // terminals before the first nonterminal
  std::vector<Step> steps;  // one for each nonterminal
};

DottedRule dotted(const Rule& rule, std::uint32_t index);

}  // namespace dragoman
