#include "search/hypergraph.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "check.h"
#include "search/kbest.h"
#include "search/oracle.h"
#include "search/posteriors.h"
#include "search/reference_automaton.h"
#include "search/word_posteriors.h"
#include "text/error.h"

using namespace dragoman;

namespace {

constexpr std::uint32_t kNoRule = 0xffffffff;

// Nodes with random edges from earlier ones, of no, one or two tails.
Hypergraph random_graph(std::mt19937& random, std::size_t nodes, std::size_t words = 4) {
  Hypergraph graph;
  std::uniform_real_distribution<double> score(-3, 0);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    graph.add_node();
    const std::size_t edges = node == 0 ? 2 : 1 + random() % 3;
    for (std::size_t e = 0; e < edges; ++e) {
      std::vector<Hypergraph::Node> tails;
      const std::size_t count = node == 0 ? 0 : random() % 3;
      for (std::size_t t = 0; t < count; ++t) {
        tails.push_back(static_cast<std::uint32_t>(random() % node));
      }
      std::vector<WordId> target;
      for (std::size_t t = 0; t < count; ++t) {
        target.push_back(static_cast<WordId>(3 + random() % words));
        target.push_back(-1 - static_cast<WordId>(t));
      }
      if (count == 2 && random() % 2 == 0) std::swap(target[1], target[3]);
      target.push_back(static_cast<WordId>(3 + random() % words));
      graph.add_edge(score(random), tails, target, kNoRule, {}, {});
    }
  }
  graph.set_goal(static_cast<std::uint32_t>(nodes - 1));
  return graph;
}

struct Slow {
  double score;
  std::vector<WordId> target;
  std::map<std::uint32_t, int> edges;
};

std::vector<Slow> all_derivations(const Hypergraph& graph, Hypergraph::Node node) {
  std::vector<Slow> found;
  for (std::uint32_t e = graph.first_edge(node); e < graph.last_edge(node); ++e) {
    const Hyperedge& edge = graph.edge(e);
    const auto tails = graph.tails(edge);
    std::vector<std::vector<Slow>> below;
    for (const auto tail : tails) below.push_back(all_derivations(graph, tail));
    std::vector<std::size_t> ranks(tails.size(), 0);
    while (true) {
      Slow one{edge.score, {}, {{e, 1}}};
      for (std::size_t t = 0; t < tails.size(); ++t) {
        one.score += below[t][ranks[t]].score;
        for (const auto& [used, times] : below[t][ranks[t]].edges) one.edges[used] += times;
      }
      for (const WordId word : graph.target(edge)) {
        if (word >= 0) {
          one.target.push_back(word);
        } else {
          const auto t = static_cast<std::size_t>(-1 - word);
          const auto& part = below[t][ranks[t]].target;
          one.target.insert(one.target.end(), part.begin(), part.end());
        }
      }
      found.push_back(one);
      std::size_t t = 0;
      while (t < tails.size() && ++ranks[t] == below[t].size()) ranks[t++] = 0;
      if (t == tails.size()) break;
    }
  }
  return found;
}

}  // namespace

TEST(kbest_is_all_derivations_in_order) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const Hypergraph graph = random_graph(random, 1 + random() % 5);
    std::vector<Slow> slow = all_derivations(graph, graph.goal());
    if (slow.size() > 5000) continue;
    std::sort(slow.begin(), slow.end(),
              [](const Slow& a, const Slow& b) { return a.score > b.score; });
    KBest kbest(graph);
    const auto found = kbest.entries(slow.size() + 5);
    CHECK_EQUAL(found.size(), slow.size());
    std::vector<std::vector<WordId>> targets;
    std::vector<std::vector<WordId>> slow_targets;
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK_NEAR(found[i].score, slow[i].score, 1e-9);
      targets.push_back(graph.spell(found[i].edges));
      slow_targets.push_back(slow[i].target);
    }
    std::sort(targets.begin(), targets.end());
    std::sort(slow_targets.begin(), slow_targets.end());
    CHECK(targets == slow_targets);
  }
}

TEST(distinct_kbest_is_the_best_derivation_of_each_target) {
  std::mt19937 random(4);
  std::size_t ambiguous = 0;
  for (int round = 0; round < 300; ++round) {
    const Hypergraph graph = random_graph(random, 1 + random() % 5, 1 + random() % 2);
    const std::vector<Slow> slow = all_derivations(graph, graph.goal());
    if (slow.size() > 5000) continue;
    std::map<std::vector<WordId>, double> best;
    for (const Slow& one : slow) {
      const auto known = best.emplace(one.target, one.score).first;
      known->second = std::max(known->second, one.score);
    }
    ambiguous += best.size() < slow.size() ? 1 : 0;
    const auto found = KBest(graph, true).entries(slow.size() + 5);
    CHECK_EQUAL(found.size(), best.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK_NEAR(found[i].score, best.at(graph.spell(found[i].edges)), 1e-9);
      CHECK(i == 0 || found[i - 1].score >= found[i].score);
      double sum = 0;
      for (const std::uint32_t edge : found[i].edges) sum += graph.edge(edge).score;
      CHECK_NEAR(sum, found[i].score, 1e-9);
      best.erase(graph.spell(found[i].edges));  // each only once
    }
  }
  CHECK(ambiguous > 100);
}

// 2^60 derivations of one target come before the only other one.
TEST(distinct_kbest_sees_past_spurious_ambiguity) {
  constexpr std::uint32_t kNodes = 60;
  Hypergraph graph;
  for (std::uint32_t node = 0; node < kNodes; ++node) {
    graph.add_node();
    const std::vector<Hypergraph::Node> tails(node == 0 ? 0 : 1, node - 1);
    std::vector<WordId> target(tails.size(), -1);
    target.push_back(3);
    graph.add_edge(0, tails, target, kNoRule, {}, {});
    graph.add_edge(-0.001, tails, target, kNoRule, {}, {});
    if (node != kNodes / 2) continue;
    target.back() = 4;
    graph.add_edge(-5, tails, target, kNoRule, {}, {});
  }
  graph.set_goal(kNodes - 1);
  const auto found = best_entries(graph, 10, true);
  CHECK_EQUAL(found.size(), 2u);
  CHECK_NEAR(found[1].score, -5, 1e-12);
  CHECK_EQUAL(KBest(graph, true, 3).entries(10).size(), 1u);  // no more than it may look at
}

// Derivations are as deep as lines are long: what recurses would overflow the stack here.
TEST(kbest_of_a_very_deep_graph) {
  constexpr std::uint32_t kNodes = 200'000;
  Hypergraph graph;
  for (std::uint32_t node = 0; node < kNodes; ++node) {
    graph.add_node();
    const std::vector<Hypergraph::Node> tails(node == 0 ? 0 : 1, node - 1);
    std::vector<WordId> target(tails.size(), -1);
    target.push_back(3);
    graph.add_edge(0, tails, target, kNoRule, {}, {});
    if (node != 0 && node != kNodes / 2) continue;
    target.back() = 4;
    graph.add_edge(node == 0 ? -1 : -2, tails, target, kNoRule, {}, {});
  }
  graph.set_goal(kNodes - 1);
  const std::vector<KBest::Entry> found = KBest(graph, true).entries(10);
  CHECK_EQUAL(found.size(), 4u);
  for (std::size_t k = 0; k < found.size(); ++k) {
    CHECK_EQUAL(found[k].score, -static_cast<double>(k));
    CHECK_EQUAL(graph.spell(found[k].edges).size(), kNodes);
    CHECK_EQUAL(graph.spell(found[k].edges)[0], k % 2 == 0 ? 3 : 4);
    CHECK_EQUAL(graph.spell(found[k].edges)[kNodes / 2], k < 2 ? 3 : 4);
  }
}

TEST(posteriors_are_sums_over_derivations) {
  std::mt19937 random(4);
  for (int round = 0; round < 200; ++round) {
    const Hypergraph graph = random_graph(random, 1 + random() % 5);
    const std::vector<Slow> slow = all_derivations(graph, graph.goal());
    if (slow.size() > 5000) continue;
    const double scale = 0.7;
    double total = 0;
    std::vector<double> edges(graph.edges(), 0.0);
    for (const Slow& one : slow) {
      const double weight = std::exp(scale * one.score);
      total += weight;
      for (const auto& [edge, times] : one.edges) edges[edge] += times * weight;
    }
    const Posteriors found = posteriors(graph, scale);
    CHECK_NEAR(found.log_total, std::log(total), 1e-9);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      CHECK_NEAR(std::exp(found.edges[e]), edges[e] / total, 1e-9);
    }
  }
}

TEST(at_an_infinite_scale_posteriors_are_max_marginals) {
  std::mt19937 random(6);
  const double infinite = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 200; ++round) {
    const Hypergraph graph = random_graph(random, 1 + random() % 5);
    const std::vector<Slow> slow = all_derivations(graph, graph.goal());
    if (slow.size() > 5000) continue;
    double best = -infinite;
    std::vector<double> edges(graph.edges(), -infinite);
    for (const Slow& one : slow) {
      best = std::max(best, one.score);
      for (const auto& [edge, times] : one.edges) edges[edge] = std::max(edges[edge], one.score);
    }
    const Posteriors found = posteriors(graph, infinite);
    CHECK_NEAR(found.log_total, best, 1e-9);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (edges[e] == -infinite) {
        CHECK(found.edges[e] == -infinite);
      } else {
        CHECK_NEAR(found.edges[e], edges[e] - best, 1e-9);
      }
    }
  }
}

// The objectives of all translations, each by its best derivation, by their true counts, best
// first.
std::vector<double> all_objectives(const std::vector<Slow>& slow, Sentence reference,
                                   const OracleOptions& options) {
  std::map<std::vector<WordId>, double> by_target;
  for (const Slow& one : slow) {
    const double objective =
        options.bleu_weight * bleu(count_bleu(one.target, reference), options) +
        options.model_weight * one.score;
    const auto [place, is_new] = by_target.emplace(one.target, objective);
    if (!is_new) place->second = std::max(place->second, objective);
  }
  std::vector<double> objectives;
  for (const auto& [target, objective] : by_target) objectives.push_back(objective);
  std::sort(objectives.begin(), objectives.end(), std::greater<>());
  return objectives;
}

TEST(oracles_are_the_best_of_all_when_the_beam_is_wide) {
  std::mt19937 random(5);
  OracleOptions options;
  options.beam = 10'000;
  options.effort = 10'000;
  int compared = 0;
  for (int round = 0; round < 300; ++round) {
    const Hypergraph graph = random_graph(random, 1 + random() % 4);
    const std::vector<Slow> slow = all_derivations(graph, graph.goal());
    if (slow.size() > 500) continue;
    std::vector<WordId> reference;
    for (std::size_t i = 0; i < 2 + random() % 5; ++i) {
      reference.push_back(static_cast<WordId>(3 + random() % 4));
    }
    options.model_weight = round % 3 == 0 ? 0 : 0.3;
    options.background = {};
    if (round % 2 == 0) {
      options.background = {{5, 4, 3, 2}, {8, 7, 6, 5}, 8, 9};
      options.scale = 12;
    }
    const std::vector<double> wanted = all_objectives(slow, reference, options);
    const std::size_t n = 1 + random() % 20;
    const auto found = find_oracles(graph, reference, options, n);
    CHECK_EQUAL(found.size(), std::min(n, wanted.size()));
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK_NEAR(found[i].objective, wanted[i], 1e-9);
      CHECK_NEAR(found[i].bleu, bleu(count_bleu(graph.spell(found[i].edges), reference), options),
                 1e-12);
      double score = 0;
      for (const std::uint32_t edge : found[i].edges) score += graph.edge(edge).score;
      CHECK_NEAR(found[i].score, score, 1e-12);
    }
    ++compared;
  }
  CHECK(compared > 150);
}

TEST(narrow_beams_find_something_and_no_more_than_there_is) {
  std::mt19937 random(6);
  OracleOptions options;
  options.beam = 1;
  for (int round = 0; round < 100; ++round) {
    const Hypergraph graph = random_graph(random, 1 + random() % 4);
    const std::vector<Slow> slow = all_derivations(graph, graph.goal());
    if (slow.size() > 500) continue;
    const std::vector<WordId> reference = {3, 4, 5};
    const OracleResult found = find_oracle(graph, reference, options);
    CHECK(found.found);
    CHECK(found.objective <= all_objectives(slow, reference, options).front() + 1e-12);
  }
}

TEST(counting_by_automaton_is_counting) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    std::vector<WordId> reference(random() % 12);
    std::vector<WordId> target(random() % 12);
    for (WordId& word : reference) word = static_cast<WordId>(random() % 4);
    for (WordId& word : target) word = static_cast<WordId>(random() % 5);
    const BleuCounts slow = count_bleu(target, reference);
    const BleuCounts fast = ReferenceAutomaton(reference).count(target);
    CHECK(slow.matches == fast.matches);
    CHECK(slow.totals == fast.totals);
    CHECK_EQUAL(slow.length, fast.length);
    CHECK_EQUAL(slow.reference_length, fast.reference_length);
  }
  CHECK_THROWS(ReferenceAutomaton(std::vector<WordId>(2001, 3)), InputError, "2001 words");
}

TEST(pseudo_documents_forget) {
  PseudoDocument document;
  document.add({{3, 2, 1, 0}, {4, 3, 2, 1}, 4, 5}, 6);
  document.add({{1, 0, 0, 0}, {2, 1, 0, 0}, 2, 2}, 3);
  CHECK_NEAR(document.counts.matches[0], 0.81 * 3 + 0.9, 1e-12);
  CHECK_NEAR(document.counts.reference_length, 0.81 * 5 + 0.9 * 2, 1e-12);
  CHECK_NEAR(document.source_length, 0.81 * 6 + 0.9 * 3, 1e-12);
}

TEST(bleu_by_hand) {
  const std::vector<WordId> reference = {3, 4, 5, 6, 7};
  const std::vector<WordId> target = {3, 4, 5, 9, 3};
  const BleuCounts counts = count_bleu(target, reference);
  CHECK_EQUAL(counts.matches[0], 3.0);  // the second 3 is clipped
  CHECK_EQUAL(counts.matches[1], 2.0);
  CHECK_EQUAL(counts.matches[2], 1.0);
  CHECK_EQUAL(counts.matches[3], 0.0);
  const double expected = std::pow(3.0 / 5 * 3 / 5 * 2 / 4 * 1 / 3, 0.25);
  CHECK_NEAR(bleu(counts, {}), expected, 1e-12);
}

TEST(mistakes) {
  Hypergraph graph;
  graph.add_node();
  const Hypergraph::Node self[] = {0};
  CHECK_THROWS(graph.add_edge(0, self, {}, kNoRule, {}, {}), InputError,
               "before one of its tails");
  CHECK_THROWS(graph.reweight(std::vector<double>{1.0}), InputError, "no feature values");
  const Hypergraph none;
  CHECK(KBest(none).entries(3).empty());
  CHECK(!find_oracle(none, {}, {}).found);
  CHECK(posteriors(none).edges.empty());
}

TEST(word_posteriors_are_those_of_all_derivations) {
  // Two words: "10" or "11" for the first source word, "20" for the second, once also in one
  // phrase.
  Hypergraph graph;
  graph.add_node();
  graph.add_edge(0, {}, {}, kNoRule, {}, {});
  graph.add_node();
  const Hypergraph::Node start[] = {0};
  const Hypergraph::Node middle[] = {1};
  const std::vector<WordId> ten{-1, 10};
  const std::vector<WordId> eleven{-1, 11};
  const std::vector<WordId> twenty{-1, 20};
  const std::vector<WordId> both{-1, 11, 20};
  graph.add_edge(std::log(0.5), start, ten, kNoRule, {0, 1}, {});
  graph.add_edge(std::log(0.3), start, eleven, kNoRule, {0, 1}, {});
  graph.add_node();
  graph.add_edge(0, middle, twenty, kNoRule, {1, 2}, {});
  graph.add_edge(std::log(0.2), start, both, kNoRule, {0, 2}, {}).provenance.unknown = true;
  graph.set_goal(2);
  const auto found = word_posteriors(graph, 1.0);
  CHECK_EQUAL(found.size(), 2u);
  CHECK_EQUAL(found[0].word, 10);
  CHECK_NEAR(found[0].word_probability, 0.5, 1e-12);
  CHECK_NEAR(found[0].phrase_probability, 0.5, 1e-12);
  CHECK_EQUAL(found[1].word, 20);
  CHECK_NEAR(found[1].word_probability, 1.0, 1e-12);
  CHECK_NEAR(found[1].phrase_probability, 0.8, 1e-12);
  CHECK_EQUAL(found[1].phrase_words, 1u);
  CHECK(!found[1].unknown);
  CHECK(word_posteriors(Hypergraph(), 1.0).empty());
}

CHECK_MAIN()
