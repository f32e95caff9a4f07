#include "lm/score_text.h"

#include <algorithm>

#include "parallel/parallel_for.h"
#include "text/tokens.h"

namespace dragoman {
namespace {

constexpr std::size_t kBlockSentences = 512;
// Sentences scored in turns: while one waits for memory, the others work.
constexpr std::size_t kLanes = 8;

// One sentence on its way.
struct Lane {
  LmState states[2];  // the current one and the next, by turns
  std::size_t sentence = 0;
  std::size_t at = 0;   // of the next word
  std::size_t end = 0;  // of the words, </s> included if asked for
  std::size_t word_out = 0;
  int current = 0;
};

class BlockScorer {
 public:
  BlockScorer(const NgramModel& model, const Sentences& sentences, const ScoreOptions& options,
              SentenceScores& out, WordScores* words)
      : model_(model), sentences_(sentences), options_(options), out_(out), words_(words) {}

  void score(std::size_t begin, std::size_t end) {
    next_ = begin;
    end_ = end;
    Lane lanes[kLanes];
    std::size_t busy = 0;
    while (busy < kLanes && start(lanes[busy])) ++busy;
    while (busy > 0) {
      for (std::size_t i = 0; i < busy;) {
        if (step(lanes[i]) || start(lanes[i])) {
          ++i;
        } else {
          --busy;
          if (i != busy) lanes[i] = lanes[busy];
        }
      }
    }
  }

 private:
  WordId word_at(const Lane& lane) const {
    const Sentence sentence = sentences_[lane.sentence];
    return lane.at < sentence.size() ? sentence[lane.at] : kEndSentence;
  }

  // Gives the lane the next sentence that has words to score.
  bool start(Lane& lane) {
    for (; next_ < end_; ++next_) {
      const std::size_t words = sentences_[next_].size() + (options_.end ? 1 : 0);
      if (words == 0) continue;
      lane.sentence = next_;
      lane.at = 0;
      lane.end = words;
      lane.word_out = sentences_.offsets()[next_] + (options_.end ? next_ : 0);
      lane.current = 0;
      lane.states[0] = options_.begin ? model_.begin_state() : model_.null_state();
      model_.prefetch(lane.states[0], word_at(lane));
      ++next_;
      return true;
    }
    return false;
  }

  // Scores one word; false when it was the last.
  bool step(Lane& lane) {
    const WordId word = word_at(lane);
    const LmScore score =
        model_.score(lane.states[lane.current], word, lane.states[1 - lane.current]);
    lane.current = 1 - lane.current;
    out_.log_probs[lane.sentence] += score.log_prob;
    if (word <= kUnknown || static_cast<std::size_t>(word) >= model_.vocabulary().size()) {
      out_.unknown_log_probs[lane.sentence] += score.log_prob;
      ++out_.unknowns[lane.sentence];
    }
    if (words_ != nullptr) {
      words_->log_probs[lane.word_out + lane.at] = score.log_prob;
      words_->matched[lane.word_out + lane.at] = score.matched;
    }
    if (++lane.at == lane.end) return false;
    model_.prefetch(lane.states[lane.current], word_at(lane));
    return true;
  }

  const NgramModel& model_;
  const Sentences& sentences_;
  const ScoreOptions& options_;
  SentenceScores& out_;
  WordScores* words_;
  std::size_t next_ = 0;
  std::size_t end_ = 0;
};

}  // namespace

SentenceScores score_sentences(const NgramModel& model, const Sentences& sentences,
                               const ScoreOptions& options, WordScores* words) {
  const std::size_t count = sentences.size();
  SentenceScores out;
  out.log_probs.resize(count);
  out.unknown_log_probs.resize(count);
  out.unknowns.resize(count);
  if (words != nullptr) {
    const std::size_t scored = sentences.words() + (options.end ? count : 0);
    words->log_probs.resize(scored);
    words->matched.resize(scored);
  }
  parallel_for(options.threads, (count + kBlockSentences - 1) / kBlockSentences,
               [&](std::size_t block, int) {
                 BlockScorer scorer(model, sentences, options, out, words);
                 scorer.score(block * kBlockSentences,
                              std::min(count, (block + 1) * kBlockSentences));
               });
  return out;
}

void encode_line(const LmVocabulary& vocabulary, std::string_view line, std::vector<WordId>& ids) {
  for_each_token(line, [&](std::string_view token) {
    const WordId id = vocabulary.find(token);
    ids.push_back(id < kReserved ? kUnknown : id);
  });
}

}  // namespace dragoman
