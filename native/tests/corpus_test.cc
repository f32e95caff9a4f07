#include "check.h"

#include "corpus/bitext.h"
#include "corpus/seen_set.h"
#include "text/error.h"

using namespace dragoman;

TEST(bitext_round_trip) {
  const check::TemporaryDirectory directory;
  BitextBuilder builder(directory.path());
  builder.add("das haus", "the house");
  builder.add("", "nothing");
  builder.add("  das\tauto ", "the car");
  builder.finish(directory / "b", directory / "s", directory / "t");
  const Bitext bitext(directory / "b");
  const auto source = Vocabulary::open(directory / "s");
  const auto target = Vocabulary::open(directory / "t");
  CHECK_EQUAL(bitext.source().size(), 3u);
  CHECK_EQUAL(source.decode(bitext.source()[0]), "das haus");
  CHECK_EQUAL(source.decode(bitext.source()[1]), "");
  CHECK_EQUAL(source.decode(bitext.source()[2]), "das auto");
  CHECK_EQUAL(target.decode(bitext.target()[2]), "the car");
  CHECK_THROWS(Bitext(directory / "s"), InputError, "holds a vocab");
}

TEST(spool_in_a_missing_directory_is_an_io_error) {
  CHECK_THROWS(BitextBuilder("/nonexistent-directory"), IoError, "nonexistent");
}

TEST(seen_set_remembers) {
  SeenSet seen;
  for (int i = 0; i < 5000; ++i) CHECK(seen.insert(std::to_string(i)));
  for (int i = 0; i < 5000; ++i) CHECK(!seen.insert(std::to_string(i)));
  CHECK_EQUAL(seen.size(), 5000u);
  CHECK(seen.contains("17"));
  CHECK(!seen.contains("seventeen"));
}

TEST(sentences_refuse_wrong_offsets) {
  const std::vector<WordId> ids{3, 4, 5};
  const std::vector<std::uint64_t> falling{0, 3, 2, 3};
  const std::vector<std::uint64_t> outside{0, 4};
  CHECK_THROWS(Sentences(ids, falling), std::invalid_argument, "decrease");
  CHECK_THROWS(Sentences(ids, outside), std::invalid_argument, "run from 0");
}

CHECK_MAIN()
