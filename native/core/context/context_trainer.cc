#include "context/context_trainer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "text/checksum.h"
#include "text/error.h"

namespace dragoman {
namespace {

// Added to the count of each translation, lest a rare one be impossible.
constexpr double kAddedCount = 0.1;
// What a squared gradient is taken to have been before the first one.
constexpr float kFirstSquare = 0.1f;
// A step that would move a word's probability by less is not worth its time.
constexpr float kSettled = 0.01f;
constexpr float kLargestWeight = 7.9f;  // as 16 bits can hold it

}  // namespace

ContextTrainer::ContextTrainer(const AlignedText& text, const ContextOptions& options)
    : text_(text), options_(options) {
  const ContextShape& shape = options_.shape;
  if (!shape.sound()) throw std::invalid_argument("no lexicon can have such a shape");
  if (options_.translations < 1 || options_.translations > ContextLexicon::kMostTranslations) {
    throw std::invalid_argument("1 to 64 translations of a word");
  }
  count_links();
  weights_.assign(shape.places(), 0.0f);
  squares_.assign(shape.places(), kFirstSquare);
  order_.resize(text_.size());
  std::iota(order_.begin(), order_.end(), 0u);
  random_ = options_.seed;
}

// Every word's translations by falling count, the most frequent of them kept.
void ContextTrainer::count_links() {
  struct Seen {
    WordId source, target;
    double count;
  };
  std::vector<Seen> seen;
  const auto merge = [&seen] {
    std::stable_sort(seen.begin(), seen.end(), [](const Seen& a, const Seen& b) {
      return std::pair(a.source, a.target) < std::pair(b.source, b.target);
    });
    std::size_t kept = 0;
    for (const Seen& one : seen) {
      if (kept > 0 && seen[kept - 1].source == one.source && seen[kept - 1].target == one.target) {
        seen[kept - 1].count += one.count;
      } else {
        seen[kept++] = one;
      }
    }
    seen.resize(kept);
  };
  std::size_t after_merge = 0;
  for (std::size_t pair = 0; pair < text_.size(); ++pair) {
    const Sentence source = text_.source[pair];
    const Sentence target = text_.target[pair];
    const auto links = text_.links[pair];
    for (const Link& link : links) {
      if (link.source < source.size() && link.target < target.size()) continue;
      throw InputError("sentence pair " + std::to_string(pair + 1) +
                       ": a link points outside of it");
    }
    for (std::size_t place = 0; place < source.size(); ++place) {
      const auto own = links_from(links, place, 1);
      if (own.empty()) seen.push_back({source[place], kNoTranslation, 1});
      for (const Link& link : own) {
        seen.push_back(
            {source[place], target[link.target], 1.0 / static_cast<double>(own.size())});
      }
    }
    // Sorting now and then keeps memory near what is different.
    if (seen.size() > 2 * after_merge + (std::size_t{1} << 22)) {
      merge();
      after_merge = seen.size();
    }
  }
  merge();
  starts_.assign(std::size_t{options_.shape.source_words} + 1, 0);
  std::size_t at = 0;
  for (std::uint32_t word = 0; word < options_.shape.source_words; ++word) {
    std::size_t end = at;
    while (end < seen.size() && seen[end].source == static_cast<WordId>(word)) ++end;
    const auto begin = seen.begin() + static_cast<std::ptrdiff_t>(at);
    auto last = seen.begin() + static_cast<std::ptrdiff_t>(end);
    if (end - at > options_.translations) {
      std::stable_sort(begin, last,
                       [](const Seen& a, const Seen& b) { return a.count > b.count; });
      last = begin + static_cast<std::ptrdiff_t>(options_.translations);
      std::sort(begin, last, [](const Seen& a, const Seen& b) { return a.target < b.target; });
    }
    double total = 0;
    for (auto one = begin; one != last; ++one) total += one->count + kAddedCount;
    for (auto one = begin; one != last; ++one) {
      translations_.push_back(one->target);
      priors_.push_back(static_cast<float>(std::log((one->count + kAddedCount) / total)));
    }
    starts_[word + 1] = static_cast<std::uint32_t>(translations_.size());
    at = end;
  }
  if (at != seen.size()) throw InputError("a word id beyond the vocabulary");
}

void ContextTrainer::begin_round() {
  for (std::size_t k = order_.size(); k > 1; --k) {
    random_ += 0x9e3779b97f4a7c15;
    std::swap(order_[k - 1], order_[fold_multiply(random_, 0xd6e8feb86659fd93) % k]);
  }
}

std::pair<double, std::uint64_t> ContextTrainer::learn(std::size_t begin, std::size_t end) {
  double sum = 0;
  std::uint64_t words = 0;
  for (std::size_t k = begin; k < std::min(end, order_.size()); ++k)
    sum += learn_pair(order_[k], words);
  return {sum, words};
}

double ContextTrainer::learn_pair(std::size_t pair, std::uint64_t& words) {
  const Sentence source = text_.source[pair];
  ContextHashes hashes(options_.shape);
  double sum = 0;
  for (std::size_t place = 0; place < source.size(); ++place) {
    const auto word = static_cast<std::size_t>(source[place]);
    const std::size_t first = starts_[word];
    const std::size_t size = starts_[word + 1] - first;
    if (size < 2) continue;
    share_links(pair, place);
    const auto around = hashes.at(source, place);
    places_.resize(size * around.size());
    found_.resize(size);
    float most = -INFINITY;
    for (std::size_t i = 0, at = 0; i < size; ++i) {
      float score = priors_[first + i];
      for (const std::uint64_t one : around) {
        places_[at] = weight_place(one, translations_[first + i], weights_.size());
        score += weights_[places_[at++]];
      }
      found_[i] = score;
      most = std::max(most, score);
    }
    float total = 0;
    for (float& one : found_) total += one = std::exp(one - most);
    for (std::size_t i = 0; i < size; ++i) {
      found_[i] /= total;
      if (wanted_[i] > 0) {
        sum += static_cast<double>(wanted_[i]) *
               std::log(std::max(static_cast<double>(found_[i]), 1e-30));
      }
    }
    ++words;
    step(around.size());
  }
  return sum;
}

void ContextTrainer::share_links(std::size_t pair, std::size_t place) {
  const Sentence target = text_.target[pair];
  const auto word = static_cast<std::size_t>(text_.source[pair][place]);
  const std::span<const WordId> translations(translations_.data() + starts_[word],
                                             starts_[word + 1] - starts_[word]);
  wanted_.assign(translations.size(), 0.0f);
  const auto links = links_from(text_.links[pair], place, 1);
  const auto want = [&](WordId translation, float share) {
    const auto at = std::lower_bound(translations.begin(), translations.end(), translation);
    if (at == translations.end() || *at != translation) return;
    wanted_[static_cast<std::size_t>(at - translations.begin())] += share;
  };
  if (links.empty()) want(kNoTranslation, 1);
  for (const Link& link : links)
    want(target[link.target], 1.0f / static_cast<float>(links.size()));
}

void ContextTrainer::step(std::size_t around) {
  const auto rate = static_cast<float>(options_.rate);
  const auto decay = static_cast<float>(options_.decay);
  // Of what was not kept, nothing is wanted: then the rest of it says nothing either.
  const float share = std::accumulate(wanted_.begin(), wanted_.end(), 0.0f);
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const float slope = wanted_[i] - share * found_[i];
    if (std::abs(slope) < kSettled) continue;
    const std::size_t* const places = places_.data() + i * around;
    for (std::size_t k = 0; k < around; ++k) {
      float& weight = weights_[places[k]];
      float& square = squares_[places[k]];
      const float gradient = slope - decay * weight;
      square += gradient * gradient;
      weight += rate * gradient / std::sqrt(square);
    }
  }
}

void ContextTrainer::save(const std::string& path) const {
  std::vector<std::int16_t> rounded(weights_.size());
  for (std::size_t i = 0; i < rounded.size(); ++i) {
    const float bounded = std::clamp(weights_[i], -kLargestWeight, kLargestWeight);
    rounded[i] = static_cast<std::int16_t>(std::lrint(bounded / ContextLexicon::kUnit));
  }
  ContextLexicon::save(path, options_.shape, starts_, translations_, priors_, rounded);
}

}  // namespace dragoman
