#include "lm/score_text.h"

#include <algorithm>
#include <cstring>

#include "lm/block_scorer.h"
#include "parallel/parallel_for.h"
#include "text/tokens.h"

namespace dragoman {
namespace {

constexpr std::size_t kBlockSentences = 512;
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
    BlockScorer(model, options)
        .score(sentences, block * kBlockSentences, std::min(count, (block + 1) * kBlockSentences),
               0, out, words);
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
    BlockScorer(model, options)
        .score(sentences, 0, sentences.size(), block * kBlockSentences, out, nullptr);
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
  if (tokens_.size() < whole / 2) tokens_.resize(whole / 2);  // as many as there can be
  std::string_view* last = tokens_.data();
  for_each_token({padded_.data(), whole}, [&](std::string_view token) { *last++ = token; });
  const std::span<const std::string_view> tokens(tokens_.data(), last);
  const std::size_t before = ids_.size();
  ids_.resize(before + tokens.size());
  vocabulary_->find_padded(tokens, ids_.data() + before);
  for (std::size_t i = before; i < ids_.size(); ++i) {
    if (ids_[i] < kReserved) ids_[i] = kUnknown;
  }
  offsets_.push_back(ids_.size());
}

}  // namespace dragoman
