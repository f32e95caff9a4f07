#include <algorithm>
#include <cmath>
#include <vector>

#include "alignment/cooccurrence.h"
#include "alignment/fertility.h"
#include "alignment/hmm.h"
#include "alignment/links_file.h"
#include "alignment/model1.h"
#include "alignment/symmetrise.h"
#include "alignment/trainer.h"
#include "check.h"
#include "text/error.h"

using namespace dragoman;

namespace {

using Corpus = std::vector<std::vector<WordId>>;

// Ids and offsets of sentences written as lists.
struct Side {
  std::vector<WordId> ids;
  std::vector<std::uint64_t> offsets{0};
  explicit Side(const Corpus& sentences) {
    for (const auto& sentence : sentences) {
      ids.insert(ids.end(), sentence.begin(), sentence.end());
      offsets.push_back(ids.size());
    }
  }
  Sentences sentences() const { return {ids, offsets}; }
};

// A reproducible sequence of numbers in [0, 1).
struct Noise {
  std::uint64_t state = 12345;
  double operator()() {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state >> 40) / static_cast<double>(1 << 24);
  }
};

// Posteriors of the HMM by going through all paths. State -1 - p is null after position p;
// position 0 is the start.
struct AllPaths {
  const std::vector<std::vector<double>>& emission;  // [time][state]
  const std::vector<double>& null_emission;
  const Jumps& jumps;
  double null_probability;
  std::size_t states;
  std::vector<std::vector<double>> posterior;
  std::vector<double> null_posterior;
  std::vector<double> jump_counts = std::vector<double>(Jumps::kWeights, 0.0);
  double total = 0;

  void run() {
    posterior.assign(emission.size(), std::vector<double>(states, 0.0));
    null_posterior.assign(emission.size(), 0.0);
    std::vector<int> path;
    walk(path, -1, 1.0);
    for (auto& row : posterior) {
      for (double& cell : row) cell /= total;
    }
    for (double& cell : null_posterior) cell /= total;
    for (double& count : jump_counts) count /= total;
  }
  void walk(std::vector<int>& path, int last, double mass) {
    if (path.size() == emission.size()) {
      mass *= jumps.weight(static_cast<int>(states) - last);
      total += mass;
      int from = -1;
      for (std::size_t time = 0; time < path.size(); ++time) {
        if (path[time] < 0) {
          null_posterior[time] += mass;
        } else {
          posterior[time][static_cast<std::size_t>(path[time])] += mass;
          jump_counts[static_cast<std::size_t>(path[time] - from + Jumps::kReach)] += mass;
          from = path[time];
        }
      }
      jump_counts[static_cast<std::size_t>(static_cast<int>(states) - from + Jumps::kReach)] +=
          mass;
      return;
    }
    const std::size_t time = path.size();
    double leave = 0;
    for (std::size_t i = 0; i < states; ++i) leave += jumps.weight(static_cast<int>(i) - last);
    for (std::size_t i = 0; i < states; ++i) {
      path.push_back(static_cast<int>(i));
      walk(path, static_cast<int>(i),
           mass * (1 - null_probability) * jumps.weight(static_cast<int>(i) - last) / leave *
               emission[time][i]);
      path.pop_back();
    }
    path.push_back(-1);
    walk(path, last, mass * null_probability * null_emission[time]);
    path.pop_back();
  }
};

}  // namespace

TEST(cooccurrences_number_the_distinct_pairs) {
  const Side source(Corpus{{3, 4}, {}, {4, 4}, {3}});
  const Side target(Corpus{{7, 8}, {7}, {8}, {}});
  for (const int threads : {1, 2, 4}) {
    const Cooccurrences pairs(source.sentences(), target.sentences(), threads);
    CHECK_EQUAL(pairs.size(), 4U);  // 3-7, 3-8, 4-7, 4-8
    CHECK_EQUAL(pairs.slots(0).size(), 4U);
    CHECK_EQUAL(pairs.slots(1).size(), 0U);
    CHECK_EQUAL(pairs.slots(2).size(), 2U);
    CHECK_EQUAL(pairs.slots(0)[0], 0U);
    CHECK_EQUAL(pairs.slots(0)[3], 3U);
    CHECK_EQUAL(pairs.slots(2)[0], 3U);
    CHECK_EQUAL(pairs.words()[2], 7);
    CHECK_EQUAL(pairs.skipped(), 0U);
  }
}

TEST(cooccurrences_that_are_not_noted_are_found) {
  const Side source(Corpus{{3, 4}, {}, {4, 4}, {3}, {5, 3, 5}});
  const Side target(Corpus{{7, 8}, {7}, {8}, {}, {8, 8}});
  const Cooccurrences noted(source.sentences(), target.sentences(), 1, 4 * 12);
  for (const int threads : {1, 2}) {
    const Cooccurrences pairs(source.sentences(), target.sentences(), threads, 4 * 12 - 1);
    CHECK_EQUAL(pairs.size(), noted.size());
    std::vector<std::uint32_t> found, none;
    for (std::size_t begin = 0; begin < 5; ++begin) {
      for (std::size_t end = begin; end <= 5; ++end) {
        const auto slots = pairs.slots(begin, end, threads, found);
        const auto wanted = noted.slots(begin, end, threads, none);
        CHECK(std::equal(slots.begin(), slots.end(), wanted.begin(), wanted.end()));
      }
    }
    CHECK_EQUAL(found.size(), 6U);
    CHECK(none.empty());
  }
}

TEST(cooccurrences_refuse_what_does_not_fit) {
  const Side one(Corpus{{3}});
  const Side two(Corpus{{3}, {4}});
  CHECK_THROWS(Cooccurrences(one.sentences(), two.sentences(), 1), InputError, "1 sentences");
  const Side negative(Corpus{{-5}});
  CHECK_THROWS(Cooccurrences(negative.sentences(), one.sentences(), 1), InputError, "-5");
}

TEST(pairs_that_are_too_long_are_skipped) {
  const Side source(Corpus{std::vector<WordId>(2000, 3), {3}, std::vector<WordId>(70000, 3)});
  const Side target(Corpus{std::vector<WordId>(2000, 4), {4}, {4}});
  const Cooccurrences pairs(source.sentences(), target.sentences(), 2);
  CHECK_EQUAL(pairs.skipped(), 2U);
  CHECK_EQUAL(pairs.slots(0).size(), 0U);
  CHECK_EQUAL(pairs.slots(1).size(), 1U);
  CHECK_EQUAL(pairs.slots(2).size(), 0U);
}

TEST(the_hmm_agrees_with_all_paths) {
  Noise noise;
  for (const auto& [states, times] :
       std::vector<std::pair<std::size_t, std::size_t>>{{1, 1}, {1, 4}, {3, 1}, {3, 4}, {4, 5}}) {
    std::vector<double> weights(Jumps::kWeights);
    for (double& weight : weights) weight = 0.05 + noise();
    const Jumps jumps(weights);
    const double null_probability = 0.1 + 0.5 * noise();
    std::vector<std::vector<double>> emission(times, std::vector<double>(states));
    std::vector<double> null_emission(times);
    DirectionMatrix matrix;
    matrix.resize(states, times);
    for (std::size_t time = 0; time < times; ++time) {
      for (std::size_t i = 0; i < states; ++i) {
        emission[time][i] = static_cast<float>(0.01 + noise());
        matrix.emission(time)[i] = static_cast<float>(emission[time][i]);
      }
      null_emission[time] = static_cast<float>(0.01 + noise());
      matrix.null_emission(time) = static_cast<float>(null_emission[time]);
    }
    AllPaths expected{emission, null_emission, jumps, null_probability, states, {}, {}};
    expected.run();
    std::vector<double> jump_counts(Jumps::kWeights, 0.0);
    matrix.hmm(jumps, static_cast<float>(null_probability), jump_counts.data());
    for (std::size_t time = 0; time < times; ++time) {
      for (std::size_t i = 0; i < states; ++i) {
        CHECK_NEAR(matrix.posterior(time)[i], expected.posterior[time][i], 1e-5);
      }
      CHECK_NEAR(matrix.null_posterior(time), expected.null_posterior[time], 1e-5);
    }
    for (std::size_t k = 0; k < Jumps::kWeights; ++k) {
      CHECK_NEAR(jump_counts[k], expected.jump_counts[k], 1e-4);
    }
  }
}

TEST(a_long_sentence_does_not_underflow) {
  DirectionMatrix matrix;
  matrix.resize(500, 400);
  for (std::size_t time = 0; time < 400; ++time) {
    for (std::size_t i = 0; i < 500; ++i) matrix.emission(time)[i] = i == time ? 1e-3F : 1e-9F;
    matrix.null_emission(time) = 1e-9F;
  }
  std::vector<double> jump_counts(Jumps::kWeights, 0.0);
  matrix.hmm(Jumps(), 0.1F, jump_counts.data());
  for (std::size_t time = 0; time < 400; ++time) {
    double total = matrix.null_posterior(time);
    for (std::size_t i = 0; i < 500; ++i) total += matrix.posterior(time)[i];
    CHECK_NEAR(total, 1.0, 1e-3);
    CHECK(matrix.posterior(time)[time] > 0.99F);
  }
}

TEST(impossible_emissions_give_no_nan) {
  DirectionMatrix matrix;
  matrix.resize(3, 2);
  for (std::size_t time = 0; time < 2; ++time) matrix.null_emission(time) = 0;
  matrix.hmm(Jumps(), 0.1F, nullptr);
  for (std::size_t time = 0; time < 2; ++time) {
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::isfinite(matrix.posterior(time)[i]));
  }
  matrix.model1(0.1F);
  CHECK_EQUAL(matrix.posterior(0)[0], 0.0F);
}

TEST(jumps_without_counts_keep_their_shape) {
  const Jumps jumps = Jumps::from_counts(std::vector<double>(Jumps::kWeights, 0.0));
  CHECK_EQUAL(jumps.weight(1), Jumps().weight(1));
  CHECK_EQUAL(jumps.weight(1000), jumps.weight(Jumps::kReach));
}

TEST(link_counts_are_a_distribution_of_sums) {
  const float links[] = {0.5F, 0.25F, 1.0F};
  float distribution[kFertilities];
  link_count_distribution(links, 3, 1, distribution);
  CHECK_NEAR(distribution[0], 0.0, 1e-6);
  CHECK_NEAR(distribution[1], 0.375, 1e-6);
  CHECK_NEAR(distribution[2], 0.5, 1e-6);
  CHECK_NEAR(distribution[3], 0.125, 1e-6);

  // Besides the third link: none 0.375, one 0.5, two 0.125.
  const float gains[] = {8.0F, 4.0F, 2.0F, 1.0F};
  float expected[3];
  GainScratch scratch;
  expected_gains(links, 3, 1, gains, expected, scratch);
  CHECK_NEAR(expected[2], 8 * 0.375 + 4 * 0.5 + 2 * 0.125, 1e-6);
  CHECK_NEAR(expected[0], 4 * 0.75 + 2 * 0.25, 1e-6);
}

TEST(fertilities_follow_their_word_and_the_average) {
  // A word that always has one link, seen often, and one never seen.
  const std::vector<double> counts{0, 1000, 0, 0, 0, 0, 0, 0};
  const Fertilities fertilities{std::span<const double>(counts)};
  CHECK(fertilities.gains(0)[0] > 1000);
  CHECK(fertilities.gains(0)[1] < 0.001);
  CHECK_EQUAL(fertilities.gains(1)[0], fertilities.gains(500)[0]);  // both unknown
  CHECK(Fertilities(std::span<const double>(std::vector<double>(8, 0.0))).empty());
}

TEST(model1_finds_the_words_of_the_textbook) {
  // Brown et al.'s favourite: la maison / the house, la fleur / the flower.
  const Side source(Corpus{{3, 4}, {3, 5}});
  const Side target(Corpus{{7, 8}, {7, 9}});
  std::vector<float> by_threads;
  for (const int threads : {1, 2, 4}) {
    Model1Trainer trainer({source.sentences(), target.sentences()}, Direction::kForward, threads,
                          threads == 2 ? 0 : 1000);
    double before = -1e300;
    for (int iteration = 0; iteration < 20; ++iteration) {
      trainer.sweep(0, 2, threads);
      const double log_likelihood = trainer.finish_sweep();
      CHECK(log_likelihood >= before - 1e-6);  // EM never falls
      before = log_likelihood;
    }
    const LexicalTable table = trainer.table(0);
    CHECK(table.prob(3, 7) > 0.9F);
    CHECK(table.prob(4, 8) > 0.9F);
    CHECK(table.prob(5, 9) > 0.9F);
    by_threads.push_back(table.prob(4, 8));
  }
  CHECK_EQUAL(by_threads[0], by_threads[1]);
  CHECK_EQUAL(by_threads[0], by_threads[2]);
}

namespace {

std::vector<Link> train_and_align(const Side& source, const Side& target, int threads,
                                  const char* symmetry = "grow-diag-final-and") {
  AlignTrainer trainer({source.sentences(), target.sentences()}, {}, threads);
  const std::size_t pairs = source.sentences().size();
  for (const Stage stage : {Stage::kModel1, Stage::kModel1, Stage::kHmm, Stage::kHmm}) {
    trainer.sweep(stage, 0, pairs / 2, threads);
    trainer.sweep(stage, pairs / 2, pairs, threads);
    trainer.finish_sweep(stage);
  }
  std::vector<Link> links;
  std::vector<std::uint64_t> offsets;
  trainer.align(0, pairs, symmetry_from_name(symmetry), 0.3, threads, links, offsets);
  CHECK_EQUAL(offsets.size(), pairs + 1);
  CHECK_EQUAL(offsets.back(), links.size());
  const AlignmentModel model = trainer.model(0);
  std::vector<Link> again;
  model.align({source.sentences(), target.sentences()}, symmetry_from_name(symmetry), 0.3, threads,
              again, offsets);
  CHECK_EQUAL(offsets.size(), pairs + 1);
  return links;
}

// Each target word is its source word plus 100; every fourth pair is reversed.
std::pair<Side, Side> translated(std::size_t pairs) {
  Noise noise;
  std::vector<std::vector<WordId>> source(pairs), target(pairs);
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const auto length = static_cast<std::size_t>(1 + noise() * 8);
    for (std::size_t i = 0; i < length; ++i) {
      source[pair].push_back(3 + static_cast<WordId>(noise() * noise() * 40));
      target[pair].push_back(source[pair].back() + 100);
    }
    if (pair % 4 == 0) std::reverse(target[pair].begin(), target[pair].end());
  }
  return {Side(source), Side(target)};
}

}  // namespace

TEST(training_learns_a_code_and_threads_do_not_matter) {
  const auto [source, target] = translated(500);
  const auto links = train_and_align(source, target, 1);
  CHECK(links == train_and_align(source, target, 2));
  CHECK(links == train_and_align(source, target, 4));
  std::size_t right = 0;
  AlignTrainer trainer({source.sentences(), target.sentences()}, {}, 1);
  std::vector<std::uint64_t> offsets;
  for (const Stage stage : {Stage::kModel1, Stage::kModel1, Stage::kHmm, Stage::kHmm}) {
    trainer.sweep(stage, 0, 500, 1);
    trainer.finish_sweep(stage);
  }
  std::vector<Link> found;
  trainer.align(0, 500, Symmetry::kIntersection, 0.3, 1, found, offsets);
  for (std::size_t pair = 0; pair < 500; ++pair) {
    for (std::uint64_t k = offsets[pair]; k < offsets[pair + 1]; ++k) {
      right += source.sentences()[pair][found[k].source] + 100 ==
               target.sentences()[pair][found[k].target];
    }
  }
  CHECK(found.size() > source.ids.size() * 9 / 10);
  CHECK(right > found.size() * 95 / 100);
}

TEST(examples_are_kept_and_learnt_from) {
  // Nothing but an example tells which word translates which.
  const Side source(Corpus{{3, 4}, {3, 4}, {3, 4}, {3, 4}});
  const Side target(Corpus{{9, 10}, {9, 10}, {9, 10}, {9, 10}});
  const std::vector<Link> sure{{0, 1}, {1, 0}};
  const std::vector<std::uint64_t> sure_offsets{0, 2}, none_offsets{0, 0};
  const Examples examples{{sure, sure_offsets}, {{}, none_offsets}, 20};
  AlignTrainer trainer({source.sentences(), target.sentences()}, {}, 2, examples);
  for (const Stage stage : {Stage::kModel1, Stage::kModel1, Stage::kHmm, Stage::kHmm}) {
    trainer.sweep(stage, 0, 4, 2);
    trainer.finish_sweep(stage);
  }
  std::vector<Link> links;
  std::vector<std::uint64_t> offsets;
  trainer.align(0, 4, Symmetry::kIntersection, 0.3, 2, links, offsets);
  CHECK_EQUAL(links.size(), 8U);
  for (std::size_t k = 0; k < links.size(); ++k) CHECK(links[k] == sure[k % 2]);

  const std::vector<Link> outside{{2, 0}};
  const std::vector<std::uint64_t> one_offsets{0, 1};
  const Examples wrong{{outside, one_offsets}, {{}, none_offsets}, 1};
  CHECK_THROWS(wrong.require_fit(source.sentences(), target.sentences()), InputError, "link 2-0");
}

TEST(odd_corpora_give_defined_links) {
  const Side empty(Corpus(2));
  CHECK_EQUAL(train_and_align(empty, empty, 2).size(), 0U);
  const Side none(Corpus{});
  CHECK_EQUAL(train_and_align(none, none, 2).size(), 0U);
  const Side one(Corpus{{3}});
  CHECK_EQUAL(train_and_align(one, Side(Corpus{{9}}), 2).size(), 1U);
  const Side hundred(Corpus{std::vector<WordId>(100, 9)});
  (void)train_and_align(one, hundred, 2);
  (void)train_and_align(hundred, one, 2, "union");
  const Side long_one(Corpus{std::vector<WordId>(500, 3), {3}, {}});
  const Side long_other(Corpus{std::vector<WordId>(500, 4), {}, {4}});
  (void)train_and_align(long_one, long_other, 2, "posterior");
}

TEST(a_model_survives_a_file_and_meets_unknown_words) {
  const auto [source, target] = translated(300);
  AlignTrainer trainer({source.sentences(), target.sentences()}, {}, 2);
  for (const Stage stage : {Stage::kModel1, Stage::kModel1, Stage::kHmm, Stage::kHmm}) {
    trainer.sweep(stage, 0, 300, 2);
    trainer.finish_sweep(stage);
  }
  const AlignmentModel model = trainer.model(0.01);
  const check::TemporaryDirectory directory;
  model.save(directory / "aligner");
  const AlignmentModel opened = AlignmentModel::open(directory / "aligner");
  const Side new_source(Corpus{{3, 99999, 4}, {5, 6}, {}});
  const Side new_target(Corpus{{103, 88888, 104}, {106, 105}, {3}});
  std::vector<Link> links, again;
  std::vector<std::uint64_t> offsets;
  model.align({new_source.sentences(), new_target.sentences()}, Symmetry::kGrowDiagFinalAnd, 0.3,
              1, links, offsets);
  opened.align({new_source.sentences(), new_target.sentences()}, Symmetry::kGrowDiagFinalAnd, 0.3,
               2, again, offsets);
  CHECK(links == again);
  const std::vector<Link> expected{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 0}};
  CHECK(links == expected);

  const LexicalTable forward = model.lexical_table(Direction::kForward);
  const LexicalTable backward = model.lexical_table(Direction::kBackward);
  CHECK(forward.prob(3, 103) > 0.9F);
  CHECK(backward.prob(103, 3) > 0.9F);
  double total = 0;
  for (const float probability : backward.probabilities(104)) total += probability;
  CHECK_NEAR(total, 1.0, 0.05);  // what is below min_count is missing
}

TEST(links_are_read_and_written) {
  std::vector<Link> links;
  parse_links(" 3-4\t0-0  3-4 1-10\r", links);
  const std::vector<Link> expected{{0, 0}, {1, 10}, {3, 4}};
  CHECK(links == expected);
  std::string text;
  format_links(links, text);
  CHECK_EQUAL(text, "0-0 1-10 3-4");
  for (const char* bad : {"1", "1-", "-1", "1-2-3", "1--2", "a-b", "65536-0", "1?2", "0-0x"}) {
    CHECK_THROWS(parse_links(bad, links), InputError, bad);
  }
}

TEST(links_survive_a_file) {
  const std::vector<Link> links{{0, 0}, {1, 2}};
  const std::vector<std::uint64_t> offsets{0, 2, 2};
  const check::TemporaryDirectory directory;
  LinksFile::save(LinkSets(links, offsets), directory / "links");
  const LinksFile file(directory / "links");
  CHECK_EQUAL(file.links().size(), 2U);
  CHECK_EQUAL(file.links()[0].size(), 2U);
  CHECK(file.links()[0][1] == links[1]);
  CHECK_EQUAL(file.links()[1].size(), 0U);
}

namespace {

std::vector<Link> combined(const std::vector<Link>& forward, const std::vector<Link>& backward,
                           const char* name) {
  Symmetriser symmetriser;
  std::vector<Link> links;
  symmetriser.combine(forward, backward, symmetry_from_name(name), links);
  return links;
}

}  // namespace

TEST(symmetrisation_by_hand) {
  // Forward 0-0 1-1 2-3, backward 0-0 1-2 3-3: only 0-0 is in both.
  const std::vector<Link> forward{{0, 0}, {1, 1}, {2, 3}};
  const std::vector<Link> backward{{0, 0}, {1, 2}, {3, 3}};
  using Links = std::vector<Link>;
  CHECK(combined(forward, backward, "intersection") == (Links{{0, 0}}));
  CHECK(combined(forward, backward, "union") == (Links{{0, 0}, {1, 1}, {1, 2}, {2, 3}, {3, 3}}));
  CHECK(combined(forward, backward, "forward") == forward);
  CHECK(combined(forward, backward, "backward") == backward);
  // 1-1 is a diagonal neighbour of 0-0; then 1-2 beside it, whose target is free; then 2-3,
  // diagonal to 1-2; then 3-3 below it, whose source is free.
  CHECK(combined(forward, backward, "grow-diag") ==
        (Links{{0, 0}, {1, 1}, {1, 2}, {2, 3}, {3, 3}}));
  CHECK_THROWS(combined(forward, backward, "posterior"), InputError, "posteriors");
  CHECK_THROWS(combined(forward, backward, "grow-final"), InputError, "grow-diag-final-and");
}

TEST(final_adds_what_is_far_away) {
  const std::vector<Link> forward{{0, 0}, {3, 3}, {0, 5}};
  std::vector<Link> sorted(forward);
  std::sort(sorted.begin(), sorted.end());
  const std::vector<Link> backward{{0, 0}, {3, 7}};
  using Links = std::vector<Link>;
  CHECK(combined(sorted, backward, "grow-diag") == (Links{{0, 0}}));
  // 3-3 and 0-5 have a free word, then 3-7 too.
  CHECK(combined(sorted, backward, "grow-diag-final") == (Links{{0, 0}, {0, 5}, {3, 3}, {3, 7}}));
  // 0-5 shares its source with 0-0, 3-7 its source with 3-3.
  CHECK(combined(sorted, backward, "grow-diag-final-and") == (Links{{0, 0}, {3, 3}}));
}

CHECK_MAIN()
