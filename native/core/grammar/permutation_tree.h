// Permutation trees: how a permutation is composed of smaller ones (Gildea, Satta & Zhang 2006,
// "Factoring Synchronous Grammars by Sorting").
//
// A node stands for an interval of positions whose values are an interval as well. The rank of
// a tree is its widest node; no tree of a permutation has a smaller rank than the ones here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dragoman {

enum class NodeKind : std::uint8_t { kStraight = 0, kInverted = 1, kSimple = 2 };

// Trees differ only in how runs of equal binary nodes are drawn (Albert et al. 2003).
enum class TreeForm : std::uint8_t {
  kCanonical = 0,      // a run is one wide node: the tree of strong intervals
  kLeftBranching = 1,  // a run is a left-branching chain of binary nodes
};

// The two ways to the same tree.
enum class TreeMethod : std::uint8_t {
  kLinear = 0,   // strong intervals from generators, O(n)
  kSorting = 1,  // the paper's merge sort, O(n log n)
};

// The children of inner nodes, in any order in which children come before their parents. Ids
// below `leaves` are leaves (positions), the others are inner nodes; the root comes last.
struct Nesting {
  std::size_t leaves = 0;
  std::vector<std::uint32_t> offsets{0};
  std::vector<std::int32_t> children;

  std::size_t inner() const { return offsets.size() - 1; }
  std::span<const std::int32_t> of(std::size_t inner_node) const {
    return std::span(children).subspan(offsets[inner_node],
                                       offsets[inner_node + 1] - offsets[inner_node]);
  }
  void close_node() { offsets.push_back(static_cast<std::uint32_t>(children.size())); }
};

// Inner nodes are in post-order. Parallel to `nesting.children`, `order` holds each child's rank
// by value among its siblings: the permutation at the node.
struct PermutationTree {
  Nesting nesting;
  std::vector<std::int32_t> order;
  std::vector<NodeKind> kinds;       // per inner node, as are the rest
  std::vector<std::int32_t> begins;  // positions [begin, end)
  std::vector<std::int32_t> ends;
  std::vector<std::int32_t> lows;  // smallest value
};

// The permutation counted from 0, whether it holds 1..n or 0..n-1; an InputError says which
// value is wrong.
std::vector<std::int32_t> checked_permutation(std::span<const std::int64_t> values);

// `permutation` must hold 0..n-1, as checked_permutation() gives it; n >= 1.
PermutationTree permutation_tree(std::span<const std::int32_t> permutation,
                                 TreeForm form = TreeForm::kLeftBranching,
                                 TreeMethod method = TreeMethod::kLinear);

// The smallest rank a tree of the permutation can have; 1 for a single element.
std::size_t tree_rank(const PermutationTree& tree);

// The permutation that the tree's nodes compose: the inverse of permutation_tree(). Uses only
// `nesting` and `order`; InputError when they do not make a tree.
std::vector<std::int32_t> compose(const Nesting& nesting, std::span<const std::int32_t> order);

// Nodes in the paper's own order of work (section 3): binary where possible, children before
// parents, runs in whatever shape the reductions came.
Nesting nest_by_sorting(std::span<const std::int32_t> permutation);

}  // namespace dragoman
