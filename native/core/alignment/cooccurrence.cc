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

// Where each source word stands in the pairs [begin, end), word by word (a counting sort).
class Places {
 public:
  Places(const Sentences& source, const Sentences& target,
         std::span<const std::uint64_t> cell_offsets, std::size_t words, std::size_t begin,
         std::size_t end)
      : bounds_(words + 1, 0) {
    const auto in_use = [&](std::size_t pair) {
      return cell_offsets[pair + 1] > cell_offsets[pair];
    };
    std::vector<std::uint64_t> cells_of_word(words, 0);
    for (std::size_t pair = begin; pair < end; ++pair) {
      if (!in_use(pair)) continue;
      for (const WordId word : source[pair]) {
        ++bounds_[static_cast<std::size_t>(word) + 1];
        cells_of_word[static_cast<std::size_t>(word)] += target[pair].size();
      }
    }
    for (std::size_t word = 0; word < words; ++word) bounds_[word + 1] += bounds_[word];
    occurrences_.resize(bounds_.back());
    std::vector<std::uint64_t> next(bounds_.begin(), bounds_.end() - 1);
    for (std::size_t pair = begin; pair < end; ++pair) {
      if (!in_use(pair)) continue;
      const Sentence sentence = source[pair];
      for (std::size_t i = 0; i < sentence.size(); ++i) {
        occurrences_[next[static_cast<std::size_t>(sentence[i])]++] = {
            static_cast<std::uint32_t>(pair), static_cast<std::uint32_t>(i)};
      }
    }
    std::uint64_t cells = 0;
    for (std::size_t word = 0; word < words; ++word) {
      cells += cells_of_word[word];
      if (cells >= kBlockCells || word + 1 == words) {
        block_starts_.push_back(word + 1);
        cells = 0;
      }
    }
  }

  std::span<const Occurrence> of(std::size_t word) const {
    return {occurrences_.data() + bounds_[word], bounds_[word + 1] - bounds_[word]};
  }
  // Block b has the words [block_starts()[b], block_starts()[b + 1]).
  const std::vector<std::size_t>& block_starts() const { return block_starts_; }
  std::size_t blocks() const { return block_starts_.size() - 1; }

 private:
  std::vector<std::uint64_t> bounds_;
  std::vector<Occurrence> occurrences_;
  std::vector<std::size_t> block_starts_{0};
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

Cooccurrences::Cooccurrences(const Sentences& source, const Sentences& target, int threads,
                             std::uint64_t memory)
    : source_(source), target_(target) {
  if (source.size() != target.size()) {
    throw InputError("the source side has " + std::to_string(source.size()) +
                     " sentences, the target side " + std::to_string(target.size()));
  }
  if (source.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("more than 2^32 sentence pairs");
  }
  const std::size_t source_words = vocabulary_bound(source);
  target_words_ = vocabulary_bound(target);

  cell_offsets_.assign(source.size() + 1, 0);
  for (std::size_t pair = 0; pair < source.size(); ++pair) {
    const std::uint64_t cells = source[pair].size() * target[pair].size();
    const bool usable = cells == 0 || short_enough(source[pair].size(), target[pair].size());
    cell_offsets_[pair + 1] = cell_offsets_[pair] + (usable ? cells : 0);
    if (!usable) ++skipped_;
  }
  noted_ = cell_offsets_.back() <= memory / sizeof(std::uint32_t);

  {
    const Places places(source, target, cell_offsets_, source_words, 0, source.size());
    row_starts_.assign(source_words + 1, 0);
    std::vector<std::vector<WordId>> block_words(places.blocks());
    std::vector<std::vector<std::uint32_t>> marks(static_cast<std::size_t>(threads));
    parallel_for(threads, places.blocks(), [&](std::size_t block, int worker) {
      auto& mark = marks[static_cast<std::size_t>(worker)];
      mark.resize(target_words_, 0);
      auto& words = block_words[block];
      for (std::size_t s = places.block_starts()[block]; s < places.block_starts()[block + 1];
           ++s) {
        const auto stamp = static_cast<std::uint32_t>(s + 1);
        const std::size_t begin = words.size();
        for (const Occurrence& occurrence : places.of(s)) {
          for (const WordId t : target[occurrence.pair]) {
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
  }
  if (!noted_) return;
  slots_.resize(cell_offsets_.back());
  find_slots(0, source.size(), threads, slots_);
}

std::span<const std::uint32_t> Cooccurrences::slots(std::size_t begin, std::size_t end,
                                                    int threads,
                                                    std::vector<std::uint32_t>& found) const {
  const std::uint64_t cells = cell_offsets_[end] - cell_offsets_[begin];
  if (noted_) return {slots_.data() + cell_offsets_[begin], cells};
  found.resize(cells);
  find_slots(begin, end, threads, found);
  return found;
}

void Cooccurrences::find_slots(std::size_t begin, std::size_t end, int threads,
                               std::span<std::uint32_t> slots) const {
  const Places places(source_, target_, cell_offsets_, row_starts_.size() - 1, begin, end);
  std::vector<std::vector<std::uint32_t>> slots_of_word(static_cast<std::size_t>(threads));
  parallel_for(threads, places.blocks(), [&](std::size_t block, int worker) {
    auto& slot_of = slots_of_word[static_cast<std::size_t>(worker)];
    slot_of.resize(target_words_, 0);
    for (std::size_t s = places.block_starts()[block]; s < places.block_starts()[block + 1]; ++s) {
      if (places.of(s).empty()) continue;
      for (std::uint64_t slot = row_starts_[s]; slot < row_starts_[s + 1]; ++slot) {
        slot_of[static_cast<std::size_t>(words_[slot])] = static_cast<std::uint32_t>(slot);
      }
      for (const Occurrence& occurrence : places.of(s)) {
        const Sentence words = target_[occurrence.pair];
        std::uint32_t* row = slots.data() +
                             (cell_offsets_[occurrence.pair] - cell_offsets_[begin]) +
                             occurrence.position * words.size();
        for (const WordId t : words) *row++ = slot_of[static_cast<std::size_t>(t)];
      }
    }
  });
}

}  // namespace dragoman
