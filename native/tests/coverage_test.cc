#include "search/coverage.h"

#include <map>
#include <random>
#include <vector>

#include "check.h"

using namespace dragoman;

TEST(agrees_with_plain_flags) {
  std::mt19937 random(2);
  for (const std::size_t n : {1, 5, 63, 64, 65, 200}) {
    CoverageSet coverages(n, n);
    std::map<std::vector<bool>, CoverageId> known;
    for (int round = 0; round < 200; ++round) {
      std::vector<bool> flags(n, false);
      CoverageId id = CoverageSet::kEmpty;
      for (std::size_t covered = 0; covered < n;) {
        std::size_t begin = random() % n;
        while (flags[begin]) begin = (begin + 1) % n;
        std::size_t end = begin + 1;
        while (end < n && !flags[end] && random() % 2 == 0) ++end;
        CHECK(coverages.is_free(id, begin, end));
        id = coverages.with(id, begin, end);
        for (std::size_t at = begin; at < end; ++at) flags[at] = true;
        covered += end - begin;
        CHECK_EQUAL(coverages.covered(id), covered);
        const auto [place, fresh] = known.emplace(flags, id);
        CHECK_EQUAL(place->second, id);  // the same set has the same number
        (void)fresh;
        std::size_t first = 0;
        while (first < n && flags[first]) ++first;
        CHECK_EQUAL(coverages.first(id), first);
        std::vector<bool> by_gaps(n, true);
        coverages.for_each_gap(id, [&](std::size_t from, std::size_t to) {
          CHECK(from == 0 || flags[from - 1]);
          CHECK(to == n || flags[to]);
          for (std::size_t at = from; at < to; ++at) by_gaps[at] = false;
        });
        CHECK(by_gaps == flags);
        for (std::size_t at = 0; at < n; ++at)
          CHECK_EQUAL(coverages.is_covered(id, at), flags[at]);
        const SourceSpan run = coverages.run_around(
            id, {static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end)});
        CHECK(run.begin == 0 || !flags[run.begin - 1u]);
        CHECK(run.end == n || !flags[run.end]);
        for (std::size_t at = run.begin; at < run.end; ++at) CHECK(flags[at]);
      }
      CHECK_EQUAL(coverages.first(id), n);
    }
    // Different sets have different numbers.
    CHECK(known.size() <= coverages.size());
  }
}

TEST(a_limit_keeps_windows_small) {
  CoverageSet coverages(10'000, 7);
  CoverageId id = CoverageSet::kEmpty;
  for (std::size_t at = 0; at + 1 < 10'000; at += 2) {
    id = coverages.with(id, at + 1, at + 2);
    id = coverages.with(id, at, at + 1);
  }
  CHECK_EQUAL(coverages.first(id), 10'000u);
  CHECK(coverages.bytes() < 1'000'000);
}

CHECK_MAIN()
