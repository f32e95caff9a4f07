#include "lm/score_text.h"

#include <algorithm>
#include <cstring>

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
              std::size_t first, SentenceScores& out, WordScores* words)
      : model_(model),
        sentences_(sentences),
        options_(options),
        begin_(options.begin ? model.begin_state() : model.null_state()),
        size_(model.vocabulary().size()),
        first_(first),
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
    out_.log_probs[first_ + lane.sentence] = lane.log_prob;
    out_.unknown_log_probs[first_ + lane.sentence] = lane.unknown_log_prob;
    out_.unknowns[first_ + lane.sentence] = lane.unknowns;
    return false;
  }

  const NgramModel& model_;
  const Sentences& sentences_;
  const ScoreOptions& options_;
  const LmState begin_;
  const std::size_t size_;
  const std::size_t first_;  // where the first sentence's scores go
  SentenceScores& out_;
  WordScores* words_;
  std::size_t next_ = 0;
  std::size_t end_ = 0;
};

SentenceScores room_for(std::size_t sentences) {
  SentenceScores out;
  out.log_probs.resize(sentences);
  out.unknown_log_probs.resize(sentences);
  out.unknowns.resize(sentences);
  return out;
}

std::size_t blocks_of(std::size_t sentences) {
  return (sentences + kBlockSentences - 1) / kBlockSentences;
}

}  // namespace

SentenceScores score_sentences(const NgramModel& model, const Sentences& sentences,
                               const ScoreOptions& options, WordScores* words) {
  const std::size_t count = sentences.size();
  SentenceScores out = room_for(count);
  out.words = sentences.words() + (options.end ? count : 0);
  if (words != nullptr) {
    words->log_probs.resize(out.words);
    words->matched.resize(out.words);
  }
  parallel_for(options.threads, blocks_of(count), [&](std::size_t block, int) {
    BlockScorer scorer(model, sentences, options, 0, out, words);
    scorer.score(block * kBlockSentences, std::min(count, (block + 1) * kBlockSentences));
  });
  return out;
}

SentenceScores score_lines(const NgramModel& model, std::span<const std::string_view> lines,
                           const ScoreOptions& options) {
  const std::size_t blocks = blocks_of(lines.size());
  std::vector<LineEncoder> encoded(blocks, LineEncoder(model.vocabulary()));
  // First all words are looked up, then all are scored: by turns, vocabulary and n-grams would
  // drive each other out of the cache.
  parallel_for(options.threads, blocks, [&](std::size_t block, int) {
    const std::size_t begin = block * kBlockSentences;
    const std::size_t end = std::min(lines.size(), begin + kBlockSentences);
    encoded[block].reserve(end - begin);
    for (std::size_t i = begin; i < end; ++i) encoded[block].add(lines[i]);
  });
  SentenceScores out = room_for(lines.size());
  parallel_for(options.threads, blocks, [&](std::size_t block, int) {
    const Sentences sentences(encoded[block].ids(), encoded[block].offsets());
    BlockScorer scorer(model, sentences, options, block * kBlockSentences, out, nullptr);
    scorer.score(0, sentences.size());
  });
  for (const LineEncoder& block : encoded) out.words += block.ids().size();
  out.words += options.end ? lines.size() : 0;
  return out;
}

void LineEncoder::reserve(std::size_t lines) {
  constexpr std::size_t kUsualWords = 16;  // of a line
  ids_.reserve(lines * kUsualWords);
  offsets_.reserve(lines + 1);
}

void LineEncoder::add(std::string_view line) {
  // Behind the line, spaces up to a whole chunk of for_each_token, which then copies nothing; more
  // than what the look-up of the last word reads.
  static_assert(kTokenChunk >= kWordPadding);
  const std::size_t whole = (line.size() + kTokenChunk - 1) / kTokenChunk * kTokenChunk;
  if (padded_.size() < whole + kTokenChunk) padded_.resize(whole + kTokenChunk);
  if (!line.empty()) std::memcpy(padded_.data(), line.data(), line.size());
  std::memset(padded_.data() + line.size(), ' ', kTokenChunk);
  tokens_.clear();
  for_each_token({padded_.data(), whole},
                 [this](std::string_view token) { tokens_.push_back(token); });
  const std::size_t before = ids_.size();
  ids_.resize(before + tokens_.size());
  vocabulary_->find_padded(tokens_, ids_.data() + before);
  for (std::size_t i = before; i < ids_.size(); ++i) {
    if (ids_[i] < kReserved) ids_[i] = kUnknown;
  }
  offsets_.push_back(ids_.size());
}

}  // namespace dragoman
