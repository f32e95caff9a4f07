#include "search/chart_batch.h"

#include <algorithm>
#include <string>

#include "parallel/parallel_for.h"
#include "search/chart_graph.h"
#include "search/kbest.h"
#include "text/error.h"

namespace dragoman {

namespace {

// The links of a rule's words, from the begins of its spans on: gaps are as long as what they
// derive.
void links_of(const PhraseTable& table, std::span<const RuleStep> derivation, const RuleTree& tree,
              std::size_t at, OutputStep& out) {
  const RuleStep& step = derivation[at];
  const RulePlace& place = tree.places[at];
  std::vector<std::uint32_t> source_offsets;
  std::size_t gap = 0;
  for (std::uint32_t position = step.source.begin; position < step.source.end;) {
    source_offsets.push_back(position - step.source.begin);
    const bool in_gap =
        gap < place.tails.size() && derivation[place.tails[gap]].source.begin == position;
    position = in_gap ? derivation[place.tails[gap++]].source.end : position + 1;
  }
  std::vector<std::uint32_t> target_offsets;
  std::uint32_t offset = 0;
  for (const WordId word : step.target) {
    target_offsets.push_back(offset);
    if (word >= 0) {
      ++offset;
    } else {
      const RulePlace& tail = tree.places[place.tails[static_cast<std::size_t>(-1 - word)]];
      offset += tail.target_end - tail.target_begin;
    }
  }
  for (const PhraseLink link : table.alignment(step.row)) {
    if (link.source < source_offsets.size() && link.target < target_offsets.size()) {
      out.alignment.emplace_back(source_offsets[link.source], target_offsets[link.target]);
    }
  }
}

OutputTranslation output_of(const TranslationModel& model, const ChartSentence& sentence,
                            const RuleDerivation& derivation, bool features) {
  OutputTranslation output;
  const RuleTree tree = tree_of(derivation);
  for (std::size_t at = 0; at < derivation.size(); ++at) {
    const RuleStep& step = derivation[at];
    if (!step.applies_rule()) continue;
    OutputStep& out = output.steps.emplace_back();
    out.source = step.source;
    out.target = sentence.target().spell(
        step.target, [](WordId gap) { return '[' + std::to_string(-gap) + ']'; });
    out.target_begin = tree.places[at].target_begin;
    out.target_end = tree.places[at].target_end;
    out.row = step.row;
    out.unknown = step.unknown;
    if (step.row != kNoRow) {
      links_of(model.table(), derivation, tree, at, out);
    } else if (step.unknown && !step.target.empty()) {
      out.alignment.emplace_back(0, 0);
    }
  }
  output.target = sentence.target().spell(tree.target);
  if (features) output.features = derivation_features(model, sentence, derivation);
  return output;
}

}  // namespace

ChartDecoder::ChartDecoder(std::shared_ptr<const TranslationModel> model,
                           std::span<const double> weights, const ChartOptions& options)
    : weighted_(std::move(model), weights), options_(options) {
  if (!weighted_.model().hierarchical()) {
    throw InputError("a phrase model needs a stack search, not a chart search");
  }
  check(options);
}

ChartDecoder::~ChartDecoder() = default;

std::vector<DecodeResult> ChartDecoder::decode(std::span<const DecodeRequest> requests,
                                               const DecodeWants& wants, int threads) {
  const std::lock_guard lock(busy_);
  threads = std::max(
      1, std::min(threads, static_cast<int>(std::min<std::size_t>(requests.size(), 1024))));
  while (workers_.size() < static_cast<std::size_t>(threads)) {
    workers_.push_back(std::make_unique<ChartSearch>(weighted_, options_));
  }
  std::vector<DecodeResult> results(requests.size());
  parallel_for(threads, requests.size(), [&](std::size_t block, int worker) {
    try {
      decode_one(*workers_[static_cast<std::size_t>(worker)], requests[block], wants,
                 results[block]);
    } catch (const InputError& problem) {
      results[block].error = problem.what();
    }
  });
  return results;
}

void ChartDecoder::decode_one(ChartSearch& search, const DecodeRequest& request,
                              const DecodeWants& wants, DecodeResult& result) const {
  if (request.reference) {
    throw InputError("a hierarchical model cannot be forced to a reference; use a phrase model");
  }
  const TranslationModel& model = weighted_.model();
  ChartSentence sentence({request.line, request.given, request.zones, request.walls}, model);
  result.words = sentence.length();
  const ChartSpace& space = search.run(sentence, wants.nbest > 0 || wants.graph);
  result.stats = space.stats;
  result.found = space.goal != kNone;
  if (!result.found) return;
  result.best = output_of(model, sentence, best_derivation(space), wants.features);
  result.best.score = space.nodes[space.goal].score;
  if (wants.nbest == 0 && !wants.graph) return;
  auto graph = std::make_shared<SentenceGraph>(
      SentenceGraph{make_hypergraph(weighted_, space, wants.graph_values), sentence.target()});
  if (wants.nbest > 0) {
    KBest kbest(graph->graph);
    for (const KBest::Entry& entry : kbest.entries(wants.nbest, wants.distinct)) {
      result.nbest.push_back(
          output_of(model, sentence, derivation_of(graph->graph, entry.edges), wants.features));
      result.nbest.back().score = entry.score;
    }
  }
  if (wants.graph) result.graph = std::move(graph);
}

}  // namespace dragoman
