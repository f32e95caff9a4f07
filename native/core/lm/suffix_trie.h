// All n-grams of a text as a trie read from the last word to the first, with adjusted counts.
//
// Level k holds the n-grams of k words; the children of "b c" are "a b c" for every a. Nodes of a
// level are sorted by (last word, word before it, ...), so the children of a node are a range.
// Level 1 has a node for every word id, also for <unk> and <s>, which have no count.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lm/column.h"
#include "lm/ngram_counter.h"

namespace dragoman {

class SuffixTrie {
 public:
  // An n-gram seen `prune[k - 1]` times or fewer is marked as pruned; prune has one entry per
  // order, not falling, the first 0.
  SuffixTrie(int order, std::size_t words, std::vector<std::uint32_t> prune,
             const Storage& storage);

  // N-grams in ascending order, as NgramCounter::next gives them; then finish().
  void add(const CountedNgram& ngram);
  void finish();

  // The longest n-gram the text has, at most the order asked for.
  int order() const { return order_; }
  std::size_t size(int level) const { return at(level).counts.size(); }

  std::uint32_t word(int level, std::size_t node) const {
    return level == 1 ? static_cast<std::uint32_t>(node) : at(level).words[node];
  }
  // Kneser-Ney's adjusted count: of the longest n-grams and of those that begin with <s>, how
  // often they were seen; of all others, how many different words stand before them.
  std::uint32_t count(int level, std::size_t node) const {
    return at(level).counts[node] & ~kPruned;
  }
  bool pruned(int level, std::size_t node) const {
    return (at(level).counts[node] & kPruned) != 0;
  }
  // Children are nodes [first_child(level, node), first_child(level, node + 1)) of level + 1.
  std::size_t first_child(int level, std::size_t node) const {
    return at(level).first_child[node];
  }

  // How many n-grams of the level have the adjusted count 1, 2, 3, 4 (index 0 is not used).
  std::array<std::uint64_t, 5> counts_of_counts(int level) const {
    return at(level).counts_of_counts;
  }

 private:
  static constexpr std::uint32_t kPruned = std::uint32_t{1} << 31;
  struct Level {
    Column<std::uint32_t> words;  // the first word of the n-gram; not on level 1
    Column<std::uint32_t> counts;
    Column<std::uint32_t> first_child;  // one more than there are nodes; not on the last level
    std::array<std::uint64_t, 5> counts_of_counts{};
  };
  Level& at(int level) { return levels_[static_cast<std::size_t>(level - 1)]; }
  const Level& at(int level) const { return levels_[static_cast<std::size_t>(level - 1)]; }

  void open(int level, std::uint32_t word);
  void close(int level, bool last);

  int order_;
  std::size_t words_;
  std::vector<std::uint32_t> prune_;
  std::vector<Level> levels_;
  // The path to the last n-gram added: its words, its length and how often each was seen.
  std::array<std::uint32_t, kMaxLmOrder> path_{};
  int depth_ = 0;
  std::array<std::uint64_t, kMaxLmOrder> seen_{};
};

}  // namespace dragoman
