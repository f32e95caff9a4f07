// Rules, boundaries of language models and the chart search, under the sanitizers.
#include "check.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <string>

#include "lm/boundary.h"
#include "rules/score_rules.h"
#include "search/chart_batch.h"
#include "search/chart_graph.h"
#include "search/derivation.h"
#include "search/stack_batch.h"
#include "small_lm.h"
#include "text/error.h"
#include "text/tokens.h"

using namespace dragoman;

namespace {

std::string random_text(std::size_t sentences, const char* prefix, unsigned seed) {
  std::mt19937 random(seed);
  std::string text;
  for (std::size_t i = 0; i < sentences; ++i) {
    for (auto left = 1 + random() % 9; left > 0; --left) {
      text += prefix + std::to_string(random() % (1 + random() % 12)) + (left > 1 ? " " : "");
    }
    text += '\n';
  }
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

struct Side {
  std::vector<WordId> ids;
  std::vector<std::uint64_t> offsets{0};
  Sentences view() const { return {ids, offsets}; }
};

Side encode(const std::string& text, const std::string& path) {
  VocabularyBuilder builder;
  Side side;
  for (const std::string& line : lines_of(text)) {
    for_each_token(line, [&](std::string_view word) { side.ids.push_back(builder.add(word)); });
    side.offsets.push_back(side.ids.size());
  }
  const auto finished = builder.finish();
  for (WordId& id : side.ids) id = finished.final_ids[static_cast<std::size_t>(id)];
  finished.vocabulary.save(path);
  return side;
}

// A model of random sentence pairs with random links.
std::shared_ptr<TranslationModel> make_model(const std::string& directory, unsigned seed,
                                             int order) {
  const Side source = encode(random_text(120, "s", seed), directory + "/source");
  const Side target = encode(random_text(120, "t", seed + 1), directory + "/target");
  std::mt19937 random(seed + 2);
  std::vector<Link> links;
  std::vector<std::uint64_t> offsets{0};
  for (std::size_t pair = 0; pair < source.view().size(); ++pair) {
    const std::size_t words = target.view()[pair].size();
    for (std::size_t i = 0; i < source.view()[pair].size(); ++i) {
      if (random() % 5 == 0) continue;
      links.push_back(
          {static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(random() % words)});
    }
    offsets.push_back(links.size());
  }
  const AlignedText text({source.view(), target.view()}, {links, offsets});
  RuleCounter counter(text, {}, {1 << 20, directory, 2});
  counter.extract(0, counter.pairs());
  counter.aggregate(0, counter.partitions());
  counter.join(0, counter.partitions());
  const auto forward = lexical_table_from_links(text, Direction::kForward);
  const auto backward = lexical_table_from_links(text, Direction::kBackward);
  RuleScoringOptions options;
  options.source_words =
      static_cast<std::uint32_t>(Vocabulary::open(directory + "/source").size());
  options.target_words =
      static_cast<std::uint32_t>(Vocabulary::open(directory + "/target").size());
  RuleScorer scorer(counter, forward, backward, options);
  scorer.score(0, counter.partitions());
  while (!scorer.write(directory + "/rules")) {
  }
  write_lm(random_text(200, "t", seed + 3), directory + "/lm", order);
  return std::make_shared<TranslationModel>(TranslationModel::Files{directory + "/rules",
                                                                    directory + "/source",
                                                                    directory + "/target",
                                                                    "",
                                                                    "",
                                                                    {{"lm", directory + "/lm"}}},
                                            Verify::kContent);
}

std::vector<double> simple_weights(const TranslationModel& model) {
  std::vector<double> weights(model.features().size(), 0.2);
  weights[model.features().unknown()] = -5;
  weights[model.features().glue()] = -0.1;
  return weights;
}

std::string random_line(std::size_t words, unsigned seed) {
  std::mt19937 random(seed);
  std::string line;
  for (std::size_t i = 0; i < words; ++i) {
    line += (line.empty() ? "s" : " s") + std::to_string(random() % 14);
  }
  return line;
}

void check_equal(const Hypergraph& one, const Hypergraph& two) {
  CHECK_EQUAL(one.nodes(), two.nodes());
  CHECK_EQUAL(one.edges(), two.edges());
  CHECK_EQUAL(one.goal(), two.goal());
  CHECK_EQUAL(one.has_values(), two.has_values());
  for (std::size_t at = 0; at < one.edges(); ++at) {
    const Hyperedge &a = one.edge(at), &b = two.edge(at);
    CHECK_EQUAL(a.score, b.score);
    CHECK_EQUAL(a.head, b.head);
    CHECK_EQUAL(a.rule, b.rule);
    CHECK(a.source == b.source);
    CHECK(std::ranges::equal(one.tails(a), two.tails(b)));
    CHECK(std::ranges::equal(one.target(a), two.target(b)));
    if (one.has_values()) CHECK(std::ranges::equal(one.values(at), two.values(at)));
  }
}

}  // namespace

TEST(pieces_joined_in_any_order_score_as_a_whole) {
  const check::TemporaryDirectory directory;
  for (int order = 1; order <= 5; ++order) {
    const std::string path = directory.path() + "/lm";
    write_lm(random_text(300, "t", static_cast<unsigned>(order)), path, order);
    const NgramModel model = NgramModel::open(path);
    std::mt19937 random(static_cast<unsigned>(order));
    for (int round = 0; round < 300; ++round) {
      std::vector<WordId> words(1 + random() % 9);
      for (WordId& word : words) {
        word = random() % 8 == 0 ? kUnknown : static_cast<WordId>(3 + random() % 11);
      }
      LmState state = model.begin_state(), next;
      double whole = 0;
      for (const WordId word : words) {
        whole += static_cast<double>(model.score(state, word, next).log_prob);
        state = next;
      }
      // Pieces of one word, neighbours joined at random, at last the begin of the sentence.
      struct Piece {
        LmBoundary boundary;
        double log_prob;
      };
      std::vector<Piece> pieces;
      for (const WordId word : words) {
        Piece piece;
        LmJoiner joiner(model, piece.boundary);
        joiner.word(word);
        piece.log_prob = joiner.log_prob();
        pieces.push_back(piece);
      }
      while (pieces.size() > 1) {
        const std::size_t at = random() % (pieces.size() - 1);
        Piece joined;
        LmJoiner joiner(model, joined.boundary);
        joiner.piece(pieces[at].boundary);
        joiner.piece(pieces[at + 1].boundary);
        joined.log_prob = joiner.log_prob() + pieces[at].log_prob + pieces[at + 1].log_prob;
        pieces[at] = joined;
        pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(at) + 1);
      }
      LmBoundary sentence;
      LmJoiner joiner(model, sentence);
      joiner.begin_sentence();
      joiner.piece(pieces[0].boundary);
      CHECK_NEAR(joiner.log_prob() + pieces[0].log_prob, whole, 1e-4);
      CHECK_EQUAL(sentence.right.key(), state.key());
    }
  }
}

TEST(chart_search) {
  const check::TemporaryDirectory directory;
  for (unsigned seed = 0; seed < 3; ++seed) {
    const auto model = make_model(directory.path(), seed * 10, 3);
    CHECK(model->hierarchical());
    const std::vector<double> weights = simple_weights(*model);
    std::vector<DecodeRequest> requests;
    for (const std::string& line : lines_of(random_text(10, "s", 77 + seed))) {
      requests.push_back({line + " strange", {}, {}});
    }
    requests.push_back({"", {}, {}});
    std::string shared;
    for (int i = 0; i < 120; ++i) shared += "s" + std::to_string(i % 14) + " ";
    requests.push_back({shared, {}, {}});
    for (const ChartOptions& options :
         {ChartOptions{}, ChartOptions{1.0, 3, 2.0, 4, 4, UnknownWords::kDrop},
          ChartOptions{9, 0, 9, 30, 0}}) {
      ChartDecoder decoder(model, weights, options);
      for (const DecodeResult& result : decoder.decode(requests, {10, true, true, true}, 2)) {
        CHECK(result.found);
        CHECK_NEAR(dot(weights, result.best.features), result.best.score, 1e-3);
        for (const OutputTranslation& entry : result.nbest) {
          CHECK_NEAR(dot(weights, entry.features), entry.score, 1e-3);
        }
      }
    }
  }
}

TEST(chart_search_does_not_miss_what_it_has_forgotten) {
  const check::TemporaryDirectory directory;
  const auto model = make_model(directory.path(), 40, 3);
  const WeightedModel weighted(model, simple_weights(*model));
  for (const ChartOptions& options :
       {ChartOptions{}, ChartOptions{1.0, 3, 2.0, 4, 4, UnknownWords::kDrop},
        ChartOptions{9, 0, 9, 30, 0}}) {
    ChartSearch forgetting(weighted, options, {.few = 0});
    ChartSearch keeping(weighted, options, {.few = std::numeric_limits<std::size_t>::max()});
    for (unsigned seed = 0; seed < 6; ++seed) {
      const std::string line = random_line(1 + 7 * seed, seed) + (seed % 2 == 0 ? " strange" : "");
      Demands demands;
      if (seed == 4) {
        demands.given = {{2, 5, "t1 given", -0.5, true}, {8, 9, "t2", -1, false}};
        demands.zones = {{10, 14}};
        demands.walls = {17};
      }
      for (const ChartKeeps keeps : {ChartKeeps{}, {.others = true}, {true, true}}) {
        ChartSentence first(line, demands, *model), second(line, demands, *model);
        const ChartSpace& few = forgetting.run(first, keeps);
        const ChartSpace& all = keeping.run(second, keeps);
        CHECK(few.goal() != kNone);
        CHECK_EQUAL(few.best(few.goal()).score, all.best(all.goal()).score);
        CHECK_EQUAL(few.stats.evaluated, all.stats.evaluated);
        CHECK_EQUAL(few.stats.recombined, all.stats.recombined);
        CHECK(few.edges() <= all.edges());
        check_equal(make_hypergraph(weighted, few, keeps.boundaries),
                    make_hypergraph(weighted, all, keeps.boundaries));
      }
    }
  }
}

TEST(chart_search_keeps_no_more_than_can_be_asked_for) {
  const check::TemporaryDirectory directory;
  const auto model = make_model(directory.path(), 50, 3);
  const WeightedModel weighted(model, simple_weights(*model));
  ChartOptions options;
  options.pop_limit = 50;
  ChartSearch forgetting(weighted, options, {.few = 0}), usual(weighted, options);
  ChartSearch keeping(weighted, options, {.few = std::numeric_limits<std::size_t>::max()});
  const auto kept = [&](ChartSearch& search, std::size_t words, ChartKeeps keeps) {
    ChartSentence sentence(random_line(words, 7), {}, *model);
    return search.run(sentence, keeps).edges();
  };
  // What comes to the spans that a rule may still take for a gap, and of what is behind them one
  // derivation.
  const std::size_t at_hand = options.span_limit * options.span_limit * options.pop_limit;
  CHECK(kept(forgetting, 400, {}) < at_hand + 4 * 400);
  CHECK(kept(forgetting, 1600, {}) < at_hand + 4 * 1600);
  // Beside that, the ways to S and to what these are made of.
  CHECK(kept(forgetting, 1600, {.others = true}) < kept(keeping, 1600, {.others = true}) / 2);
  // What is looked through only now and then is no more than twice that and the few.
  CHECK(kept(usual, 1600, {}) < ChartSearch::Room().few + 2 * (at_hand + 4 * 1600));
  CHECK(kept(keeping, 1600, {}) > 4 * (at_hand + 4 * 1600));
  ChartSearch narrow(weighted, options, {.few = 0, .most = at_hand / 4});
  CHECK_THROWS(kept(narrow, 400, {}), InputError, "leaves too much to keep");
  CHECK(kept(narrow, 5, {}) < at_hand / 4);
}

TEST(chart_search_needs_rules) {
  const check::TemporaryDirectory directory;
  const auto model = make_model(directory.path(), 5, 2);
  const std::vector<double> weights(model->features().size(), 0.2);
  CHECK_THROWS(PhraseDecoder(model, weights, SearchOptions{}), InputError, "chart search");
  ChartDecoder decoder(model, weights, {});
  DecodeRequest request{"s1", {}, "t1"};
  CHECK(decoder.decode({&request, 1}, {}, 1)[0].error.find("phrase model") != std::string::npos);
}

CHECK_MAIN()
