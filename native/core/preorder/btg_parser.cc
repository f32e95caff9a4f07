#include "preorder/btg_parser.h"

#include <algorithm>
#include <bit>

#include "preorder/tree.h"
#include "text/checksum.h"
#include "text/error.h"
#include "text/tokens.h"

namespace dragoman {
namespace {

constexpr std::string_view kKind = "btg";
constexpr std::uint32_t kVersion = 1;

// Lengths in steps that grow.
std::uint64_t length_step(std::int32_t length) {
  return length <= 4
             ? static_cast<std::uint64_t>(length)
             : 3 + static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint32_t>(length)));
}

std::uint64_t join(std::uint64_t a, std::uint64_t b) { return mix_hash(a, b); }
std::uint64_t join(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return mix_hash(mix_hash(a, b), c);
}
std::uint64_t join(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
  return mix_hash(join(a, b, c), d);
}

}  // namespace

void BtgFeatures::append(const BtgSpan& span, std::int32_t at,
                         std::vector<std::uint64_t>& features) const {
  std::uint64_t name = 0;
  const auto emit = [&](std::uint64_t content) { features.push_back(mix_hash(++name, content)); };
  // The first and last words of both halves, and what stands around them.
  const BtgWord& before = word(span.begin - 1);
  const BtgWord& first = word(span.begin);
  const BtgWord& second = word(span.begin + 1);
  const BtgWord& left = word(at - 1);
  const BtgWord& left2 = word(at - 2);
  const BtgWord& right = word(at);
  const BtgWord& right2 = word(at + 1);
  const BtgWord& last = word(span.end - 1);
  const BtgWord& last2 = word(span.end - 2);
  const BtgWord& after = word(span.end);
  for (const auto part : {&BtgWord::word, &BtgWord::word_class}) {
    emit(before.*part);
    emit(first.*part);
    emit(left.*part);
    emit(right.*part);
    emit(last.*part);
    emit(after.*part);
    emit(join(left.*part, right.*part));
    emit(join(left.*part, last.*part));
    emit(join(right.*part, last.*part));
    emit(join(first.*part, left.*part));
    emit(join(first.*part, right.*part));
    emit(join(first.*part, last.*part));
    emit(join(left2.*part, left.*part));
    emit(join(right.*part, right2.*part));
    emit(join(last2.*part, last.*part));
    emit(join(last.*part, after.*part));
    emit(join(before.*part, first.*part));
    emit(join(left2.*part, left.*part, right.*part));
    emit(join(left.*part, right.*part, right2.*part));
    emit(join(left.*part, right.*part, last.*part));
    emit(join(left.*part, last2.*part, last.*part));
  }
  const auto& c = &BtgWord::word_class;
  const auto& w = &BtgWord::word;
  emit(join(first.*c, left.*c, right.*c, last.*c));
  emit(join(left2.*c, left.*c, right.*c, right2.*c));
  emit(join(left2.*c, left.*c, last2.*c, last.*c));
  emit(join(first.*c, second.*c, left.*c, last.*c));
  emit(join(left.*w, right.*c));
  emit(join(left.*c, right.*w));
  emit(join(left.*w, last.*c));
  emit(join(left.*c, last.*w));
  emit(join(left.*w, last.*w, after.*c));
  emit(join(left2.*c, left.*w, last.*c));
  emit(join(left.*w, last2.*c, last.*w));
  const std::uint64_t sizes = join(length_step(at - span.begin), length_step(span.end - at));
  const auto whole = static_cast<std::uint64_t>(span.begin == 0 || span.history == 0);
  emit(sizes);
  emit(join(sizes, left.*w));
  emit(join(sizes, last.*w));
  emit(join(sizes, left.*c, last.*c));
  emit(join(whole, left.*w));
  emit(static_cast<std::uint64_t>(span.history));
  emit(join(static_cast<std::uint64_t>(span.history), left.*w));
  emit(join(static_cast<std::uint64_t>(span.history), left.*c, last.*c));
  emit(join(static_cast<std::uint64_t>(span.history), left.*c, right.*c));
}

BtgWord BtgLexicon::edge() { return {1, 1}; }
BtgWord BtgLexicon::rare() { return {2, 2}; }
BtgWord BtgLexicon::known(std::uint64_t hash, std::uint16_t word_class) {
  return {hash, mix_hash(3, word_class)};
}

BtgWord BtgLexicon::find(std::string_view word) const {
  const std::uint64_t hash = hash_bytes(word);
  const auto found = std::lower_bound(hashes_.begin(), hashes_.end(), hash);
  if (found == hashes_.end() || *found != hash) return rare();
  return known(hash, classes_[static_cast<std::size_t>(found - hashes_.begin())]);
}

void BtgLexicon::padded(std::string_view line, std::vector<BtgWord>& words) const {
  words.assign(3, edge());
  for_each_token(line, [&](std::string_view word) { words.push_back(find(word)); });
  words.insert(words.end(), 3, edge());
}

void score_splits(const BtgFeatures& maker, const BtgWeights& weights, const BtgSpan& span,
                  std::vector<std::uint64_t>& places, BtgScores& scores) {
  const std::uint64_t mask = weights.values.size() / weights.apart - 1;
  const float* const values = weights.values.data();
  places.clear();
  scores.assign(static_cast<std::size_t>(span.end - span.begin - 1), {0, 0});
  const auto sum = [&](std::size_t split, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      scores[split][0] += values[places[i]];
      scores[split][1] += values[places[i] + 1];
    }
  };
  // Weights lie anywhere: those of a split are asked for before the split ahead of it is summed.
  std::size_t begin = 0;
  std::size_t end = 0;
  for (std::size_t split = 0; split < scores.size(); ++split) {
    maker.append(span, span.begin + 1 + static_cast<std::int32_t>(split), places);
    for (std::size_t i = end; i < places.size(); ++i) {
      places[i] = weights.apart * (places[i] & mask);
      __builtin_prefetch(values + places[i]);
    }
    if (split > 0) sum(split - 1, begin, end);
    begin = end;
    end = places.size();
  }
  if (!scores.empty()) sum(scores.size() - 1, begin, end);
}

void BtgParser::save(const std::string& path, std::span<const std::uint64_t> hashes,
                     std::span<const std::uint16_t> classes, std::span<const float> weights) {
  BinaryWriter writer(path, kKind, kVersion, 3);
  writer.section(hashes);
  writer.section(classes);
  writer.section(weights);
  writer.finish();
}

BtgParser::BtgParser(const std::string& path, Verify verify)
    : file_(path, kKind, kVersion, 3, verify),
      hashes_(file_.section<std::uint64_t>(0)),
      classes_(file_.section<std::uint16_t>(1)),
      weights_(file_.section<float>(2)),
      lexicon_(hashes_, classes_) {
  if (hashes_.size() != classes_.size() || weights_.size() < 2 ||
      !std::has_single_bit(weights_.size())) {
    throw InputError(path + ": damaged: the parts of the model do not fit each other");
  }
  if (!are_ordinary(weights_)) throw InputError(path + ": damaged: a weight is not a number");
}

void BtgParser::parse(std::string_view line, std::vector<std::int32_t>& order) const {
  std::vector<BtgWord> words;
  lexicon_.padded(line, words);
  const auto count = static_cast<std::int32_t>(words.size()) - 6;
  if (count <= 0) return;
  const BtgFeatures maker(words);
  std::vector<std::uint64_t> places;
  BtgScores scores;
  // Spans still to be split, in the order in which their words are to stand: the next one last.
  std::vector<BtgSpan> todo{{0, count, 0}};
  while (!todo.empty()) {
    const BtgSpan span = todo.back();
    todo.pop_back();
    if (span.end - span.begin == 1) {
      order.push_back(span.begin);
      continue;
    }
    score_splits(maker, {weights_}, span, places, scores);
    std::int32_t best = 0;
    int inverted = 0;
    float best_score = scores[0][0];
    for (std::size_t k = 0; k < scores.size(); ++k) {
      for (int o = 0; o < 2; ++o) {
        if (scores[k][o] > best_score) {
          best_score = scores[k][o];
          best = static_cast<std::int32_t>(k);
          inverted = o;
        }
      }
    }
    const std::int32_t at = span.begin + 1 + best;
    const BtgSpan left{span.begin, at, 1 + 2 * inverted};
    const BtgSpan right{at, span.end, 2 + 2 * inverted};
    todo.push_back(inverted ? left : right);
    todo.push_back(inverted ? right : left);
  }
}

}  // namespace dragoman
