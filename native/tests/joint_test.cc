// Rule sets, forced decoding and its graph, without any Python.
#include <cmath>
#include <filesystem>
#include <numeric>
#include <random>

#include "check.h"
#include "learning/forced_search.h"
#include "learning/joint_trainer.h"
#include "learning/rule_set.h"
#include "search/posteriors.h"
#include "text/error.h"

using namespace dragoman;

namespace {

// p(word | given) = 1/2 for the same number, little otherwise.
LexicalTable diagonal_table(WordId words) {
  std::vector<std::uint64_t> starts{0};
  std::vector<WordId> ids;
  std::vector<float> probabilities;
  for (WordId given = -1; given < words; ++given) {
    for (WordId word = 3; word < words; ++word) {
      ids.push_back(word);
      probabilities.push_back(given == word ? 0.5f : 0.01f);
    }
    starts.push_back(ids.size());
  }
  return {std::move(starts), std::move(ids), std::move(probabilities)};
}

ForcedWeights weights() {
  ForcedWeights own;
  own.values = {0.5, 0.5, 1, 1, 0};
  own.phrases = -0.2;
  own.distortion = 0.1;
  own.null_rules = -0.3;
  return own;
}

}  // namespace

TEST(rule_set) {
  RuleSet rules(4.0, 2);
  const std::vector<WordId> a{3}, ab{3, 4}, x{7}, xy{7, 8};
  rules.add(a, x, 2, 0);
  rules.add(a, x, 1, 1);
  rules.add(ab, xy, 1, 1);
  rules.add(a, {}, 1, 0);
  CHECK_EQUAL(rules.size(), 3u);
  const auto find = [&rules](Sentence source, Sentence target) {
    return rules.find(rules.sources().find(source), rules.targets().find(target));
  };
  CHECK(find(a, xy) == nullptr);
  CHECK(find(x, x) == nullptr);
  CHECK_NEAR(rules.count(*find(a, x)), 3, 1e-12);
  CHECK_NEAR(rules.count(*find(a, x), 0), 1, 1e-12);
  CHECK_NEAR(rules.count(*find(ab, xy), 1), 0, 1e-12);
  // Equation 1: c(f, e) / (c(f) + k^(l - 1)).
  CHECK_NEAR(rules.probabilities(*find(a, x)).forward, std::log(3.0 / 5), 1e-6);
  CHECK_NEAR(rules.probabilities(*find(a, x)).backward, std::log(3.0 / 4), 1e-6);
  CHECK_NEAR(rules.probabilities(*find(ab, xy)).forward, std::log(1.0 / 5), 1e-6);
  CHECK_NEAR(rules.probabilities(*find(ab, xy), 1).forward, std::log(kUnseenRule), 1e-5);

  // United, counts are added, fold by fold.
  RuleSet united(4.0, 2);
  united.add(ab, xy, 0.5, 0);
  united.add_all(rules);
  CHECK_EQUAL(united.size(), 3u);
  const RuleSet::Rule* both = united.find(united.sources().find(ab), united.targets().find(xy));
  CHECK_NEAR(united.count(*both), 1.5, 1e-12);
  CHECK_NEAR(united.count(*both, 1), 0.5, 1e-12);
  CHECK_NEAR(united.source_count(united.sources().find(a)), 4, 1e-12);
  CHECK_THROWS(united.add_all(RuleSet(4.0, 3)), InputError, "folds");

  const std::string path = std::filesystem::temp_directory_path() / "dragoman_joint_test.rules";
  rules.save(path);
  const RuleSet loaded = RuleSet::open(path);
  CHECK_EQUAL(loaded.size(), rules.size());
  CHECK_EQUAL(loaded.folds(), 2u);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    CHECK_EQUAL(loaded.rules()[i].source, rules.rules()[i].source);
    CHECK_EQUAL(loaded.rules()[i].target, rules.rules()[i].target);
    CHECK_NEAR(loaded.count(loaded.rules()[i], 1), rules.count(rules.rules()[i], 1), 1e-12);
  }
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 8);
  CHECK_THROWS(RuleSet::open(path), InputError, "");
  std::filesystem::remove(path);
  CHECK_THROWS(RuleSet(0), InputError, "above zero");
}

// What was put away and taken up again goes on with exactly the same numbers.
TEST(totals_do_not_depend_on_the_order_of_counting) {
  const std::string path = std::filesystem::temp_directory_path() / "dragoman_joint_test.totals";
  RuleSet rules(4.0, 2);
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    const std::vector<WordId> source{static_cast<WordId>(3 + random() % 5)};
    const std::vector<WordId> target{static_cast<WordId>(3 + random() % 5)};
    rules.add(source, target, static_cast<double>(random() % 1000) / 997, random() % 2);
  }
  rules.add_up();
  rules.save(path);
  const RuleSet loaded = RuleSet::open(path);
  std::filesystem::remove(path);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const RuleSet::Rule& rule = rules.rules()[i];
    for (const std::size_t without : {std::size_t{0}, std::size_t{1}, kNoFold}) {
      CHECK(loaded.count(loaded.rules()[i], without) == rules.count(rule, without));
      CHECK(loaded.source_count(rule.source, without) == rules.source_count(rule.source, without));
      CHECK(loaded.target_count(rule.target, without) == rules.target_count(rule.target, without));
    }
  }
}

TEST(found_rules_travel_in_files) {
  const std::string path = std::filesystem::temp_directory_path() / "dragoman_joint_test.found";
  FoundRules found, more;
  found.counts = {2, 1, 1, -3.5, 9};
  found.add(4, {0, 1, 2, 3}, 0.5);
  more.counts = {1, 1, 0, -1, 1};
  more.add(5, {1, 1, 0, 2}, 1.0);
  found.append(more);
  found.save(path);
  const FoundRules loaded = FoundRules::open(path);
  CHECK_EQUAL(loaded.counts.pairs, 3u);
  CHECK_EQUAL(loaded.counts.reachable, 2u);
  CHECK_EQUAL(loaded.counts.empty, 1u);
  CHECK_EQUAL(loaded.counts.evaluated, 10u);
  CHECK_NEAR(loaded.counts.score, -4.5, 0);
  CHECK(loaded.pairs == (std::vector<std::uint32_t>{4, 5}));
  CHECK(loaded.rules == found.rules);
  CHECK(loaded.posteriors == found.posteriors);
  found.posteriors[0] = -1;
  found.save(path);
  CHECK_THROWS(FoundRules::open(path), InputError, "damaged");
  std::filesystem::remove(path);

  // Rules of another text are refused.
  const LexicalTable table = diagonal_table(12);
  const std::vector<WordId> words{3, 4};
  const std::vector<std::uint64_t> offsets{0, 2};
  const ParallelText text{Sentences(words, offsets), Sentences(words, offsets)};
  JointTrainer trainer(text, table, table, {});
  CHECK_THROWS(trainer.add(loaded), InputError, "sentence pair 5");
  FoundRules beyond;
  beyond.add(0, {0, 1, 1, 3}, 0.5);
  CHECK_THROWS(trainer.add(beyond), InputError, "sentence pair 1");
}

TEST(random_pairs) {
  const LexicalTable table = diagonal_table(12);
  const RuleSet rules;
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::vector<WordId> source(1 + random() % 9), target(1 + random() % 9);
    for (WordId& word : source) word = static_cast<WordId>(3 + random() % 9);
    for (WordId& word : target) word = static_cast<WordId>(3 + random() % 9);
    ForcedOptions options;
    options.beam = 1 + static_cast<std::uint32_t>(random() % 12);
    options.null_rules = random() % 2 == 0;
    options.gap_limit = kNoLimit;
    if (random() % 2 == 0) options.distortion_limit = static_cast<std::uint32_t>(random() % 7);
    if (random() % 2 == 0) options.gap_limit = 1 + static_cast<std::uint32_t>(random() % 3);
    PairPhrases phrases(3);
    phrases.fill(source, target, rules, table, table, {});
    ForcedSearch search(3, options);
    const ForcedSpace& space = search.run(phrases, weights());
    if (!space.reached()) {
      CHECK(!options.null_rules);
      continue;
    }
    std::vector<PlacedRule> placed;
    const Hypergraph graph =
        forced_graph(space, search.coverages(), weights(), source.size(), placed);
    const Posteriors found = posteriors(graph);
    CHECK_EQUAL(placed.size(), graph.edges());
    std::vector<double> covered(source.size()), produced(target.size());
    for (std::size_t e = 0; e < graph.edges(); ++e) {
      for (auto i = placed[e].source_begin; i < placed[e].source_end; ++i) {
        covered[i] += std::exp(found.edges[e]);
      }
      for (auto j = placed[e].target_begin; j < placed[e].target_end; ++j) {
        produced[j] += std::exp(found.edges[e]);
      }
    }
    for (const double sum : covered) CHECK_NEAR(sum, 1, 1e-9);
    for (const double sum : produced) CHECK_NEAR(sum, 1, 1e-9);
  }
}

TEST(only_known_rules) {
  const LexicalTable table = diagonal_table(12);
  RuleSet rules;
  const std::vector<WordId> source{3, 4}, target{4, 3};
  rules.add(std::vector<WordId>{3}, std::vector<WordId>{3}, 1);
  PairPhrases phrases(3);
  ForcedSearch search(3, {.null_rules = false});
  phrases.fill(source, target, rules, table, table, {kNoFold, 0.5});
  CHECK(!search.run(phrases, weights()).reached());
  rules.add(std::vector<WordId>{4}, std::vector<WordId>{4}, 1);
  phrases.fill(source, target, rules, table, table, {kNoFold, 0.5});
  const ForcedSpace& space = search.run(phrases, weights());
  CHECK(space.reached());
  const auto derivation = forced_derivation(space, space.best.back());
  CHECK_EQUAL(derivation.size(), 2u);
  CHECK(derivation.front() == (PlacedRule{1, 2, 0, 1}));
  phrases.fill(source, target, rules, table, table, {kNoFold, 2});
  CHECK(!search.run(phrases, weights()).reached());
}

CHECK_MAIN()
