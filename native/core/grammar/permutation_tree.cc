#include "grammar/permutation_tree.h"

#include <algorithm>
#include <string>

#include "grammar/strong_intervals.h"
#include "text/error.h"

namespace dragoman {

namespace {

// The smallest value below each node, leaves first.
std::vector<std::int32_t> lowest_values(std::span<const std::int32_t> permutation,
                                        const Nesting& nesting) {
  std::vector<std::int32_t> lows(permutation.begin(), permutation.end());
  lows.reserve(nesting.leaves + nesting.inner());
  for (std::size_t node = 0; node < nesting.inner(); ++node) {
    const auto children = nesting.of(node);
    std::int32_t low = lows[children.front()];
    for (const auto child : children) low = std::min(low, lows[child]);
    lows.push_back(low);
  }
  return lows;
}

// No simple permutation is monotone, and every wider node that is not simple is.
NodeKind kind_of(std::span<const std::int32_t> children, std::span<const std::int32_t> lows) {
  const bool up = lows[children[0]] < lows[children[1]];
  for (std::size_t i = 2; i < children.size(); ++i) {
    if ((lows[children[i - 1]] < lows[children[i]]) != up) return NodeKind::kSimple;
  }
  return up ? NodeKind::kStraight : NodeKind::kInverted;
}

// Redraws a nesting in the wanted form, in post-order.
class Redraw {
 public:
  Redraw(const Nesting& nesting, std::span<const std::int32_t> lows, TreeForm form)
      : nesting_(nesting), lows_(lows), form_(form) {
    kinds_.reserve(nesting.inner());
    for (std::size_t node = 0; node < nesting.inner(); ++node) {
      kinds_.push_back(kind_of(nesting.of(node), lows));
    }
    result_.leaves = nesting.leaves;
    result_.offsets.reserve(nesting.inner() + 1);
    result_.children.reserve(nesting.children.size());
  }

  Nesting run() {
    if (nesting_.inner() == 0) return std::move(result_);
    open(nesting_.inner() - 1, 0, false);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const auto children = nesting_.of(frame.node);
      if (frame.next == children.size()) {
        close();
        continue;
      }
      const auto child = static_cast<std::size_t>(children[frame.next++]);
      if (child < nesting_.leaves) {
        add(static_cast<std::int32_t>(child), frame.base, kinds_[frame.node]);
      } else {
        const auto inner = child - nesting_.leaves;
        const bool run = kinds_[inner] != NodeKind::kSimple && kinds_[inner] == kinds_[frame.node];
        open(inner, run ? frame.base : finished_.size(), run);
      }
    }
    return std::move(result_);
  }

 private:
  // A node whose children are being visited. Those of a node that continues its parent's run
  // are added to the parent's list, which begins at finished_[base].
  struct Frame {
    std::size_t node;
    std::size_t next;
    std::size_t base;
    bool continues_run;
  };

  void open(std::size_t node, std::size_t base, bool continues_run) {
    frames_.push_back({node, 0, base, continues_run});
  }

  void close() {
    const Frame frame = frames_.back();
    frames_.pop_back();
    if (frame.continues_run) return;
    const auto id = finished_.size() - frame.base == 1 ? take(frame.base) : emit(frame.base);
    if (!frames_.empty()) add(id, frames_.back().base, kinds_[frames_.back().node]);
  }

  void add(std::int32_t id, std::size_t base, NodeKind kind) {
    finished_.push_back(id);
    if (form_ == TreeForm::kLeftBranching && kind != NodeKind::kSimple &&
        finished_.size() - base == 2) {
      finished_.push_back(emit(base));
    }
  }

  std::int32_t take(std::size_t base) {
    const auto id = finished_[base];
    finished_.resize(base);
    return id;
  }

  std::int32_t emit(std::size_t base) {
    result_.children.insert(result_.children.end(), finished_.begin() + base, finished_.end());
    result_.close_node();
    finished_.resize(base);
    return static_cast<std::int32_t>(result_.leaves + result_.inner() - 1);
  }

  const Nesting& nesting_;
  std::span<const std::int32_t> lows_;
  TreeForm form_;
  std::vector<NodeKind> kinds_;
  std::vector<Frame> frames_;
  std::vector<std::int32_t> finished_;
  Nesting result_;
};

// Each child's rank among its siblings. The children's values partition the node's, so a walk
// from one child to the one with the next higher values takes a step per child and no sorting.
std::vector<std::int32_t> sibling_order(const PermutationTree& tree,
                                        std::span<const std::int32_t> lows) {
  const Nesting& nesting = tree.nesting;
  const std::size_t leaves = nesting.leaves;
  std::vector<std::int32_t> order(nesting.children.size());
  struct Place {
    std::uint32_t slot;
    std::uint32_t size;
  };
  std::vector<Place> child_at(leaves);  // by lowest value
  for (std::size_t node = 0; node < nesting.inner(); ++node) {
    const auto begin = nesting.offsets[node];
    const auto end = nesting.offsets[node + 1];
    if (tree.kinds[node] != NodeKind::kSimple) {
      const bool up = tree.kinds[node] == NodeKind::kStraight;
      for (auto slot = begin; slot < end; ++slot) {
        order[slot] = static_cast<std::int32_t>(up ? slot - begin : end - 1 - slot);
      }
      continue;
    }
    for (auto slot = begin; slot < end; ++slot) {
      const auto child = static_cast<std::size_t>(nesting.children[slot]);
      const auto size =
          child < leaves ? 1 : tree.ends[child - leaves] - tree.begins[child - leaves];
      child_at[lows[child]] = {slot, static_cast<std::uint32_t>(size)};
    }
    auto value = static_cast<std::size_t>(tree.lows[node]);
    for (std::uint32_t rank = 0; rank < end - begin; ++rank) {
      order[child_at[value].slot] = static_cast<std::int32_t>(rank);
      value += child_at[value].size;
    }
  }
  return order;
}

}  // namespace

std::vector<std::int32_t> checked_permutation(std::span<const std::int64_t> values) {
  const auto n = static_cast<std::int64_t>(values.size());
  if (n == 0) throw InputError("an empty permutation has no tree");
  if (n > 1'000'000'000) throw InputError("permutations are limited to 1,000,000,000 elements");
  const std::int64_t base = *std::min_element(values.begin(), values.end()) == 0 ? 0 : 1;
  const std::string range = std::to_string(base) + ".." + std::to_string(n - 1 + base);
  std::vector<std::int32_t> permutation(values.size());
  std::vector<bool> seen(values.size(), false);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = values[i] - base;
    if (value < 0 || value >= n) {
      throw InputError("not a permutation: element " + std::to_string(i + 1) + " is " +
                       std::to_string(values[i]) + ", but " + std::to_string(n) +
                       " elements must be the numbers " + range);
    }
    if (seen[value]) {
      throw InputError("not a permutation: " + std::to_string(values[i]) +
                       " comes twice, the second time as element " + std::to_string(i + 1) +
                       "; each of " + range + " must come once");
    }
    seen[value] = true;
    permutation[i] = static_cast<std::int32_t>(value);
  }
  return permutation;
}

PermutationTree permutation_tree(std::span<const std::int32_t> permutation, TreeForm form,
                                 TreeMethod method) {
  const Nesting found = method == TreeMethod::kSorting ? nest_by_sorting(permutation)
                                                       : nest_strong_intervals(permutation);
  PermutationTree tree;
  tree.nesting = Redraw(found, lowest_values(permutation, found), form).run();
  const auto lows = lowest_values(permutation, tree.nesting);
  const std::size_t inner = tree.nesting.inner();
  const std::size_t leaves = tree.nesting.leaves;
  tree.kinds.reserve(inner);
  tree.begins.reserve(inner);
  tree.ends.reserve(inner);
  tree.lows.assign(lows.begin() + static_cast<std::ptrdiff_t>(leaves), lows.end());
  const auto is_leaf = [&](std::int32_t id) { return static_cast<std::size_t>(id) < leaves; };
  for (std::size_t node = 0; node < inner; ++node) {
    const auto children = tree.nesting.of(node);
    tree.kinds.push_back(kind_of(children, lows));
    const auto first = children.front();
    const auto last = children.back();
    tree.begins.push_back(is_leaf(first) ? first : tree.begins[first - leaves]);
    tree.ends.push_back(is_leaf(last) ? last + 1 : tree.ends[last - leaves]);
  }
  tree.order = sibling_order(tree, lows);
  return tree;
}

std::size_t tree_rank(const PermutationTree& tree) {
  std::size_t rank = tree.nesting.inner() == 0 ? 1 : 2;
  for (std::size_t node = 0; node < tree.nesting.inner(); ++node) {
    if (tree.kinds[node] == NodeKind::kSimple) rank = std::max(rank, tree.nesting.of(node).size());
  }
  return rank;
}

std::vector<std::int32_t> compose(const Nesting& nesting, std::span<const std::int32_t> order) {
  const std::size_t n = nesting.leaves;
  const std::size_t nodes = n + nesting.inner();
  if (order.size() != nesting.children.size()) {
    throw InputError("a tree needs one order number for each child");
  }
  // Every node but the last is somebody's child once, children come before parents, and siblings
  // are neighbours in position.
  std::vector<std::uint8_t> used(nodes, 0);
  std::vector<std::int32_t> sizes(nodes, 1);
  std::vector<std::int32_t> begins(nodes);
  for (std::size_t leaf = 0; leaf < n; ++leaf) begins[leaf] = static_cast<std::int32_t>(leaf);
  for (std::size_t node = 0; node < nesting.inner(); ++node) {
    const auto children = nesting.of(node);
    std::int32_t size = 0;
    for (const auto child : children) {
      if (child < 0 || static_cast<std::size_t>(child) >= n + node || used[child] != 0) {
        throw InputError("not a tree: child " + std::to_string(child) + " of node " +
                         std::to_string(n + node) +
                         " is used twice or does not come before its parent");
      }
      if (size > 0 && begins[child] != begins[children.front()] + size) {
        throw InputError("not a tree: the children of node " + std::to_string(n + node) +
                         " are not neighbours from left to right");
      }
      used[child] = 1;
      size += sizes[child];
    }
    if (children.size() < 2) {
      throw InputError("not a permutation tree: node " + std::to_string(n + node) +
                       " has fewer than two children");
    }
    sizes[n + node] = size;
    begins[n + node] = begins[children.front()];
  }
  if (nodes == 0 || std::count(used.begin(), used.end(), 0) != 1 || used[nodes - 1] != 0) {
    throw InputError("not a tree: every node but the last must be a child");
  }
  std::vector<std::int32_t> low(nodes, 0);
  std::vector<std::int32_t> sorted;
  for (std::size_t node = nesting.inner(); node-- > 0;) {
    const auto children = nesting.of(node);
    sorted.assign(children.size(), -1);
    for (std::size_t i = 0; i < children.size(); ++i) {
      const auto rank = order[nesting.offsets[node] + i];
      if (rank < 0 || static_cast<std::size_t>(rank) >= children.size() || sorted[rank] >= 0) {
        throw InputError("the order of node " + std::to_string(n + node) +
                         " is not a permutation");
      }
      sorted[rank] = children[i];
    }
    std::int32_t next = low[n + node];
    for (const auto child : sorted) {
      low[child] = next;
      next += sizes[child];
    }
  }
  low.resize(n);
  return low;
}

}  // namespace dragoman
