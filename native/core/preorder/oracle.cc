#include "preorder/oracle.h"

#include <algorithm>
#include <string>

#include "text/error.h"

namespace dragoman {

std::vector<std::int32_t> target_positions(std::span<const Link> links, std::size_t words) {
  std::vector<std::int32_t> positions(words, kNoPosition);
  // Links are sorted by source, then target, so each word's targets stand together, rising.
  for (std::size_t begin = 0; begin < links.size();) {
    std::size_t end = begin;
    while (end < links.size() && links[end].source == links[begin].source) ++end;
    if (links[begin].source >= words) {
      throw InputError("link " + std::to_string(links[begin].source) + "-" +
                       std::to_string(links[begin].target) + " points outside a sentence of " +
                       std::to_string(words) + " words");
    }
    const std::size_t count = end - begin;
    positions[links[begin].source] =
        links[begin + (count - 1) / 2].target + links[begin + count / 2].target;
    begin = end;
  }
  return positions;
}

std::vector<CrossPairs> cross_pairs(const Tree& tree, std::span<const std::int32_t> positions) {
  std::vector<CrossPairs> pairs(tree.nodes.size());
  std::vector<std::vector<std::int32_t>> sorted(tree.nodes.size());
  const auto take = [&](std::int32_t child) {
    if (child >= 0) return std::move(sorted[child]);
    std::vector<std::int32_t> one;
    if (positions[~child] != kNoPosition) one.push_back(positions[~child]);
    return one;
  };
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const std::vector<std::int32_t> left = take(tree.nodes[n].left);
    const std::vector<std::int32_t> right = take(tree.nodes[n].right);
    std::size_t below = 0;      // of left, how many are < the current one of right
    std::size_t not_above = 0;  // and how many are <=
    for (const std::int32_t value : right) {
      while (below < left.size() && left[below] < value) ++below;
      while (not_above < left.size() && left[not_above] <= value) ++not_above;
      pairs[n].rising += static_cast<std::int64_t>(below);
      pairs[n].falling += static_cast<std::int64_t>(left.size() - not_above);
    }
    sorted[n].resize(left.size() + right.size());
    std::merge(left.begin(), left.end(), right.begin(), right.end(), sorted[n].begin());
  }
  return pairs;
}

std::vector<std::int32_t> reorder(const Tree& tree, std::span<const std::uint8_t> turned) {
  std::vector<std::int32_t> order;
  order.reserve(tree.tokens.size());
  if (tree.tokens.empty()) return order;
  std::vector<std::int32_t> todo{
      tree.nodes.empty() ? ~0 : static_cast<std::int32_t>(tree.nodes.size() - 1)};
  while (!todo.empty()) {
    const std::int32_t ref = todo.back();
    todo.pop_back();
    if (ref < 0) {
      order.push_back(~ref);
      continue;
    }
    const TreeNode& node = tree.nodes[ref];
    todo.push_back(turned[ref] ? node.left : node.right);
    todo.push_back(turned[ref] ? node.right : node.left);
  }
  return order;
}

Concordance concordance(std::span<const std::int32_t> order,
                        std::span<const std::int32_t> positions) {
  std::vector<std::int32_t> values;
  values.reserve(order.size());
  for (const std::int32_t word : order) {
    if (positions[word] != kNoPosition) values.push_back(positions[word]);
  }
  Concordance result{0, static_cast<std::int64_t>(values.size())};
  // Merge sort from single values up.
  std::vector<std::int32_t> merged(values.size());
  for (std::size_t width = 1; width < values.size(); width *= 2) {
    for (std::size_t begin = 0; begin < values.size(); begin += 2 * width) {
      const std::size_t middle = std::min(values.size(), begin + width);
      const std::size_t end = std::min(values.size(), begin + 2 * width);
      std::size_t below = begin;
      for (std::size_t k = middle; k < end; ++k) {
        while (below < middle && values[below] < values[k]) ++below;
        result.concordant += static_cast<std::int64_t>(below - begin);
      }
      std::merge(values.begin() + begin, values.begin() + middle, values.begin() + middle,
                 values.begin() + end, merged.begin() + begin);
    }
    values.swap(merged);
  }
  return result;
}

}  // namespace dragoman
