#include "check.h"

#include <array>
#include <cmath>
#include <string>

#include "evaluation/bleu_statistics.h"
#include "evaluation/edit_rate.h"
#include "text/error.h"
#include "tuning/candidate_set.h"
#include "tuning/line_search.h"
#include "tuning/mira.h"

using namespace dragoman;

TEST(statistics_by_hand) {
  // "a b" occurs once in the first reference and "b" twice in the second: clipped by the most.
  const BleuReferences references({{"a b c"}, {"b b d e f"}});
  std::array<double, BleuReferences::kColumns> row;
  references.statistics(0, "b b b a", row.data());
  const std::array<double, BleuReferences::kColumns> expected = {4, 3, 3, 1, 0, 0, 4, 3, 2, 1};
  for (std::size_t i = 0; i < row.size(); ++i) CHECK_EQUAL(row[i], expected[i]);
  references.statistics(0, "", row.data());
  CHECK_EQUAL(row[0], 0.0);
  CHECK_EQUAL(row[1], 3.0);
}

TEST(nothing_to_compare_with) {
  CHECK_THROWS(BleuReferences({}), InputError, "no references");
  CHECK_THROWS(BleuReferences({{"a"}, {"a", "b"}}), InputError, "equally many");
}

TEST(edits_by_hand) {
  EditCounter counter;
  CHECK_EQUAL(counter.edits("a b c", "a b c"), 0U);
  CHECK_EQUAL(counter.edits("a x c", "a b c"), 1U);
  CHECK_EQUAL(counter.edits("", "a b c"), 3U);
  CHECK_EQUAL(counter.edits("a b", ""), 2U);
  CHECK_EQUAL(counter.edits("", ""), 0U);
  // One move instead of two deletions and two insertions; a move and a replacement.
  CHECK_EQUAL(counter.edits("c d a b e", "a b c d e"), 1U);
  CHECK_EQUAL(counter.edits("c d a x e", "a b c d e"), 2U);
  // The same words backwards need more than one.
  CHECK_EQUAL(counter.edits("d c b a", "a b c d"), 3U);
}

TEST(edits_of_very_unequal_lengths) {
  EditCounter counter;
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "w" + std::to_string(i) + " ";
  CHECK_EQUAL(counter.edits("w4999", many), 4999U);
  CHECK_EQUAL(counter.edits("w0", many), 5000U);  // too far from the diagonal to be looked at
  CHECK_EQUAL(counter.edits(many, "w4999"), 4999U);
}

TEST(one_step_by_hand) {
  // The model likes the second candidate, the metric (a ratio) the first. Score difference -1,
  // metric difference (1 - 0.5) with a background of nothing, times a size of 1.
  const std::vector<double> features = {0, 1};
  const std::vector<double> statistics = {1, 1, 0.5, 1};
  const std::vector<std::int64_t> starts = {0, 2};
  const CandidateRows rows{features, statistics, starts, 1, 2};
  rows.check();
  std::vector<double> weights = {1};
  std::vector<double> background = {0, 0};
  const std::vector<std::int64_t> order = {0};
  const std::vector<double> free = {-10};
  const auto average =
      mira_epoch(rows, Objective::kRatio, {0.25, 0.5}, order, free, weights, background);
  // The hope is the second (0.5 + 1 against 1 + 0): as is the fear, so nothing moves.
  CHECK_EQUAL(weights[0], 1.0);
  CHECK_EQUAL(average[0], 1.0);
  CHECK_EQUAL(background[0], 0.5);
  weights = {0.25};
  background = {0, 0};
  mira_epoch(rows, Objective::kRatio, {0.25, 0.5}, order, free, weights, background);
  // Now the hope is the first and the fear the second; the step is the largest allowed.
  CHECK_EQUAL(weights[0], 0.0);
  weights = {0.25};
  background = {0, 0};
  const std::vector<double> bound = {0.125};
  mira_epoch(rows, Objective::kRatio, {0.25, 0.5}, order, bound, weights, background);
  CHECK_EQUAL(weights[0], 0.125);
}

TEST(the_first_of_equals) {
  const std::vector<double> features = {0.1 + 0.2, 0.3, 1, 2};
  const std::vector<double> statistics(8, 1.0);
  const std::vector<std::int64_t> starts = {0, 2, 4};
  const CandidateRows rows{features, statistics, starts, 1, 2};
  const std::vector<double> minus = {-1.0};
  const auto best = best_rows(rows, minus);
  CHECK_EQUAL(best[0], 0);
  CHECK_EQUAL(best[1], 2);
}

TEST(smoothed_bleu) {
  const std::vector<double> none(10, 0.0);
  const std::vector<double> row = {4, 4, 2, 1, 0, 0, 4, 3, 2, 1};
  // The third order counts as half a match, the fourth as a quarter.
  const double expected = std::pow(2.0 / 4 * 1 / 3 * 0.5 / 2 * 0.25 / 1, 0.25);
  CHECK(std::abs(corpus_score(Objective::kBleu, row, none) - expected) < 1e-12);
  CHECK_EQUAL(corpus_score(Objective::kBleu, none, none), 0.0);
  CHECK_THROWS(objective_of("bleurt"), InputError, "bleurt");
}

TEST(a_line_with_three_candidates) {
  // Heights 0, 1, 0 and slopes -1, 0, 1: the second is on top between -1 and 1 only.
  const std::vector<double> features = {0, -1, 1, 0, 0, 1};
  const std::vector<double> statistics = {0, 1, 1, 1, 0.5, 1};
  const std::vector<std::int64_t> starts = {0, 3};
  const CandidateRows rows{features, statistics, starts, 2, 2};
  const std::vector<double> weights = {1, 0};
  const std::vector<double> direction = {0, 1};
  const LinePoint best = line_search(rows, Objective::kRatio, weights, direction);
  CHECK_EQUAL(best.gamma, 0.0);
  CHECK_EQUAL(best.score, 1.0);
  // Upside down, the first is best: everything below -1, a little away from it.
  const LinePoint worst = line_search(rows, Objective::kNegativeRatio, weights, direction);
  CHECK_NEAR(worst.gamma, -1.1, 1e-12);
  CHECK_EQUAL(worst.score, 0.0);
}

TEST(candidates_are_new_once) {
  CandidateSet seen;
  const std::vector<std::int64_t> sizes = {2, 0, 2};
  const std::vector<std::string> texts = {"a b", "a b", "a b", "a b"};
  const std::vector<double> features = {1, 2, 1, 2, 1, 2, 1, 3};
  const std::vector<std::int64_t> expected = {0, 2, 3};  // the second is the first once more
  CHECK(seen.add(sizes, texts, features) == expected);
  std::vector<std::uint64_t> keys;
  for (const CandidateSet::Key& key : seen.latest()) keys.insert(keys.end(), {key[0], key[1]});
  CHECK_EQUAL(keys.size(), 6U);
  CHECK(seen.add(sizes, texts, features).empty());
  CHECK(seen.latest().empty());
  CandidateSet restored;
  restored.restore(keys);
  CHECK(restored.add(sizes, texts, features).empty());
  CHECK_THROWS(seen.add(sizes, {}, {}), InputError, "not of the same");
  CHECK_THROWS(restored.restore(std::span(keys).first(1)), InputError, "half a key");
}

CHECK_MAIN()
