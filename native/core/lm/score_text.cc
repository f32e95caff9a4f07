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
  int current = 0;
  WordId word = 0;               // to be scored next
  const WordId* rest = nullptr;  // the words behind it
  const WordId* end = nullptr;
  bool end_pending = false;  // whether </s> follows them
  std::size_t sentence = 0;
  std::size_t word_out = 0;  // where its score goes
  double log_prob = 0;
  double unknown_log_prob = 0;
  std::uint32_t unknowns = 0;
};

class BlockScorer {
 public:
  BlockScorer(const NgramModel& model, const Sentences& sentences, const ScoreOptions& options,
              SentenceScores& out, WordScores* words)
      : model_(model),
        sentences_(sentences),
        options_(options),
        begin_(options.begin ? model.begin_state() : model.null_state()),
        size_(model.vocabulary().size()),
        out_(out),
        words_(words) {}

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
  // Takes the next word of the lane's sentence, if there is one.
  bool take(Lane& lane) {
    if (lane.rest != lane.end) {
      lane.word = *lane.rest++;
    } else if (lane.end_pending) {
      lane.end_pending = false;
      lane.word = kEndSentence;
    } else {
      return false;
    }
    model_.prefetch(lane.states[lane.current], lane.word);
    return true;
  }

  // Gives the lane the next sentence that has words to score.
  bool start(Lane& lane) {
    for (; next_ < end_; ++next_) {
      const Sentence sentence = sentences_[next_];
      lane.sentence = next_;
      lane.rest = sentence.data();
      lane.end = sentence.data() + sentence.size();
      lane.end_pending = options_.end;
      lane.word_out = sentences_.offsets()[next_] + (options_.end ? next_ : 0);
      lane.current = 0;
      lane.states[0] = begin_;
      lane.log_prob = lane.unknown_log_prob = 0;
      lane.unknowns = 0;
      if (take(lane)) {
        ++next_;
        return true;
      }
    }
    return false;
  }

  // Scores one word; false when it was the last.
  bool step(Lane& lane) {
    const LmScore score =
        model_.score(lane.states[lane.current], lane.word, lane.states[1 - lane.current]);
    lane.current = 1 - lane.current;
    lane.log_prob += score.log_prob;
    if (lane.word <= kUnknown || static_cast<std::size_t>(lane.word) >= size_) {
      lane.unknown_log_prob += score.log_prob;
      ++lane.unknowns;
    }
    if (words_ != nullptr) {
      words_->log_probs[lane.word_out] = score.log_prob;
      words_->matched[lane.word_out] = score.matched;
      ++lane.word_out;
    }
    if (take(lane)) return true;
    out_.log_probs[lane.sentence] = lane.log_prob;
    out_.unknown_log_probs[lane.sentence] = lane.unknown_log_prob;
    out_.unknowns[lane.sentence] = lane.unknowns;
    return false;
  }

  const NgramModel& model_;
  const Sentences& sentences_;
  const ScoreOptions& options_;
  const LmState begin_;
  const std::size_t size_;
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
