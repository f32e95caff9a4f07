// What forced decoding found in some sentence pairs, before it is counted: so that pairs can be
// decoded elsewhere, and counted in their order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "learning/pair_phrases.h"

namespace dragoman {

// What came of forced decoding some pairs.
struct ForcedCounts {
  std::uint64_t pairs = 0;
  std::uint64_t reachable = 0;
  std::uint64_t empty = 0;      // pairs with an empty side: no derivation, nothing to learn
  double score = 0;             // of the best derivations
  std::uint64_t evaluated = 0;  // partial derivations looked at
};

struct FoundRules {
  ForcedCounts counts;
  // One entry for each use of a rule, in the order of the pairs.
  std::vector<std::uint32_t> pairs;
  std::vector<PlacedRule> rules;
  std::vector<double> posteriors;

  void add(std::uint32_t pair, const PlacedRule& rule, double posterior);
  void append(const FoundRules& other);

  void save(const std::string& path) const;
  // Throws InputError for a damaged file.
  static FoundRules open(const std::string& path);
};

}  // namespace dragoman
