#include "search/batch.h"

#include "search/kbest.h"
#include "text/error.h"
#include "text/tokens.h"

namespace dragoman {

void OutputStep::align_unknown(std::size_t words) {
  if (!provenance.unknown && provenance.source == Provenance::kNoSource) return;
  for (std::uint32_t word = 0; word < words; ++word) alignment.emplace_back(0, word);
}

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

SpelledEdge SentenceGraph::edge(std::size_t index) const {
  const Hyperedge& edge = graph.edge(index);
  const auto tails = graph.tails(edge);
  return {edge.head,   {tails.begin(), tails.end()}, edge.score,
          edge.source, spell(graph.target(edge)),    edge.rule};
}

std::vector<SpelledDerivation> SentenceGraph::kbest(std::size_t k, bool distinct) const {
  std::vector<SpelledDerivation> found;
  for (KBest::Entry& entry : best_entries(graph, k, distinct)) {
    found.push_back({entry.score, spell(graph.spell(entry.edges)), std::move(entry.edges)});
  }
  return found;
}

SpelledOracle SentenceGraph::oracle(std::string_view reference,
                                    const OracleOptions& options) const {
  OracleResult found = find_oracle(graph, read(reference), options);
  return {found.bleu, found.counts, {found.score, spell(found.target), std::move(found.edges)}};
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

NbestArrays BatchDecoder::decode_nbest(std::span<const DecodeRequest> requests, std::size_t nbest,
                                       bool distinct, int threads) {
  DecodeWants wants;
  wants.nbest = nbest;
  wants.steps = false;
  wants.distinct = distinct;
  NbestArrays arrays;
  for (DecodeResult& result : decode(requests, wants, threads)) {
    arrays.sizes.push_back(static_cast<std::int64_t>(result.nbest.size()));
    for (OutputTranslation& entry : result.nbest) {
      arrays.features.insert(arrays.features.end(), entry.features.begin(), entry.features.end());
      arrays.texts.push_back(std::move(entry.target));
    }
  }
  return arrays;
}

void add_derivations(
    SentenceGraph&& graph, const DecodeWants& wants,
    const std::function<OutputTranslation(const Hypergraph&, std::span<const std::uint32_t>)>&
        output_of,
    DecodeResult& result) {
  if (wants.nbest > 0) {
    for (const KBest::Entry& entry : best_entries(graph.graph, wants.nbest, wants.distinct)) {
      result.nbest.push_back(output_of(graph.graph, entry.edges));
      result.nbest.back().score = entry.score;
    }
  }
  if (wants.graph) result.graph = std::make_shared<SentenceGraph>(std::move(graph));
}

}  // namespace dragoman
