#include "search/batch.h"

#include "search/kbest.h"
#include "text/error.h"
#include "text/tokens.h"

namespace dragoman {

std::string SentenceGraph::spell(Sentence target) const {
  return words.spell(target, [](WordId) { return '*'; });
}

std::vector<WordId> SentenceGraph::read(std::string_view text) const {
  std::vector<WordId> ids;
  WordId stranger = -2;
  for_each_token(text, [&](std::string_view word) {
    const WordId id = words.find(word);
    ids.push_back(id == kUnknown ? stranger-- : id);
  });
  return ids;
}

std::vector<DecodeResult> BatchDecoder::decode(std::span<const DecodeRequest> requests,
                                               const DecodeWants& wants, int threads) {
  std::vector<DecodeResult> results(requests.size());
  workers_.run(
      threads, requests.size(), [this] { return make_worker(); },
      [&](std::size_t number, LineDecoder& worker) {
        try {
          worker.decode(requests[number], wants, results[number]);
        } catch (const InputError& problem) {
          results[number].error = problem.what();
        }
      });
  return results;
}

void add_derivations(
    SentenceGraph&& graph, const DecodeWants& wants,
    const std::function<OutputTranslation(const Hypergraph&, std::span<const std::uint32_t>)>&
        output_of,
    DecodeResult& result) {
  if (wants.nbest > 0) {
    KBest kbest(graph.graph);
    for (const KBest::Entry& entry : kbest.entries(wants.nbest, wants.distinct)) {
      result.nbest.push_back(output_of(graph.graph, entry.edges));
      result.nbest.back().score = entry.score;
    }
  }
  if (wants.graph) result.graph = std::make_shared<SentenceGraph>(std::move(graph));
}

}  // namespace dragoman
