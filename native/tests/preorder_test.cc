// Trees, oracle labels, classifiers and the parser-free mode, under the sanitizers.
#include <numeric>
#include <random>
#include <string>

#include "check.h"
#include "corpus/word_clusterer.h"
#include "preorder/btg_parser.h"
#include "preorder/btg_trainer.h"
#include "preorder/node_classifier.h"
#include "preorder/node_features.h"
#include "preorder/oracle.h"
#include "preorder/read_brackets.h"
#include "preorder/read_conllu.h"
#include "text/error.h"

using namespace dragoman;

namespace {

void add(Trees& trees, const std::string& line, Binarisation how = Binarisation::kHead) {
  read_brackets(line, "trees", trees.size() + 1, how, HeadSide::kLast, trees);
}

// A random tree over `words` words, in brackets.
std::string random_tree(int words, std::mt19937& random) {
  if (words == 1) return "(T w" + std::to_string(random() % 5) + ")";
  const int left = 1 + static_cast<int>(random() % static_cast<unsigned>(words - 1));
  return "(L" + std::to_string(random() % 3) + " " + random_tree(left, random) + " " +
         random_tree(words - left, random) + ")";
}

std::vector<std::int32_t> identity(std::size_t words) {
  std::vector<std::int32_t> order(words);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

}  // namespace

TEST(labels_never_lower_tau) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    Trees trees;
    add(trees, random_tree(1 + static_cast<int>(random() % 12), random));
    const Tree tree = trees[0];
    std::vector<Link> links;
    for (std::uint16_t word = 0; word < tree.tokens.size(); ++word) {
      std::uint16_t target = 0;
      for (unsigned k = random() % 3; k-- > 0;) {
        target = static_cast<std::uint16_t>(target + 1 + random() % 6);
        links.push_back({word, target});
      }
    }
    const auto positions = target_positions(links, tree.tokens.size());
    const auto pairs = cross_pairs(tree, positions);
    std::vector<std::uint8_t> turned;
    std::int64_t expected = 0;
    for (const CrossPairs& pair : pairs) {
      turned.push_back(pair.score() < 0);
      expected += std::max(pair.rising, pair.falling);
    }
    const auto before = concordance(identity(tree.tokens.size()), positions);
    const auto after = concordance(reorder(tree, turned), positions);
    CHECK(after.concordant >= before.concordant);
    CHECK_EQUAL(after.concordant, expected);
    CHECK_EQUAL(after.words, before.words);
  }
}

TEST(deep_trees_need_no_stack) {
  std::string line;
  constexpr int kDepth = 20'000;
  for (int k = 0; k < kDepth; ++k) line += "(A (T w) ";
  line += "(T w)";
  line += std::string(kDepth, ')');
  Trees trees;
  add(trees, line);
  CHECK_EQUAL(trees[0].nodes.size(), static_cast<std::size_t>(kDepth));
  std::vector<std::uint8_t> turned(kDepth, 1);
  CHECK_EQUAL(reorder(trees[0], turned).front(), kDepth);
  CHECK_EQUAL(trees.brackets(0).size(), line.size());
}

TEST(damaged_lines_are_refused_or_read) {
  std::mt19937 random(2);
  const std::string alphabet = "()  ab-*\t\\";
  for (int round = 0; round < 3000; ++round) {
    std::string line;
    for (unsigned k = random() % 30; k-- > 0;) line += alphabet[random() % alphabet.size()];
    Trees trees;
    try {
      add(trees, line, static_cast<Binarisation>(random() % 3));
    } catch (const InputError&) {
      CHECK_EQUAL(trees.size(), 0U);
      add(trees, "(S (N a) (V b))");  // nothing of the bad line is left
      CHECK_EQUAL(trees.text(0), std::string("a b"));
      continue;
    }
    const Tree tree = trees[0];
    CHECK_EQUAL(tree.nodes.size(), tree.tokens.empty() ? 0 : tree.tokens.size() - 1);
  }
}

TEST(damaged_dependencies_are_refused_or_read) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    const unsigned words = 1 + random() % 8;
    std::vector<std::string> lines;
    for (unsigned k = 1; k <= words; ++k) {
      lines.push_back(std::to_string(k) + "\tw\t_\tX\t_\t_\t" +
                      std::to_string(random() % (words + 1)) + "\tdep\t_\t_");
    }
    const std::vector<std::string_view> views(lines.begin(), lines.end());
    Trees trees;
    try {
      read_conllu(views, "d", 1, static_cast<Binarisation>(random() % 3), trees);
    } catch (const InputError&) {
      CHECK_EQUAL(trees.size(), 0U);
      continue;
    }
    const Tree tree = trees[0];
    CHECK_EQUAL(tree.nodes.size() + 1, static_cast<std::size_t>(words));
    if (!tree.nodes.empty()) {
      CHECK_EQUAL(tree.nodes.back().begin, 0);
      CHECK_EQUAL(tree.nodes.back().end, static_cast<std::int32_t>(words));
    }
    for (const TreeNode& node : tree.nodes) {
      CHECK(node.begin < node.split && node.split < node.end);
      CHECK(node.begin <= node.head && node.head < node.end);
    }
  }
}

TEST(classifiers_travel_through_files) {
  const check::TemporaryDirectory directory;
  std::vector<float> weights(1 << 10);
  std::mt19937 random(4);
  for (float& weight : weights) weight = static_cast<float>(random() % 100) / 50 - 1;
  const std::string path = directory / "model";
  NodeClassifier::save(path, kAllFeatures, Binarisation::kLeft, HeadSide::kFirst, 0.5, weights);
  const NodeClassifier model(path, Verify::kContent);
  Trees trees;
  for (int k = 0; k < 300; ++k) add(trees, random_tree(1 + k % 9, random));
  const auto scores = model.scores(trees, 1);
  CHECK(scores == model.scores(trees, 3));
  // By hand: the weights of the features, and the bias.
  NodeFeatures maker(trees.symbols(), kAllFeatures);
  maker.begin(trees[2]);
  std::vector<std::uint64_t> features;
  maker.of(0, features);
  double sum = 0.5;
  for (const auto feature : features) sum += weights[feature & (weights.size() - 1)];
  CHECK_NEAR(scores[trees.node_offsets()[2]], sum, 1e-4);
}

TEST(classes_do_not_depend_on_how_many_bigrams_wait) {
  std::mt19937 random(3);
  std::vector<WordId> ids;
  std::vector<std::uint64_t> offsets{0};
  for (int k = 0; k < 200; ++k) {
    for (unsigned w = random() % 8; w > 0; --w) ids.push_back(static_cast<WordId>(random() % 30));
    offsets.push_back(ids.size());
  }
  const Sentences text(ids, offsets);
  WordClusterer whole(text, 30, 4, 1);
  for (const std::size_t waiting : {1, 7, 100}) {
    WordClusterer parts(text, 30, 4, 1, waiting);
    CHECK(parts.objective() == whole.objective());
    WordClusterer again(text, 30, 4, 1);
    CHECK_EQUAL(parts.sweep(), again.sweep());
    CHECK(parts.classes() == again.classes());
    CHECK(parts.objective() == again.objective());
  }
}

TEST(splits_are_learnt) {
  // Words a b with b before a in the translation, always: the parser exchanges them.
  VocabularyBuilder builder;
  std::vector<WordId> provisional;
  for (int k = 0; k < 20; ++k) {
    for (const char* word : {"a", "b"}) provisional.push_back(builder.add(word));
  }
  const auto built = builder.finish();
  std::vector<WordId> ids;
  std::vector<std::uint64_t> offsets{0};
  std::vector<Link> links;
  std::vector<std::uint64_t> link_offsets{0};
  for (int k = 0; k < 20; ++k) {
    for (int w = 0; w < 2; ++w) ids.push_back(built.final_ids[provisional[2 * k + w]]);
    offsets.push_back(ids.size());
    links.push_back({0, 1});
    links.push_back({1, 0});
    link_offsets.push_back(links.size());
  }
  const Sentences text(ids, offsets);
  WordClusterer clusterer(text, built.vocabulary.size(), 2, 1);
  const double before = clusterer.objective();
  clusterer.sweep();
  CHECK(clusterer.objective() >= before);
  BtgOptions options;
  options.bits = 10;
  BtgTrainer trainer(text, LinkSets(links, link_offsets), built.vocabulary, clusterer.classes(),
                     options);
  for (int round = 0; round < 3; ++round) {
    trainer.begin_round();
    trainer.learn(0, trainer.size());
  }
  const check::TemporaryDirectory directory;
  const std::string path = directory / "btg";
  trainer.save(path);
  const BtgParser parser(path, Verify::kContent);
  std::vector<std::int32_t> order;
  parser.parse("a b", order);
  CHECK_EQUAL(order.size(), 2U);
  CHECK_EQUAL(order[0], 1);
  order.clear();
  parser.parse("", order);
  CHECK(order.empty());
  parser.parse("something else entirely , much longer", order);
  CHECK_EQUAL(order.size(), 6U);
}

CHECK_MAIN()
