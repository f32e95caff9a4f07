// Preordering without a parser: a bracketing transduction grammar (BTG) whose trees are learnt
// from word alignments (Neubig, Watanabe & Mori 2012; Nakagawa 2015).
//
// A sentence is split top-down: a span [begin, end) is cut at some place, and its two halves are
// kept (straight) or exchanged (inverted). Each decision is scored from the words and word classes
// at the edges of the halves; the best one is taken, and the halves are split in their turn.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/binary_format.h"

namespace dragoman {

// What the parser knows of a word.
struct BtgWord {
  std::uint64_t word = 0;        // hash of the spelling; the same for all rare words
  std::uint64_t word_class = 0;  // hashed
};

// A span to be split, and how it came about: 0 for the whole sentence, else 1 + 2 * inverted +
// (whether it is the right half).
struct BtgSpan {
  std::int32_t begin = 0;
  std::int32_t end = 0;
  int history = 0;
};

// Scores of splits [begin, at) [at, end): straight and inverted.
using BtgScores = std::vector<std::array<float, 2>>;

// Two weights of each feature, for straight and inverted, side by side every `apart` numbers; of a
// power of two features.
struct BtgWeights {
  std::span<const float> values;
  std::size_t apart = 2;
};

// The hashes of features of a sentence's splits, of each split as many.
class BtgFeatures {
 public:
  // `words` must have three entries before the first word and three behind the last.
  explicit BtgFeatures(std::span<const BtgWord> padded) : words_(padded) {}
  // Behind those that are there.
  void append(const BtgSpan& span, std::int32_t at, std::vector<std::uint64_t>& features) const;

 private:
  const BtgWord& word(std::int32_t place) const { return words_[place + 3]; }
  std::span<const BtgWord> words_;
};

// Words that are not rare, with their classes.
class BtgLexicon {
 public:
  BtgLexicon() = default;
  // Parallel and sorted by hash.
  BtgLexicon(std::span<const std::uint64_t> hashes, std::span<const std::uint16_t> classes)
      : hashes_(hashes), classes_(classes) {}
  BtgWord find(std::string_view word) const;
  // The words of a line, with three edges on either side.
  void padded(std::string_view line, std::vector<BtgWord>& words) const;

  static BtgWord edge();
  static BtgWord known(std::uint64_t hash, std::uint16_t word_class);
  static BtgWord rare();

 private:
  std::span<const std::uint64_t> hashes_;
  std::span<const std::uint16_t> classes_;
};

// Greedy top-down parsing; weights are pairs, 2 << bits floats.
class BtgParser {
 public:
  static void save(const std::string& path, std::span<const std::uint64_t> hashes,
                   std::span<const std::uint16_t> classes, std::span<const float> weights);
  explicit BtgParser(const std::string& path, Verify verify = Verify::kContent);

  // The new order of a line's words (see reorder() in oracle.h), appended.
  void parse(std::string_view line, std::vector<std::int32_t>& order) const;
  std::size_t words() const { return hashes_.size(); }

 private:
  BinaryFile file_;
  std::span<const std::uint64_t> hashes_;
  std::span<const std::uint16_t> classes_;
  std::span<const float> weights_;
  BtgLexicon lexicon_;
};

// Scores every split of a span. `places` becomes where the weights of their features lie, those of
// one split after those of the one before.
void score_splits(const BtgFeatures& maker, const BtgWeights& weights, const BtgSpan& span,
                  std::vector<std::uint64_t>& places, BtgScores& scores);

}  // namespace dragoman
