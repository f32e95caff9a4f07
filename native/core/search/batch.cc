#include "search/batch.h"

#include <algorithm>

#include "parallel/parallel_for.h"
#include "search/kbest.h"
#include "search/stack_graph.h"
#include "text/error.h"
#include "text/tokens.h"

namespace dragoman {

namespace {

// A worker forgets the phrases it has seen when they take more than this.
constexpr std::size_t kMaxOptionBytes = std::size_t{256} << 20;

std::string join(std::span<const OutputStep> steps) {
  std::string text;
  for (const OutputStep& step : steps) {
    if (step.target.empty()) continue;
    if (!text.empty()) text += ' ';
    text += step.target;
  }
  return text;
}

OutputTranslation output_of(const TranslationModel& model, const SentenceOptions& sentence,
                            const Derivation& derivation, bool features) {
  OutputTranslation output;
  std::uint32_t at = 0;
  for (const DerivationStep& step : derivation) {
    OutputStep& out = output.steps.emplace_back();
    out.source = step.source;
    out.target = sentence.target().spell(step.target);
    out.target_begin = at;
    at += static_cast<std::uint32_t>(step.target.size());
    out.target_end = at;
    out.row = step.row;
    out.unknown = step.unknown;
    if (step.row != kNoRow) {
      for (const PhraseLink link : model.table().alignment(step.row)) {
        out.alignment.emplace_back(link.source, link.target);
      }
    } else if (step.unknown && !step.target.empty()) {
      out.alignment.emplace_back(0, 0);
    }
  }
  output.target = join(output.steps);
  if (features) output.features = derivation_features(model, sentence, derivation);
  return output;
}

}  // namespace

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

struct Decoder::Worker {
  Worker(const WeightedModel& weighted, const SearchOptions& options)
      : builder(weighted, options.ttable_limit, options.ttable_threshold),
        search(weighted, options) {}

  OptionBuilder builder;
  StackSearch search;
};

Decoder::Decoder(std::shared_ptr<const TranslationModel> model, std::span<const double> weights,
                 const SearchOptions& options)
    : weighted_(std::move(model), weights), options_(options) {
  if (weighted_.model().hierarchical()) {
    throw InputError("a hierarchical model needs a chart search, not a stack search");
  }
  check(options);
}

Decoder::~Decoder() = default;

std::vector<DecodeResult> Decoder::decode(std::span<const DecodeRequest> requests,
                                          const DecodeWants& wants, int threads) {
  const std::lock_guard lock(busy_);
  SearchOptions options = options_;
  options.keep_edges = wants.nbest > 0 || wants.graph;
  if (options.keep_edges != options_.keep_edges) {
    options_ = options;
    workers_.clear();
  }
  threads = std::max(
      1, std::min(threads, static_cast<int>(std::min<std::size_t>(requests.size(), 1024))));
  while (workers_.size() < static_cast<std::size_t>(threads)) {
    workers_.push_back(std::make_unique<Worker>(weighted_, options_));
  }
  std::vector<DecodeResult> results(requests.size());
  parallel_for(threads, requests.size(), [&](std::size_t block, int worker) {
    Worker& mine = *workers_[static_cast<std::size_t>(worker)];
    try {
      decode_one(mine, requests[block], wants, results[block]);
    } catch (const InputError& problem) {
      results[block].error = problem.what();
    }
  });
  return results;
}

void Decoder::decode_one(Worker& worker, const DecodeRequest& request, const DecodeWants& wants,
                         DecodeResult& result) const {
  if (worker.builder.bytes() > kMaxOptionBytes) worker.builder.forget();
  const SentenceInput input{request.line, request.given, request.zones, request.walls,
                            request.judge};
  SentenceOptions sentence(input, worker.builder, options_.drop_unknown);
  result.words = sentence.length();
  std::vector<WordId> reference;
  if (request.reference) {
    for_each_token(*request.reference, [&](std::string_view word) {
      reference.push_back(sentence.target().find_or_add(word));
    });
  }
  const SearchSpace& space = worker.search.run(
      sentence, request.reference ? std::optional<Sentence>(reference) : std::nullopt);
  result.stats = space.stats;
  if (wants.picture) result.picture = std::make_shared<SearchPicture>(picture_of(sentence, space));
  result.found = space.goal != kNone;
  if (!result.found) return;
  const TranslationModel& model = weighted_.model();
  result.best = output_of(model, sentence, best_derivation(space), wants.features);
  result.best.score = space.hypotheses[space.goal].score;
  if (wants.nbest == 0 && !wants.graph) return;
  auto graph = std::make_shared<SentenceGraph>(SentenceGraph{
      make_hypergraph(weighted_, sentence, space, wants.graph_values), sentence.target()});
  if (wants.nbest > 0) {
    KBest kbest(graph->graph);
    for (const KBest::Entry& entry : kbest.entries(wants.nbest, wants.distinct)) {
      Derivation derivation;
      for (const std::uint32_t e : entry.edges) {
        const Hyperedge& edge = graph->graph.edge(e);
        if (edge.tails == 0) continue;  // the beginning
        const Sentence words = graph->graph.target(edge).subspan(1);
        derivation.push_back(
            {edge.source, edge.rule, {words.begin(), words.end()}, edge.unknown, edge.log_prob});
      }
      result.nbest.push_back(output_of(model, sentence, derivation, wants.features));
      result.nbest.back().score = entry.score;
    }
  }
  if (wants.graph) result.graph = std::move(graph);
}

}  // namespace dragoman
