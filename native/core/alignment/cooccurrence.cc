#include "alignment/cooccurrence.h"

#include <algorithm>
#include <limits>
#include <string>

#include "parallel/parallel_for.h"
#include "text/error.h"

namespace dragoman {
namespace {

// Source words are handed to threads in blocks of about this many cells.
constexpr std::uint64_t kBlockCells = 1 << 17;

struct Occurrence {
  std::uint32_t pair = 0;
  std::uint32_t position = 0;
};

}  // namespace

std::size_t vocabulary_bound(const Sentences& side) {
  WordId largest = -1;
  for (const WordId id : side.ids()) {
    if (id < 0) throw InputError("word ids must not be negative: " + std::to_string(id));
    largest = std::max(largest, id);
  }
  return static_cast<std::size_t>(largest) + 1;
}

Cooccurrences::Cooccurrences(const Sentences& source, const Sentences& target, int threads) {
  if (source.size() != target.size()) {
    throw InputError("the source side has " + std::to_string(source.size()) +
                     " sentences, the target side " + std::to_string(target.size()));
  }
  if (source.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("more than 2^32 sentence pairs");
  }
  const std::size_t source_words = vocabulary_bound(source);
  const std::size_t target_words = vocabulary_bound(target);

  cell_offsets_.assign(source.size() + 1, 0);
  std::vector<std::uint64_t> bounds(source_words + 1, 0);
  std::vector<std::uint64_t> cells_of_word(source_words, 0);
  for (std::size_t pair = 0; pair < source.size(); ++pair) {
    const std::uint64_t width = target[pair].size();
    const std::uint64_t cells = source[pair].size() * width;
    const bool usable = cells == 0 || short_enough(source[pair].size(), width);
    cell_offsets_[pair + 1] = cell_offsets_[pair] + (usable ? cells : 0);
    if (!usable) {
      ++skipped_;
    } else if (cells > 0) {
      for (const WordId word : source[pair]) {
        ++bounds[static_cast<std::size_t>(word) + 1];
        cells_of_word[static_cast<std::size_t>(word)] += width;
      }
    }
  }

  // Where each source word occurs, word by word (a counting sort).
  for (std::size_t word = 0; word < source_words; ++word) bounds[word + 1] += bounds[word];
  std::vector<Occurrence> occurrences(bounds.back());
  {
    std::vector<std::uint64_t> next(bounds.begin(), bounds.end() - 1);
    for (std::size_t pair = 0; pair < source.size(); ++pair) {
      if (cell_offsets_[pair + 1] == cell_offsets_[pair]) continue;
      const Sentence words = source[pair];
      for (std::size_t i = 0; i < words.size(); ++i) {
        occurrences[next[static_cast<std::size_t>(words[i])]++] = {
            static_cast<std::uint32_t>(pair), static_cast<std::uint32_t>(i)};
      }
    }
  }

  std::vector<std::size_t> block_starts{0};
  std::uint64_t cells = 0;
  for (std::size_t word = 0; word < source_words; ++word) {
    cells += cells_of_word[word];
    if (cells >= kBlockCells || word + 1 == source_words) {
      block_starts.push_back(word + 1);
      cells = 0;
    }
  }
  const std::size_t blocks = block_starts.size() - 1;

  // First the distinct target words of each source word, then, when every row has its place,
  // the slot of each cell.
  row_starts_.assign(source_words + 1, 0);
  std::vector<std::vector<WordId>> block_words(blocks);
  std::vector<std::vector<std::uint32_t>> marks(static_cast<std::size_t>(threads));
  parallel_for(threads, blocks, [&](std::size_t block, int worker) {
    auto& mark = marks[static_cast<std::size_t>(worker)];
    mark.resize(target_words, 0);
    auto& words = block_words[block];
    for (std::size_t s = block_starts[block]; s < block_starts[block + 1]; ++s) {
      const auto stamp = static_cast<std::uint32_t>(s + 1);
      const std::size_t begin = words.size();
      for (std::uint64_t k = bounds[s]; k < bounds[s + 1]; ++k) {
        for (const WordId t : target[occurrences[k].pair]) {
          if (mark[static_cast<std::size_t>(t)] == stamp) continue;
          mark[static_cast<std::size_t>(t)] = stamp;
          words.push_back(t);
        }
      }
      std::sort(words.begin() + static_cast<std::ptrdiff_t>(begin), words.end());
      row_starts_[s + 1] = words.size() - begin;
    }
    words.shrink_to_fit();
  });
  for (std::size_t word = 0; word < source_words; ++word)
    row_starts_[word + 1] += row_starts_[word];
  if (row_starts_.back() >= std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("the corpus has more than 2^32 distinct word pairs; align it in parts");
  }
  words_.reserve(row_starts_.back());
  for (auto& words : block_words) {
    words_.insert(words_.end(), words.begin(), words.end());
    words = {};
  }

  slots_.resize(cell_offsets_.back());
  parallel_for(threads, blocks, [&](std::size_t block, int worker) {
    auto& place = marks[static_cast<std::size_t>(worker)];
    place.resize(target_words, 0);
    for (std::size_t s = block_starts[block]; s < block_starts[block + 1]; ++s) {
      for (std::uint64_t slot = row_starts_[s]; slot < row_starts_[s + 1]; ++slot) {
        place[static_cast<std::size_t>(words_[slot])] = static_cast<std::uint32_t>(slot);
      }
      for (std::uint64_t k = bounds[s]; k < bounds[s + 1]; ++k) {
        const Sentence words = target[occurrences[k].pair];
        std::uint32_t* row = slots_.data() + cell_offsets_[occurrences[k].pair] +
                             occurrences[k].position * words.size();
        for (const WordId t : words) *row++ = place[static_cast<std::size_t>(t)];
      }
    }
  });
}

}  // namespace dragoman
