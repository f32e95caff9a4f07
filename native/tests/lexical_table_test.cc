#include "alignment/lexical_table.h"

#include <vector>

#include "check.h"
#include "text/error.h"

using namespace dragoman;

namespace {

// Two pairs: (3 4 | 7 8) linked 0-0 1-1, and (3 | 7 9) linked 0-0; the 9 has no link.
struct Corpus {
  std::vector<WordId> source_ids{3, 4, 3}, target_ids{7, 8, 7, 9};
  std::vector<std::uint64_t> source_offsets{0, 2, 3}, target_offsets{0, 2, 4};
  std::vector<Link> links{{0, 0}, {1, 1}, {0, 0}};
  std::vector<std::uint64_t> link_offsets{0, 2, 3};
  AlignedText text() const {
    return {{{source_ids, source_offsets}, {target_ids, target_offsets}}, {links, link_offsets}};
  }
};

}  // namespace

TEST(links_give_relative_frequencies) {
  Corpus corpus;
  corpus.links[1] = {0, 1};  // now 3 generates 7, 8, 7 and 4 nothing
  const auto table = lexical_table_from_links(corpus.text(), Direction::kForward);
  CHECK_NEAR(table.prob(3, 7), 2.0 / 3.0, 1e-7);
  CHECK_NEAR(table.prob(3, 8), 1.0 / 3.0, 1e-7);
  CHECK_EQUAL(table.prob(3, 9), 0.0F);
  CHECK_EQUAL(table.prob(4, 8), 0.0F);
  CHECK_EQUAL(table.prob(kNullWord, 9), 1.0F);
  CHECK_EQUAL(table.prob(kNullWord, 7), 0.0F);
  CHECK_EQUAL(table.given_words(), 5U);

  const auto backward = lexical_table_from_links(corpus.text(), Direction::kBackward);
  CHECK_EQUAL(backward.prob(7, 3), 1.0F);
  CHECK_EQUAL(backward.prob(8, 3), 1.0F);
  CHECK_EQUAL(backward.prob(kNullWord, 4), 1.0F);
}

TEST(ids_outside_the_table_have_probability_zero) {
  const Corpus corpus;
  const auto table = lexical_table_from_links(corpus.text(), Direction::kForward);
  for (const WordId id : {-100, -2, 0, 5, 1000000}) {
    CHECK_EQUAL(table.prob(id, 7), 0.0F);
    CHECK_EQUAL(table.prob(3, id), 0.0F);
  }
}

TEST(a_table_survives_a_file) {
  const Corpus corpus;
  const check::TemporaryDirectory directory;
  const auto table = lexical_table_from_links(corpus.text(), Direction::kForward);
  table.save(directory / "table");
  const auto opened = LexicalTable::open(directory / "table");
  CHECK_EQUAL(opened.size(), table.size());
  for (WordId given = -1; given < 6; ++given) {
    for (WordId word = 0; word < 12; ++word) {
      CHECK_EQUAL(opened.prob(given, word), table.prob(given, word));
    }
  }
}

TEST(links_outside_the_pair_are_refused) {
  Corpus corpus;
  corpus.links[2] = {1, 0};
  CHECK_THROWS(lexical_table_from_links(corpus.text(), Direction::kForward), InputError,
               "sentence pair 2: link 1-0");
}

TEST(texts_that_do_not_fit_together_are_refused) {
  const Corpus corpus;
  const std::vector<std::uint64_t> one{0, 3};
  const ParallelText text = corpus.text();
  CHECK_THROWS(ParallelText({corpus.source_ids, one}, text.target), InputError,
               "different numbers of sentences: 1 and 2");
  CHECK_THROWS(AlignedText(text, {corpus.links, one}), InputError,
               "2 sentence pairs but 1 lines of links");
}

TEST(an_empty_corpus_gives_an_empty_table) {
  const std::vector<std::uint64_t> none{0};
  const auto table =
      lexical_table_from_links({{{{}, none}, {{}, none}}, {{}, none}}, Direction::kForward);
  CHECK_EQUAL(table.size(), 0U);
  CHECK_EQUAL(table.prob(kNullWord, 3), 0.0F);
}

TEST(broken_tables_are_refused) {
  CHECK_THROWS(LexicalTable({0, 2}, {3}, {1.0F}), std::invalid_argument, "cover");
  CHECK_THROWS(LexicalTable({0, 1}, {3}, {}), std::invalid_argument, "probability");
  CHECK_THROWS(LexicalTable({0, 2, 1, 2}, {3, 4}, {1, 1}), std::invalid_argument, "order");
}

CHECK_MAIN()
