#include "alignment/model1.h"

#include <algorithm>
#include <cmath>

#include "parallel/atomic_add.h"
#include "parallel/parallel_for.h"

namespace dragoman {
namespace {

constexpr std::size_t kSweepPairs = 256;
constexpr int kBits = 32;

void add(std::uint64_t& sum, double value) {
  atomic_add(sum, static_cast<std::uint64_t>(std::ldexp(value, kBits)));
}

}  // namespace

Model1Trainer::Model1Trainer(const ParallelText& text, Direction direction, int threads,
                             std::uint64_t memory)
    : given_(direction == Direction::kForward ? text.source : text.target),
      words_(direction == Direction::kForward ? text.target : text.source),
      cooccurrences_(given_, words_, threads, memory) {
  const std::size_t vocabulary = vocabulary_bound(words_);
  const float uniform = 1.0F / static_cast<float>(std::max<std::size_t>(vocabulary, 1));
  probabilities_.assign(cooccurrences_.size(), uniform);
  null_probabilities_.assign(vocabulary, uniform);
  counts_.assign(cooccurrences_.size(), 0);
  null_counts_.assign(vocabulary, 0);
}

void Model1Trainer::sweep(std::size_t begin, std::size_t end, int threads) {
  const std::size_t blocks = (end - begin + kSweepPairs - 1) / kSweepPairs;
  const std::size_t first_block = log_likelihoods_.size();
  log_likelihoods_.resize(first_block + blocks, 0.0);
  std::vector<std::uint32_t> found;
  const auto all_slots = cooccurrences_.slots(begin, end, threads, found);
  const auto cells = cooccurrences_.cell_offsets();
  parallel_for(threads, blocks, [&](std::size_t block, int) {
    std::vector<float> totals;
    double log_likelihood = 0;
    const std::size_t first = begin + block * kSweepPairs;
    for (std::size_t pair = first; pair < std::min(end, first + kSweepPairs); ++pair) {
      const auto slots =
          all_slots.subspan(cells[pair] - cells[begin], cells[pair + 1] - cells[pair]);
      if (slots.empty()) continue;
      const Sentence words = words_[pair];
      const std::size_t width = words.size();
      totals.resize(width);
      for (std::size_t j = 0; j < width; ++j) {
        totals[j] = null_probabilities_[static_cast<std::size_t>(words[j])];
      }
      for (std::size_t cell = 0; cell < slots.size(); ++cell) {
        totals[cell % width] += probabilities_[slots[cell]];
      }
      for (std::size_t j = 0; j < width; ++j) {
        log_likelihood += std::log(totals[j] / static_cast<float>(given_[pair].size() + 1));
        const auto word = static_cast<std::size_t>(words[j]);
        add(null_counts_[word], null_probabilities_[word] / totals[j]);
      }
      for (std::size_t cell = 0; cell < slots.size(); ++cell) {
        add(counts_[slots[cell]], probabilities_[slots[cell]] / totals[cell % width]);
      }
    }
    log_likelihoods_[first_block + block] = log_likelihood;
  });
}

double Model1Trainer::finish_sweep() {
  const auto normalise = [](std::uint64_t* counts, float* probabilities, std::uint64_t size) {
    std::uint64_t total = 0;
    for (std::uint64_t k = 0; k < size; ++k) total += counts[k];
    for (std::uint64_t k = 0; k < size; ++k) {
      // A word whose expected counts have all vanished keeps what it had.
      if (total > 0) {
        probabilities[k] =
            static_cast<float>(static_cast<double>(counts[k]) / static_cast<double>(total));
      }
      counts[k] = 0;
    }
  };
  const auto row_starts = cooccurrences_.row_starts();
  for (std::size_t row = 0; row + 1 < row_starts.size(); ++row) {
    normalise(counts_.data() + row_starts[row], probabilities_.data() + row_starts[row],
              row_starts[row + 1] - row_starts[row]);
  }
  normalise(null_counts_.data(), null_probabilities_.data(), null_counts_.size());
  // Every word keeps some of its null probability, so that no word becomes impossible.
  for (float& probability : null_probabilities_) probability = std::max(probability, 1e-12F);

  double log_likelihood = 0;
  for (const double part : log_likelihoods_) log_likelihood += part;
  log_likelihoods_.clear();
  return log_likelihood;
}

LexicalTable Model1Trainer::table(double min_probability) const {
  std::vector<std::uint64_t> row_starts{0};
  std::vector<WordId> words;
  std::vector<float> probabilities;
  const auto add_entry = [&](WordId word, float probability) {
    if (probability <= 0 || probability < min_probability) return;
    words.push_back(word);
    probabilities.push_back(probability);
  };
  for (std::size_t word = 0; word < null_probabilities_.size(); ++word) {
    add_entry(static_cast<WordId>(word), null_probabilities_[word]);
  }
  row_starts.push_back(words.size());
  const auto rows = cooccurrences_.row_starts();
  for (std::size_t row = 0; row + 1 < rows.size(); ++row) {
    for (std::uint64_t slot = rows[row]; slot < rows[row + 1]; ++slot) {
      add_entry(cooccurrences_.words()[slot], probabilities_[slot]);
    }
    row_starts.push_back(words.size());
  }
  return LexicalTable(std::move(row_starts), std::move(words), std::move(probabilities));
}

}  // namespace dragoman
