// Networks that score translations, and who belongs to whom.
#include "neural/network.h"

#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "check.h"
#include "neural/affiliations.h"
#include "neural/examples.h"
#include "neural/scorer.h"
#include "text/error.h"

using namespace dragoman;

namespace {

constexpr NetworkShape kShape{2, 1, 3, 20, 7, 6};

struct Numbers {
  std::vector<float> source, target, first, bias, output, frequency;

  explicit Numbers(const NetworkShape& shape) {
    std::mt19937 random(1);
    const auto fill = [&random](std::vector<float>& values, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) {
        values.push_back(static_cast<float>(random() % 1000) / 500 - 1);
      }
    };
    fill(source, shape.source_words * shape.dimensions);
    fill(target, shape.target_words * shape.dimensions);
    fill(first, shape.inputs() * shape.dimensions * shape.hidden);
    fill(bias, shape.hidden);
    fill(output, shape.target_words * shape.hidden);
    fill(frequency, shape.target_words);
  }
  NetworkWeights view() const { return {source, target, first, bias, output, frequency}; }
};

// From the definition: all of the first layer, then the word's row of the second.
double score_of(const Numbers& numbers, const std::vector<WordId>& inputs, WordId word) {
  double sum = numbers.frequency[static_cast<std::size_t>(word)];
  for (std::size_t unit = 0; unit < kShape.hidden; ++unit) {
    double hidden = numbers.bias[unit];
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      const std::vector<float>& vectors = k < kShape.history ? numbers.target : numbers.source;
      for (std::size_t d = 0; d < kShape.dimensions; ++d) {
        hidden += vectors[static_cast<std::size_t>(inputs[k]) * kShape.dimensions + d] *
                  numbers.first[(k * kShape.dimensions + d) * kShape.hidden + unit];
      }
    }
    sum += std::max(hidden, 0.0) *
           numbers.output[static_cast<std::size_t>(word) * kShape.hidden + unit];
  }
  return std::clamp(sum, -30.0, 5.0);
}

}  // namespace

TEST(a_word_belongs_to_the_middle_of_its_partners_or_to_a_neighbours) {
  using Found = std::vector<std::uint32_t>;
  CHECK(affiliations({}, 2) == (Found{0, 0}));
  CHECK(affiliations({}, 0) == Found{});
  // One, two and three partners.
  CHECK(affiliations({{4, 0}, {1, 1}, {3, 1}, {5, 2}, {0, 2}, {2, 2}}, 3) == (Found{4, 1, 2}));
  // The nearest neighbour; of two the one to the right.
  CHECK(affiliations({{7, 1}, {9, 5}}, 7) == (Found{7, 7, 7, 9, 9, 9, 9}));
  CHECK(affiliations({{7, 0}, {9, 3}}, 4) == (Found{7, 7, 9, 9}));
  // Links that point outside are nobody's.
  CHECK(affiliations({{7, 0}, {9, 8}}, 2) == (Found{7, 7}));
}

TEST(examples_are_what_stands_around) {
  const std::vector<WordId> source{3, 4, 6, 5};
  const std::vector<WordId> target{4, 9};
  const std::vector<std::uint64_t> source_offsets{0, 3, 4};
  const std::vector<std::uint64_t> target_offsets{0, 1, 2};
  const std::vector<Link> links{{2, 0}};
  const std::vector<std::uint64_t> link_offsets{0, 1, 1};
  const AlignedText text({Sentences(source, source_offsets), Sentences(target, target_offsets)},
                         LinkSets(links, link_offsets));
  // The words before, the last one first; the window; the word. Id 9 is unknown to the network.
  const std::vector<std::uint16_t> expected{
      1, 1, 4, 6, 2, 4,  //
      4, 1, 6, 2, 2, 2,  //
      1, 1, 1, 5, 2, 0,  //
      0, 1, 5, 2, 2, 2,
  };
  CHECK(network_examples(text, kShape, 1) == expected);
  CHECK(network_examples(text, kShape, 2) ==
        std::vector<std::uint16_t>(expected.begin(), expected.begin() + 12));
  const std::vector<Link> outside{{3, 0}};
  const AlignedText wrong({text.source, text.target}, LinkSets(outside, link_offsets));
  CHECK_THROWS(network_examples(wrong, kShape, 1), InputError, "sentence pair 1");
}

TEST(scores_are_those_of_the_definition_whatever_was_asked_before) {
  const check::TemporaryDirectory directory;
  const Numbers numbers(kShape);
  Network::save(directory / "network", kShape, numbers.view());
  NetworkScorer scorer(std::make_shared<const Network>(directory / "network"));
  const std::vector<WordId> source{3, 6, 9};  // 9 is unknown
  const std::vector<WordId> target{5, 4};
  const std::vector<std::uint32_t> partners{2, 0};
  const double expected = score_of(numbers, {1, 1, 6, 0, 2}, 5) +
                          score_of(numbers, {5, 1, 1, 3, 6}, 4) +
                          score_of(numbers, {4, 5, 0, 2, 2}, 2);
  for (int round = 0; round < 2; ++round) {
    scorer.begin(source);
    CHECK_NEAR(scorer.score(target, partners), expected, 1e-4);
    CHECK_NEAR(scorer.score({}, {}), score_of(numbers, {1, 1, 0, 2, 2}, 2), 1e-4);
    CHECK_NEAR(scorer.score(target, partners), expected, 1e-4);
    // A partner outside the sentence is its end.
    const std::vector<std::uint32_t> outside{2, 4'000'000'000u};
    CHECK(std::isfinite(scorer.score(target, outside)));
    scorer.begin(target);
    CHECK(std::isfinite(scorer.score(source, std::vector<std::uint32_t>{0, 1, 1})));
  }
}

TEST(networks_that_are_none_are_refused) {
  const check::TemporaryDirectory directory;
  Numbers numbers(kShape);
  NetworkShape other = kShape;
  other.hidden = 21;
  CHECK_THROWS(Network::save(directory / "network", other, numbers.view()), std::invalid_argument,
               "shape");
  other = kShape;
  other.target_words = 1 << 17;
  CHECK(!other.sound());
  numbers.bias[3] = std::numeric_limits<float>::quiet_NaN();
  Network::save(directory / "network", kShape, numbers.view());
  CHECK_THROWS(Network(directory / "network"), InputError, "not a number");
}

CHECK_MAIN()
