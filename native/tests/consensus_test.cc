#include "search/consensus.h"

#include <cmath>
#include <string>
#include <vector>

#include "check.h"
#include "text/error.h"

using namespace dragoman;

namespace {

DecodeResult listed(const std::vector<std::pair<std::string, double>>& entries) {
  DecodeResult result;
  result.found = !entries.empty();
  result.words = 3;
  result.stats.evaluated = 10;
  for (const auto& [target, score] : entries) {
    OutputTranslation one;
    one.target = target;
    one.score = score;
    result.nbest.push_back(one);
  }
  return result;
}

// Where the features of n-grams begin.
constexpr std::size_t kGrams = 2;

}  // namespace

TEST(features_of_one_model_are_expected_matches) {
  // Probabilities 0.8 and 0.2 at scale 1.
  const DecodeResult one = listed({{"a b a", 0.0}, {"a c", std::log(0.25)}});
  const DecodeResult* const results[] = {&one};
  const auto found = consensus_candidates(results, 1.0);
  CHECK_EQUAL(found.size(), 2u);
  const std::vector<double>& first = found[0].features;
  CHECK_EQUAL(first.size(), consensus_features(1));
  CHECK_NEAR(first[0], 0, 1e-12);
  CHECK_NEAR(first[1], 1, 1e-12);
  // The first "a" is in both, the second and "b" in one.
  CHECK_NEAR(first[kGrams], 1.0 + 0.8 + 0.8, 1e-12);
  CHECK_NEAR(first[kGrams + 1], 0.8 + 0.8, 1e-12);
  CHECK_NEAR(first[kGrams + 2], 0.8, 1e-12);
  CHECK_NEAR(first[kGrams + 3], 0, 1e-12);
  CHECK_NEAR(first.back(), 3, 1e-12);
  const std::vector<double>& second = found[1].features;
  CHECK_NEAR(second[0], std::log(0.25), 1e-12);
  CHECK_NEAR(second[kGrams], 1.0 + 0.2, 1e-12);
  CHECK_NEAR(second[kGrams + 1], 0.2, 1e-12);
  CHECK_NEAR(second.back(), 2, 1e-12);
}

TEST(what_a_model_does_not_list_is_as_bad_as_the_last_it_does) {
  const DecodeResult one = listed({{"a b", -1.0}, {"b b", -1.5}});
  const DecodeResult two = listed({{"a b", -7.0}, {"c", -9.0}});
  const DecodeResult* const results[] = {&one, &two};
  const auto found = consensus_candidates(results, 0.0);  // all alike
  CHECK_EQUAL(found.size(), 3u);
  CHECK_EQUAL(found[0].member, 0u);
  CHECK_EQUAL(found[2].member, 1u);
  CHECK_EQUAL(found[2].entry, 1u);
  CHECK_NEAR(found[0].features[0], 0, 1e-12);
  CHECK_NEAR(found[0].features[kMemberFeatures + 1], 1, 1e-12);
  CHECK_NEAR(found[1].features[kMemberFeatures], -2, 1e-12);
  CHECK_NEAR(found[1].features[kMemberFeatures + 1], 0, 1e-12);
  CHECK_NEAR(found[2].features[0], -0.5, 1e-12);
  // The second model expects "b" half a time, the first one and a half.
  CHECK_NEAR(found[1].features[kGrams], 1.5, 1e-12);
  CHECK_NEAR(found[1].features[kMemberFeatures + kGrams], 0.5, 1e-12);
}

TEST(the_consensus_is_sorted_and_knows_its_members) {
  const DecodeResult one = listed({{"a b c d e", 0.0}, {"a b x y z", -0.1}});
  const DecodeResult two = listed({{"a b x y e", 0.0}});
  const DecodeResult* const results[] = {&one, &two};
  std::vector<double> weights(consensus_features(2), 0.0);
  weights[kGrams + 1] = weights[kMemberFeatures + kGrams + 1] = 1;  // pairs of words
  const DecodeResult chosen = consensus(results, 0.01, weights, 2);
  CHECK(chosen.found);
  CHECK_EQUAL(chosen.best.target, "a b x y e");
  CHECK_EQUAL(chosen.best.member, 1u);
  CHECK_EQUAL(chosen.nbest.size(), 2u);
  CHECK_EQUAL(chosen.nbest[1].target, "a b x y z");
  CHECK(chosen.nbest[0].score > chosen.nbest[1].score);
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * chosen.best.features[i];
  CHECK_NEAR(chosen.best.score, sum, 1e-12);
  CHECK_EQUAL(chosen.stats.evaluated, 20u);
}

TEST(a_model_that_found_nothing_has_no_say) {
  const DecodeResult one = listed({});
  const DecodeResult two = listed({{"a", -3.0}, {"", -4.0}});
  const DecodeResult* const results[] = {&one, &two};
  std::vector<double> weights(consensus_features(2), 1.0);
  CHECK_EQUAL(consensus(results, 1.0, weights, 0).best.target, "a");
  DecodeResult nothing;
  nothing.error = "too long";
  const DecodeResult* const none[] = {&nothing, &one};
  const DecodeResult chosen = consensus(none, 1.0, weights, 5);
  CHECK(!chosen.found);
  CHECK_EQUAL(chosen.error, "too long");
  weights.pop_back();
  CHECK_THROWS(consensus(results, 1.0, weights, 0), InputError, "do not fit");
}

CHECK_MAIN()
