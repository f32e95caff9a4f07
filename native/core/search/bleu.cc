#include "search/bleu.h"

#include <algorithm>
#include <map>
#include <vector>

namespace dragoman {

namespace {

using Ngram = std::array<WordId, kBleuOrder>;
constexpr WordId kNothing = -1'000'000'000;  // fills up shorter n-grams

std::map<Ngram, int> count_ngrams(Sentence text, std::size_t n) {
  std::map<Ngram, int> counts;
  for (std::size_t begin = 0; begin + n <= text.size(); ++begin) {
    Ngram ngram;
    ngram.fill(kNothing);
    std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(begin), n, ngram.begin());
    ++counts[ngram];
  }
  return counts;
}

}  // namespace

BleuCounts& BleuCounts::operator+=(const BleuCounts& other) {
  for (std::size_t n = 0; n < kBleuOrder; ++n) {
    matches[n] += other.matches[n];
    totals[n] += other.totals[n];
  }
  length += other.length;
  reference_length += other.reference_length;
  return *this;
}

BleuCounts& BleuCounts::operator*=(double factor) {
  for (std::size_t n = 0; n < kBleuOrder; ++n) {
    matches[n] *= factor;
    totals[n] *= factor;
  }
  length *= factor;
  reference_length *= factor;
  return *this;
}

BleuCounts count_bleu(Sentence target, Sentence reference) {
  BleuCounts counts;
  counts.length = static_cast<double>(target.size());
  counts.reference_length = static_cast<double>(reference.size());
  for (std::size_t n = 1; n <= kBleuOrder; ++n) {
    const std::map<Ngram, int> wanted = count_ngrams(reference, n);
    for (const auto& [ngram, count] : count_ngrams(target, n)) {
      counts.totals[n - 1] += count;
      const auto place = wanted.find(ngram);
      if (place != wanted.end()) counts.matches[n - 1] += std::min(count, place->second);
    }
  }
  return counts;
}

}  // namespace dragoman
