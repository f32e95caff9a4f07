// The counts that BLEU is made of, and pseudo-documents of them.
#pragma once

#include <array>
#include <cstddef>

#include "text/words.h"

namespace dragoman {

inline constexpr std::size_t kBleuOrder = 4;

// Of a sentence or of many.
struct BleuCounts {
  std::array<double, kBleuOrder> matches{};
  std::array<double, kBleuOrder> totals{};
  double length = 0;
  double reference_length = 0;

  BleuCounts& operator+=(const BleuCounts& other);
  BleuCounts& operator*=(double factor);
};

// Matches are clipped: an n-gram counts at most as often as the reference has it.
BleuCounts count_bleu(Sentence target, Sentence reference);

// Other sentences that a sentence is judged with, because BLEU of a sentence alone jumps: counts
// of those before it, the older the less (Chiang et al. 2008; paper 002, eq. 1).
struct PseudoDocument {
  static constexpr double kDecay = 0.9;

  BleuCounts counts;
  double source_length = 0;

  void add(const BleuCounts& sentence, double source_words) {
    (counts += sentence) *= kDecay;
    source_length = kDecay * (source_length + source_words);
  }
};

}  // namespace dragoman
