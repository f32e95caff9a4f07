#include "check.h"

#include <cmath>
#include <random>

#include "rules/bilingual.h"
#include "rules/moses_table.h"
#include "text/error.h"

using namespace dragoman;

namespace {

const std::string kPhrases =
    "das ||| that ||| 1 0.5 0.25 0.25 ||| 0-0 ||| 1 3 1\n"
    "das ||| the ||| 1 0.5 0.5 0.75 ||| 0-0 ||| 2 3 2\n"
    "das | ||| the x ||| 1 0.125 1 1e-10 ||| 1-1 0-0 ||| 2 2 2.5\n"
    "ne va ||| goes not ||| 1 1 1 1 2.718 ||| ||| \n";
const std::string kReordering = "das ||| the ||| 0.5 0.25 0.25 0.125 0.125 0.75\n";
const std::vector<double> kWeights{1, 1, 1, 1};

struct Imported {
  check::TemporaryDirectory directory;
  PhraseTable table;
  Vocabulary source;
  Vocabulary target;

  explicit Imported(const std::string& phrases, const std::string& reordering = "")
      : table(make(directory, phrases, reordering), Verify::kContent),
        source(Vocabulary::open(directory / "s")),
        target(Vocabulary::open(directory / "t")) {}

  static std::string make(const check::TemporaryDirectory& directory, const std::string& phrases,
                          const std::string& reordering) {
    MosesImporter importer("phrases");
    importer.add_phrases(phrases);
    if (!reordering.empty()) {
      importer.begin_reordering("word", "reordering");
      importer.add_reordering(reordering);
    }
    importer.finish(directory / "p", directory / "s", directory / "t", kWeights);
    return directory / "p";
  }
  std::uint32_t row(const std::string& phrase) const {
    std::vector<WordId> ids;
    source.encode(phrase, ids);
    return table.find(ids).begin;
  }
};

}  // namespace

TEST(text_tables_arrive) {
  const Imported imported(kPhrases, kReordering);
  const PhraseTable& table = imported.table;
  CHECK_EQUAL(table.size(), 4u);
  const std::uint32_t das = imported.row("das");
  CHECK_EQUAL(imported.target.decode(table.target(das)), "the");
  CHECK_NEAR(table.score(das, *table.feature("tm.fwd")), std::log(0.5), 1e-6);
  CHECK_NEAR(table.score(das, *table.feature("lex.fwd")), std::log(0.75), 1e-6);
  CHECK_EQUAL(table.score(das, *table.feature("tm.bwd")), 0.0f);
  float six[kScoresPerReordering];
  table.reordering_scores(das, 0, six);
  CHECK_NEAR(six[5], std::log(0.75), 1e-6);
  table.reordering_scores(das + 1, 0, six);
  CHECK_NEAR(six[0], std::log(1.0 / 3), 1e-6);
  CHECK_EQUAL(table.alignment(imported.row("das |")).size(), 2u);
  CHECK_EQUAL(table.counts(imported.row("das |")).joint, 2.5f);
}

TEST(text_tables_survive_a_round_trip) {
  const Imported first(kPhrases, kReordering);
  const std::uint32_t all = first.table.first_words();
  const auto phrases = moses_phrases(first.table, first.source, first.target, 0, all);
  const auto reordering = moses_reordering(first.table, first.source, first.target, 0, 0, all);
  const Imported second(phrases, reordering);
  CHECK_EQUAL(moses_phrases(second.table, second.source, second.target, 0, all), phrases);
  CHECK_EQUAL(moses_reordering(second.table, second.source, second.target, 0, 0, all), reordering);
  CHECK_THROWS(moses_reordering(first.table, first.source, first.target, 1, 0, all), InputError,
               "no such reordering model");
}

TEST(any_text_is_read_or_refused) {
  std::mt19937 random(7);
  const std::string alphabet = "|- \t0123.e\nxnaif\xff";
  int read = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::string phrases = kPhrases;
    for (int change = 0; change < 3; ++change) {
      phrases[random() % phrases.size()] = alphabet[random() % alphabet.size()];
    }
    try {
      MosesImporter importer("phrases");
      importer.add_phrases(phrases);
      ++read;
    } catch (const InputError& problem) {
      CHECK(std::string(problem.what()).starts_with("phrases:"));
    }
  }
  CHECK(read > 0);
}

TEST(bilingual_tokens_of_a_table) {
  const Imported imported(kPhrases);
  const auto phrases = bilingual_phrases(imported.table, imported.source, imported.target);
  std::size_t words = 0;
  for (std::uint32_t row = 0; row < imported.table.size(); ++row) {
    words += imported.table.target(row).size();
  }
  CHECK_EQUAL(phrases.tokens.size(), words);
  const auto has = [&](const std::string& token) {
    return std::find(phrases.spellings.begin(), phrases.spellings.end(), token) !=
           phrases.spellings.end();
  };
  CHECK(has("the|das"));
  CHECK(has("x||"));    // linked to the word "|"
  CHECK(has("goes|"));  // not linked
}

CHECK_MAIN()
