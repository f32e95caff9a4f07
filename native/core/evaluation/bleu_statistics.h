// The sufficient statistics of BLEU for many translations of the same sentences.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dragoman {

// References, their n-grams counted once. Words are runs without white space: sacrebleu's
// tokenizer "none".
class BleuReferences {
 public:
  static constexpr std::size_t kOrder = 4;
  // Lengths of hypothesis and of the nearest reference (the shorter of two as near), then clipped
  // matches and totals of each order, as sacrebleu orders them.
  static constexpr std::size_t kColumns = 2 + 2 * kOrder;

  // references[r][i] is the r-th reference of sentence i. Throws InputError when there is none
  // or when they are not equally many.
  explicit BleuReferences(const std::vector<std::vector<std::string>>& references);

  std::size_t size() const { return sentences_.size(); }
  // Writes kColumns values.
  void statistics(std::size_t sentence, std::string_view hypothesis, double* row) const;

 private:
  using Ngram = std::array<std::int32_t, kOrder>;  // filled up with -1
  struct Counted {
    Ngram ngram;
    std::uint32_t count;
  };
  struct Sentence {
    std::unordered_map<std::string, std::int32_t> words;
    std::vector<Counted> ngrams;  // in order; the highest count of any reference
    std::vector<std::size_t> lengths;
  };

  static void collect(std::span<const std::int32_t> words, std::vector<Ngram>& ngrams);

  std::vector<Sentence> sentences_;
};

}  // namespace dragoman
