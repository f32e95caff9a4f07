// Stacks against their definition: of each state the best, of those the best.
#include "search/beam.h"

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "check.h"

using namespace dragoman;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

Hypothesis hypothesis(const PhraseOption& option, std::uint32_t state, double total) {
  Hypothesis made;
  made.option = &option;
  made.coverage = state;
  made.score = made.total = total;
  return made;
}

void keeps_the_best_of_each_state(std::uint32_t seed, std::uint32_t limit, double useless) {
  std::mt19937 chance(seed);
  const PhraseOption option;
  Beam beam;
  beam.reset({}, kInfinite, useless, limit, false);
  std::map<std::uint32_t, double> best;
  for (int i = 0; i < 400; ++i) {
    const auto state = static_cast<std::uint32_t>(chance() % 60);
    const double total = -static_cast<double>(chance() % 100'000) / 1000;
    const auto known = best.emplace(state, total).first;
    known->second = std::max(known->second, total);
    if (beam.admits(total)) beam.add(hypothesis(option, state, total), false, false);
  }
  std::vector<double> expected;
  for (const auto& [state, total] : best) expected.push_back(total);
  std::sort(expected.begin(), expected.end(), std::greater<>());
  if (limit != 0) expected.resize(std::min<std::size_t>(expected.size(), limit));
  std::erase_if(expected, [&](double total) { return total < expected.front() - useless; });
  std::vector<double> found;
  for (const Hypothesis& one : beam.finish()) found.push_back(one.total);
  CHECK(found == expected);
}

}  // namespace

TEST(the_best_of_each_state_stay) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    for (const std::uint32_t limit : {0u, 1u, 7u, 30u, 1000u}) {
      keeps_the_best_of_each_state(seed, limit, kInfinite);
      keeps_the_best_of_each_state(seed, limit, 20);
    }
  }
}

TEST(it_knows_the_worst_that_has_a_place_at_once) {
  const PhraseOption option;
  Beam beam;
  beam.reset({}, kInfinite, kInfinite, 3, false);
  beam.add(hypothesis(option, 0, -1), false, false);
  beam.add(hypothesis(option, 1, -4), false, false);
  CHECK(beam.admits(-100));
  beam.add(hypothesis(option, 1, -3), false, false);  // the same state: two of three places
  CHECK(beam.admits(-100));
  beam.add(hypothesis(option, 2, -2), false, false);
  CHECK(!beam.admits(-4.5));
  CHECK(beam.admits(-2.9));
  beam.add(hypothesis(option, 3, -1.5), false, false);
  CHECK(!beam.admits(-2.1));
}

TEST(it_refuses_what_is_never_extended) {
  const PhraseOption option;
  Beam beam;
  beam.reset({}, kInfinite, 0.5, 0, false);
  beam.add(hypothesis(option, 0, -1), false, false);
  CHECK(beam.admits(-1.5));
  CHECK(!beam.admits(-1.6));
  beam.refuse(-1.6);
  CHECK_EQUAL(beam.stats().pruned_threshold, 1u);
  beam.add(hypothesis(option, 1, -0.5), false, false);
  CHECK(!beam.admits(-1.1));
}

CHECK_MAIN()
