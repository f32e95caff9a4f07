#include "alignment/trainer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "parallel/atomic_add.h"
#include "parallel/parallel_for.h"
#include "text/error.h"

namespace dragoman {
namespace {

constexpr int kMaxFractionBits = 15;  // so that a cell of 1 fits in 16 bits
constexpr int kSumBits = 20;
constexpr int kJumpBits = 24;
// The null word's distribution is drawn towards the words' frequencies, as if it had generated
// this many words before.
constexpr double kNullPrior = 1000;

std::vector<std::uint64_t> occurrences(const Sentences& side, std::size_t vocabulary) {
  std::vector<std::uint64_t> counts(vocabulary, 0);
  for (const WordId word : side.ids()) ++counts[static_cast<std::size_t>(word)];
  return counts;
}

std::vector<float> null_distribution(std::span<const std::uint64_t> null_counts,
                                     std::span<const std::uint64_t> occurrences) {
  double words = 0;
  double null_words = 0;
  const double unit = std::ldexp(1.0, -kSumBits);
  for (const std::uint64_t count : occurrences) words += static_cast<double>(count);
  for (const std::uint64_t count : null_counts) null_words += unit * static_cast<double>(count);
  std::vector<float> distribution(occurrences.size(), 0.0F);
  for (std::size_t word = 0; word < distribution.size(); ++word) {
    const double prior =
        kNullPrior * static_cast<double>(occurrences[word]) / std::max(words, 1.0);
    distribution[word] = static_cast<float>(
        (unit * static_cast<double>(null_counts[word]) + prior) / (null_words + kNullPrior));
  }
  return distribution;
}

std::vector<double> as_numbers(std::span<const std::uint64_t> counts, int fraction_bits) {
  std::vector<double> numbers;
  numbers.reserve(counts.size());
  for (const std::uint64_t count : counts) {
    numbers.push_back(std::ldexp(static_cast<double>(count), -fraction_bits));
  }
  return numbers;
}

Jumps jumps_of(std::span<const std::uint64_t> counts) {
  return Jumps::from_counts(as_numbers(counts, kJumpBits));
}

}  // namespace

AlignTrainer::AlignTrainer(const ParallelText& text, const AlignmentParameters& parameters,
                           int threads, const Examples& examples)
    : AlignTrainer(text, parameters, threads, examples,
                   {occurrences(text.source, vocabulary_bound(text.source)),
                    occurrences(text.target, vocabulary_bound(text.target))}) {}

AlignTrainer::AlignTrainer(const ParallelText& text, const AlignmentParameters& parameters,
                           int threads, WordCounts whole)
    : AlignTrainer(text, parameters, threads, Examples{}, std::move(whole)) {}

AlignTrainer::AlignTrainer(const ParallelText& text, const AlignmentParameters& parameters,
                           int threads, const Examples& examples, WordCounts whole)
    : source_(text.source),
      target_(text.target),
      parameters_(parameters),
      examples_(examples),
      cooccurrences_(source_, target_, threads),
      source_vocabulary_(whole.source.size()),
      target_vocabulary_(whole.target.size()),
      cells_(cooccurrences_.cell_offsets().back(), 0),
      counts_(cooccurrences_.size(), 0),
      next_counts_(cooccurrences_.size(), 0),
      source_totals_(source_vocabulary_, 0.0),
      target_totals_(target_vocabulary_, 0.0),
      source_occurrences_(std::move(whole.source)),
      target_occurrences_(std::move(whole.target)),
      source_null_counts_(source_vocabulary_, 0),
      target_null_counts_(target_vocabulary_, 0),
      source_fertility_counts_(source_vocabulary_ * kFertilities, 0),
      target_fertility_counts_(target_vocabulary_ * kFertilities, 0),
      forward_jump_counts_(Jumps::kWeights, 0),
      backward_jump_counts_(Jumps::kWeights, 0) {
  if (vocabulary_bound(source_) > source_vocabulary_ ||
      vocabulary_bound(target_) > target_vocabulary_) {
    throw InputError("a part of a corpus has words that the whole does not have");
  }
  source_null_ = null_distribution(source_null_counts_, source_occurrences_);
  target_null_ = null_distribution(target_null_counts_, target_occurrences_);
  examples_.require_fit(source_, target_);
  // No count exceeds the occurrences of the commoner of its two words, because the posteriors
  // of a word sum to 1, and what examples add. One bit is left for what rounding adds.
  std::uint64_t most = 1;
  for (const std::uint64_t count : source_occurrences_) most = std::max(most, count);
  for (const std::uint64_t count : target_occurrences_) most = std::max(most, count);
  std::vector<std::uint64_t> links_of(source_vocabulary_, 0);
  std::uint64_t most_links = 0;
  for (std::size_t pair = 0; pair < examples_.size(); ++pair) {
    for (const LinkSets* links : {&examples_.sure, &examples_.possible}) {
      for (const Link link : (*links)[pair]) {
        most_links =
            std::max(most_links, ++links_of[static_cast<std::size_t>(source_[pair][link.source])]);
      }
    }
  }
  most += most_links * examples_.weight;
  fraction_bits_ = std::min(kMaxFractionBits, 31 - static_cast<int>(std::bit_width(most)));
}

bool AlignTrainer::fill(std::size_t pair, PairPosteriors& posteriors) const {
  const auto slots = cooccurrences_.slots(pair);
  if (slots.empty()) return false;
  const Sentence source = source_[pair];
  const Sentence target = target_[pair];
  const std::size_t width = target.size();
  posteriors.resize(source.size(), width);
  const float unit = std::ldexp(1.0F, -fraction_bits_);
  const auto prior = static_cast<float>(parameters_.lexical_prior);
  const std::uint16_t* own = cells_.data() + cooccurrences_.cell_offsets()[pair];

  thread_local std::vector<std::uint32_t> own_by_target;
  own_by_target.assign(width, 0);
  for (std::size_t i = 0; i < source.size(); ++i) {
    std::uint32_t own_of_source = 0;
    for (std::size_t j = 0; j < width; ++j) {
      const std::size_t cell = i * width + j;
      own_of_source += own[cell];
      own_by_target[j] += own[cell];
      posteriors.agreed[cell] = static_cast<float>(own[cell]) * unit;
      posteriors.weights[cell] =
          static_cast<float>(counts_[slots[cell]] - own[cell]) * unit + prior;
    }
    const double rest = source_totals_[static_cast<std::size_t>(source[i])] -
                        static_cast<double>(own_of_source) * unit;
    posteriors.source_factor[i] = static_cast<float>(
        1 / (std::max(rest, 0.0) +
             parameters_.lexical_prior * static_cast<double>(target_vocabulary_)));
    posteriors.source_null[i] = source_null_[static_cast<std::size_t>(source[i])];
  }
  for (std::size_t j = 0; j < width; ++j) {
    const double rest = target_totals_[static_cast<std::size_t>(target[j])] -
                        static_cast<double>(own_by_target[j]) * unit;
    posteriors.target_factor[j] = static_cast<float>(
        1 / (std::max(rest, 0.0) +
             parameters_.lexical_prior * static_cast<double>(source_vocabulary_)));
    posteriors.target_null[j] = target_null_[static_cast<std::size_t>(target[j])];
  }
  posteriors.use_fertilities(source, target, parameters_);
  if (pair < examples_.size()) {
    posteriors.restrict_to(examples_.sure[pair], examples_.possible[pair]);
  }
  return true;
}

void AlignTrainer::count(Stage stage, std::size_t pair, const PairPosteriors& posteriors) {
  const auto slots = cooccurrences_.slots(pair);
  const Sentence source = source_[pair];
  const Sentence target = target_[pair];
  const float units = std::ldexp(1.0F, fraction_bits_);
  std::uint16_t* own = cells_.data() + cooccurrences_.cell_offsets()[pair];
  std::size_t cell = 0;
  for (std::size_t i = 0; i < source.size(); ++i) {
    for (std::size_t j = 0; j < target.size(); ++j, ++cell) {
      const auto amount = static_cast<std::uint32_t>(posteriors.agreed[cell] * units + 0.5F);
      own[cell] = static_cast<std::uint16_t>(amount);
      if (amount != 0) atomic_add(next_counts_[slots[cell]], amount * times(pair));
    }
  }
  if (stage == Stage::kHmm) count_fertilities(source, target, posteriors, times(pair));
  const double null_units = std::ldexp(times(pair), kSumBits);
  for (std::size_t i = 0; i < source.size(); ++i) {
    atomic_add(source_null_counts_[static_cast<std::size_t>(source[i])],
               static_cast<std::uint64_t>(posteriors.source_null_posterior(i) * null_units));
  }
  for (std::size_t j = 0; j < target.size(); ++j) {
    atomic_add(target_null_counts_[static_cast<std::size_t>(target[j])],
               static_cast<std::uint64_t>(posteriors.target_null_posterior(j) * null_units));
  }
}

void AlignTrainer::count_fertilities(Sentence source, Sentence target,
                                     const PairPosteriors& posteriors, std::uint32_t times) {
  const double units = std::ldexp(times, kSumBits);
  float distribution[kFertilities];
  const auto count_word = [&](std::uint64_t* counts) {
    for (std::size_t k = 0; k < kFertilities; ++k) {
      atomic_add(counts[k], static_cast<std::uint64_t>(distribution[k] * units));
    }
  };
  for (std::size_t i = 0; i < source.size(); ++i) {
    link_count_distribution(posteriors.agreed.data() + i * target.size(), target.size(), 1,
                            distribution);
    count_word(source_fertility_counts_.data() +
               static_cast<std::size_t>(source[i]) * kFertilities);
  }
  for (std::size_t j = 0; j < target.size(); ++j) {
    link_count_distribution(posteriors.agreed.data() + j, source.size(), target.size(),
                            distribution);
    count_word(target_fertility_counts_.data() +
               static_cast<std::size_t>(target[j]) * kFertilities);
  }
}

void AlignTrainer::sweep(Stage stage, std::size_t begin, std::size_t end, int threads) {
  const std::size_t blocks = (end - begin + kBlockPairs - 1) / kBlockPairs;
  std::vector<PairPosteriors> scratch(static_cast<std::size_t>(threads));
  parallel_for(threads, blocks, [&](std::size_t block, int worker) {
    PairPosteriors& posteriors = scratch[static_cast<std::size_t>(worker)];
    std::vector<double> forward(Jumps::kWeights, 0.0);
    std::vector<double> backward(Jumps::kWeights, 0.0);
    const std::size_t first = begin + block * kBlockPairs;
    for (std::size_t pair = first; pair < std::min(end, first + kBlockPairs); ++pair) {
      if (!fill(pair, posteriors)) continue;
      posteriors.compute(stage, parameters_, forward.data(), backward.data());
      count(stage, pair, posteriors);
    }
    for (std::size_t k = 0; k < Jumps::kWeights; ++k) {
      const double units = std::ldexp(1.0, kJumpBits);
      atomic_add(forward_jump_counts_[k], static_cast<std::uint64_t>(forward[k] * units));
      atomic_add(backward_jump_counts_[k], static_cast<std::uint64_t>(backward[k] * units));
    }
  });
}

void AlignTrainer::finish_sweep(Stage stage) {
  std::swap(counts_, next_counts_);
  std::fill(source_totals_.begin(), source_totals_.end(), 0.0);
  std::fill(target_totals_.begin(), target_totals_.end(), 0.0);
  const double unit = std::ldexp(1.0, -fraction_bits_);
  const auto row_starts = cooccurrences_.row_starts();
  for (std::size_t s = 0; s + 1 < row_starts.size(); ++s) {
    for (std::uint64_t slot = row_starts[s]; slot < row_starts[s + 1]; ++slot) {
      const double count = counts_[slot] * unit;
      source_totals_[s] += count;
      target_totals_[static_cast<std::size_t>(cooccurrences_.words()[slot])] += count;
    }
  }
  renew(stage);
}

void AlignTrainer::renew(Stage stage) {
  std::fill(next_counts_.begin(), next_counts_.end(), 0);
  source_null_ = null_distribution(source_null_counts_, source_occurrences_);
  target_null_ = null_distribution(target_null_counts_, target_occurrences_);
  if (stage == Stage::kHmm) {
    parameters_.forward_jumps = jumps_of(forward_jump_counts_);
    parameters_.backward_jumps = jumps_of(backward_jump_counts_);
    parameters_.source_fertilities = Fertilities(as_numbers(source_fertility_counts_, kSumBits));
    parameters_.target_fertilities = Fertilities(as_numbers(target_fertility_counts_, kSumBits));
  }
  for (std::vector<std::uint64_t>* counts : sums()) std::fill(counts->begin(), counts->end(), 0);
}

std::array<std::vector<std::uint64_t>*, 6> AlignTrainer::sums() {
  return {&source_null_counts_,      &target_null_counts_,  &source_fertility_counts_,
          &target_fertility_counts_, &forward_jump_counts_, &backward_jump_counts_};
}

SweepCounts AlignTrainer::added() const {
  SweepCounts found{next_counts_, {}};
  for (const auto* counts :
       {&source_null_counts_, &target_null_counts_, &source_fertility_counts_,
        &target_fertility_counts_, &forward_jump_counts_, &backward_jump_counts_}) {
    found.sums.insert(found.sums.end(), counts->begin(), counts->end());
  }
  return found;
}

void AlignTrainer::finish_sweep(Stage stage, const WholeSweep& whole) {
  std::size_t wanted = 0;
  for (const std::vector<std::uint64_t>* counts : sums()) wanted += counts->size();
  if (whole.counts.size() != counts_.size() || whole.sums.size() != wanted ||
      whole.source_totals.size() != source_totals_.size() ||
      whole.target_totals.size() != target_totals_.size()) {
    throw InputError("the counts of a sweep are of another corpus");
  }
  counts_.assign(whole.counts.begin(), whole.counts.end());
  source_totals_.assign(whole.source_totals.begin(), whole.source_totals.end());
  target_totals_.assign(whole.target_totals.begin(), whole.target_totals.end());
  auto at = whole.sums.begin();
  for (std::vector<std::uint64_t>* counts : sums()) {
    const auto size = static_cast<std::ptrdiff_t>(counts->size());
    std::copy(at, at + size, counts->begin());
    at += size;
  }
  renew(stage);
}

void AlignTrainer::set_cells(std::span<const std::uint16_t> cells) {
  if (cells.size() != cells_.size()) throw InputError("the cells are of another text");
  cells_.assign(cells.begin(), cells.end());
}

CountTable AlignTrainer::table() const {
  return {cooccurrences_.row_starts(), cooccurrences_.words(), counts_};
}

void AlignTrainer::align(std::size_t begin, std::size_t end, Symmetry symmetry, double threshold,
                         int threads, std::vector<Link>& links,
                         std::vector<std::uint64_t>& offsets) const {
  align_blocks(
      begin, end, symmetry, threshold, threads,
      [&](std::size_t pair, PairPosteriors& posteriors) {
        if (!fill(pair, posteriors)) return false;
        posteriors.compute(Stage::kHmm, parameters_, nullptr, nullptr);
        return true;
      },
      links, offsets);
}

AlignmentModel AlignTrainer::model(double min_count, const CountTable& table) const {
  AlignmentModel::Contents contents;
  const double unit = std::ldexp(1.0, -fraction_bits_);
  const auto row_starts = table.row_starts;
  contents.row_starts.push_back(0);
  for (std::size_t s = 0; s + 1 < row_starts.size(); ++s) {
    for (std::uint64_t slot = row_starts[s]; slot < row_starts[s + 1]; ++slot) {
      const double count = table.counts[slot] * unit;
      if (count == 0 || count < min_count) continue;
      contents.words.push_back(table.words[slot]);
      contents.counts.push_back(static_cast<float>(count));
    }
    contents.row_starts.push_back(contents.words.size());
  }
  contents.source_totals = source_totals_;
  contents.target_totals = target_totals_;
  contents.source_null = source_null_;
  contents.target_null = target_null_;
  return AlignmentModel(std::move(contents), parameters_);
}

}  // namespace dragoman
