#include "check.h"

#include <cmath>
#include <fstream>

#include "rules/phrase_table_writer.h"
#include "rules/rewrite_table.h"
#include "text/error.h"

using namespace dragoman;

namespace {

PhraseTableLayout small_layout() {
  PhraseTableLayout layout;
  layout.features = {"tm.fwd", "tm.bwd"};
  layout.reorderings = {"word"};
  layout.source_words = 10;
  layout.target_words = 10;
  return layout;
}

using Words = std::vector<WordId>;

void add(PhraseTableWriter& writer, const Words& target, float score,
         const std::vector<PhraseLink>& links = {{0, 0}}) {
  const float scores[] = {score, -1};
  const float reordering[] = {-1, -2, -3, -4, -5, score};
  OptionFields fields;
  fields.target = target;
  fields.alignment = links;
  fields.counts = {1, 2, 3};
  fields.scores = scores;
  fields.reordering = reordering;
  writer.add_option(fields);
}

// 3 -> 5 | 4 5;  3 4 7 -> 6;  4 -> 7
void write_small(const std::string& path) {
  PhraseTableWriter writer(path, small_layout());
  writer.begin_source(Words{3});
  add(writer, {5}, -0.5f);
  add(writer, {4, 5}, -1.5f, {{0, 0}, {0, 1}});
  writer.begin_source(Words{3, 4, 7});
  add(writer, {6}, -2);
  writer.begin_source(Words{4});
  add(writer, {7}, -3);
  writer.finish();
}

}  // namespace

TEST(what_is_written_is_found) {
  const check::TemporaryDirectory directory;
  write_small(directory / "t");
  for (const Verify verify : {Verify::kHeader, Verify::kContent}) {
    const PhraseTable table(directory / "t", verify);
    CHECK_EQUAL(table.size(), 4u);
    CHECK_EQUAL(table.info().source_phrases, 3u);
    CHECK_EQUAL(table.info().max_source_length, 3u);
    CHECK_EQUAL(table.info().max_target_length, 2u);
    CHECK(table.find(Words{3}) == (OptionRange{0, 2}));
    CHECK(table.find(Words{3, 4}).empty());  // only a beginning
    CHECK(table.find(Words{3, 4, 7}) == (OptionRange{2, 3}));
    CHECK(table.find(Words{4}) == (OptionRange{3, 4}));
    CHECK(table.find(Words{5}).empty());
    CHECK(table.find(Words{4, 4}).empty());
    CHECK(table.find(Words{}).empty());
    CHECK_EQUAL(table.target(1).size(), 2u);
    CHECK_EQUAL(table.target(1)[1], 5);
    CHECK_EQUAL(table.alignment(1).size(), 2u);
    CHECK_EQUAL(int{table.alignment(1)[1].target}, 1);
    CHECK(table.counts(0) == (PhraseCounts{1, 2, 3}));
    CHECK_EQUAL(table.score(1, 0), -1.5f);
    float six[kScoresPerReordering];
    table.reordering_scores(2, 0, six);
    CHECK_EQUAL(six[reordering_column(ReorderingDirection::kBackward, Orientation::kSwap)], -2);
    CHECK_EQUAL(six[reordering_column(ReorderingDirection::kForward, Orientation::kDiscontinuous)],
                -2);
    CHECK_EQUAL(*table.feature("tm.bwd"), 1u);
    CHECK(!table.feature("lm"));
    CHECK_EQUAL(*table.reordering("word"), 0u);
  }
}

TEST(spans_of_a_sentence) {
  const check::TemporaryDirectory directory;
  write_small(directory / "t");
  const PhraseTable table(directory / "t");
  std::vector<std::size_t> seen;
  table.for_each_span(Words{3, 4, 7, 0}, [&](std::size_t begin, std::size_t end, OptionRange) {
    seen.push_back(begin * 10 + end);
  });
  CHECK(seen == (std::vector<std::size_t>{1, 3, 12}));
  std::size_t phrases = 0;
  std::uint32_t row = 0;
  table.for_each_source([&](Sentence, OptionRange range) {
    ++phrases;
    CHECK_EQUAL(range.begin, row);
    row = range.end;
  });
  CHECK_EQUAL(phrases, 3u);
  CHECK_EQUAL(row, table.size());
}

TEST(an_empty_table) {
  const check::TemporaryDirectory directory;
  PhraseTableWriter(directory / "t", small_layout()).finish();
  const PhraseTable table(directory / "t", Verify::kContent);
  CHECK_EQUAL(table.size(), 0u);
  CHECK(table.find(Words{3}).empty());
  CHECK_EQUAL(table.first_words(), 0u);
}

TEST(the_writer_refuses_disorder) {
  const check::TemporaryDirectory directory;
  PhraseTableWriter writer(directory / "t", small_layout());
  CHECK_THROWS(add(writer, {5}, -1), std::logic_error, "fit the layout");
  writer.begin_source(Words{4});
  CHECK_THROWS(writer.begin_source(Words{3}), std::logic_error, "rise");
  CHECK_THROWS(writer.begin_source(Words{4}), std::logic_error, "rise");
  CHECK_THROWS(writer.begin_source(Words{}), std::logic_error, "rise");
  CHECK_THROWS(add(writer, {}, -1), std::logic_error, "fit the layout");
}

TEST(every_damaged_byte_is_noticed) {
  const check::TemporaryDirectory directory;
  write_small(directory / "t");
  std::ifstream file(directory / "t", std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(file), {}};
  for (std::size_t i = 0; i < good.size(); ++i) {
    if (i >= 48 && i < 64) continue;  // reserved
    std::string bad = good;
    bad[i] ^= 0x21;
    std::ofstream(directory / "bad", std::ios::binary) << bad;
    CHECK_THROWS(PhraseTable(directory / "bad", Verify::kContent), InputError, "bad");
  }
}

TEST(rewriting_sorts_limits_and_quantises) {
  const check::TemporaryDirectory directory;
  write_small(directory / "t");
  const PhraseTable table(directory / "t");
  RewriteOptions options;
  options.sort_weights = {-1, 0};
  options.quantise = true;
  TableRewriter rewriter(table, directory / "new", options);
  while (!rewriter.run()) {
  }
  const PhraseTable fresh(directory / "new", Verify::kContent);
  CHECK_EQUAL(fresh.target(0).size(), 2u);
  CHECK_EQUAL(fresh.score(0, 0), -1.5f);
  CHECK_EQUAL(fresh.score(1, 0), -0.5f);
  float six[kScoresPerReordering];
  fresh.reordering_scores(0, 0, six);
  CHECK_EQUAL(six[5], -1.5f);
  CHECK_EQUAL(fresh.sort_weights()[0], -1.0);
  CHECK_THROWS(TableRewriter(table, directory / "t", {}), InputError, "onto itself");

  const std::vector<std::uint8_t> keep{0, 1, 0, 0};
  RewriteOptions few;
  few.keep = keep;
  TableRewriter chooser(table, directory / "few", few);
  while (!chooser.run()) {
  }
  const PhraseTable left(directory / "few", Verify::kContent);
  CHECK_EQUAL(left.size(), 1u);
  CHECK(left.find(Words{4}).empty());
}

CHECK_MAIN()
