#include "lm/estimator.h"

#include <stdexcept>

#include "text/error.h"

namespace dragoman {
namespace {

// What smoothing takes at most for each token and order, in bytes: the columns of trie and model.
constexpr std::uint64_t kBytesPerNgram = 40;

CountOptions count_options(const EstimateOptions& options) {
  CountOptions counting;
  counting.order = options.order;
  counting.memory = options.memory / 2;  // the other half is for sorting and merging
  counting.spool = options.spool;
  counting.threads = options.threads;
  return counting;
}

std::vector<std::uint32_t> thresholds(const EstimateOptions& options) {
  std::vector<std::uint32_t> prune = options.prune;
  if (prune.size() > static_cast<std::size_t>(options.order)) {
    throw InputError("more pruning thresholds than orders: " + std::to_string(prune.size()) +
                     " for order " + std::to_string(options.order));
  }
  prune.resize(static_cast<std::size_t>(options.order), prune.empty() ? 0 : prune.back());
  if (prune[0] != 0) throw InputError("single words cannot be pruned: the first threshold is 0");
  for (std::size_t i = 1; i < prune.size(); ++i) {
    if (prune[i] < prune[i - 1]) {
      throw InputError("pruning thresholds must not fall from order to order: " +
                       std::to_string(prune[i - 1]) + ", then " + std::to_string(prune[i]));
    }
  }
  return prune;
}

}  // namespace

LmEstimator::LmEstimator(EstimateOptions options)
    : options_(std::move(options)), counter_(count_options(options_)) {
  options_.prune = thresholds(options_);
  for (std::size_t i = 0; i < options_.fallback.size(); ++i) {
    if (!(options_.fallback[i] >= 0 && options_.fallback[i] <= static_cast<double>(i + 1))) {
      throw InputError("the fall-back discount of count " + std::to_string(i + 1) +
                       " must lie between 0 and " + std::to_string(i + 1));
    }
  }
}

bool LmEstimator::merge(std::uint64_t limit) {
  if (kneser_ney_) return false;
  if (!trie_) {
    if (counter_.tokens() == 0) throw InputError("no words in the text");
    const std::uint64_t most = (counter_.tokens() + counter_.sentences()) *
                               static_cast<std::uint64_t>(options_.order) * kBytesPerNgram;
    if (most > options_.memory) storage_.directory = options_.spool;
    counter_.begin_merge();
    trie_ = std::make_unique<SuffixTrie>(options_.order, counter_.vocabulary().size(),
                                         options_.prune, storage_);
  }
  CountedNgram ngram;
  for (; limit > 0; --limit) {
    if (!counter_.next(ngram)) {
      trie_->finish();
      kneser_ney_ =
          std::make_unique<KneserNey>(*trie_, options_.fallback, storage_, options_.threads);
      return false;
    }
    trie_->add(ngram);
  }
  return true;
}

const KneserNey& LmEstimator::smoothed() const {
  if (!kneser_ney_) throw std::logic_error("merge comes first");
  return *kneser_ney_;
}

int LmEstimator::order() const {
  smoothed();
  return trie_->order();
}

const Discounts& LmEstimator::discounts(int order) const {
  if (order < 1 || order > this->order()) throw std::out_of_range("no such order");
  return smoothed().discounts(order);
}

void LmEstimator::smooth(int order) {
  if (order < 1 || order > this->order()) throw std::out_of_range("no such order");
  kneser_ney_->smooth(order);
}

void LmEstimator::write(const std::string& path) {
  smoothed();
  kneser_ney_->write(path, counter_.vocabulary());
}

}  // namespace dragoman
