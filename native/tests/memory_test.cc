#include "check.h"

#include <algorithm>
#include <array>
#include <random>

#include "corpus/segment_index.h"
#include "corpus/word_edits.h"
#include "samples.h"
#include "text/error.h"

using namespace dragoman;

namespace {

// The matrix of distances, row by row.
std::uint32_t slow_distance(const std::vector<WordId>& a, const std::vector<WordId>& b) {
  std::vector<std::uint32_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<std::uint32_t>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::uint32_t corner = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::uint32_t replaced = corner + (a[i - 1] == b[j - 1] ? 0 : 1);
      corner = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::vector<WordId> random_sentence(std::mt19937& random, std::size_t longest, int words) {
  std::vector<WordId> sentence(random() % (longest + 1));
  for (WordId& word : sentence) word = static_cast<WordId>(random() % words);
  return sentence;
}

std::string spelt(const std::vector<WordId>& sentence) {
  std::string text;
  for (const WordId word : sentence) text += "w" + std::to_string(word) + " ";
  return text;
}

SegmentIndex built(const check::TemporaryDirectory& directory, SegmentIndexBuilder& builder) {
  builder.finish(directory / "m", directory / "v");
  return SegmentIndex(directory / "m", directory / "v");
}

}  // namespace

TEST(edits_are_those_of_the_matrix) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    // Beyond 64 words there are several blocks.
    const std::size_t longest = round % 3 == 0 ? 200 : 12;
    const auto a = random_sentence(random, longest, 6);
    const auto b = random_sentence(random, longest, 6);
    CHECK_EQUAL(WordEdits(a).distance(b), slow_distance(a, b));
  }
}

TEST(segments_are_merged_and_told) {
  const check::TemporaryDirectory directory;
  SegmentIndexBuilder builder(directory.path());
  builder.add("the house", "The house", "das Haus");
  builder.add("the house", "The house", "Das Haus");
  builder.add("the house", "The house", "das Haus");
  builder.add("", "", "");
  const SegmentIndex index = built(directory, builder);
  CHECK_EQUAL(index.size(), 3u);
  const auto found = index.search("the house", 1.0, 10);
  CHECK_EQUAL(found.size(), 2u);
  CHECK_EQUAL(index.target(found[0].segment), "das Haus");
  CHECK_EQUAL(index.count(found[0].segment), 2u);
  CHECK_EQUAL(index.last_seen(found[0].segment), 2u);
  CHECK_EQUAL(index.target(found[1].segment), "Das Haus");
  CHECK_EQUAL(index.source(found[1].segment), "The house");
  CHECK(index.search("", 1.0, 10).empty());
  CHECK_THROWS(index.source(3), std::out_of_range, "no such segment");
  CHECK_THROWS(index.search("a", 0.0, 1), InputError, "similarity");
}

TEST(of_equal_matches_the_most_frequent_and_then_the_latest_come_first) {
  const check::TemporaryDirectory directory;
  SegmentIndexBuilder builder(directory.path());
  for (const char* target : {"a", "b", "c", "d", "a", "e", "f", "d", "g"}) {
    builder.add("x", "X", target);
  }
  const SegmentIndex index = built(directory, builder);
  std::string order;
  for (const SegmentMatch& match : index.search("x", 1.0, 10)) {
    order += index.target(match.segment);
  }
  CHECK_EQUAL(order, "dagfecb");
}

TEST(search_finds_what_comparing_with_all_finds) {
  std::mt19937 random(11);
  for (const double least : {0.4, 0.5, 0.7, 0.75, 1.0}) {
    const check::TemporaryDirectory directory;
    SegmentIndexBuilder builder(directory.path());
    std::vector<std::vector<WordId>> all;
    for (int i = 0; i < 400; ++i) {
      auto sentence = random_sentence(random, 9, 12);
      sentence.push_back(static_cast<WordId>(random() % 4));
      builder.add(spelt(sentence), std::to_string(i), "t");
      all.push_back(sentence);
    }
    const SegmentIndex index = built(directory, builder);
    for (int round = 0; round < 60; ++round) {
      auto query = random_sentence(random, 9, 14);
      query.push_back(static_cast<WordId>(random() % 4));
      std::size_t wanted = 0;
      for (const auto& other : all) {
        const auto length = static_cast<double>(std::max(query.size(), other.size()));
        wanted += 1 - slow_distance(query, other) / length >= least - 1e-9;
      }
      const auto found = index.search(spelt(query), least, 1000);
      CHECK_EQUAL(found.size(), wanted);
      for (std::size_t i = 1; i < found.size(); ++i) {
        CHECK(found[i - 1].similarity() >= found[i].similarity());
      }
      const auto few = index.search(spelt(query), least, 3);
      for (std::size_t i = 0; i < few.size(); ++i) {
        CHECK_EQUAL(few[i].segment, found[i].segment);
      }
    }
  }
}

TEST(a_foreign_vocabulary_is_refused) {
  const check::TemporaryDirectory directory;
  SegmentIndexBuilder builder(directory.path());
  builder.add("a b c", "a b c", "x");
  built(directory, builder);
  SegmentIndexBuilder other(directory.path());
  other.add("a", "a", "x");
  other.finish(directory / "m2", directory / "v2");
  CHECK_THROWS(SegmentIndex(directory / "m", directory / "v2"), InputError, "another vocabulary");
}

// With checksums that fit, as a stranger would write them: a search would read and write outside.
TEST(what_is_in_another_order_is_refused) {
  const check::TemporaryDirectory directory;
  SegmentIndexBuilder builder(directory.path());
  for (const char* words : {"a", "a b", "a b c"}) builder.add(words, words, "x");
  builder.finish(directory / "m", directory / "v");
  const std::string good = samples::read_all(directory / "m");
  const auto with = [&](const auto& numbers, const auto& others) {
    const auto bytes = [](const auto& array) {
      return std::string(reinterpret_cast<const char*>(array.data()), sizeof array);
    };
    std::string bad = good;
    const std::size_t at = bad.rfind(bytes(numbers));
    CHECK(at != std::string::npos);
    bad.replace(at, sizeof numbers, bytes(others));
    samples::forge(bad);
    samples::write_all(directory / "m", bad);
    return directory / "m";
  };
  using Starts = std::array<std::uint64_t, 4>;
  using Segments = std::array<std::uint32_t, 3>;
  const std::string vocabulary = directory / "v";
  SegmentIndex(with(Starts{0, 1, 3, 6}, Starts{0, 1, 3, 6}), vocabulary);
  CHECK_THROWS(SegmentIndex(with(Starts{0, 1, 3, 6}, Starts{0, 3, 4, 6}), vocabulary), InputError,
               "damaged");
  CHECK_THROWS(SegmentIndex(with(Segments{0, 1, 2}, Segments{0, 2, 1}), vocabulary), InputError,
               "damaged");
  CHECK_THROWS(SegmentIndex(with(Segments{0, 1, 2}, Segments{0, 1, 3}), vocabulary), InputError,
               "damaged");
}

CHECK_MAIN()
