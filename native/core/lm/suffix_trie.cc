#include "lm/suffix_trie.h"

#include <limits>
#include <stdexcept>

#include "text/error.h"

namespace dragoman {

SuffixTrie::SuffixTrie(int order, std::size_t words, std::vector<std::uint32_t> prune,
                       const Storage& storage)
    : order_(order), words_(words), prune_(std::move(prune)) {
  if (prune_.size() != static_cast<std::size_t>(order)) {
    throw std::invalid_argument("one pruning threshold per order");
  }
  for (int level = 1; level <= order; ++level) {
    levels_.push_back({Column<std::uint32_t>(storage),
                       Column<std::uint32_t>(storage),
                       Column<std::uint32_t>(storage),
                       {}});
  }
}

void SuffixTrie::open(int level, std::uint32_t word) {
  Level& here = at(level);
  if (here.counts.size() >= std::numeric_limits<std::uint32_t>::max() - 1) {
    throw InputError("more than 4,294,967,294 n-grams of order " + std::to_string(level) +
                     "; lower the order or estimate from a part of the text");
  }
  const auto children =
      static_cast<std::uint32_t>(level < order_ ? at(level + 1).counts.size() : 0);
  if (level == 1) {
    // Words without any n-gram (<unk>, <s>) get an empty node.
    while (here.counts.size() < word) {
      here.counts.push_back(0);
      here.first_child.push_back(children);
    }
  } else {
    here.words.push_back(word);
  }
  here.counts.push_back(0);
  here.first_child.push_back(children);
  path_[static_cast<std::size_t>(level - 1)] = word;
  seen_[static_cast<std::size_t>(level - 1)] = 0;
}

void SuffixTrie::close(int level, bool last) {
  Level& here = at(level);
  const std::size_t node = here.counts.size() - 1;
  const std::uint64_t seen = seen_[static_cast<std::size_t>(level - 1)];
  const bool has_children =
      level < order_ && path_[static_cast<std::size_t>(level - 1)] != kBeginSentence;
  const std::uint64_t adjusted =
      has_children ? at(level + 1).counts.size() - here.first_child[node] : seen;
  // lmplz tallies the very last n-gram of each lower order by how often it was seen rather than
  // by its adjusted count. One n-gram in thousands, but on small texts it moves the discounts in
  // the fourth digit; we follow, so that both programs give the same model.
  const std::uint64_t tallied = last && level < order_ ? seen : adjusted;
  if (tallied < here.counts_of_counts.size()) ++here.counts_of_counts[tallied];
  const bool prune = seen <= prune_[static_cast<std::size_t>(level - 1)];
  here.counts[node] = static_cast<std::uint32_t>(adjusted) | (prune ? kPruned : 0);
}

void SuffixTrie::add(const CountedNgram& ngram) {
  int same = 0;
  while (same < depth_ &&
         ngram.words[static_cast<std::size_t>(same)] == path_[static_cast<std::size_t>(same)]) {
    ++same;
  }
  for (int level = depth_; level > same; --level) close(level, false);
  depth_ = same;
  while (depth_ < order_ && ngram.words[static_cast<std::size_t>(depth_)] != kUnknown) {
    open(depth_ + 1, ngram.words[static_cast<std::size_t>(depth_)]);
    ++depth_;
  }
  for (int level = 0; level < depth_; ++level)
    seen_[static_cast<std::size_t>(level)] += ngram.count;
}

void SuffixTrie::finish() {
  for (int level = depth_; level > 0; --level) close(level, true);
  depth_ = 0;
  while (order_ > 1 && at(order_).counts.size() == 0) --order_;
  levels_.resize(static_cast<std::size_t>(order_));
  for (int level = 1; level <= order_; ++level) {
    const auto children =
        static_cast<std::uint32_t>(level < order_ ? at(level + 1).counts.size() : 0);
    Level& here = at(level);
    while (level == 1 && here.counts.size() < words_) {
      here.counts.push_back(0);
      here.first_child.push_back(children);
    }
    here.first_child.push_back(children);
  }
}

}  // namespace dragoman
