// Phrase pairs consistent with the links of one sentence pair (Koehn, Och & Marcu 2003), and how
// each lies to its neighbours.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "alignment/links.h"
#include "rules/orientation.h"
#include "rules/phrase_table.h"

namespace dragoman {

struct ExtractionOptions {
  std::size_t max_length = 7;  // of a phrase on either side, in words
  // Which orientations to find, by ReorderingKind; those left out stay kMonotone.
  std::array<bool, kReorderingKinds> reordering = {false, false, true};
  // How often each sentence pair counts; empty: once each.
  std::vector<std::uint32_t> times = {};
};

// Throws InputError when a phrase length is out of range.
void check(const ExtractionOptions& options);

// A phrase pair where it stands. Orientations are packed, two bits each.
struct PhraseInstance {
  std::uint16_t source_begin = 0;
  std::uint16_t target_begin = 0;
  std::uint8_t source_length = 0;
  std::uint8_t target_length = 0;
  std::uint16_t orientations = 0;

  Orientation orientation(ReorderingKind kind, ReorderingDirection direction) const {
    return static_cast<Orientation>((orientations >> shift(kind, direction)) & 3u);
  }
  void set(ReorderingKind kind, ReorderingDirection direction, Orientation orientation) {
    orientations |=
        static_cast<std::uint16_t>(static_cast<unsigned>(orientation) << shift(kind, direction));
  }

 private:
  static constexpr unsigned shift(ReorderingKind kind, ReorderingDirection direction) {
    return 4 * static_cast<unsigned>(kind) + 2 * static_cast<unsigned>(direction);
  }
};

// Keeps its scratch space from one sentence pair to the next; one per thread.
class PhraseExtractor {
 public:
  explicit PhraseExtractor(const ExtractionOptions& options);

  // Replaces `found` by the phrase pairs, ordered by target begin, target end, then source
  // begin falling, source end rising. A pair holds at least one link; words without links may
  // stand at its edges or be left out. Throws InputError, naming what is wrong but not where,
  // for links that point outside the pair or do not rise strictly.
  void extract(std::size_t source_length, std::size_t target_length, std::span<const Link> links,
               std::vector<PhraseInstance>& found);

 private:
  // Source positions [begin, end) that hold all links of some target span; no block when empty.
  struct Block {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool exists() const { return begin < end; }
  };

  void index(std::size_t source_length, std::size_t target_length, std::span<const Link> links);
  bool consistent(Block source, std::size_t target_begin, std::size_t target_end) const {
    return source_links_[source.end] - source_links_[source.begin] ==
           target_links_[target_end] - target_links_[target_begin];
  }
  void find_largest_blocks();
  void find_orientations(PhraseInstance& pair) const;
  Orientation by_words(std::size_t near_source, std::size_t far_source, std::size_t target,
                       bool at_edge) const;
  bool linked(std::size_t source, std::size_t target) const;

  ExtractionOptions options_;
  std::size_t source_length_ = 0;
  std::size_t target_length_ = 0;
  std::span<const Link> links_;
  std::vector<std::uint32_t> source_links_;  // number of links before each source position
  std::vector<std::uint32_t> target_links_;
  std::vector<Block> target_words_;          // the block of each target word alone
  std::vector<std::uint32_t> next_aligned_;  // first source word with links at or after
  std::vector<std::uint32_t> aligned_end_;   // just after the last one before
  std::vector<Block> short_blocks_;          // by target begin and length, up to max_length
  std::vector<Block> largest_ending_;        // by target end
  std::vector<Block> largest_beginning_;     // by target begin
};

}  // namespace dragoman
