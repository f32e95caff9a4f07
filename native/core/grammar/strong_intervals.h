// Strong intervals in linear time (Bergeron, Chauve, de Montgolfier & Raffinot 2008, "Computing
// common intervals of K permutations"), for permutations and for word alignments alike.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grammar/permutation_tree.h"

namespace dragoman {

// A relation between n sources and m targets in which every source and every target has a
// partner; of each only the first and the last partner matter. A permutation is the case where
// they coincide. A *block* is an interval of sources whose partners' hull has no partner outside
// the interval: an interval of a permutation, a phrase pair of an alignment.
struct Crossings {
  std::vector<std::int32_t> first_target;  // per source
  std::vector<std::int32_t> last_target;
  std::vector<std::int32_t> first_source;  // per target
  std::vector<std::int32_t> last_source;
};

// The tree of strong blocks: those that overlap no other block. Leaves are sources, which count
// as members of the family even when they are not blocks.
Nesting nest_strong_blocks(const Crossings& crossings);

Nesting nest_strong_intervals(std::span<const std::int32_t> permutation);

}  // namespace dragoman
