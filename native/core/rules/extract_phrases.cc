#include "rules/extract_phrases.h"

#include <algorithm>
#include <limits>

#include "text/error.h"

namespace dragoman {
namespace {

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

std::string describe(const Link& link) {
  return std::to_string(link.source) + "-" + std::to_string(link.target);
}

Orientation choose(bool monotone, bool swap) {
  if (monotone) return Orientation::kMonotone;
  return swap ? Orientation::kSwap : Orientation::kDiscontinuous;
}

}  // namespace

void check(const ExtractionOptions& options) {
  if (options.max_length < 1 || options.max_length > kLongestPhrase) {
    throw InputError("the phrase length must be 1 to " + std::to_string(kLongestPhrase) +
                     ", not " + std::to_string(options.max_length));
  }
}

PhraseExtractor::PhraseExtractor(const ExtractionOptions& options) : options_(options) {
  check(options);
}

void PhraseExtractor::index(std::size_t source_length, std::size_t target_length,
                            std::span<const Link> links) {
  source_length_ = source_length;
  target_length_ = target_length;
  links_ = links;
  source_links_.assign(source_length + 1, 0);
  target_links_.assign(target_length + 1, 0);
  target_words_.assign(target_length, Block{kNowhere, 0});
  const Link* previous = nullptr;
  for (const Link& link : links) {
    if (link.source >= source_length || link.target >= target_length) {
      throw InputError("the link " + describe(link) + " points outside the sentence pair of " +
                       std::to_string(source_length) + " and " + std::to_string(target_length) +
                       " words");
    }
    if (previous != nullptr && !(*previous < link)) {
      throw InputError("the link " + describe(link) + " after " + describe(*previous) +
                       " is out of order or given twice");
    }
    previous = &link;
    ++source_links_[link.source + 1u];
    ++target_links_[link.target + 1u];
    Block& block = target_words_[link.target];
    block.begin = std::min<std::uint32_t>(block.begin, link.source);
    block.end = std::max<std::uint32_t>(block.end, link.source + 1u);
  }
  for (std::size_t i = 0; i < source_length; ++i) source_links_[i + 1] += source_links_[i];
  for (std::size_t j = 0; j < target_length; ++j) target_links_[j + 1] += target_links_[j];

  next_aligned_.assign(source_length + 1, static_cast<std::uint32_t>(source_length));
  aligned_end_.assign(source_length + 1, 0);
  for (std::size_t i = source_length; i-- > 0;) {
    const bool aligned = source_links_[i] != source_links_[i + 1];
    next_aligned_[i] = aligned ? static_cast<std::uint32_t>(i) : next_aligned_[i + 1];
  }
  for (std::size_t i = 0; i < source_length; ++i) {
    const bool aligned = source_links_[i] != source_links_[i + 1];
    aligned_end_[i + 1] = aligned ? static_cast<std::uint32_t>(i + 1) : aligned_end_[i];
  }
}

void PhraseExtractor::extract(std::size_t source_length, std::size_t target_length,
                              std::span<const Link> links, std::vector<PhraseInstance>& found) {
  found.clear();
  index(source_length, target_length, links);
  const std::size_t limit = options_.max_length;
  short_blocks_.assign(target_length * limit, Block{});
  for (std::size_t begin = 0; begin < target_length; ++begin) {
    Block source{kNowhere, 0};
    const std::size_t last = std::min(target_length, begin + limit);
    for (std::size_t end = begin + 1; end <= last; ++end) {
      source.begin = std::min(source.begin, target_words_[end - 1].begin);
      source.end = std::max(source.end, target_words_[end - 1].end);
      if (!source.exists()) continue;
      if (source.end - source.begin > limit) break;  // it only grows
      if (!consistent(source, begin, end)) continue;
      short_blocks_[begin * limit + (end - begin - 1)] = source;
      // The source phrase may reach over words without links on both sides.
      const std::size_t first_begin = aligned_end_[source.begin];
      const std::size_t last_end = next_aligned_[source.end];
      for (std::size_t from = source.begin + 1u; from-- > first_begin;) {
        if (source.end - from > limit) break;
        for (std::size_t to = source.end; to <= std::min(last_end, from + limit); ++to) {
          PhraseInstance pair;
          pair.source_begin = static_cast<std::uint16_t>(from);
          pair.target_begin = static_cast<std::uint16_t>(begin);
          pair.source_length = static_cast<std::uint8_t>(to - from);
          pair.target_length = static_cast<std::uint8_t>(end - begin);
          found.push_back(pair);
        }
      }
    }
  }
  const auto& wanted = options_.reordering;
  if (wanted[static_cast<std::size_t>(ReorderingKind::kHierarchical)]) find_largest_blocks();
  if (std::find(wanted.begin(), wanted.end(), true) != wanted.end()) {
    for (PhraseInstance& pair : found) find_orientations(pair);
  }
}

// Shift-reduce over the target words in both directions. Whatever block touches a phrase pair at
// a corner, the largest block that ends at the same target word touches it there too: it cannot
// grow across the pair without taking in its links. So one block per target position is enough.
//
// Every shift looks down the whole stack for the deepest consistent union, and not only at the
// two topmost blocks: alignments need not be binarisable.
void PhraseExtractor::find_largest_blocks() {
  struct Item {
    Block source;
    std::size_t target_begin;  // in the order of the scan
  };
  std::vector<Item> stack;
  const auto scan = [&](std::vector<Block>& largest, auto position, auto is_block) {
    stack.clear();
    bool top_is_block = false;
    largest.assign(target_length_ + 1, Block{});
    for (std::size_t step = 0; step < target_length_; ++step) {
      const Block word = target_words_[position(step)];
      if (word.exists()) {
        stack.push_back({word, step});
        Block joined{kNowhere, 0};
        std::size_t keep = 0;  // how many items remain below the deepest block; 0 is "none yet"
        Block deepest;
        for (std::size_t below = stack.size(); below-- > 0;) {
          joined.begin = std::min(joined.begin, stack[below].source.begin);
          joined.end = std::max(joined.end, stack[below].source.end);
          if (is_block(joined, stack[below].target_begin, step + 1)) {
            keep = below + 1;
            deepest = joined;
          }
        }
        top_is_block = keep != 0;
        if (top_is_block) {
          stack.resize(keep);
          stack.back().source = deepest;
        }
      }
      if (top_is_block) largest[step + 1] = stack.back().source;
    }
  };
  scan(
      largest_ending_, [](std::size_t step) { return step; },
      [&](Block source, std::size_t from, std::size_t to) {
        return consistent(source, from, to);
      });
  const std::size_t length = target_length_;
  scan(
      largest_beginning_, [&](std::size_t step) { return length - 1 - step; },
      [&](Block source, std::size_t from, std::size_t to) {
        return consistent(source, length - to, length - from);
      });
  std::reverse(largest_beginning_.begin(), largest_beginning_.end());
}

bool PhraseExtractor::linked(std::size_t source, std::size_t target) const {
  for (std::uint32_t at = source_links_[source]; at < source_links_[source + 1]; ++at) {
    if (links_[at].target == target) return true;
  }
  return false;
}

// `near_source` is the source word next to the phrase on the side of monotone order, `far_source`
// the one on the other side; either may lie outside the sentence (SIZE_MAX or its length).
Orientation PhraseExtractor::by_words(std::size_t near_source, std::size_t far_source,
                                      std::size_t target, bool at_edge) const {
  if (at_edge) return Orientation::kMonotone;
  if (target >= target_length_) return Orientation::kDiscontinuous;
  const bool near = near_source < source_length_ && linked(near_source, target);
  const bool far = far_source < source_length_ && linked(far_source, target);
  if (near == far) return Orientation::kDiscontinuous;
  return near ? Orientation::kMonotone : Orientation::kSwap;
}

void PhraseExtractor::find_orientations(PhraseInstance& pair) const {
  const std::size_t source_begin = pair.source_begin;
  const std::size_t source_end = source_begin + pair.source_length;
  const std::size_t target_begin = pair.target_begin;
  const std::size_t target_end = target_begin + pair.target_length;
  // Sentence begin and end are monotone neighbours of phrases that touch them on both sides.
  const bool first = source_begin == 0 && target_begin == 0;
  const bool last = source_end == source_length_ && target_end == target_length_;
  const auto wanted = [&](ReorderingKind kind) {
    return options_.reordering[static_cast<std::size_t>(kind)];
  };
  // Does the block, stretched over words without links, end where the phrase begins, or begin
  // where it ends?
  const auto ends_before = [&](Block block) {
    return block.exists() && block.end <= source_begin && next_aligned_[block.end] >= source_begin;
  };
  const auto begins_after = [&](Block block) {
    return block.exists() && block.begin >= source_end && aligned_end_[block.begin] <= source_end;
  };

  using enum ReorderingDirection;
  if (wanted(ReorderingKind::kWord)) {
    pair.set(ReorderingKind::kWord, kBackward,
             by_words(source_begin - 1, source_end, target_begin - 1, first));
    pair.set(ReorderingKind::kWord, kForward,
             by_words(source_end, source_begin - 1, target_end, last));
  }
  if (wanted(ReorderingKind::kPhrase)) {
    const std::size_t limit = options_.max_length;
    bool before_monotone = first, before_swap = false, after_monotone = last, after_swap = false;
    const auto short_before = [&](Block block) {
      return ends_before(block) && source_begin - block.begin <= limit;
    };
    const auto short_after = [&](Block block) {
      return begins_after(block) && block.end - source_end <= limit;
    };
    for (std::size_t length = 1; length <= limit; ++length) {
      if (length <= target_begin) {
        const Block block = short_blocks_[(target_begin - length) * limit + length - 1];
        before_monotone |= short_before(block);
        before_swap |= short_after(block);
      }
      if (target_end + length <= target_length_) {
        const Block block = short_blocks_[target_end * limit + length - 1];
        after_monotone |= short_after(block);
        after_swap |= short_before(block);
      }
    }
    pair.set(ReorderingKind::kPhrase, kBackward, choose(before_monotone, before_swap));
    pair.set(ReorderingKind::kPhrase, kForward, choose(after_monotone, after_swap));
  }
  if (wanted(ReorderingKind::kHierarchical)) {
    const Block before = largest_ending_[target_begin];
    const Block after = largest_beginning_[target_end];
    pair.set(ReorderingKind::kHierarchical, kBackward,
             choose(first || ends_before(before), begins_after(before)));
    pair.set(ReorderingKind::kHierarchical, kForward,
             choose(last || begins_after(after), ends_before(after)));
  }
}

}  // namespace dragoman
