#include "preorder/btg_trainer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "preorder/oracle.h"
#include "preorder/tree.h"
#include "text/checksum.h"

namespace dragoman {
namespace {

constexpr std::size_t kCell = 4;  // numbers kept of a feature, in one cache line

}  // namespace

BtgTrainer::BtgTrainer(const Sentences& source, const LinkSets& links,
                       const Vocabulary& vocabulary, std::span<const std::uint16_t> classes,
                       const BtgOptions& options)
    : source_(source), links_(links), options_(options), random_(options.seed) {
  if (links.size() != source.size()) {
    throw std::invalid_argument("as many sets of links as sentences");
  }
  if (classes.size() < vocabulary.size()) throw std::invalid_argument("a class for each word");
  if (options.bits < 4 || options.bits > 28) throw std::invalid_argument("4 to 28 bits");
  std::vector<std::pair<std::uint64_t, std::uint16_t>> known;
  lexicon_.assign(vocabulary.size(), BtgLexicon::rare());
  for (std::size_t id = kReserved; id < vocabulary.size(); ++id) {
    if (classes[id] == 0) continue;
    const std::uint64_t hash = hash_bytes(vocabulary.word(static_cast<WordId>(id)));
    lexicon_[id] = BtgLexicon::known(hash, classes[id]);
    known.emplace_back(hash, classes[id]);
  }
  std::sort(known.begin(), known.end());
  for (const auto& [hash, word_class] : known) {
    hashes_.push_back(hash);
    classes_.push_back(word_class);
  }
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i].size() >= 2 && source[i].size() <= options.max_words && !links[i].empty()) {
      order_.push_back(static_cast<std::uint32_t>(i));
    }
  }
  cells_.assign(kCell << options.bits, 0.0F);
}

void BtgTrainer::begin_round() {
  // Not std::shuffle: what it draws is the library's business, and models must not depend on it.
  for (std::size_t k = order_.size(); k > 1; --k) {
    std::swap(order_[k - 1], order_[random_() % k]);
  }
  ++rounds_;
}

std::pair<double, double> BtgTrainer::learn(std::size_t begin, std::size_t end) {
  double regret = 0;
  double pairs = 0;
  for (std::size_t k = begin; k < std::min(end, order_.size()); ++k) {
    regret += learn(order_[k], pairs);
  }
  return {regret, pairs};
}

// Pairs (k, l) with begin <= k < at <= l < end.
std::int32_t BtgTrainer::cross(const std::vector<std::int32_t>& sums, std::int32_t begin,
                               std::int32_t at, std::int32_t end) const {
  const std::int32_t width = count_ + 1;
  return sums[at * width + end] - sums[begin * width + end] - sums[at * width + at] +
         sums[begin * width + at];
}

void BtgTrainer::least_costs(std::span<const std::int32_t> positions) {
  const std::int32_t width = count_ + 1;
  rising_.assign(static_cast<std::size_t>(width * width), 0);
  falling_.assign(static_cast<std::size_t>(width * width), 0);
  for (std::int32_t k = 0; k < count_; ++k) {
    std::int32_t rising = 0;
    std::int32_t falling = 0;
    for (std::int32_t l = 0; l < count_; ++l) {
      if (k < l && positions[k] != kNoPosition && positions[l] != kNoPosition) {
        rising += positions[k] < positions[l];
        falling += positions[k] > positions[l];
      }
      rising_[(k + 1) * width + l + 1] = rising_[k * width + l + 1] + rising;
      falling_[(k + 1) * width + l + 1] = falling_[k * width + l + 1] + falling;
    }
  }
  least_.assign(static_cast<std::size_t>(width * width), 0);
  for (std::int32_t length = 2; length <= count_; ++length) {
    for (std::int32_t begin = 0; begin + length <= count_; ++begin) {
      const std::int32_t end = begin + length;
      std::int32_t least = std::numeric_limits<std::int32_t>::max();
      for (std::int32_t at = begin + 1; at < end; ++at) {
        const std::int32_t here =
            std::min(cross(falling_, begin, at, end), cross(rising_, begin, at, end));
        least = std::min(least, here + least_[begin * width + at] + least_[at * width + end]);
      }
      least_[begin * width + end] = least;
    }
  }
}

double BtgTrainer::learn(std::size_t sentence, double& pairs) {
  const Sentence ids = source_[sentence];
  count_ = static_cast<std::int32_t>(ids.size());
  const auto positions = target_positions(links_[sentence], ids.size());
  least_costs(positions);
  const std::int32_t width = count_ + 1;
  pairs += rising_.back() + falling_.back();
  std::vector<BtgWord> words(3, BtgLexicon::edge());
  for (const WordId id : ids) words.push_back(lexicon_[static_cast<std::size_t>(id)]);
  words.insert(words.end(), 3, BtgLexicon::edge());
  const BtgFeatures maker(words);

  double total = 0;
  std::vector<BtgSpan> todo{{0, count_, 0}};
  while (!todo.empty()) {
    const BtgSpan span = todo.back();
    todo.pop_back();
    const std::int32_t length = span.end - span.begin;
    if (length < 2) continue;
    score_splits(maker, {cells_, kCell}, span, places_, scores_);
    // Regrets, and the decision to follow: the best by score, in the first round among those
    // without regret.
    const std::int32_t least = least_[span.begin * width + span.end];
    rewards_.resize(scores_.size());
    bool all_equal = true;
    std::size_t chosen = 0;
    int inverted = 0;
    std::int32_t chosen_regret = 0;
    float chosen_score = -std::numeric_limits<float>::infinity();
    for (std::size_t k = 0; k < scores_.size(); ++k) {
      const std::int32_t at = span.begin + 1 + static_cast<std::int32_t>(k);
      const std::int32_t rest =
          least_[span.begin * width + at] + least_[at * width + span.end] - least;
      for (int o = 0; o < 2; ++o) {
        const std::int32_t regret =
            rest + cross(o == 0 ? falling_ : rising_, span.begin, at, span.end);
        if (regret != 0) all_equal = false;
        rewards_[k][o] =
            static_cast<float>(std::exp(-options_.sharpness * static_cast<double>(regret)));
        if (rounds_ <= 1 && regret > 0) continue;
        if (scores_[k][o] > chosen_score) {
          chosen_score = scores_[k][o];
          chosen = k;
          inverted = o;
          chosen_regret = regret;
        }
      }
    }
    total += chosen_regret;
    if (!all_equal) step();
    // Nothing can be learnt below a span where every decision is as good as any other.
    if (all_equal) continue;
    const std::int32_t at = span.begin + 1 + static_cast<std::int32_t>(chosen);
    todo.push_back({span.begin, at, 1 + 2 * inverted});
    todo.push_back({at, span.end, 2 + 2 * inverted});
  }
  return total;
}

// One step up the gradient of log sum_d p(d) reward(d).
void BtgTrainer::step() {
  float highest = -std::numeric_limits<float>::infinity();
  for (const auto& score : scores_) highest = std::max({highest, score[0], score[1]});
  double all = 0;
  double good = 0;
  gradients_.resize(scores_.size());
  for (std::size_t k = 0; k < scores_.size(); ++k) {
    for (int o = 0; o < 2; ++o) {
      const double mass = std::exp(static_cast<double>(scores_[k][o] - highest));
      gradients_[k][o] = static_cast<float>(mass);
      all += mass;
      good += mass * rewards_[k][o];
    }
  }
  if (good <= 0) return;
  for (std::size_t k = 0; k < scores_.size(); ++k) {
    for (int o = 0; o < 2; ++o) {
      gradients_[k][o] = static_cast<float>(gradients_[k][o] * (rewards_[k][o] / good - 1 / all));
    }
  }
  const std::size_t each = places_.size() / scores_.size();
  constexpr float kNegligible = 1e-4F;
  for (std::size_t k = 0; k < scores_.size(); ++k) {
    if (std::abs(gradients_[k][0]) < kNegligible && std::abs(gradients_[k][1]) < kNegligible) {
      continue;
    }
    for (const std::uint64_t place : std::span(places_).subspan(k * each, each)) {
      float* const cell = cells_.data() + place;
      for (int o = 0; o < 2; ++o) {
        const float gradient = gradients_[k][o];
        cell[2 + o] += gradient * gradient;
        cell[o] += static_cast<float>(options_.rate) * gradient / std::sqrt(cell[2 + o] + 1e-6F);
      }
    }
  }
}

void BtgTrainer::save(const std::string& path) const {
  std::vector<float> weights;
  weights.reserve(cells_.size() / 2);
  for (std::size_t i = 0; i < cells_.size(); i += kCell) {
    weights.insert(weights.end(), {cells_[i], cells_[i + 1]});
  }
  BtgParser::save(path, hashes_, classes_, weights);
}

}  // namespace dragoman
