#include "grammar/strong_intervals.h"

#include <algorithm>

namespace dragoman {

namespace {

// A target's value, and the nearest targets on either side whose value comes `before` it (the
// ends when there is none). Side by side, because they are looked up in a random order.
struct Bounds {
  std::int32_t value;
  std::int32_t left;
  std::int32_t right;
};

template <class Before>
std::vector<Bounds> nearest(std::span<const std::int32_t> values, Before before) {
  const auto m = static_cast<std::int32_t>(values.size());
  std::vector<Bounds> bounds(values.size());
  std::vector<std::int32_t> stack;
  for (std::int32_t t = 0; t < m; ++t) {
    while (!stack.empty() && before(values[t], values[stack.back()])) {
      bounds[stack.back()].right = t;
      stack.pop_back();
    }
    bounds[t] = {values[t], stack.empty() ? -1 : stack.back(), m};
    // An equal value is no bound, so the one to the right looks on through its twin.
    if (!stack.empty() && values[stack.back()] == values[t]) {
      bounds[t].left = bounds[stack.back()].left;
    }
    stack.push_back(t);
  }
  return bounds;
}

// Sources are visited in order but their targets lie anywhere: ask the memory in time.
constexpr std::int32_t kLookAhead = 16;

// reach_right[i] = the last j such that every target of i..j lies in the widest interval of
// targets around i's that has no source before i; j = i at least. (i..j) is a block exactly if
// j <= reach_right[i] and reach_left[j] <= i. The intervals (i..reach_right[i]) are nested or
// disjoint, hence the skipping over whole ones.
std::vector<std::int32_t> reach_right(const Crossings& c) {
  const auto n = static_cast<std::int32_t>(c.first_target.size());
  const auto bounds = nearest(c.first_source, std::less<>());
  std::vector<std::int32_t> reach(c.first_target.size());
  for (std::int32_t i = n - 1; i >= 0; --i) {
    reach[i] = i;
    if (i >= kLookAhead) __builtin_prefetch(&bounds[c.first_target[i - kLookAhead]]);
    const auto [owner, left, right] = bounds[c.first_target[i]];
    if (owner != i || c.last_target[i] >= right) continue;
    auto j = i;
    while (j + 1 < n && c.first_target[j + 1] > left && c.last_target[j + 1] < right) {
      j = reach[j + 1];
    }
    reach[i] = j;
  }
  return reach;
}

std::vector<std::int32_t> reach_left(const Crossings& c) {
  const auto n = static_cast<std::int32_t>(c.first_target.size());
  const auto bounds = nearest(c.last_source, std::greater<>());
  std::vector<std::int32_t> reach(c.first_target.size());
  for (std::int32_t j = 0; j < n; ++j) {
    reach[j] = j;
    if (j + kLookAhead < n) __builtin_prefetch(&bounds[c.first_target[j + kLookAhead]]);
    const auto [owner, left, right] = bounds[c.first_target[j]];
    if (owner != j || c.last_target[j] >= right) continue;
    auto i = j;
    while (i > 0 && c.first_target[i - 1] > left && c.last_target[i - 1] < right) {
      i = reach[i - 1];
    }
    reach[j] = i;
  }
  return reach;
}

// The longest block that begins at each source. If it ends at j, the child (in the nesting of
// the reach intervals) that holds j has its own longest block end at j too, so each source asks
// its children only.
std::vector<std::int32_t> longest_from(std::span<const std::int32_t> right,
                                       std::span<const std::int32_t> left) {
  const auto n = static_cast<std::int32_t>(right.size());
  std::vector<std::int32_t> parent(right.size(), 0);
  std::vector<std::int32_t> stack{0};
  for (std::int32_t i = 1; i < n; ++i) {
    while (right[stack.back()] < i) stack.pop_back();
    parent[i] = stack.back();
    stack.push_back(i);
  }
  std::vector<std::int32_t> longest(right.size());
  for (std::int32_t i = 0; i < n; ++i) longest[i] = i;
  longest[0] = n - 1;
  for (std::int32_t i = n - 1; i > 0; --i) {
    const auto up = parent[i];
    if (left[longest[i]] <= up) longest[up] = std::max(longest[up], longest[i]);
  }
  return longest;
}

// The mirror image: the longest block that ends at each source.
std::vector<std::int32_t> longest_to(std::span<const std::int32_t> right,
                                     std::span<const std::int32_t> left) {
  const auto n = static_cast<std::int32_t>(right.size());
  std::vector<std::int32_t> parent(right.size(), n - 1);
  std::vector<std::int32_t> stack{n - 1};
  for (std::int32_t j = n - 2; j >= 0; --j) {
    while (left[stack.back()] > j) stack.pop_back();
    parent[j] = stack.back();
    stack.push_back(j);
  }
  std::vector<std::int32_t> longest(right.size());
  for (std::int32_t j = 0; j < n; ++j) longest[j] = j;
  longest[n - 1] = 0;
  for (std::int32_t j = 0; j < n - 1; ++j) {
    const auto up = parent[j];
    if (right[longest[j]] >= up) longest[up] = std::min(longest[up], longest[j]);
  }
  return longest;
}

}  // namespace

Nesting nest_strong_blocks(const Crossings& crossings) {
  const std::size_t n = crossings.first_target.size();
  Nesting nesting;
  nesting.leaves = n;
  if (n < 2) return nesting;
  const auto right = reach_right(crossings);
  const auto left = reach_left(crossings);
  const auto ends = longest_from(right, left);
  const auto begins = longest_to(right, left);

  // Write the bounds of all longest blocks as brackets: those that match are the strong ones.
  std::vector<std::int32_t> opened(n, 1);
  std::vector<std::int32_t> closed(n, 1);
  for (std::size_t i = 0; i < n; ++i) {
    ++opened[begins[i]];
    ++closed[ends[i]];
  }
  struct Built {
    std::int32_t begin;
    std::int32_t id;
  };
  std::vector<std::int32_t> brackets;
  std::vector<Built> built;
  nesting.offsets.reserve(n);
  nesting.children.reserve(2 * n);
  for (std::size_t x = 0; x < n; ++x) {
    const auto position = static_cast<std::int32_t>(x);
    brackets.insert(brackets.end(), static_cast<std::size_t>(opened[x]), position);
    built.push_back({position, position});
    for (std::int32_t k = 0; k < closed[x]; ++k) {
      const auto begin = brackets.back();
      brackets.pop_back();
      if (built.back().begin <= begin) continue;  // the same interval once more
      auto first = built.size() - 1;
      while (built[first].begin > begin) --first;
      for (auto child = first; child < built.size(); ++child) {
        nesting.children.push_back(built[child].id);
      }
      nesting.close_node();
      built.resize(first);
      built.push_back({begin, static_cast<std::int32_t>(n + nesting.inner() - 1)});
    }
  }
  return nesting;
}

Nesting nest_strong_intervals(std::span<const std::int32_t> permutation) {
  Crossings crossings;
  crossings.first_target.assign(permutation.begin(), permutation.end());
  crossings.last_target = crossings.first_target;
  crossings.first_source.resize(permutation.size());
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    crossings.first_source[permutation[i]] = static_cast<std::int32_t>(i);
  }
  crossings.last_source = crossings.first_source;
  return nest_strong_blocks(crossings);
}

}  // namespace dragoman
