// Interpolated modified Kneser-Ney smoothing (Chen and Goodman 1998, section 4.1), by the
// definition of KenLM's lmplz (Heafield et al. 2013), so that the same text gives the same model.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lm/column.h"
#include "lm/suffix_trie.h"

namespace dragoman {

// What is taken off adjusted counts of 1, 2, and 3 or more.
struct Discounts {
  std::array<double, 4> amount{};  // by count; [0] is 0
  // Why the counts of counts gave no discounts and the fall-back was taken; empty otherwise.
  std::string fallback_reason;

  double of(std::uint32_t count) const { return amount[count < 3 ? count : 3]; }
};

// Equation 26 of Chen and Goodman; `fallback` when a count of counts is zero or a discount
// comes out of its range.
Discounts estimate_discounts(const std::array<std::uint64_t, 5>& counts_of_counts,
                             const std::array<double, 3>& fallback);

// Turns adjusted counts into probabilities and back-offs, order by order.
class KneserNey {
 public:
  KneserNey(const SuffixTrie& trie, std::array<double, 3> fallback, Storage storage, int threads);

  const Discounts& discounts(int level) const { return at(level).discounts; }
  // Call for level 1 .. trie.order(), in this order.
  void smooth(int level);
  // Writes the model, n-grams marked as pruned left out; its order is that of the longest
  // n-gram left.
  void write(const std::string& path, const LmVocabulary& vocabulary);

 private:
  struct Level {
    Discounts discounts;
    Column<float> probs;             // linear
    Column<float> backoffs;          // linear; 1 of what is no context
    Column<std::uint32_t> contexts;  // the node, one level down, of all words but the last
  };
  Level& at(int level) { return levels_[static_cast<std::size_t>(level - 1)]; }
  const Level& at(int level) const { return levels_[static_cast<std::size_t>(level - 1)]; }

  void smooth_unigrams();
  void find_contexts(int level);
  void sum_contexts(int level, Column<std::uint32_t>& totals);
  // Of each node its last word; `words` holds them for the level below and is replaced.
  void fill_last_words(int level, Column<std::uint32_t>& words) const;
  bool keeps_children(int level, std::size_t node) const;

  const SuffixTrie& trie_;
  Storage storage_;
  int threads_;
  std::vector<Level> levels_;
};

}  // namespace dragoman
