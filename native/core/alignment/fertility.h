// How many links a word likes to have.
//
// The HMM scores each generated word by itself, so nothing keeps a rare word from generating
// half of the sentence, and nothing asks for words left without a link. A fertility
// distribution p(k | word) does both. A sampler that moves one link at a time would multiply the
// weight of the link by p(k + 1 | word) / p(k | word), k being the links the word has besides it
// (as in eflomal; Östling & Tiedemann 2016). Here the same factor is taken in expectation over k
// under the posteriors of the last sweep, which costs no randomness.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "text/words.h"

namespace dragoman {

// Fertilities 0, 1, 2, and 3 or more.
inline constexpr std::size_t kFertilities = 4;

// For the words of one side: gain(word)[k] = p(k + 1 | word) / p(k | word).
class Fertilities {
 public:
  // No preferences: every gain is 1.
  Fertilities() = default;
  // counts[word * kFertilities + k]: how often the word had k links. Each word's distribution
  // is drawn towards the one of all words, as if it had been seen kPrior times more.
  explicit Fertilities(std::span<const double> counts);
  // As saved: one row of gains per word, and at last a row for unknown words.
  static Fertilities from_gains(std::vector<float> gains);

  bool empty() const { return gains_.empty(); }
  const float* gains(WordId word) const {
    const std::size_t last = gains_.size() / kFertilities - 1;
    const auto row = static_cast<std::size_t>(word);
    return gains_.data() + (row < last ? row : last) * kFertilities;
  }
  std::span<const float> all() const { return gains_; }

 private:
  static constexpr double kPrior = 5;
  std::vector<float> gains_;
};

// Probabilities that 0, 1, 2 and more of the independent events `links[0], links[stride], …`
// (n of them) happen.
void link_count_distribution(const float* links, std::size_t n, std::size_t stride,
                             float (&distribution)[kFertilities]);

struct GainScratch {
  std::vector<std::size_t> likely;
  std::vector<std::array<float, kFertilities>> after;
};

// expected[b * stride] = Σ_k p(k of the links besides b happen) * gains[k]. `scratch` is
// working memory.
void expected_gains(const float* links, std::size_t n, std::size_t stride, const float* gains,
                    float* expected, GainScratch& scratch);

}  // namespace dragoman
