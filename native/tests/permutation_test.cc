#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#include "check.h"
#include "grammar/permutation_tree.h"
#include "text/error.h"

using namespace dragoman;

namespace {

using Permutation = std::vector<std::int32_t>;

std::string drawn(const PermutationTree& tree, std::int32_t id, const Permutation& permutation) {
  const auto leaves = static_cast<std::int32_t>(tree.nesting.leaves);
  if (id < leaves) return std::to_string(permutation[id] + 1);
  std::string text = "(";
  for (const auto child : tree.nesting.of(static_cast<std::size_t>(id - leaves))) {
    if (text.size() > 1) text += ' ';
    text += drawn(tree, child, permutation);
  }
  return text + ")";
}

std::string drawn(const std::vector<std::int64_t>& values, TreeForm form, TreeMethod method) {
  const auto permutation = checked_permutation(values);
  const auto tree = permutation_tree(permutation, form, method);
  const auto root = tree.nesting.leaves + tree.nesting.inner() - 1;
  return drawn(tree, static_cast<std::int32_t>(root), permutation);
}

// Strong intervals by definition: those that no other interval overlaps. Returned as (begin, end).
std::vector<std::pair<int, int>> strong_by_definition(const Permutation& permutation) {
  const int n = static_cast<int>(permutation.size());
  std::vector<std::pair<int, int>> intervals;
  for (int i = 0; i < n; ++i) {
    auto low = permutation[i];
    auto high = low;
    for (int j = i + 1; j < n; ++j) {
      low = std::min(low, permutation[j]);
      high = std::max(high, permutation[j]);
      if (high - low == j - i) intervals.emplace_back(i, j + 1);
    }
  }
  std::vector<std::pair<int, int>> strong;
  for (const auto& a : intervals) {
    const bool overlapped = std::any_of(intervals.begin(), intervals.end(), [&](const auto& b) {
      return (a.first < b.first && b.first < a.second && a.second < b.second) ||
             (b.first < a.first && a.first < b.second && b.second < a.second);
    });
    if (!overlapped) strong.push_back(a);
  }
  std::sort(strong.begin(), strong.end());
  return strong;
}

void check_against_definition(const Permutation& permutation) {
  const auto linear = permutation_tree(permutation, TreeForm::kCanonical, TreeMethod::kLinear);
  std::vector<std::pair<int, int>> found;
  for (std::size_t k = 0; k < linear.kinds.size(); ++k) {
    found.emplace_back(linear.begins[k], linear.ends[k]);
  }
  std::sort(found.begin(), found.end());
  CHECK(found == strong_by_definition(permutation));
  for (const auto form : {TreeForm::kCanonical, TreeForm::kLeftBranching}) {
    const auto a = permutation_tree(permutation, form, TreeMethod::kLinear);
    const auto b = permutation_tree(permutation, form, TreeMethod::kSorting);
    CHECK(a.nesting.children == b.nesting.children);
    CHECK(a.nesting.offsets == b.nesting.offsets);
    CHECK(a.order == b.order);
    CHECK(a.kinds == b.kinds);
    CHECK_EQUAL(tree_rank(a), tree_rank(linear));
    CHECK(compose(a.nesting, a.order) == permutation);
    if (form == TreeForm::kLeftBranching) {
      for (std::size_t k = 0; k < a.kinds.size(); ++k) {
        CHECK(a.kinds[k] == NodeKind::kSimple || a.nesting.of(k).size() == 2);
      }
    }
  }
}

}  // namespace

TEST(the_papers_example_has_nodes_of_size_four_and_five) {
  for (const auto method : {TreeMethod::kLinear, TreeMethod::kSorting}) {
    CHECK_EQUAL(drawn({7, 1, 4, 6, 3, 5, 8, 2}, TreeForm::kLeftBranching, method),
                "(7 1 (4 6 3 5) 8 2)");
    // Figure 1, left.
    CHECK_EQUAL(drawn({2, 1, 3, 4, 7, 5, 8, 6}, TreeForm::kCanonical, method),
                "((2 1) 3 4 (7 5 8 6))");
    CHECK_EQUAL(drawn({2, 1, 3, 4, 7, 5, 8, 6}, TreeForm::kLeftBranching, method),
                "((((2 1) 3) 4) (7 5 8 6))");
    CHECK_EQUAL(drawn({0}, TreeForm::kLeftBranching, method), "1");
  }
  CHECK_EQUAL(tree_rank(permutation_tree(checked_permutation(std::vector<std::int64_t>{1}))), 1u);
}

TEST(all_permutations_up_to_seven_agree_with_the_definition) {
  for (int n = 1; n <= 7; ++n) {
    Permutation permutation(static_cast<std::size_t>(n));
    std::iota(permutation.begin(), permutation.end(), 0);
    do check_against_definition(permutation);
    while (std::next_permutation(permutation.begin(), permutation.end()));
  }
}

TEST(random_and_locally_shuffled_permutations_agree_with_the_definition) {
  std::mt19937 random(7);
  for (int round = 0; round < 1500; ++round) {
    Permutation permutation(1 + random() % 40);
    std::iota(permutation.begin(), permutation.end(), 0);
    if (round % 3 == 0) {
      std::shuffle(permutation.begin(), permutation.end(), random);
    } else {  // reversed and shuffled pieces: deep trees
      for (int k = 0; k < 12; ++k) {
        const auto a = random() % (permutation.size() + 1);
        const auto b = std::min<std::size_t>(permutation.size(), a + random() % 7);
        if (round % 3 == 1) {
          std::reverse(permutation.begin() + a, permutation.begin() + b);
        } else {
          std::shuffle(permutation.begin() + a, permutation.begin() + b, random);
        }
      }
    }
    check_against_definition(permutation);
  }
}

TEST(long_chains_are_not_too_deep) {
  const int n = 100'001;
  Permutation outward(n);  // ... 4 2 0 1 3 5 ...
  Permutation one_sided(n);
  for (int v = 0; v < n; ++v) outward[v % 2 == 0 ? n / 2 - v / 2 : n / 2 + (v + 1) / 2] = v;
  std::iota(one_sided.begin(), one_sided.end(), 0);
  for (int k = 0, low = 0, high = n - 1; k < n; ++k) one_sided[k] = k % 2 == 0 ? high-- : low++;
  for (const auto& permutation : {outward, one_sided}) {
    const auto a = permutation_tree(permutation, TreeForm::kLeftBranching, TreeMethod::kLinear);
    const auto b = permutation_tree(permutation, TreeForm::kLeftBranching, TreeMethod::kSorting);
    CHECK_EQUAL(tree_rank(a), 2u);
    CHECK(a.nesting.children == b.nesting.children);
    CHECK(compose(a.nesting, a.order) == permutation);
  }
}

TEST(what_is_no_permutation_is_refused) {
  const auto checked = [](std::vector<std::int64_t> values) {
    return checked_permutation(values);
  };
  CHECK_THROWS(checked({}), InputError, "empty");
  CHECK_THROWS(checked({1, 2, 2}), InputError, "2 comes twice");
  CHECK_THROWS(checked({1, 3}), InputError, "element 2 is 3");
  CHECK_THROWS(checked({0, 2}), InputError, "0..1");
  CHECK_THROWS(checked({-1, 0}), InputError, "element 1 is -1");
  CHECK(checked({2, 3, 1}) == checked({1, 2, 0}));
}

TEST(what_is_no_tree_is_refused) {
  Nesting nesting;
  nesting.leaves = 3;
  nesting.children = {0, 2, 3, 1};
  nesting.offsets = {0, 2, 4};
  const std::vector<std::int32_t> order{0, 1, 0, 1};
  CHECK_THROWS(compose(nesting, order), InputError, "neighbours");
  nesting.children = {0, 1, 3, 1};
  CHECK_THROWS(compose(nesting, order), InputError, "used twice");
  nesting.children = {0, 1, 3, 2};
  CHECK((compose(nesting, order) == std::vector<std::int32_t>{0, 1, 2}));
  CHECK_THROWS(compose(nesting, std::vector<std::int32_t>{0, 0, 0, 1}), InputError,
               "not a permutation");
}

CHECK_MAIN()
