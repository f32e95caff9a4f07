// Word alignments factored like permutations: the tree of a sentence pair's phrase pairs and the
// minimal rules that build the pair along it (Zhang, Gildea & Chiang 2008, "Extracting
// Synchronous Grammar Rules From Word-Level Alignments in Linear Time").
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "alignment/links.h"
#include "grammar/permutation_tree.h"
#include "grammar/scfg.h"

namespace dragoman {

// The tree of tight phrase pairs (no unaligned word at an edge) that overlap no other. Its leaves
// are the aligned source words in order. Duplicate links count once.
struct AlignmentTree {
  Nesting nesting;
  std::vector<std::int32_t> source_words;  // leaf -> source position
  std::vector<bool> phrase;                // leaf -> whether the word is a phrase pair by itself
  std::vector<NodeKind> kinds;             // per inner node
  // Per node, leaves first: the tight target span [begin, end); of a leaf that is no phrase pair
  // the hull of its links.
  std::vector<std::int32_t> target_begins;
  std::vector<std::int32_t> target_ends;
};

AlignmentTree alignment_tree(std::span<const Link> links);

// What one sentence pair's tree looks like. Straight and inverted nodes are binary however many
// children they have; a simple node's rank counts its children that are phrase pairs, which
// become nonterminals (its other children are words).
struct AlignmentRank {
  std::uint16_t rank = 0;      // of the minimal rules: 2 or less is what an ITG can do
  std::uint16_t straight = 0;  // binary nodes
  std::uint16_t inverted = 0;
  std::uint16_t simple = 0;
};

std::vector<AlignmentRank> alignment_ranks(const LinkSets& links, int threads);

// Minimal rules with one nonterminal, X, and how often each occurs; rules in the order of first
// appearance. Unaligned words belong to the lowest rule that has aligned words on both sides of
// them, else to the topmost.
class MinimalRuleCounter {
 public:
  // `source` and `target` are lines of tokens. InputError for a link outside the sentences.
  void add(std::string_view source, std::string_view target, std::span<const Link> links);

  // Relative frequencies as probabilities.
  Grammar finish() const;
  std::span<const std::uint64_t> counts() const { return counts_; }

 private:
  Grammar rules_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t pairs_ = 0;
  std::unordered_map<std::string, std::size_t> by_content_;
};

}  // namespace dragoman
