#include "learning/leave_one_out.h"

#include <cmath>
#include <vector>

#include "check.h"
#include "text/error.h"

using namespace dragoman;

TEST(own_phrases_are_those_of_the_extraction) {
  // "a b a" with "x y x", word by word.
  const std::vector<WordId> source = {3, 4, 3};
  const std::vector<WordId> target = {5, 6, 5};
  const std::vector<Link> links = {{0, 0}, {1, 1}, {2, 2}};
  OwnPhrases own(2);
  own.extract(source, target, links);
  const std::vector<WordId> a = {3};
  const std::vector<WordId> ab = {3, 4};
  const std::vector<WordId> x = {5};
  const std::vector<WordId> xy = {5, 6};
  CHECK_EQUAL(own.sources(a), 2u);
  CHECK_EQUAL(own.targets(x), 2u);
  CHECK_EQUAL(own.pairs(a, x), 2u);
  CHECK_EQUAL(own.pairs(ab, xy), 1u);
  CHECK_EQUAL(own.pairs(a, xy), 0u);
  CHECK_EQUAL(own.sources(source), 0u);  // longer than phrases may be
  const std::vector<Link> outside = {{0, 7}};
  CHECK_THROWS(own.extract(source, target, outside), InputError, "");
}

TEST(probabilities_without_a_pair_by_hand) {
  // Nothing of its own: nothing changes.
  CHECK_EQUAL(leave_one_out(3, 4, 0, 0, -9), 0.0);
  // 3 of 4 become 2 of 3; 3 of 4 become 3 of 3 when the pair had the phrase otherwise translated.
  CHECK_NEAR(leave_one_out(3, 4, 1, 1, -9), std::log(2.0 / 3) - std::log(3.0 / 4), 1e-12);
  CHECK_NEAR(leave_one_out(3, 4, 0, 1, -9), -std::log(3.0 / 4), 1e-12);
  // Nobody else has it.
  CHECK_NEAR(leave_one_out(1, 2, 1, 1, -9), -9 - std::log(0.5), 1e-12);
  CHECK_NEAR(leave_one_out(1, 1, 1, 1, -9), -9, 1e-12);
}

CHECK_MAIN()
