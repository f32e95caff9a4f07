// Batches of lines through the stack search, under the sanitizers.
#include "search/stack_batch.h"

#include <memory>
#include <string>
#include <vector>

#include "check.h"
#include "rules/moses_table.h"
#include "search/derivation.h"
#include "search/kbest.h"

using namespace dragoman;

namespace {

// Every word has three translations and every pair of neighbours one more; no language model.
std::shared_ptr<TranslationModel> make_model(const check::TemporaryDirectory& directory) {
  std::string phrases;
  const auto add = [&phrases](const std::string& source, const std::string& target, int scale) {
    const std::string value = " 0." + std::to_string(1 + scale % 9);
    phrases += source + " ||| " + target + " |||" + value + value + value + value + " ||| 0-0\n";
  };
  for (int i = 0; i < 9; ++i) {
    const std::string word = "s" + std::to_string(i);
    for (int k = 0; k < 3; ++k) {
      add(word, "t" + std::to_string(i) + std::string(static_cast<std::size_t>(k), 'x'), i + k);
    }
    add(word + " s" + std::to_string((i + 1) % 9), "u" + std::to_string(i), 3 * i);
  }
  MosesImporter importer("phrases");
  importer.add_phrases(phrases);
  importer.finish(directory / "p", directory / "s", directory / "t", {1, 1, 1, 1});
  return std::make_shared<TranslationModel>(
      TranslationModel::Files{directory / "p", directory / "s", directory / "t", "", {}},
      Verify::kContent);
}

std::vector<double> weights_of(const TranslationModel& model) {
  std::vector<double> weights(model.features().size(), 0.2);
  weights[model.features().unknown()] = -5;
  return weights;
}

std::vector<DecodeRequest> requests_of(int lines) {
  std::vector<DecodeRequest> requests;
  for (int i = 0; i < lines; ++i) {
    DecodeRequest& request = requests.emplace_back();
    for (int k = 0; k <= i % 8; ++k) request.line += "s" + std::to_string((i + 2 * k) % 10) + " ";
    if (i % 3 == 0) request.demands.given = {{0, 1, "a term", 0, true}};
    if (i % 4 == 3) request.demands.zones = {{1, 3}};
  }
  return requests;
}

}  // namespace

TEST(calls_that_want_other_things_share_their_workers) {
  const check::TemporaryDirectory directory;
  const auto model = make_model(directory);
  const std::vector<double> weights = weights_of(*model);
  const auto requests = requests_of(40);
  DecodeWants many;
  many.nbest = 30;
  many.graph = true;
  PhraseDecoder fresh(model, weights, {});
  const auto expected = fresh.decode(requests, many, 1);
  PhraseDecoder decoder(model, weights, {});
  for (const int threads : {1, 3}) {
    for (int round = 0; round < 2; ++round) {
      const auto plain = decoder.decode(requests, {}, threads);
      const auto rich = decoder.decode(requests, many, threads);
      for (std::size_t i = 0; i < requests.size(); ++i) {
        CHECK(plain[i].found && rich[i].found);
        CHECK_EQUAL(plain[i].best.target, expected[i].best.target);
        CHECK(plain[i].nbest.empty() && plain[i].graph == nullptr);
        CHECK_EQUAL(rich[i].nbest.size(), expected[i].nbest.size());
        CHECK_EQUAL(rich[i].graph->graph.edges(), expected[i].graph->graph.edges());
        for (std::size_t k = 0; k < rich[i].nbest.size(); ++k) {
          CHECK_EQUAL(rich[i].nbest[k].target, expected[i].nbest[k].target);
          CHECK_NEAR(dot(weights, rich[i].nbest[k].features), rich[i].nbest[k].score, 1e-6);
        }
      }
    }
  }
}

TEST(a_line_that_cannot_be_translated_spoils_no_other) {
  const check::TemporaryDirectory directory;
  const auto model = make_model(directory);
  PhraseDecoder decoder(model, weights_of(*model), {});
  auto requests = requests_of(3);
  requests[1].demands.given = {{4, 9, "x", 0, true}};
  const auto results = decoder.decode(requests, {}, 2);
  CHECK(results[0].found && results[2].found);
  CHECK(results[1].error.find("does not lie") != std::string::npos);
}

TEST(graphs_spell_words_of_the_line_alone) {
  const check::TemporaryDirectory directory;
  const auto model = make_model(directory);
  PhraseDecoder decoder(model, weights_of(*model), {});
  DecodeRequest request;
  request.line = "s1 stranger s2";
  request.demands.given = {{0, 1, "given by hand", 0, true}};
  DecodeWants wants;
  wants.graph = true;
  const auto result = decoder.decode({&request, 1}, wants, 1).front();
  const SentenceGraph& graph = *result.graph;
  KBest kbest(graph.graph);
  const auto best = kbest.entry(0);
  CHECK(best.has_value());
  CHECK_EQUAL(graph.spell(graph.graph.spell(best->edges)), result.best.target);
  CHECK(result.best.target.find("given by hand") != std::string::npos);
  const auto ids = graph.read("stranger hand nowhere nowhere");
  CHECK_EQUAL(graph.words.word(ids[0]), "stranger");
  CHECK_EQUAL(graph.words.word(ids[1]), "hand");
  CHECK(ids[2] < 0 && ids[3] < 0 && ids[2] != ids[3]);
}

CHECK_MAIN()
