#include "search/distortion.h"

#include <random>
#include <vector>

#include "check.h"
#include "search/coverage.h"
#include "search/stack.h"

using namespace dragoman;

namespace {

// A random derivation: phrases in a random order that cover n words.
std::vector<SourceSpan> random_derivation(std::mt19937& random, std::uint16_t n) {
  std::vector<SourceSpan> phrases;
  for (std::uint16_t begin = 0; begin < n;) {
    const auto length = static_cast<std::uint16_t>(1 + random() % 3);
    const auto end = static_cast<std::uint16_t>(std::min<int>(n, begin + length));
    phrases.push_back({begin, end});
    begin = end;
  }
  std::shuffle(phrases.begin(), phrases.end(), random);
  return phrases;
}

}  // namespace

TEST(cases_of_the_paper) {
  // Skip one word, then go on monotonically: each word costs two more.
  CHECK_EQUAL(modified_increment(0, 0, 1, 2), 4u);
  CHECK_EQUAL(modified_increment(0, 2, 2, 3), 2u);
  CHECK_EQUAL(modified_increment(0, 3, 0, 1), 0u);
  // To the left of the last phrase.
  CHECK_EQUAL(modified_increment(0, 5, 2, 4), 4u);
  // The last phrase belongs to the covered beginning: measured from the first uncovered word.
  CHECK_EQUAL(modified_increment(3, 2, 5, 6), 6u);
  // It does not: measured from its end.
  CHECK_EQUAL(modified_increment(1, 4, 6, 7), 6u);
}

TEST(modified_distortion_is_koehns_plus_what_must_follow) {
  std::mt19937 random(1);
  for (int round = 0; round < 20'000; ++round) {
    const auto n = static_cast<std::uint16_t>(1 + random() % 12);
    CoverageSet coverages(n, n);
    CoverageId coverage = CoverageSet::kEmpty;
    std::uint32_t koehn = 0;
    std::uint32_t modified = 0;
    std::uint32_t last_end = 0;
    for (const SourceSpan phrase : random_derivation(random, n)) {
      modified +=
          modified_increment(coverages.first(coverage), last_end, phrase.begin, phrase.end);
      koehn += jump(last_end, phrase.begin);
      coverage = coverages.with(coverage, phrase.begin, phrase.end);
      last_end = phrase.end;
      CHECK_EQUAL(modified, koehn + pending_distortion(coverages, coverage, last_end));
    }
    CHECK_EQUAL(coverages.first(coverage), n);
    CHECK_EQUAL(modified, koehn + jump(last_end, n));
  }
}

TEST(limits_of_section_6) {
  CHECK(jump_allowed(2, 2, 0));
  CHECK(!jump_allowed(2, 3, 0));
  CHECK(jump_allowed(2, 7, 5));
  CHECK(!jump_allowed(2, 8, 5));
  CHECK(jump_allowed(8, 2, 5));  // one more backwards
  CHECK(!jump_allowed(9, 2, 5));
  CHECK(jump_allowed(0, 1000, kNoLimit));
  CHECK(return_allowed(0, 3, 6, 5));
  CHECK(!return_allowed(0, 3, 7, 5));
  CHECK(return_allowed(3, 3, 60, 5));  // begins where it must
}

CHECK_MAIN()
