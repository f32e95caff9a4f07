#include "search/prefix_search.h"

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "check.h"
#include "search/kbest.h"
#include "text/error.h"

using namespace dragoman;

namespace {

constexpr std::uint32_t kNoRule = 0xffffffff;

// As a phrase search writes it: one tail, whose words come first.
Hypergraph random_lattice(std::mt19937& random, std::uint32_t nodes) {
  Hypergraph graph;
  std::uniform_real_distribution<double> score(-3, 0);
  graph.add_node();
  graph.add_edge(-0.5, {}, {}, kNoRule, {}, {});
  for (std::uint32_t node = 1; node < nodes; ++node) {
    graph.add_node();
    for (std::size_t e = 0; e < 1 + random() % 3; ++e) {
      const Hypergraph::Node tails[] = {static_cast<std::uint32_t>(random() % node)};
      std::vector<WordId> target{-1};
      for (std::size_t i = random() % 4; i > 0; --i) {
        target.push_back(static_cast<WordId>(3 + random() % 5));
      }
      graph.add_edge(score(random), tails, target, kNoRule, {}, {});
    }
  }
  graph.set_goal(nodes - 1);
  return graph;
}

// The best score over all translations and all places to go on from.
double slow_best(const Hypergraph& graph, const PrefixSearch& search,
                 const std::vector<float>& costs, double edit) {
  const std::size_t width = search.words().size();
  const std::size_t typed = width == 0 ? 0 : costs.size() / width;
  const auto cost = [&](std::size_t j, WordId word) {
    const auto at = std::find(search.words().begin(), search.words().end(), word);
    return static_cast<double>(
        costs[j * width + static_cast<std::size_t>(at - search.words().begin())]);
  };
  double best = -std::numeric_limits<double>::infinity();
  KBest kbest(graph);
  for (const auto& entry : kbest.entries(100000)) {
    std::vector<double> row(typed + 1);  // edits by words typed, of the words said so far
    for (std::size_t j = 0; j <= typed; ++j) row[j] = static_cast<double>(j);
    best = std::max(best, entry.score - edit * row[typed]);
    for (const WordId word : graph.spell(entry.edges)) {
      double corner = row[0];
      row[0] += 1;
      for (std::size_t j = 1; j <= typed; ++j) {
        const double replaced = corner + cost(j - 1, word);
        corner = row[j];
        row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
      }
      best = std::max(best, entry.score - edit * row[typed]);
    }
  }
  return best;
}

std::vector<float> rows_for(const PrefixSearch& search, const std::vector<WordId>& typed) {
  std::vector<float> rows;
  for (const WordId word : typed) {
    for (const WordId other : search.words()) rows.push_back(word == other ? 0.0f : 1.0f);
  }
  return rows;
}

}  // namespace

TEST(the_best_completion_is_that_of_trying_all) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> cost(0, 1);
  for (int round = 0; round < 300; ++round) {
    const Hypergraph graph = random_lattice(random, 2 + random() % 6);
    PrefixSearch search(graph);
    const double edit = 0.5 + random() % 4;
    std::vector<float> costs;
    // Word by word, as somebody types, and now and then all or a word before is something else.
    for (int typed = 0; typed < 5; ++typed) {
      const auto found = search.complete(costs, edit, 3);
      CHECK(!found.empty());
      CHECK_NEAR(found[0].score, slow_best(graph, search, costs, edit), 1e-9);
      if (random() % 5 == 0) costs.clear();
      if (!costs.empty() && random() % 3 == 0) costs[random() % costs.size()] = cost(random);
      for (std::size_t i = 0; i < search.words().size(); ++i) costs.push_back(cost(random));
      if (search.words().empty()) break;
    }
  }
}

TEST(words_typed_are_found_and_followed) {
  Hypergraph graph;
  graph.add_node();
  graph.add_edge(0, {}, {}, kNoRule, {}, {});
  graph.add_node();
  const Hypergraph::Node start[] = {0};
  const std::vector<WordId> the_red{-1, 10, 11};
  const std::vector<WordId> a_green{-1, 20, 21};
  graph.add_edge(-1, start, the_red, kNoRule, {}, {});
  graph.add_edge(-2, start, a_green, kNoRule, {}, {});
  graph.add_node();
  const Hypergraph::Node middle[] = {1};
  const std::vector<WordId> car{-1, 30};
  graph.add_edge(-1, middle, car, kNoRule, {}, {});
  graph.set_goal(2);
  PrefixSearch search(graph);
  const auto best = [&](const std::vector<WordId>& typed) {
    return search.complete(rows_for(search, typed), 5, 1)[0];
  };
  CHECK(best({}).words == (std::vector<WordId>{10, 11, 30}));
  CHECK(best({20}).words == (std::vector<WordId>{21, 30}));
  CHECK_EQUAL(best({20}).last, 20);
  CHECK_NEAR(best({20}).score, -3, 1e-12);
  CHECK(best({10, 21}).words == (std::vector<WordId>{30}));
  CHECK_NEAR(best({10, 21}).score, -7, 1e-12);
  CHECK_EQUAL(best({99, 10}).last, 10);
  CHECK_NEAR(best({20, 21}).score, -3, 1e-12);  // of two words, the first is another one now
  CHECK(best({10, 11, 30}).words.empty());
  CHECK_THROWS(search.complete(std::vector<float>(1), 5, 1), InputError, "row of costs");
  CHECK_THROWS(search.complete({}, 0, 1), InputError, "cost something");
}

TEST(graphs_of_rules_with_gaps_are_asked_for_their_best) {
  Hypergraph graph;
  graph.add_node();
  const std::vector<WordId> inner{11};
  graph.add_edge(-1, {}, inner, kNoRule, {}, {});
  graph.add_node();
  const Hypergraph::Node tail[] = {0};
  const std::vector<WordId> around{10, -1, 12};
  graph.add_edge(-1, tail, around, kNoRule, {}, {});
  graph.set_goal(1);
  PrefixSearch search(graph);
  const auto found = search.complete(rows_for(search, {10}), 5, 1);
  CHECK(found[0].words == (std::vector<WordId>{11, 12}));
  CHECK(PrefixSearch(Hypergraph()).complete({}, 1, 1).empty());
}

CHECK_MAIN()
