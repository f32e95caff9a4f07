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

// One block in the order of values: its values [low, high] and its place among the columns.
struct Row {
  Index low;
  Index high;
  Index column;
};

// A rectangle of the permutation matrix, bounds inclusive: columns are blocks in the order of
// positions, rows the same blocks in the order of values.
struct Rectangle {
  Index left = 0;
  Index right = 0;
  Index bottom = 0;
  Index top = 0;
};

struct Reduction : Rectangle {
  bool found = false;
};

class Sorter {
 public:
  explicit Sorter(std::span<const Index> permutation)
      : nodes_(permutation.size()),
        rows_(permutation.size()),
        merged_(permutation.size()),
        run_(permutation.size()),
        by_column_(permutation.size()),
        by_row_(permutation.size()),
        renumbered_(permutation.size()) {
    nesting_.leaves = permutation.size();
    nesting_.offsets.reserve(permutation.size());
    nesting_.children.reserve(2 * permutation.size());
    for (std::size_t i = 0; i < permutation.size(); ++i) {
      nodes_[i] = static_cast<Index>(i);
      rows_[i] = {permutation[i], permutation[i], 0};
    }
  }

  // KARIZE, with merges done as soon as both pieces are there and not level by level: the same
  // merges, while the pieces are still in the cache.
  Nesting run() {
    struct Piece {
      std::size_t begin;
      std::size_t length;  // in positions
      Index count;         // in blocks
    };
    std::vector<Piece> pieces;
    const auto join_last_two = [&] {
      const Piece second = pieces.back();
      pieces.pop_back();
      Piece& first = pieces.back();
      first.count = merge(first.begin, first.count, second.begin, second.count);
      first.length += second.length;
    };
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      pieces.push_back({i, 1, 1});
      while (pieces.size() > 1 && pieces[pieces.size() - 2].length == pieces.back().length) {
        join_last_two();
      }
    }
    while (pieces.size() > 1) join_last_two();
    return std::move(nesting_);
  }

 private:
  // Joins two neighbouring pieces, reduces across the split point and returns how many blocks
  // the joined piece has.
  Index merge(std::size_t begin, Index first_count, std::size_t second, Index second_count) {
    columns_ = &nodes_[begin];
    Row* rows = &rows_[begin];
    size_ = first_count + second_count;
    std::copy_n(&nodes_[second], second_count, columns_ + first_count);
    const bool may_reduce = merge_rows(rows, first_count, &rows_[second], second_count);
    std::copy_n(merged_.begin(), size_, rows);
    if (!may_reduce) return size_;
    for (Index row = 0; row < size_; ++row) {
      const Index column = rows[row].column;
      by_row_[row] = by_column_[column] = {column, column, row, row};
    }
    return reduce_across(first_count - 1) ? compact(rows) : size_;
  }

  // Merges the rows and numbers their runs: rows whose values have no gap between them. A
  // reduction stays within one, so there is none unless the columns at the split share a run.
  bool merge_rows(const Row* first, Index first_count, const Row* second, Index second_count) {
    Index i = 0;
    Index j = 0;
    Index run = 0;
    Index left_run = -1;
    Index right_run = -1;
    for (Index out = 0; out < size_; ++out) {
      const bool from_first =
          j == second_count || (i < first_count && first[i].low < second[j].low);
      Row row = from_first ? first[i++] : second[j++];
      if (!from_first) row.column += first_count;
      if (out > 0 && row.low != merged_[out - 1].high + 1) ++run;
      if (row.column == first_count - 1) left_run = run;
      if (row.column == first_count) right_run = run;
      merged_[out] = row;
      run_[out] = run;
    }
    return left_run == right_run;
  }

  // The loop of MERGE: the smallest reduction over the split point first, then those beyond its
  // left and right bounds, the smaller first.
  bool reduce_across(Index split) {
    Reduction block = scan(split);
    const bool any = block.found;
    bool left_known = false;
    bool right_known = false;
    Reduction leftwards;
    Reduction rightwards;
    while (block.found) {
      reduce(block);
      if (!left_known) leftwards = scan(block.left - 1);
      if (!right_known) rightwards = scan(block.right);
      left_known = right_known = true;
      const bool go_left =
          leftwards.found && (!rightwards.found || leftwards.right - leftwards.left <=
                                                       rightwards.right - rightwards.left);
      const Reduction next = go_left ? leftwards : rightwards;
      if (!next.found) break;
      left_known = keep(leftwards, next, next.left == block.left);
      right_known = keep(rightwards, next, next.right == block.right);
      block = next;
    }
    return any;
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
    Index bottom = by_column_[split].bottom;
    Index top = by_column_[split].top;
    Reduction wanted{{split, split + 1, bottom, top}, true};
    while (true) {
      while (left > wanted.left) {
        const Rectangle& block = by_column_[left - 1];
        wanted.bottom = std::min(wanted.bottom, block.bottom);
        wanted.top = std::max(wanted.top, block.top);
        left = block.left;
      }
      while (right < wanted.right) {
        const Rectangle& block = by_column_[right + 1];
        wanted.bottom = std::min(wanted.bottom, block.bottom);
        wanted.top = std::max(wanted.top, block.top);
        right = block.right;
      }
      wanted.left = left;
      wanted.right = right;
      if (run_[wanted.bottom] != run_[wanted.top]) return {};  // values lie outside this piece
      while (bottom > wanted.bottom) {
        const Rectangle& block = by_row_[bottom - 1];
        wanted.left = std::min(wanted.left, block.left);
        wanted.right = std::max(wanted.right, block.right);
        bottom = block.bottom;
      }
      while (top < wanted.top) {
        const Rectangle& block = by_row_[top + 1];
        wanted.left = std::min(wanted.left, block.left);
        wanted.right = std::max(wanted.right, block.right);
        top = block.top;
      }
      if (wanted.left == left && wanted.right == right) return wanted;
    }
  }

  void reduce(const Reduction& block) {
    for (Index column = block.left; column <= block.right; column = by_column_[column].right + 1) {
      nesting_.children.push_back(columns_[column]);
    }
    nesting_.close_node();
    columns_[block.left] = static_cast<Index>(nesting_.leaves + nesting_.inner() - 1);
    by_column_[block.left] = by_column_[block.right] = block;
    by_row_[block.bottom] = by_row_[block.top] = block;
  }

  // After the last reduction, each reduced block becomes one column and one row.
  Index compact(Row* rows) {
    Index count = 0;
    for (Index column = 0; column < size_; column = by_column_[column].right + 1) {
      renumbered_[column] = count;
      columns_[count++] = columns_[column];
    }
    Index kept = 0;
    for (Index row = 0; row < size_;) {
      const Rectangle& block = by_row_[row];
      rows[kept++] = {rows[row].low, rows[block.top].high, renumbered_[block.left]};
      row = block.top + 1;
    }
    return count;
  }

  Nesting nesting_;
  // Each piece has its blocks where its first positions are: in the order of positions, by tree
  // node, and in the order of values.
  std::vector<Index> nodes_;
  std::vector<Row> rows_;
  // What follows serves one merge at a time.
  Index* columns_ = nullptr;
  Index size_ = 0;
  std::vector<Row> merged_;
  std::vector<Index> run_;  // row -> run of consecutive values
  // The block of a column or row, right at the corners of blocks only (hmin, hmax, vmin and vmax
  // of the paper).
  std::vector<Rectangle> by_column_;
  std::vector<Rectangle> by_row_;
  std::vector<Index> renumbered_;
};

}  // namespace

Nesting nest_by_sorting(std::span<const std::int32_t> permutation) {
  return Sorter(permutation).run();
}

}  // namespace dragoman
