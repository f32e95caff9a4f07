// Scoring whole batches of sentences.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lm/ngram_model.h"

namespace dragoman {

struct ScoreOptions {
  bool begin = true;  // the sentence follows <s>; else nothing is known of what stands before
  bool end = true;    // </s> is scored, too
  int threads = 1;
};

// One entry per sentence.
struct SentenceScores {
  std::vector<double> log_probs;          // all words
  std::vector<double> unknown_log_probs;  // the share of unknown words in it
  std::vector<std::uint32_t> unknowns;    // how many words are unknown
};

// One entry per word, </s> behind each sentence if asked for.
struct WordScores {
  std::vector<float> log_probs;
  std::vector<std::uint8_t> matched;  // length of the n-gram that was found
};

// Ids are the model's. `words` may be null.
SentenceScores score_sentences(const NgramModel& model, const Sentences& sentences,
                               const ScoreOptions& options, WordScores* words = nullptr);

// Appends the model's ids of the line's tokens. A "<s>" or "</s>" written in the line is text and
// no sentence boundary, so it is unknown.
void encode_line(const LmVocabulary& vocabulary, std::string_view line, std::vector<WordId>& ids);

}  // namespace dragoman
