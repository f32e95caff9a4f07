// An n-gram language model with back-off, mapped from a file and asked in inner loops.
//
//   const auto model = NgramModel::open("lm.bin");
//   LmState state = model.begin_state(), next;
//   const float log_prob = model.score(state, model.vocabulary().find("house"), next).log_prob;
//
// Scores are natural logarithms in 32 bits. The model is immutable and shared by threads.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lm/continuations.h"
#include "lm/lm_vocabulary.h"
#include "text/binary_format.h"
#include "text/words.h"

namespace dragoman {

inline constexpr int kMaxLmOrder = 8;

// What a model remembers of the words so far: only those that can still matter (as in KenLM; a
// context is dropped when no n-gram begins with it). Equal states give equal futures.
// Entry i stands for the last i + 1 words; entries from `length` on are unspecified.
struct LmState {
  LmPlace places[kMaxLmOrder - 1];
  float backoffs[kMaxLmOrder - 1];
  std::uint32_t length = 0;

  // The longest context implies the shorter ones, so that two numbers identify a state of one
  // model: compare and hash this.
  std::uint64_t key() const {
    return length == 0 ? 0 : std::uint64_t{length} << 32 | places[length - 1];
  }
  bool operator==(const LmState& other) const { return key() == other.key(); }
};

struct LmScore {
  float log_prob = 0;
  // How many words the n-gram that was found has, the scored word included.
  std::uint8_t matched = 0;
  // Whether no words further to the left could have changed the score.
  bool independent_left = false;
};

// The words of an n-gram, first to last, its log-probability and its back-off, which is 0 for the
// longest n-grams.
using VisitNgram = std::function<void(std::span<const WordId>, float, float)>;

class NgramModel {
 public:
  // Maps the file and looks through it once. With kHeader nothing is compared with the checksum;
  // no lookup leaves its table even so.
  static NgramModel open(const std::string& path, Verify verify = Verify::kContent);

  int order() const { return order_; }
  const LmVocabulary& vocabulary() const { return vocabulary_; }
  // How many n-grams of each order, shortest first.
  std::span<const std::uint64_t> counts() const { return counts_; }
  const std::string& path() const { return file_->path(); }

  LmState begin_state() const;               // after <s>
  LmState null_state() const { return {}; }  // nothing is known of what stands before
  // Scores `word` after `in` and writes the state behind it to `out` (which must not be `in`).
  // Ids outside the vocabulary count as <unk>.
  LmScore score(const LmState& in, WordId word, LmState& out) const;
  // What score() says of a word when nothing is known of what stands before.
  float unigram(WordId word) const;
  // Every n-gram of the order; see NgramWalk.
  void for_each_ngram(int order, const VisitNgram& visit) const;

 private:
  friend class BlockScorer;
  friend class NgramWalk;
  NgramModel() = default;
  std::uint32_t known(WordId word) const {
    return static_cast<std::size_t>(word) < unigrams_.size() ? static_cast<std::uint32_t>(word)
                                                             : 0;
  }

  int order_ = 1;
  LmVocabulary vocabulary_;
  std::span<const ContextEntry> unigrams_;                             // by word id
  std::array<Continuations<ContextEntry>, kMaxLmOrder - 2> contexts_;  // orders 2 .. order() - 1
  Continuations<LongestEntry> longest_;                                // order(), unless 1
  std::span<const std::uint64_t> counts_;
  std::shared_ptr<const BinaryFile> file_;
};

// The sign of a stored probability, read; see ContextEntry.
inline bool extends_left(float log_prob) { return std::signbit(log_prob); }
inline float plain_log_prob(float stored) { return -std::fabs(stored); }

inline float NgramModel::unigram(WordId word) const {
  return plain_log_prob(unigrams_[known(word)].log_prob);
}

inline LmScore NgramModel::score(const LmState& in, WordId word, LmState& out) const {
  const std::uint32_t last = known(word);
  const ContextEntry* entry = &unigrams_[last];
  float log_prob = entry->log_prob;
  out.places[0] = entry->continuations;
  out.backoffs[0] = entry->backoff;
  std::uint32_t matched = 1;
  std::uint32_t keep = entry->continuations != kNoPlace ? 1 : 0;
  bool open = extends_left(log_prob);
  while (open && matched <= in.length) {
    const LmPlace place = in.places[matched - 1];
    if (static_cast<int>(matched) + 1 == order_) {
      const std::uint32_t found = longest_.find(place, last);
      if (found != kNoEntry) {
        log_prob = longest_[found].log_prob;
        ++matched;
      }
      open = false;
      break;
    }
    const std::uint32_t found = contexts_[matched - 1].find(place, last);
    if (found == kNoEntry) {
      open = false;
      break;
    }
    entry = &contexts_[matched - 1][found];
    log_prob = entry->log_prob;
    out.places[matched] = entry->continuations;
    out.backoffs[matched] = entry->backoff;
    ++matched;
    if (entry->continuations != kNoPlace) keep = matched;
    open = extends_left(log_prob);
  }
  out.length = keep;
  log_prob = plain_log_prob(log_prob);
  for (std::uint32_t i = matched - 1; i < in.length; ++i) log_prob += in.backoffs[i];
  return {log_prob, static_cast<std::uint8_t>(matched), !open};
}

}  // namespace dragoman
