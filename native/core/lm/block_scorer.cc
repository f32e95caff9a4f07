#include "lm/block_scorer.h"

#include <algorithm>
#include <array>
#include <bit>

namespace dragoman {
namespace {

// Sentences in turns: while one waits for memory, the others work.
constexpr std::size_t kLanes = 8;
// The entry of a context that is none: nothing is found in it, nothing follows it.
constexpr ContextEntry kNoContext{kNoWord, 0, 0, kNoPlace};
constexpr LongestEntry kNoLongest{kNoWord, 0};

}  // namespace

// One sentence on its way. Entry i stands for the last i + 1 words; contexts that do not matter
// have kNoPlace and a back-off of 0.
struct BlockScorer::Lane {
  std::array<LmPlace, kMaxLmOrder - 1> places;
  std::array<std::uint32_t, kMaxLmOrder - 1> firsts;  // where the search for `word` begins
  // As many zeros behind them: a sum from any context on takes the same number of steps.
  std::array<float, 2 * (kMaxLmOrder - 1)> backoffs;
  std::uint32_t word;         // to be scored next
  const std::uint32_t* rest;  // the words behind it
  const std::uint32_t* end;   // of the sentence
  std::size_t sentence;
  std::size_t word_out;  // where the word's score goes
  double log_prob;
  double unknown_log_prob;
  std::uint32_t unknowns;
};

// What is left of the block.
struct BlockScorer::Turn {
  const Sentences& sentences;
  std::size_t next, end;       // sentences
  const std::uint32_t* words;  // of sentence `next`
  std::size_t first;
  SentenceScores& out;
  WordScores* word_scores;
};

template <class Entry>
BlockScorer::Table<Entry>::Table(const Continuations<Entry>& table, const Entry& none)
    : entries(table.size() > 0 ? &table[0] : &none),
      last(static_cast<std::uint32_t>(std::max<std::size_t>(table.size(), 1) - 1)) {}

template <class Entry>
inline std::uint32_t BlockScorer::Table<Entry>::first(LmPlace place, std::uint32_t mixed) const {
  const HashRange range = hash_range(place);
  const auto home = static_cast<std::uint32_t>(range.first) + mixed_slot(mixed, range.bits);
  const std::uint32_t hashed = 0u - (place >> 31);  // all bits or none
  return std::min((home & hashed) | (place & ~hashed), last);
}

BlockScorer::BlockScorer(const NgramModel& model, const ScoreOptions& options)
    : model_(model), options_(options), longest_(model.longest_, kNoLongest) {
  for (std::size_t i = 0; i < contexts_.size(); ++i) {
    contexts_[i] = Table<ContextEntry>(model.contexts_[i], kNoContext);
  }
}

void BlockScorer::score(const Sentences& sentences, std::size_t begin, std::size_t end,
                        std::size_t first, SentenceScores& out, WordScores* words) {
  const auto& offsets = sentences.offsets();
  stream_.resize(offsets[end] - offsets[begin] + (options_.end ? end - begin : 0) + 1);
  std::uint32_t* last = stream_.data();
  const auto known = static_cast<std::uint32_t>(model_.unigrams_.size());
  for (std::size_t i = begin; i < end; ++i) {
    for (const WordId id : sentences[i]) {
      const auto word = static_cast<std::uint32_t>(id);  // a negative one is very large
      *last++ = word < known ? word : kUnknown;
    }
    if (options_.end) *last++ = kEndSentence;
  }
  *last = kUnknown;  // looked at behind the last word, but not scored
  Turn turn{sentences, begin, end, stream_.data(), first, out, words};
  switch (model_.order_) {
    case 1:
      return run<0>(turn);
    case 2:
      return run<1>(turn);
    case 3:
      return run<2>(turn);
    case 4:
      return run<3>(turn);
    case 5:
      return run<4>(turn);
    case 6:
      return run<5>(turn);
    case 7:
      return run<6>(turn);
    default:
      return run<7>(turn);
  }
}

// Keeps what follows a context, and where the search for the lane's word begins.
template <std::size_t kContexts>
inline void BlockScorer::aim(Lane& lane, std::size_t context, const ContextEntry& entry,
                             std::uint32_t mixed) const {
  const LmPlace place = entry.continuations;
  lane.places[context] = place;
  lane.backoffs[context] = entry.backoff;
  if (context + 1 == kContexts) {
    lane.firsts[context] = longest_.first(place, mixed);
    __builtin_prefetch(longest_.entries + lane.firsts[context]);
  } else {
    lane.firsts[context] = contexts_[context].first(place, mixed);
    __builtin_prefetch(contexts_[context].entries + lane.firsts[context]);
  }
}

// Gives the lane the next sentence that has words to score.
template <std::size_t kContexts>
bool BlockScorer::start(Lane& lane, Turn& turn) const {
  for (; turn.next < turn.end; ++turn.next) {
    const std::size_t words = turn.sentences[turn.next].size() + (options_.end ? 1 : 0);
    if (words == 0) continue;
    lane.word = turn.words[0];
    lane.rest = turn.words + 1;
    lane.end = turn.words += words;
    lane.sentence = turn.next;
    lane.word_out = turn.sentences.offsets()[turn.next] + (options_.end ? turn.next : 0);
    lane.log_prob = lane.unknown_log_prob = 0;
    lane.unknowns = 0;
    lane.backoffs.fill(0);
    for (std::size_t i = 0; i < kContexts; ++i) {
      const bool kept = i == 0 && options_.begin;
      aim<kContexts>(lane, i, kept ? model_.unigrams_[kBeginSentence] : kNoContext,
                     mixed_word(lane.word));
    }
    ++turn.next;
    return true;
  }
  return false;
}

// Scores the lane's word and goes on to the next.
template <std::size_t kContexts>
inline LmScore BlockScorer::step(Lane& lane) const {
  const std::uint32_t word = lane.word;
  // The entries of the word after no context, after one word, after two, ...
  std::array<const ContextEntry*, 2 * kContexts + 1> entries;
  entries[0] = &model_.unigrams_[word];
  const LongestEntry* longest = nullptr;
  std::array<std::uint32_t, kContexts + 1> words;  // of the first entries
  words[kContexts] = kNoWord;
  for (std::size_t i = 0; i + 1 < kContexts; ++i) {
    entries[i + 1] = contexts_[i].entries + lane.firsts[i];
    words[i] = entries[i + 1]->word;
  }
  if constexpr (kContexts > 0) {
    longest = longest_.entries + lane.firsts[kContexts - 1];
    words[kContexts - 1] = longest->word;
  }
  const auto count = [&](std::size_t found) {
    bool hit = true;
    for (std::size_t i = found; i < kContexts; ++i) {
      hit = hit & ((words[i] & ~kLastOfList) == word);
      found += hit;
    }
    return found;
  };
  std::size_t found = count(0);
  while (words[found] < kNoWord) [[unlikely]] {
    if (found + 1 == kContexts) {
      const std::uint32_t at = model_.longest_.find(lane.places[found], word);
      if (at == kNoEntry) break;
      longest = &model_.longest_[at];
    } else {
      const std::uint32_t at = model_.contexts_[found].find(lane.places[found], word);
      if (at == kNoEntry) break;
      entries[found + 1] = &model_.contexts_[found][at];
    }
    found = count(found + 1);
  }
  float log_prob = plain_log_prob(found == kContexts && kContexts > 0 ? longest->log_prob
                                                                      : entries[found]->log_prob);
  for (std::size_t i = 0; i < kContexts; ++i) log_prob += lane.backoffs[found + i];
  const std::uint32_t next = *lane.rest++;
  lane.word = next;
  __builtin_prefetch(&model_.unigrams_[next]);
  const std::uint32_t mixed = mixed_word(next);
  // Longer contexts than what was found are none; entries[0] always is one.
  for (std::size_t i = 1; i < kContexts; ++i) entries[found + i] = &kNoContext;
  for (std::size_t i = 0; i < kContexts; ++i) aim<kContexts>(lane, i, *entries[i], mixed);
  return {log_prob, static_cast<std::uint8_t>(found + 1), false};
}

template <std::size_t kContexts>
void BlockScorer::run(Turn& turn) const {
  std::array<Lane, kLanes> lanes;
  std::size_t busy = 0;
  while (busy < kLanes && start<kContexts>(lanes[busy], turn)) ++busy;
  while (busy > 0) {
    for (std::size_t i = 0; i < busy; ++i) {
      Lane& lane = lanes[i];
      const bool unknown = lane.word == kUnknown;
      const bool more = lane.rest != lane.end;
      const LmScore score = step<kContexts>(lane);
      lane.log_prob += score.log_prob;
      lane.unknown_log_prob += unknown ? score.log_prob : 0.0f;
      lane.unknowns += unknown ? 1 : 0;
      if (turn.word_scores != nullptr) {
        turn.word_scores->log_probs[lane.word_out] = score.log_prob;
        turn.word_scores->matched[lane.word_out++] = score.matched;
      }
      if (more) continue;
      turn.out.log_probs[turn.first + lane.sentence] = lane.log_prob;
      turn.out.unknown_log_probs[turn.first + lane.sentence] = lane.unknown_log_prob;
      turn.out.unknowns[turn.first + lane.sentence] = lane.unknowns;
      if (!start<kContexts>(lane, turn)) {
        --busy;
        if (i != busy) lane = lanes[busy];
        --i;
      }
    }
  }
}

}  // namespace dragoman
