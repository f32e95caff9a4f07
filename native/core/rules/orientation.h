// Phrase reordering as seen from one phrase: the vocabulary of the lexicalised reordering models
// and the contract a decoder keeps to use them.
//
// Each model gives p(orientation | source phrase, target phrase) in two directions:
//   backward  how this phrase lies to what was translated just before it (target order);
//   forward   how what is translated next lies to this phrase.
// A derivation pays, for every phrase, its backward score under the orientation towards its
// predecessor, and its forward score under the orientation of its successor towards it; the
// begin and end of the sentence count as an empty phrase at source position 0 and n.
//
// What a decoder must keep, by model:
//
//   word, phrase    the last source phrase [begin, end). orientation_towards(last, next) below
//                   serves both directions: the next phrase's backward score and the last
//                   phrase's forward score take the same value.
//   hierarchical    backward: a stack of source blocks, each as large as possible (BlockStack).
//                   The next phrase's orientation is that towards the top block; then it is
//                   pushed and merged with the blocks below while they touch (Galley & Manning
//                   2008, section 3). Two hypotheses may only be recombined when their stacks
//                   are equal. A decoder that keeps no stack may use the maximal run of covered
//                   words around the last phrase as its top block: the approximation of Cherry,
//                   Moore & Quirk (2012), which needs nothing beside coverage and last phrase.
//                   forward: the block that will follow is not known yet. It is taken to begin
//                   right after `last` when the word there is still uncovered and `next` lies to
//                   the right, and to end right before it in the mirror case:
//                   forward_orientation(last, next, covered) below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dragoman {

enum class Orientation : std::uint8_t { kMonotone, kSwap, kDiscontinuous };
inline constexpr std::size_t kOrientations = 3;

// How the orientations were counted in training: from the links at the corners (Tillmann 2004 by
// words, as Moses' wbe-msd), from phrase pairs short enough to be in the table (Tillmann 2004),
// or from blocks of any size (Galley & Manning 2008).
enum class ReorderingKind : std::uint8_t { kWord, kPhrase, kHierarchical };
inline constexpr std::size_t kReorderingKinds = 3;

// One model's scores of a phrase pair lie together: backward monotone, swap, discontinuous, then
// forward the same; as in Moses' msd-bidirectional tables.
inline constexpr std::size_t kScoresPerReordering = 2 * kOrientations;
enum class ReorderingDirection : std::uint8_t { kBackward, kForward };

constexpr std::size_t reordering_column(ReorderingDirection direction, Orientation orientation) {
  return static_cast<std::size_t>(direction) * kOrientations +
         static_cast<std::size_t>(orientation);
}

// Source positions [begin, end).
struct SourceSpan {
  std::uint16_t begin = 0;
  std::uint16_t end = 0;
  bool operator==(const SourceSpan&) const = default;
};

// Of `next` towards `last`, by adjacency.
constexpr Orientation orientation_towards(SourceSpan last, SourceSpan next) {
  if (next.begin == last.end) return Orientation::kMonotone;
  if (next.end == last.begin) return Orientation::kSwap;
  return Orientation::kDiscontinuous;
}

// The hierarchical forward orientation of `next` as seen from `last`. `covered(position)` tells
// whether a source word was translated before `next`; it is asked only for positions in the
// sentence, of length n.
template <class Covered>
constexpr Orientation forward_orientation(SourceSpan last, SourceSpan next, std::size_t n,
                                          Covered&& covered) {
  if (next.begin >= last.end) {
    return next.begin == last.end || (last.end < n && !covered(last.end))
               ? Orientation::kMonotone
               : Orientation::kDiscontinuous;
  }
  return next.end == last.begin || (last.begin > 0 && !covered(last.begin - 1u))
             ? Orientation::kSwap
             : Orientation::kDiscontinuous;
}

// The blocks a hypothesis has built, the youngest on top. Empty means the sentence has just
// begun, which counts as a block [0, 0).
class BlockStack {
 public:
  SourceSpan top() const { return blocks_.empty() ? SourceSpan{} : blocks_.back(); }

  // Shifts the phrase and reduces; returns its backward orientation.
  Orientation push(SourceSpan phrase) {
    const Orientation orientation = orientation_towards(top(), phrase);
    blocks_.push_back(phrase);
    while (blocks_.size() > 1) {
      const SourceSpan upper = blocks_.back();
      SourceSpan& lower = blocks_[blocks_.size() - 2];
      if (upper.begin == lower.end) {
        lower.end = upper.end;
      } else if (upper.end == lower.begin) {
        lower.begin = upper.begin;
      } else {
        break;
      }
      blocks_.pop_back();
    }
    return orientation;
  }

  std::span<const SourceSpan> blocks() const { return blocks_; }
  bool operator==(const BlockStack&) const = default;

 private:
  std::vector<SourceSpan> blocks_;
};

}  // namespace dragoman
