// Oracle labels: which nodes of a tree to turn over so that Kendall's tau of the word alignment
// is as high as the tree allows (Hoshino et al. 2015, section 2.2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alignment/links.h"
#include "preorder/tree.h"

namespace dragoman {

inline constexpr std::int32_t kNoPosition = -1;

// Twice the target position of each source word: the median of its links (the mean of the two
// middle ones when they are even in number), kNoPosition for a word without links. InputError
// for a link beyond `words`.
std::vector<std::int32_t> target_positions(std::span<const Link> links, std::size_t words);

// How the two sides of a node lie: pairs (a word of the left side, a word of the right side) in
// rising, and in falling order. Words without a position and equal positions count for neither,
// so the paper's s(v) is rising - falling.
struct CrossPairs {
  std::int64_t rising = 0;
  std::int64_t falling = 0;
  std::int64_t score() const { return rising - falling; }
};

// Per node of the tree, by merging sorted lists: linear in the words under a node.
std::vector<CrossPairs> cross_pairs(const Tree& tree, std::span<const std::int32_t> positions);

// The order of words when the marked nodes (non-zero) are turned over: the k-th word of the new
// sentence is word order[k] of the old one.
std::vector<std::int32_t> reorder(const Tree& tree, std::span<const std::uint8_t> turned);

// c(x) over the words that have a position, in the given order, and how many words those are.
struct Concordance {
  std::int64_t concordant = 0;
  std::int64_t words = 0;
};
Concordance concordance(std::span<const std::int32_t> order,
                        std::span<const std::int32_t> positions);

}  // namespace dragoman
