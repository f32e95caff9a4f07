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
      : nodes_(permutation.size()),
        rows_(permutation.size()),
        merged_(permutation.size()),
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
      left_[row] = right_[row] = column;
      bottom_[column] = top_[column] = row;
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
      nesting_.children.push_back(columns_[column]);
      column = right_[bottom_[column]] + 1;
    }
    nesting_.close_node();
    columns_[block.left] = static_cast<Index>(nesting_.leaves + nesting_.inner() - 1);
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
  Index compact(Row* rows) {
    Index count = 0;
    for (Index column = 0; column < size_;) {
      const Index next = right_[bottom_[column]] + 1;
      renumbered_[column] = count;
      columns_[count++] = columns_[column];
      column = next;
    }
    Index kept = 0;
    for (Index row = 0; row < size_;) {
      const Index column = left_[row];
      const Index top = top_[column];
      rows[kept++] = {rows[row].low, rows[top].high, renumbered_[column]};
      row = top + 1;
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
  std::vector<Index> run_;   // row -> run of consecutive values
  std::vector<Index> left_;  // row -> bounds of its block (the paper's hmin, hmax)
  std::vector<Index> right_;
  std::vector<Index> bottom_;  // column -> bounds of its block (vmin, vmax)
  std::vector<Index> top_;
  std::vector<Index> renumbered_;
};

}  // namespace

Nesting nest_by_sorting(std::span<const std::int32_t> permutation) {
  return Sorter(permutation).run();
}

}  // namespace dragoman
