#include "lm/kneser_ney.h"

#include <algorithm>
#include <cmath>

#include "lm/model_builder.h"
#include "parallel/parallel_for.h"

namespace dragoman {
namespace {

constexpr std::size_t kBlockNodes = std::size_t{1} << 15;

// Calls work(begin, end) for pieces of [0, nodes), on several threads.
template <class Work>
void for_blocks(int threads, std::size_t nodes, const Work& work) {
  parallel_for(threads, (nodes + kBlockNodes - 1) / kBlockNodes, [&](std::size_t block, int) {
    work(block * kBlockNodes, std::min(nodes, (block + 1) * kBlockNodes));
  });
}

}  // namespace

Discounts estimate_discounts(const std::array<std::uint64_t, 5>& n,
                             const std::array<double, 3>& fallback) {
  Discounts discounts;
  const auto fall_back = [&](std::string reason) {
    std::copy(fallback.begin(), fallback.end(), discounts.amount.begin() + 1);
    discounts.fallback_reason = std::move(reason);
    return discounts;
  };
  for (std::size_t count = 1; count <= 3; ++count) {
    if (n[count] == 0) return fall_back("no n-gram has the count " + std::to_string(count));
  }
  const double y =
      static_cast<double>(n[1]) / (static_cast<double>(n[1]) + 2.0 * static_cast<double>(n[2]));
  for (std::size_t count = 1; count <= 3; ++count) {
    const double amount = static_cast<double>(count) - static_cast<double>(count + 1) * y *
                                                           static_cast<double>(n[count + 1]) /
                                                           static_cast<double>(n[count]);
    if (amount < 0 || amount > static_cast<double>(count)) {
      return fall_back("the discount of count " + std::to_string(count) + " would be " +
                       std::to_string(amount));
    }
    discounts.amount[count] = amount;
  }
  return discounts;
}

KneserNey::KneserNey(const SuffixTrie& trie, std::array<double, 3> fallback, Storage storage,
                     int threads)
    : trie_(trie), storage_(std::move(storage)), threads_(threads) {
  for (int level = 1; level <= trie.order(); ++level) {
    Level fresh{estimate_discounts(trie.counts_of_counts(level), fallback),
                Column<float>(storage_), Column<float>(storage_), Column<std::uint32_t>(storage_)};
    levels_.push_back(std::move(fresh));
  }
}

void KneserNey::smooth_unigrams() {
  Level& here = at(1);
  const std::size_t size = trie_.size(1);
  std::uint64_t total = 0;
  double freed = 0;
  for (std::size_t word = 0; word < size; ++word) {
    total += trie_.count(1, word);
    freed += here.discounts.of(trie_.count(1, word));
  }
  // The freed mass goes to all words alike, <unk> among them; <s> is never predicted.
  const double uniform = freed / static_cast<double>(total) / static_cast<double>(size - 1);
  here.probs.resize(size, 0);
  for (std::size_t word = 0; word < size; ++word) {
    const std::uint32_t count = trie_.count(1, word);
    here.probs[word] = static_cast<float>(
        (count - here.discounts.of(count)) / static_cast<double>(total) + uniform);
  }
  here.probs[kBeginSentence] = 1;
}

// The context of "a b c" is "a b": a child of "b", as "b" is the context of "b c". The children
// of both are sorted by their first word, and those of "b c" are among those of "b".
void KneserNey::find_contexts(int level) {
  Column<std::uint32_t>& contexts = at(level).contexts;
  contexts.resize(trie_.size(level), 0);
  const auto& parent_contexts = at(level - 1).contexts;
  for_blocks(threads_, trie_.size(level - 1), [&](std::size_t begin, std::size_t end) {
    for (std::size_t parent = begin; parent < end; ++parent) {
      std::size_t child = trie_.first_child(level - 1, parent);
      const std::size_t child_end = trie_.first_child(level - 1, parent + 1);
      if (level == 2) {  // the context is a single word
        for (; child < child_end; ++child) contexts[child] = trie_.word(2, child);
        continue;
      }
      if (child == child_end) continue;
      const std::uint32_t middle = parent_contexts[parent];
      std::size_t candidate = trie_.first_child(level - 2, middle);
      const std::size_t candidate_end = trie_.first_child(level - 2, middle + 1);
      for (; child < child_end; ++child) {
        const std::uint32_t word = trie_.word(level, child);
        // Doubling steps, then halving: cheap both when the lists are alike and when not.
        std::size_t step = 1;
        while (candidate + step < candidate_end &&
               trie_.word(level - 1, candidate + step) <= word) {
          candidate += step;
          step *= 2;
        }
        for (; step > 0; step /= 2) {
          if (candidate + step < candidate_end &&
              trie_.word(level - 1, candidate + step) <= word) {
            candidate += step;
          }
        }
        contexts[child] = static_cast<std::uint32_t>(candidate);
      }
    }
  });
}

// Fills the back-offs of the contexts, one level down, and the sums of their counts.
void KneserNey::sum_contexts(int level, Column<std::uint32_t>& totals) {
  const Level& here = at(level);
  Level& below = at(level - 1);
  const std::size_t contexts = trie_.size(level - 1);
  totals.resize(contexts, 0);
  below.backoffs.resize(contexts, 1);
  // Sums of up to millions of discounts: 32 bits would lose the fourth digit.
  Column<double> freed(storage_);
  freed.resize(contexts, 0);
  for (std::size_t node = 0; node < trie_.size(level); ++node) {
    const std::uint32_t context = here.contexts[node];
    const std::uint32_t count = trie_.count(level, node);
    totals[context] += count;
    if (trie_.pruned(level, node)) {
      freed[context] += count;
    } else {
      freed[context] += here.discounts.of(count);
    }
  }
  for_blocks(threads_, contexts, [&](std::size_t begin, std::size_t end) {
    for (std::size_t context = begin; context < end; ++context) {
      if (totals[context] > 0) {
        below.backoffs[context] = static_cast<float>(freed[context] / totals[context]);
      }
    }
  });
}

void KneserNey::smooth(int level) {
  if (level == 1) return smooth_unigrams();
  find_contexts(level);
  Column<std::uint32_t> totals(storage_);
  sum_contexts(level, totals);
  Level& here = at(level);
  const Level& below = at(level - 1);
  here.probs.resize(trie_.size(level), 0);
  for_blocks(threads_, trie_.size(level - 1), [&](std::size_t begin, std::size_t end) {
    for (std::size_t parent = begin; parent < end; ++parent) {
      const std::size_t child_end = trie_.first_child(level - 1, parent + 1);
      for (std::size_t child = trie_.first_child(level - 1, parent); child < child_end; ++child) {
        const std::uint32_t context = here.contexts[child];
        const std::uint32_t count = trie_.count(level, child);
        here.probs[child] = static_cast<float>(
            (count - here.discounts.of(count)) / static_cast<double>(totals[context]) +
            static_cast<double>(below.backoffs[context]) * below.probs[parent]);
      }
    }
  });
}

bool KneserNey::keeps_children(int level, std::size_t node) const {
  if (level == trie_.order()) return false;
  const std::size_t end = trie_.first_child(level, node + 1);
  for (std::size_t child = trie_.first_child(level, node); child < end; ++child) {
    if (!trie_.pruned(level + 1, child)) return true;
  }
  return false;
}

void KneserNey::write(const std::string& path, const LmVocabulary& vocabulary) {
  std::vector<std::size_t> kept(1, trie_.size(1));
  for (int level = 2; level <= trie_.order(); ++level) {
    std::size_t count = 0;
    for (std::size_t node = 0; node < trie_.size(level); ++node) {
      count += trie_.pruned(level, node) ? 0 : 1;
    }
    if (count == 0) break;
    kept.push_back(count);
  }
  const int order = static_cast<int>(kept.size());
  ModelBuilder builder(order, storage_, threads_);
  Column<std::uint32_t> last_words(storage_);  // of each node of the level
  for (int level = 1; level <= order; ++level) {
    fill_last_words(level, last_words);
    Level& here = at(level);
    const auto ngram = [&](std::size_t node) {
      NewNgram ngram;
      ngram.word = last_words[node];
      ngram.log_prob = std::min(0.0f, std::log(here.probs[node]));
      // Little text can have a discount of exactly zero, which leaves nothing to back off with.
      ngram.backoff = level < order ? std::max(kImpossible, std::log(here.backoffs[node])) : 0.0f;
      ngram.extends_left = level < order && keeps_children(level, node);
      return ngram;
    };
    if (level == 1) {
      builder.add_words(trie_.size(1), ngram);
      continue;
    }
    for (std::size_t node = 0; node < trie_.size(level); ++node) {
      if (trie_.pruned(level, node)) here.contexts[node] = kNoEntry;
    }
    builder.add_order(here.contexts, ngram);
  }
  builder.write(path, vocabulary);
}

void KneserNey::fill_last_words(int level, Column<std::uint32_t>& words) const {
  if (level == 1) {
    words.resize(trie_.size(1), 0);
    for (std::size_t word = 0; word < words.size(); ++word) {
      words[word] = static_cast<std::uint32_t>(word);
    }
    return;
  }
  Column<std::uint32_t> next(storage_);
  next.resize(trie_.size(level), 0);
  for (std::size_t parent = 0; parent < trie_.size(level - 1); ++parent) {
    std::fill(next.data() + trie_.first_child(level - 1, parent),
              next.data() + trie_.first_child(level - 1, parent + 1), words[parent]);
  }
  words = std::move(next);
}

}  // namespace dragoman
