#include "neural/scorer.h"

#include <algorithm>

#include "neural/examples.h"
#include "text/checksum.h"

namespace dragoman {

namespace {

// Of rows that are kept from sentence to sentence, so many numbers at most.
constexpr std::size_t kMostNumbers = std::size_t{16} << 20;
// What a single word can be worth, lest a damaged network drown everything else.
constexpr float kLeast = -30;
constexpr float kMost = 5;
// Sums are taken in so many lanes, which a compiler can add at once, in an order of their own.
constexpr std::size_t kLanes = 16;

void add_to(std::span<float> sum, const float* row) {
  for (std::size_t unit = 0; unit < sum.size(); ++unit) sum[unit] += row[unit];
}

float rectified_product(std::span<const float> hidden, const float* weights) {
  float lanes[kLanes] = {};
  std::size_t unit = 0;
  for (; unit + kLanes <= hidden.size(); unit += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) {
      lanes[k] += std::max(hidden[unit + k], 0.0f) * weights[unit + k];
    }
  }
  float sum = 0;
  for (; unit < hidden.size(); ++unit) sum += std::max(hidden[unit], 0.0f) * weights[unit];
  for (const float lane : lanes) sum += lane;
  return sum;
}

WordId known_to(std::uint32_t words, WordId word) {
  return word >= 0 && static_cast<std::uint32_t>(word) < words ? word : kUnknown;
}

}  // namespace

NetworkScorer::NetworkScorer(std::shared_ptr<const Network> network)
    : network_(std::move(network)) {
  const NetworkShape& shape = network_->shape();
  rows_.resize(shape.hidden);
  hidden_.resize(shape.hidden);
  places_.resize(std::size_t{shape.history} * shape.target_words +
                 std::size_t{shape.inputs() - shape.history} * shape.source_words);
}

void NetworkScorer::begin(Sentence source) {
  if (rows_.size() > kMostNumbers) {
    rows_.resize(network_->shape().hidden);
    std::fill(places_.begin(), places_.end(), 0);
  }
  source_.clear();
  for (const WordId word : source) {
    source_.push_back(known_to(network_->shape().source_words, word));
  }
  windows_.assign(source.size() + 1, 0);
  window_rows_.resize(network_->shape().hidden);
  asked_.clear();
  known_.clear();
}

NetworkScorer::Place NetworkScorer::row(std::size_t input, WordId word) {
  const NetworkShape& shape = network_->shape();
  const NetworkWeights& weights = network_->weights();
  const bool of_target = input < shape.history;
  const auto number = static_cast<std::size_t>(word);
  Place& place = of_target ? places_[input * shape.target_words + number]
                           : places_[std::size_t{shape.history} * shape.target_words +
                                     (input - shape.history) * shape.source_words + number];
  if (place != 0) return place;
  place = rows_.size();
  rows_.resize(place + shape.hidden);
  const std::span<float> made(rows_.data() + place, shape.hidden);
  const float* vector =
      (of_target ? weights.target : weights.source).data() + number * shape.dimensions;
  const float* layer = weights.first.data() + input * shape.dimensions * shape.hidden;
  for (std::size_t d = 0; d < shape.dimensions; ++d, layer += shape.hidden) {
    for (std::size_t unit = 0; unit < made.size(); ++unit) made[unit] += vector[d] * layer[unit];
  }
  return place;
}

NetworkScorer::Place NetworkScorer::window(std::size_t position) {
  Place& place = windows_[position];
  if (place != 0) return place;
  const NetworkShape& shape = network_->shape();
  place = window_rows_.size();
  window_rows_.resize(place + shape.hidden);
  const std::span<float> sum(window_rows_.data() + place, shape.hidden);
  std::copy(network_->weights().bias.begin(), network_->weights().bias.end(), sum.begin());
  for (std::size_t k = 0; k <= 2 * std::size_t{shape.window}; ++k) {
    const auto at = static_cast<std::ptrdiff_t>(position + k);
    const Place brought = row(shape.history + k, word_at(source_, at - shape.window));
    add_to(sum, rows_.data() + brought);
  }
  return place;
}

float NetworkScorer::word_score(std::span<const WordId> before, std::size_t position,
                                WordId word) {
  std::uint64_t key = fold_multiply(static_cast<std::uint64_t>(word) + 1, 0xd6e8feb86659fd93ull);
  key = fold_multiply(key ^ position, 0x9e3779b97f4a7c15ull) + key;
  for (const WordId one : before) {
    key = fold_multiply(key ^ static_cast<std::uint64_t>(one), 0xd6e8feb86659fd93ull) + key;
  }
  const std::uint32_t number_asked = asked_.number(key);
  if (number_asked < known_.size()) return known_[number_asked];
  const NetworkShape& shape = network_->shape();
  parts_.clear();
  for (std::size_t k = 0; k < shape.history; ++k) {
    parts_.push_back(row(k, before[before.size() - 1 - k]));
  }
  const Place middle = window(position);  // which may make room for it
  const float* around = window_rows_.data() + middle;
  std::copy(around, around + shape.hidden, hidden_.begin());
  for (const Place part : parts_) add_to(hidden_, rows_.data() + part);
  const NetworkWeights& weights = network_->weights();
  const auto number = static_cast<std::size_t>(word);
  const float sum = weights.frequency[number] +
                    rectified_product(hidden_, weights.output.data() + number * shape.hidden);
  // Also where it is no number at all.
  known_.push_back(sum > kLeast ? std::min(sum, kMost) : kLeast);
  return known_.back();
}

double NetworkScorer::score(Sentence target, std::span<const std::uint32_t> affiliations) {
  const NetworkShape& shape = network_->shape();
  words_.assign(shape.history, kBeginSentence);
  for (const WordId word : target) words_.push_back(known_to(shape.target_words, word));
  words_.push_back(kEndSentence);
  double sum = 0;
  for (std::size_t j = 0; j <= target.size(); ++j) {
    const std::size_t at = j < target.size() ? affiliations[j] : source_.size();
    sum += word_score(std::span<const WordId>(words_).subspan(j, shape.history),
                      std::min(at, source_.size()), words_[j + shape.history]);
  }
  return sum;
}

}  // namespace dragoman
