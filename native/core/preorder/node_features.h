// What a classifier sees of a node: the templates of Hoshino et al. (2015), Table 1, those of Li
// et al. (2007), and one of ours.
#pragma once

#include <cstdint>
#include <vector>

#include "preorder/tree.h"

namespace dragoman {

// Sets of templates, to be combined.
enum NodeFeatureSets : std::uint32_t {
  kSpans = 1,           // the first set: words and tags of, and beside, the split
  kStructure = 2,       // sigma: the tree under the node
  kRelations = 4,       // sigma_r: labels and parent-child pairs under the node
  kTagStructure = 8,    // sigma_t: the tree without words
  kWordStructure = 16,  // sigma_w: the tree without labels
  kLi = 32,             // Li et al. (2007): ends, heads and neighbours of the two sides
  kHeads = 64,          // not in the paper: labels of the node and of its children, their heads
};
inline constexpr std::uint32_t kPaperFeatures = 31;
inline constexpr std::uint32_t kAllFeatures = 127;

// Makes the features of all nodes of a tree, as hashes; reuse it for the next tree.
class NodeFeatures {
 public:
  NodeFeatures(const Symbols& symbols, std::uint32_t sets) : symbols_(symbols), sets_(sets) {}

  void begin(const Tree& tree);
  // The features of a node, replacing what `features` held. One that occurs several times
  // (sigma_r) is there as often.
  void of(std::size_t node, std::vector<std::uint64_t>& features);

 private:
  void spans(const TreeNode& node, std::vector<std::uint64_t>& features);
  void relations(std::int32_t node, std::vector<std::uint64_t>& features) const;
  void li(const TreeNode& node, std::vector<std::uint64_t>& features) const;
  void heads(const TreeNode& node, std::vector<std::uint64_t>& features) const;
  std::uint64_t label(std::int32_t child) const;

  const Symbols& symbols_;
  std::uint32_t sets_;
  Tree tree_;
  std::vector<std::uint64_t> words_, tags_;                      // per token
  std::vector<std::uint64_t> sigma_, sigma_tags_, sigma_words_;  // per node
  std::vector<std::uint64_t> left_tags_, left_words_, right_tags_, right_words_;
};

}  // namespace dragoman
