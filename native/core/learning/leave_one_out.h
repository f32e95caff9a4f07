// Phrase probabilities without what one sentence pair has contributed (Wuebker et al. 2010): else
// long phrases that only this pair has would explain it best.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "alignment/links.h"
#include "model/phrase_options.h"
#include "rules/extract_phrases.h"

namespace dragoman {

// How often one sentence pair has each phrase and phrase pair. One per thread.
class OwnPhrases {
 public:
  // `max_length` as in the extraction of the table.
  explicit OwnPhrases(std::size_t max_length);

  // Throws InputError for links that point outside the pair.
  void extract(Sentence source, Sentence target, std::span<const Link> links);

  std::uint32_t pairs(Sentence source, Sentence target) const;
  std::uint32_t sources(Sentence source) const { return count(sources_, source); }
  std::uint32_t targets(Sentence target) const { return count(targets_, target); }

 private:
  using Counts = std::map<std::vector<WordId>, std::uint32_t>;
  static std::uint32_t count(const Counts& counts, Sentence phrase);

  PhraseExtractor extractor_;
  std::vector<PhraseInstance> found_;
  Counts pairs_;  // source, kUnknown - 1, target
  Counts sources_;
  Counts targets_;
};

// The change of log(joint / whole) when own occurrences are left out; of a pair that nobody else
// has, `singleton` takes the place of the probability.
double leave_one_out(float joint, float whole, std::uint32_t own_joint, std::uint32_t own_whole,
                     double singleton);

// What a pair that nobody else has costs, by its number of words on both sides (length-based
// leaving-one-out).
inline constexpr double kSingletonLogProbPerWord = -5;

}  // namespace dragoman
