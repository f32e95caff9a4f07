// Binary constituent trees of sentences: what a preordering model turns over, node by node
// (Hoshino et al. 2015, "Discriminative Preordering Meets Kendall's tau Maximization").
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace dragoman {

// The strings of a batch of trees, each stored and hashed once.
class Symbols {
 public:
  std::uint32_t intern(std::string_view text);
  std::string_view text(std::uint32_t symbol) const { return texts_[symbol]; }
  // Depends on the bytes alone, so that models travel between machines.
  std::uint64_t hash(std::uint32_t symbol) const { return hashes_[symbol]; }

 private:
  std::deque<std::string> texts_;  // a deque: views stay valid as it grows
  std::vector<std::uint64_t> hashes_;
  std::unordered_map<std::string_view, std::uint32_t> index_;
};

struct TreeToken {
  std::uint32_t word = 0;  // symbols
  std::uint32_t tag = 0;
};

// Words [begin, split) and [split, end). A child is the index of a node of the same tree, or,
// complemented, of a token.
struct TreeNode {
  std::int32_t begin = 0;
  std::int32_t split = 0;
  std::int32_t end = 0;
  std::int32_t left = 0;
  std::int32_t right = 0;
  std::int32_t head = 0;  // the token that heads the constituent
  std::uint32_t label = 0;
};

// One tree: n words have n - 1 nodes, children before their parents, the root last. A view.
struct Tree {
  std::span<const TreeToken> tokens;
  std::span<const TreeNode> nodes;
  std::size_t line = 0;  // where it was read, from 1
};

// How constituents of more than two parts become binary.
enum class Binarisation : std::uint8_t {
  kLeft = 0,   // ((a b) c)
  kRight = 1,  // (a (b c))
  kHead = 2,   // outwards from the head; what is on its right first
};

// Which part of a constituent is its head when the tree does not say: the one whose label is
// the constituent's own, else the first or the last.
enum class HeadSide : std::uint8_t { kFirst = 0, kLast = 1 };

class Trees {
 public:
  std::size_t size() const { return lines_.size(); }
  Tree operator[](std::size_t i) const {
    return {
        std::span(tokens_).subspan(token_offsets_[i], token_offsets_[i + 1] - token_offsets_[i]),
        std::span(nodes_).subspan(node_offsets_[i], node_offsets_[i + 1] - node_offsets_[i]),
        lines_[i]};
  }
  const Symbols& symbols() const { return symbols_; }
  std::span<const std::uint64_t> token_offsets() const { return token_offsets_; }
  std::span<const std::uint64_t> node_offsets() const { return node_offsets_; }

  // The words of a tree, separated by spaces.
  std::string text(std::size_t i) const;
  // The tree in brackets.
  std::string brackets(std::size_t i) const;

  // These trees in this order; -1 stands for an empty tree.
  Trees select(std::span<const std::int64_t> indices) const;

  // For readers: tokens and nodes of one tree after the other.
  Symbols& symbols() { return symbols_; }
  void add_token(std::string_view word, std::string_view tag);
  void add_node(const TreeNode& node) { nodes_.push_back(node); }
  std::size_t open_nodes() const { return nodes_.size() - node_offsets_.back(); }
  std::size_t open_tokens() const { return tokens_.size() - token_offsets_.back(); }
  void close_tree(std::size_t line);
  void drop_open();

 private:
  Symbols symbols_;
  std::vector<TreeToken> tokens_;
  std::vector<TreeNode> nodes_;
  std::vector<std::uint64_t> token_offsets_{0};
  std::vector<std::uint64_t> node_offsets_{0};
  std::vector<std::size_t> lines_;
};

// A part of a tree that is complete: a child in the sense of TreeNode.
struct TreePart {
  std::int32_t ref = 0;
  std::int32_t begin = 0;
  std::int32_t end = 0;
  std::int32_t head = 0;
};

// Joins two neighbouring parts of the open tree under a new node.
TreePart join(Trees& trees, const TreePart& left, const TreePart& right, std::int32_t head,
              std::uint32_t label);

// How two hashes make one; their order counts.
inline std::uint64_t mix_hash(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9E3779B97F4A7C15ull ^ (b + 0x632BE59BD9B4E019ull + (a << 6) + (a >> 2));
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93ull;
  x ^= x >> 29;
  return x;
}

}  // namespace dragoman
