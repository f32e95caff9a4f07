// The paper's algorithm (section 3): KARIZE is a bottom-up merge sort; each MERGE finds the
// reductions that cross its split point. Three things differ from the print, none in what is
// found:
//  - The invariant makes every reduced block one element for all later merges, so a merge works
//    on whole blocks and its arrays shrink as the tree grows.
//  - REDUCE writes the four corners of a block only. SCAN reads nothing else, and filling whole
//    ranges is quadratic on chains that grow outwards from the split point.
//  - A scan that found a larger reduction than its rival on the other side, or none, is kept and
//    not repeated: what lies beyond that side has not changed. Scanning it again after each
//    reduction is quadratic on chains that grow to one side.
#include <algorithm>

#include "grammar/permutation_tree.h"

namespace dragoman {

namespace {

using Index = std::int32_t;

// A reduced interval: its tree node and its values [low, high].
struct Block {
  Index node;
  Index low;
  Index high;
};

// A rectangle of the permutation matrix, bounds inclusive: columns are blocks in the order of
// positions, rows the same blocks in the order of values.
struct Reduction {
  bool found = false;
  Index left = 0;
  Index right = 0;
  Index bottom = 0;
  Index top = 0;
};

class Sorter {
 public:
  explicit Sorter(std::span<const Index> permutation)
      : blocks_(permutation.size()),
        by_value_(permutation.size()),
        merged_(permutation.size()),
        column_of_(permutation.size()),
        run_(permutation.size()),
        left_(permutation.size()),
        right_(permutation.size()),
        bottom_(permutation.size()),
        top_(permutation.size()),
        renumbered_(permutation.size()) {
    nesting_.leaves = permutation.size();
    nesting_.offsets.reserve(permutation.size());
    nesting_.children.reserve(2 * permutation.size());
    for (std::size_t i = 0; i < permutation.size(); ++i) {
      blocks_[i] = {static_cast<Index>(i), permutation[i], permutation[i]};
      by_value_[i] = 0;
    }
  }

  Nesting run() {
    // counts[k]: blocks of the k-th piece, which begin at blocks_[k * size].
    const std::size_t n = blocks_.size();
    std::vector<Index> counts(n, 1);
    for (std::size_t size = 1; size < n; size *= 2) {
      std::size_t pieces = 0;
      for (std::size_t begin = 0; begin < n; begin += 2 * size, ++pieces) {
        const Index first = counts[2 * pieces];
        counts[pieces] = begin + size < n
                             ? merge(begin, first, begin + size, counts[2 * pieces + 1])
                             : first;
      }
      counts.resize(pieces);
    }
    return std::move(nesting_);
  }

 private:
  // Joins two neighbouring pieces, reduces across the split point and returns how many blocks
  // the joined piece has.
  Index merge(std::size_t begin, Index first_count, std::size_t second, Index second_count) {
    columns_ = &blocks_[begin];
    Index* rows = &by_value_[begin];
    size_ = first_count + second_count;
    merge_rows(begin, first_count, second, second_count);
    std::copy_n(blocks_.begin() + static_cast<std::ptrdiff_t>(second), second_count,
                blocks_.begin() + static_cast<std::ptrdiff_t>(begin) + first_count);
    std::copy_n(merged_.begin(), size_, rows);
    // Rows whose values have no gap between them share a run; reductions stay within one.
    Index run = 0;
    for (Index row = 0; row < size_; ++row) {
      if (row > 0 && columns_[rows[row]].low != columns_[rows[row - 1]].high + 1) ++run;
      run_[row] = run;
      column_of_[row] = rows[row];
    }
    if (run + 1 == size_) return size_;  // no two blocks touch in value: nothing to reduce
    for (Index row = 0; row < size_; ++row) {
      const Index column = rows[row];
      left_[row] = right_[row] = column;
      bottom_[column] = top_[column] = row;
    }
    const Index reductions = reduce_across(first_count - 1);
    return reductions == 0 ? size_ : compact(rows);
  }

  void merge_rows(std::size_t begin, Index first_count, std::size_t second, Index second_count) {
    const Block* left_blocks = &blocks_[begin];
    const Block* right_blocks = &blocks_[second];
    const Index* left_rows = &by_value_[begin];
    const Index* right_rows = &by_value_[second];
    Index i = 0;
    Index j = 0;
    Index out = 0;
    while (i < first_count && j < second_count) {
      if (left_blocks[left_rows[i]].low < right_blocks[right_rows[j]].low) {
        merged_[out++] = left_rows[i++];
      } else {
        merged_[out++] = right_rows[j++] + first_count;
      }
    }
    while (i < first_count) merged_[out++] = left_rows[i++];
    while (j < second_count) merged_[out++] = right_rows[j++] + first_count;
  }

  // The loop of MERGE: the smallest reduction over the split point first, then those beyond its
  // left and right bounds, the smaller first.
  Index reduce_across(Index split) {
    Reduction block = scan(split);
    Index count = 0;
    bool left_known = false;
    bool right_known = false;
    Reduction leftwards;
    Reduction rightwards;
    while (block.found) {
      reduce(block);
      ++count;
      if (!left_known) leftwards = scan(block.left - 1);
      if (!right_known) rightwards = scan(block.right);
      left_known = right_known = true;
      const bool go_left =
          leftwards.found &&
          (!rightwards.found ||
           leftwards.right - leftwards.left <= rightwards.right - rightwards.left);
      const Reduction next = go_left ? leftwards : rightwards;
      if (!next.found) break;
      left_known = keep(leftwards, next, next.left == block.left);
      right_known = keep(rightwards, next, next.right == block.right);
      block = next;
    }
    return count;
  }

  // Whether what a scan said still holds after `done` is reduced: a failure does for good, a
  // reduction as long as its side has not moved. One that overlaps `done` grows to the union,
  // which is an interval because both are.
  static bool keep(Reduction& scanned, const Reduction& done, bool side_unmoved) {
    if (!scanned.found) return true;
    if (!side_unmoved) return false;
    scanned.left = std::min(scanned.left, done.left);
    scanned.right = std::max(scanned.right, done.right);
    scanned.bottom = std::min(scanned.bottom, done.bottom);
    scanned.top = std::max(scanned.top, done.top);
    return true;
  }

  // SCAN: the smallest reduction that holds columns split and split + 1. Columns [left, right]
  // and rows [bottom, top] have been looked at, block by block; what they demand is in `wanted`.
  Reduction scan(Index split) const {
    if (split < 0 || split + 1 >= size_) return {};
    Index left = split + 1;
    Index right = split;
    Index bottom = bottom_[split];
    Index top = top_[split];
    Reduction wanted{true, split, split + 1, bottom, top};
    while (true) {
      while (left > wanted.left) {
        const Index column = left - 1;
        wanted.bottom = std::min(wanted.bottom, bottom_[column]);
        wanted.top = std::max(wanted.top, top_[column]);
        left = left_[bottom_[column]];
      }
      while (right < wanted.right) {
        const Index column = right + 1;
        wanted.bottom = std::min(wanted.bottom, bottom_[column]);
        wanted.top = std::max(wanted.top, top_[column]);
        right = right_[bottom_[column]];
      }
      wanted.left = left;
      wanted.right = right;
      if (run_[wanted.bottom] != run_[wanted.top]) return {};  // values lie outside this piece
      while (bottom > wanted.bottom) {
        const Index row = bottom - 1;
        wanted.left = std::min(wanted.left, left_[row]);
        wanted.right = std::max(wanted.right, right_[row]);
        bottom = bottom_[left_[row]];
      }
      while (top < wanted.top) {
        const Index row = top + 1;
        wanted.left = std::min(wanted.left, left_[row]);
        wanted.right = std::max(wanted.right, right_[row]);
        top = top_[left_[row]];
      }
      if (wanted.left == left && wanted.right == right) return wanted;
    }
  }

  void reduce(const Reduction& block) {
    for (Index column = block.left; column <= block.right;) {
      nesting_.children.push_back(columns_[column].node);
      column = right_[bottom_[column]] + 1;
    }
    nesting_.close_node();
    columns_[block.left].node = static_cast<Index>(nesting_.leaves + nesting_.inner() - 1);
    for (const Index column : {block.left, block.right}) {
      bottom_[column] = block.bottom;
      top_[column] = block.top;
    }
    for (const Index row : {block.bottom, block.top}) {
      left_[row] = block.left;
      right_[row] = block.right;
    }
  }

  // After the last reduction, each reduced block becomes one column and one row.
  Index compact(Index* rows) {
    Index count = 0;
    for (Index column = 0; column < size_; ++count) {
      const Index next = right_[bottom_[column]] + 1;
      const Block block{columns_[column].node, columns_[column_of_[bottom_[column]]].low,
                        columns_[column_of_[top_[column]]].high};
      renumbered_[column] = count;
      compacted_.push_back(block);
      column = next;
    }
    Index kept = 0;
    for (Index row = 0; row < size_;) {
      const Index column = left_[row];
      rows[kept++] = renumbered_[column];
      row = top_[column] + 1;
    }
    std::copy(compacted_.begin(), compacted_.end(), columns_);
    compacted_.clear();
    return count;
  }

  Nesting nesting_;
  std::vector<Block> blocks_;      // each piece: its blocks in the order of positions
  std::vector<Index> by_value_;    // each piece: the same by value, counted from its first block
  // What follows serves one merge at a time.
  Block* columns_ = nullptr;
  Index size_ = 0;
  std::vector<Index> merged_;
  std::vector<Index> column_of_;  // row -> column (the paper's h)
  std::vector<Index> run_;        // row -> run of consecutive values
  std::vector<Index> left_;       // row -> bounds of its block (hmin, hmax)
  std::vector<Index> right_;
  std::vector<Index> bottom_;  // column -> bounds of its block (vmin, vmax)
  std::vector<Index> top_;
  std::vector<Index> renumbered_;
  std::vector<Block> compacted_;
};

}  // namespace

Nesting nest_by_sorting(std::span<const std::int32_t> permutation) {
  return Sorter(permutation).run();
}

}  // namespace dragoman
