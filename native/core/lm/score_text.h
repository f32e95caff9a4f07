// Scoring whole batches of sentences.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "corpus/sentences.h"
#include "lm/ngram_model.h"

namespace dragoman {

struct ScoreOptions {
  bool begin = true;  // the sentence follows <s>; else nothing is known of what stands before
  bool end = true;    // </s> is scored, too
  int threads = 1;
};

// One entry per sentence, and a sum.
struct SentenceScores {
  std::vector<double> log_probs;          // all words
  std::vector<double> unknown_log_probs;  // the share of unknown words in it
  std::vector<std::uint32_t> unknowns;    // how many words are unknown
  std::uint64_t words = 0;                // of all sentences, scored sentence ends included
};

// One entry per word, </s> behind each sentence if asked for.
struct WordScores {
  std::vector<float> log_probs;
  std::vector<std::uint8_t> matched;  // length of the n-gram that was found
};

// Ids are the model's. `words` may be null.
SentenceScores score_sentences(const NgramModel& model, const Sentences& sentences,
                               const ScoreOptions& options, WordScores* words = nullptr);

// The same from lines of tokens separated by white space.
SentenceScores score_lines(const NgramModel& model, std::span<const std::string_view> lines,
                           const ScoreOptions& options);

// The model's ids of the tokens of lines. A "<s>" or "</s>" written in a line is text and no
// sentence boundary, so it is unknown.
class LineEncoder {
 public:
  // The vocabulary must outlive the encoder.
  explicit LineEncoder(const LmVocabulary& vocabulary) : vocabulary_(&vocabulary) {}

  void reserve(std::size_t lines);
  void add(std::string_view line);
  // Of all lines, one behind the other, and where each begins.
  std::vector<WordId>& ids() { return ids_; }
  const std::vector<WordId>& ids() const { return ids_; }
  std::vector<std::uint64_t>& offsets() { return offsets_; }

 private:
  const LmVocabulary* vocabulary_;
  std::vector<char> padded_;  // the line, with room behind it
  std::vector<std::string_view> tokens_;
  std::vector<WordId> ids_;
  std::vector<std::uint64_t> offsets_{0};
};

}  // namespace dragoman
