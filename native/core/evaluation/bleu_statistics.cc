#include "evaluation/bleu_statistics.h"

#include <algorithm>

#include "text/error.h"
#include "text/tokens.h"

namespace dragoman {

namespace {

constexpr std::int32_t kStranger = -1;  // a word that no reference has

}  // namespace

// The n-grams that consist of known words only, sorted.
void BleuReferences::collect(std::span<const std::int32_t> words, std::vector<Ngram>& ngrams) {
  ngrams.clear();
  for (std::size_t begin = 0; begin < words.size(); ++begin) {
    Ngram ngram;
    ngram.fill(-1);
    for (std::size_t n = 0; n < kOrder && begin + n < words.size(); ++n) {
      if (words[begin + n] == kStranger) break;
      ngram[n] = words[begin + n];
      ngrams.push_back(ngram);
    }
  }
  std::sort(ngrams.begin(), ngrams.end());
}

BleuReferences::BleuReferences(const std::vector<std::vector<std::string>>& references) {
  if (references.empty()) throw InputError("there are no references");
  for (const auto& file : references) {
    if (file.size() != references.front().size()) {
      throw InputError("the references are not equally many");
    }
  }
  sentences_.resize(references.front().size());
  std::vector<std::int32_t> words;
  std::vector<Ngram> ngrams;
  for (std::size_t i = 0; i < sentences_.size(); ++i) {
    Sentence& sentence = sentences_[i];
    for (const auto& file : references) {
      words.clear();
      for_each_token(file[i], [&](std::string_view word) {
        const auto next = static_cast<std::int32_t>(sentence.words.size());
        words.push_back(sentence.words.emplace(word, next).first->second);
      });
      sentence.lengths.push_back(words.size());
      collect(words, ngrams);
      for (auto at = ngrams.begin(); at != ngrams.end();) {
        const auto next =
            std::find_if(at, ngrams.end(), [at](const Ngram& n) { return n != *at; });
        sentence.ngrams.push_back({*at, static_cast<std::uint32_t>(next - at)});
        at = next;
      }
    }
    // Of an n-gram in several references the highest count comes first and stays.
    std::sort(sentence.ngrams.begin(), sentence.ngrams.end(),
              [](const Counted& a, const Counted& b) {
                return a.ngram != b.ngram ? a.ngram < b.ngram : a.count > b.count;
              });
    sentence.ngrams.erase(
        std::unique(sentence.ngrams.begin(), sentence.ngrams.end(),
                    [](const Counted& a, const Counted& b) { return a.ngram == b.ngram; }),
        sentence.ngrams.end());
  }
}

void BleuReferences::statistics(std::size_t index, std::string_view hypothesis,
                                double* row) const {
  const Sentence& sentence = sentences_[index];
  std::vector<std::int32_t> words;
  std::string spelling;
  for_each_token(hypothesis, [&](std::string_view word) {
    spelling.assign(word);
    const auto found = sentence.words.find(spelling);
    words.push_back(found == sentence.words.end() ? kStranger : found->second);
  });
  const std::size_t length = words.size();
  std::size_t nearest = sentence.lengths.front();
  for (const std::size_t other : sentence.lengths) {
    const std::size_t distance = other > length ? other - length : length - other;
    const std::size_t least = nearest > length ? nearest - length : length - nearest;
    if (distance < least || (distance == least && other < nearest)) nearest = other;
  }
  std::fill_n(row, kColumns, 0.0);
  row[0] = static_cast<double>(length);
  row[1] = static_cast<double>(nearest);
  for (std::size_t n = 0; n < kOrder; ++n) {
    row[2 + kOrder + n] = length > n ? static_cast<double>(length - n) : 0.0;
  }
  std::vector<Ngram> ngrams;
  collect(words, ngrams);
  // Both lists are in order, so one walk meets every n-gram they share.
  auto known = sentence.ngrams.begin();
  for (auto at = ngrams.begin(); at != ngrams.end();) {
    const auto next = std::find_if(at, ngrams.end(), [at](const Ngram& n) { return n != *at; });
    while (known != sentence.ngrams.end() && known->ngram < *at) ++known;
    if (known != sentence.ngrams.end() && known->ngram == *at) {
      const auto order = static_cast<std::size_t>(
          std::count_if(at->begin(), at->end(), [](std::int32_t word) { return word >= 0; }));
      row[1 + order] += std::min<double>(known->count, static_cast<double>(next - at));
    }
    at = next;
  }
}

}  // namespace dragoman
