#include "corpus/word_clusterer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace dragoman {
namespace {

double entropy_term(std::int64_t count) {
  if (count <= 1) return 0;
  const auto x = static_cast<double>(count);
  return x * std::log(x);
}

// The same from a table, for the small counts that most are.
constexpr std::size_t kTabled = 1 << 14;
const std::vector<double>& table() {
  static const std::vector<double> values = [] {
    std::vector<double> made(kTabled);
    for (std::size_t k = 0; k < kTabled; ++k) made[k] = entropy_term(static_cast<std::int64_t>(k));
    return made;
  }();
  return values;
}

double term(std::int64_t count) {
  return static_cast<std::size_t>(count) < kTabled ? table()[static_cast<std::size_t>(count)]
                                                   : entropy_term(count);
}

struct CountedBigram {
  std::int32_t first, second;
  std::int64_t count;
};

// Counts bigrams in bounded memory: beside those that differ, so many wait to be counted.
class BigramCounter {
 public:
  explicit BigramCounter(std::size_t waiting) : most_(std::max<std::size_t>(1, waiting)) {}

  void add(std::int32_t first, std::int32_t second) {
    waiting_.push_back(std::uint64_t{static_cast<std::uint32_t>(first)} << 32 |
                       static_cast<std::uint32_t>(second));
    if (waiting_.size() >= most_) merge();
  }

  // All of them, by their first and then by their second word.
  std::vector<CountedBigram> finish() {
    merge();
    return std::move(counted_);
  }

 private:
  void merge() {
    std::sort(waiting_.begin(), waiting_.end());
    std::vector<CountedBigram> merged;
    auto old = counted_.begin();
    for (std::size_t k = 0; k < waiting_.size();) {
      std::size_t end = k;
      while (end < waiting_.size() && waiting_[end] == waiting_[k]) ++end;
      CountedBigram bigram{static_cast<std::int32_t>(waiting_[k] >> 32),
                           static_cast<std::int32_t>(waiting_[k] & 0xFFFFFFFF),
                           static_cast<std::int64_t>(end - k)};
      const auto place = std::pair(bigram.first, bigram.second);
      while (old != counted_.end() && std::pair(old->first, old->second) < place) {
        merged.push_back(*old++);
      }
      if (old != counted_.end() && std::pair(old->first, old->second) == place) {
        bigram.count += (old++)->count;
      }
      merged.push_back(bigram);
      k = end;
    }
    merged.insert(merged.end(), old, counted_.end());
    counted_ = std::move(merged);
    waiting_.clear();
  }

  std::size_t most_;
  std::vector<std::uint64_t> waiting_;
  std::vector<CountedBigram> counted_;
};

}  // namespace

WordClusterer::WordClusterer(const Sentences& text, std::size_t vocabulary, int classes,
                             std::uint64_t min_count, std::size_t waiting) {
  if (classes < 1 || classes > 10'000) throw std::invalid_argument("1 to 10,000 classes");
  width_ = static_cast<std::size_t>(classes) + 2;
  const auto edge = static_cast<std::int32_t>(vocabulary);  // a word of its own, in class 0's row
  classes_.assign(vocabulary + 1, 0);
  classes_[vocabulary] = static_cast<std::uint16_t>(width_ - 1);
  word_counts_.assign(vocabulary + 1, 0);
  BigramCounter bigrams(waiting);
  for (std::size_t s = 0; s < text.size(); ++s) {
    std::int32_t last = edge;
    for (const WordId word : text[s]) {
      if (word < 0 || static_cast<std::size_t>(word) >= vocabulary) {
        throw std::invalid_argument("a word id beyond the vocabulary");
      }
      ++word_counts_[word];
      bigrams.add(last, word);
      last = word;
    }
    bigrams.add(last, edge);
    ++word_counts_[edge];
  }
  const std::vector<CountedBigram> counted = bigrams.finish();
  // In this order they are the followers of each word.
  after_offsets_.assign(vocabulary + 2, 0);
  before_offsets_.assign(vocabulary + 2, 0);
  for (const CountedBigram& bigram : counted) {
    ++after_offsets_[bigram.first + 1];
    ++before_offsets_[bigram.second + 1];
  }
  std::partial_sum(after_offsets_.begin(), after_offsets_.end(), after_offsets_.begin());
  std::partial_sum(before_offsets_.begin(), before_offsets_.end(), before_offsets_.begin());
  after_.resize(counted.size());
  before_.resize(counted.size());
  auto after_at = after_offsets_;
  auto before_at = before_offsets_;
  for (const CountedBigram& bigram : counted) {
    after_[after_at[bigram.first]++] = {bigram.second, bigram.count};
    before_[before_at[bigram.second]++] = {bigram.first, bigram.count};
  }

  for (std::size_t word = 0; word < vocabulary; ++word) {
    if (static_cast<std::uint64_t>(word_counts_[word]) >= std::max<std::uint64_t>(1, min_count)) {
      movable_.push_back(static_cast<std::int32_t>(word));
    }
  }
  std::stable_sort(movable_.begin(), movable_.end(), [this](std::int32_t a, std::int32_t b) {
    return word_counts_[a] > word_counts_[b];
  });
  for (std::size_t k = 0; k < movable_.size(); ++k) {
    classes_[movable_[k]] = static_cast<std::uint16_t>(1 + k % static_cast<std::size_t>(classes));
  }
  pairs_.assign(width_ * width_, 0);
  totals_.assign(width_, 0);
  for (std::size_t word = 0; word <= vocabulary; ++word) {
    totals_[classes_[word]] += word_counts_[word];
    for (std::uint64_t k = after_offsets_[word]; k < after_offsets_[word + 1]; ++k) {
      pair(classes_[word], classes_[after_[k].word]) += after_[k].count;
    }
  }
  before_class_.assign(width_, 0);
  after_class_.assign(width_, 0);
}

void WordClusterer::gather(std::int32_t word) {
  for (const auto seen : before_seen_) before_class_[seen] = 0;
  for (const auto seen : after_seen_) after_class_[seen] = 0;
  before_seen_.clear();
  after_seen_.clear();
  doubled_ = 0;
  for (std::uint64_t k = before_offsets_[word]; k < before_offsets_[word + 1]; ++k) {
    if (before_[k].word == word) {
      doubled_ = before_[k].count;
      continue;
    }
    const std::uint16_t other = classes_[before_[k].word];
    if (before_class_[other] == 0) before_seen_.push_back(other);
    before_class_[other] += before_[k].count;
  }
  for (std::uint64_t k = after_offsets_[word]; k < after_offsets_[word + 1]; ++k) {
    if (after_[k].word == word) continue;
    const std::uint16_t other = classes_[after_[k].word];
    if (after_class_[other] == 0) after_seen_.push_back(other);
    after_class_[other] += after_[k].count;
  }
}

// Adds (sign 1) the word under examination to a class, or takes it out (-1).
void WordClusterer::shift(std::int32_t word, std::size_t to, std::int64_t sign) {
  for (const auto seen : before_seen_) pair(seen, to) += sign * before_class_[seen];
  for (const auto seen : after_seen_) pair(to, seen) += sign * after_class_[seen];
  pair(to, to) += sign * doubled_;
  totals_[to] += sign * word_counts_[word];
}

// What the objective gains when the word, in no class now, joins one.
double WordClusterer::gain(std::int32_t word, std::size_t to) const {
  double sum = 0;
  for (const auto seen : before_seen_) {
    if (seen == to) continue;
    const std::int64_t now = pairs_[seen * width_ + to];
    sum += term(now + before_class_[seen]) - term(now);
  }
  for (const auto seen : after_seen_) {
    if (seen == to) continue;
    const std::int64_t now = pairs_[to * width_ + seen];
    sum += term(now + after_class_[seen]) - term(now);
  }
  const std::int64_t own = pairs_[to * width_ + to];
  sum += term(own + before_class_[to] + after_class_[to] + doubled_) - term(own);
  return sum - 2 * (term(totals_[to] + word_counts_[word]) - term(totals_[to]));
}

std::size_t WordClusterer::sweep() {
  std::size_t moved = 0;
  for (const std::int32_t word : movable_) {
    gather(word);
    const std::size_t from = classes_[word];
    shift(word, from, -1);
    std::size_t best = from;
    double best_gain = gain(word, from);
    for (std::size_t to = 1; to + 1 < width_; ++to) {
      if (to == from) continue;
      // A move must be worth more than rounding, or words would wander for ever.
      const double here = gain(word, to);
      if (here > best_gain + 1e-9 * std::abs(best_gain)) {
        best = to;
        best_gain = here;
      }
    }
    shift(word, best, 1);
    classes_[word] = static_cast<std::uint16_t>(best);
    moved += best != from;
  }
  return moved;
}

double WordClusterer::objective() const {
  double sum = 0;
  for (const std::int64_t count : pairs_) sum += term(count);
  for (const std::int64_t count : totals_) sum -= 2 * term(count);
  return sum;
}

}  // namespace dragoman
