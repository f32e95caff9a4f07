#include "check.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include "rules/score_phrases.h"
#include "rules/significance.h"
#include "rules/target_totals.h"
#include "text/error.h"

using namespace dragoman;

namespace {

struct Corpus {
  std::vector<WordId> source;
  std::vector<WordId> target;
  std::vector<std::uint64_t> source_offsets{0};
  std::vector<std::uint64_t> target_offsets{0};
  std::vector<Link> links;
  std::vector<std::uint64_t> link_offsets{0};

  void add(const std::vector<WordId>& s, const std::vector<WordId>& t,
           const std::vector<Link>& l) {
    source.insert(source.end(), s.begin(), s.end());
    target.insert(target.end(), t.begin(), t.end());
    links.insert(links.end(), l.begin(), l.end());
    source_offsets.push_back(source.size());
    target_offsets.push_back(target.size());
    link_offsets.push_back(links.size());
  }
  AlignedText text() const {
    return {{{source, source_offsets}, {target, target_offsets}}, {links, link_offsets}};
  }
};

Corpus sample(int pairs) {
  Corpus corpus;
  for (int i = 0; i < pairs; ++i) {
    const WordId a = 3 + i % 17;
    const WordId b = 3 + i % 23;
    const auto second = static_cast<std::uint16_t>(1 + i % 2);
    corpus.add({a, b, 4, a}, {b, a, 5}, {{0, 1}, {1, 0}, {2, second}});
  }
  return corpus;
}

std::string build(const Corpus& corpus, const std::string& path, int threads, std::uint64_t memory,
                  Smoothing smoothing = Smoothing::kNone) {
  ExtractionOptions extraction;
  extraction.reordering = {true, true, true};
  WorkResources resources;
  resources.threads = threads;
  resources.memory = memory;
  resources.directory = std::filesystem::path(path).parent_path().string();
  PhraseCounter counter(corpus.text(), extraction, smoothing, resources);
  counter.extract(0, counter.pairs() / 2);
  counter.extract(counter.pairs() / 2, counter.pairs());
  counter.aggregate(0, counter.partitions());
  counter.join(0, counter.partitions());
  const auto forward = lexical_table_from_links(corpus.text(), Direction::kForward);
  const auto backward = lexical_table_from_links(corpus.text(), Direction::kBackward);
  ScoringOptions options;
  options.source_words = 100;
  options.target_words = 100;
  PhraseScorer scorer(counter, forward, backward, options);
  scorer.score(0, counter.partitions());
  while (!scorer.write(path)) {
  }
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST(relative_frequencies) {
  const check::TemporaryDirectory directory;
  Corpus corpus;
  corpus.add({3}, {3}, {{0, 0}});
  corpus.add({3}, {3}, {{0, 0}});
  corpus.add({3}, {4}, {{0, 0}});
  corpus.add({4}, {4}, {{0, 0}});
  build(corpus, directory / "t", 1, 1 << 20);
  const PhraseTable table(directory / "t", Verify::kContent);
  CHECK_EQUAL(table.size(), 3u);
  const auto range = table.find(std::vector<WordId>{3});
  CHECK_EQUAL(range.size(), 2u);
  CHECK_EQUAL(table.target(range.begin)[0], 3);
  CHECK_NEAR(table.score(range.begin, 0), std::log(2.0 / 3), 1e-6);
  CHECK_NEAR(table.score(range.begin, 1), 0, 1e-6);
  CHECK_NEAR(table.score(range.begin + 1, 1), std::log(0.5), 1e-6);
  CHECK_NEAR(table.score(range.begin, 2), std::log(2.0 / 3), 1e-6);
  CHECK(table.counts(range.begin) == (PhraseCounts{2, 3, 2}));
}

TEST(same_bytes_for_any_threads_and_memory) {
  const check::TemporaryDirectory directory;
  const Corpus corpus = sample(3000);
  for (const Smoothing smoothing : {Smoothing::kNone, Smoothing::kGoodTuring}) {
    const auto one = build(corpus, directory / "t", 1, 1 << 30, smoothing);
    CHECK(!one.empty());
    CHECK(one == build(corpus, directory / "t", 4, 1 << 30, smoothing));
    CHECK(one == build(corpus, directory / "t", 3, 100, smoothing));
  }
}

TEST(a_spool_holds_no_more_than_allowed_and_forgets_nothing) {
  const check::TemporaryDirectory directory;
  constexpr std::uint64_t kMemory = 1 << 20;
  constexpr std::size_t kPartitions = 4;
  PartitionedSpool<std::uint64_t> spool(kPartitions, kMemory, directory.path());
  std::vector<std::uint64_t> batch(1000);
  for (std::uint64_t round = 0; round < 2000; ++round) {
    for (auto& value : batch) value = round;
    spool.append(round % kPartitions, batch);
    CHECK(spool.held_bytes() <= kMemory + kPartitions * (1 << 17));
  }
  CHECK(spool.spilled_bytes() > 10 * kMemory);
  PartitionedSpool<std::uint64_t>::Reader reader(spool, 1);
  std::size_t read = 0;
  for (; !reader.at_end(); ++read) {
    CHECK_EQUAL(reader.next(1)[0], 1 + kPartitions * (read / 1000));
  }
  CHECK_EQUAL(read, 500'000u);
  const auto all = spool.take(2);
  CHECK_EQUAL(all.size(), 500'000u);
  CHECK_EQUAL(all.front(), 2u);
  CHECK_EQUAL(all.back(), 1998u);
  CHECK_EQUAL(spool.size(2), 0u);
}

TEST(totals_find_their_way_across_partitions) {
  const check::TemporaryDirectory directory;
  struct Row {
    std::uint64_t target_hash;
    double count;
  };
  constexpr std::uint64_t kFirst = 1, kLast = ~std::uint64_t{0};
  const Partitions partitions(7, 1);  // three bits
  CHECK_EQUAL(partitions.count(), 8u);
  CHECK_EQUAL(partitions.of(kFirst), 0u);
  CHECK_EQUAL(partitions.of(kLast), 7u);
  CHECK_EQUAL(Partitions(0, 1).of(kLast), 0u);
  CHECK_EQUAL(Partitions(kLast, 1).count(), 1024u);

  TargetTotals<double, double> totals(partitions, 1 << 20, directory.path());
  const std::vector<Row> here{{kLast, 1}, {kFirst, 2}, {kLast, 4}};
  const std::vector<Row> there{{kFirst, 8}, {3, 16}};
  totals.send<Row>(2, here);
  totals.send<Row>(5, there);
  for (std::size_t partition = 0; partition < partitions.count(); ++partition) {
    totals.join(partition, [](double& total, double count) { total += count; });
  }
  CHECK(totals.take(2, 3) == (std::vector<double>{5, 10, 5}));
  CHECK(totals.take(5, 2) == (std::vector<double>{10, 16}));
  CHECK(totals.take(0, 0).empty());
}

TEST(smoothing_by_hand) {
  // Counts 1, 1, 1, 2: D = 3 / (3 + 2) = 0.6.
  CountStatistics statistics;
  statistics.instances = 5;
  statistics.pairs = 4;
  statistics.with_count = {{1, 3}, {2, 1}};
  const SmoothingModel kneser_ney(Smoothing::kKneserNey, statistics);
  CHECK_NEAR(kneser_ney.discount(), 0.6, 1e-12);
  // c = 2 of 3, two partners, the other side has one of four: 1.4 / 3 + 0.6 * 2 / 3 * 1 / 4
  CHECK_NEAR(kneser_ney.probability(2, {3, 2, 0}, {2, 1, 0}), 1.4 / 3 + 0.1, 1e-12);
  const SmoothingModel none(Smoothing::kNone, statistics);
  CHECK_NEAR(none.probability(2, {3, 2, 3}, {2, 1, 2}), 2.0 / 3, 1e-12);
  // Numbers 3 and 1 over counts 1 and 2: Z = 3 / 1 and 1 / 1, slope -log 3 / log 2.
  const SmoothingModel good_turing(Smoothing::kGoodTuring, statistics);
  CHECK_NEAR(good_turing.exponent(), -std::log(3.0) / std::log(2.0), 1e-12);
  CHECK_NEAR(good_turing.discounted(1), 2.0 / 3, 1e-12);
  CHECK(good_turing.fallback().empty());
}

TEST(smoothing_that_cannot_be_fitted_says_so) {
  CountStatistics statistics;
  statistics.instances = 4;
  statistics.pairs = 2;
  statistics.with_count = {{2, 2}};
  const SmoothingModel good_turing(Smoothing::kGoodTuring, statistics);
  CHECK(!good_turing.fallback().empty());
  CHECK_NEAR(good_turing.discounted(2), 2, 1e-12);
  CHECK(!SmoothingModel(Smoothing::kKneserNey, statistics).fallback().empty());
}

TEST(lexical_weights_by_hand) {
  // p(5 | 3) = 0.5, p(6 | 3) = 0.25, p(6 | null) = 0.125
  const LexicalTable forward({0, 1, 1, 1, 1, 3}, {6, 5, 6}, {0.125f, 0.5f, 0.25f});
  const LexicalTable backward({0, 0}, {}, {});
  const std::vector<WordId> source{3};
  const std::vector<WordId> target{5, 6};
  const std::vector<PhraseLink> links{{0, 0}};
  LexicalScorer viterbi(forward, backward, LexicalWeighting::kViterbi);
  CHECK_NEAR(viterbi(source, target, links).forward, std::log(0.5 * 0.25), 1e-6);
  CHECK_NEAR(viterbi(source, target, links).backward, std::log(1e-7), 1e-4);
  LexicalScorer by_links(forward, backward, LexicalWeighting::kLinks);
  CHECK_NEAR(by_links(source, target, links).forward, std::log(0.5 * 0.125), 1e-6);
}

TEST(bad_corpora) {
  const check::TemporaryDirectory directory;
  Corpus corpus = sample(3);
  corpus.links[4] = {9, 9};
  CHECK_THROWS(build(corpus, directory / "t", 1, 1 << 20), InputError, "sentence pair 2: ");
  corpus.link_offsets.push_back(corpus.links.size());
  CHECK_THROWS(build(corpus, directory / "t", 1, 1 << 20), InputError, "4 lines of links");
}

TEST(fisher) {
  CHECK_NEAR(negative_log_p_value(1, 1, 1, 1000), std::log(1000.0), 1e-9);
  CHECK_NEAR(negative_log_p_value(0, 5, 5, 1000), 0, 1e-12);
  // 2 of 2 and 2 among 4: one way in six.
  CHECK_NEAR(negative_log_p_value(2, 2, 2, 4), std::log(6.0), 1e-9);
  // By exact fractions.
  CHECK_NEAR(negative_log_p_value(3, 40, 60, 1000), 0.83157123952627835, 1e-11);
  CHECK_NEAR(negative_log_p_value(20, 33, 31, 5000), 89.576618984507459, 1e-10);
  CHECK_NEAR(negative_log_p_value(500, 900, 700, 2'000'000), 3612.9432210357047, 1e-7);
}

CHECK_MAIN()
