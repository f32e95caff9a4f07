#include "search/chart_batch.h"

#include <string>

#include "search/chart_graph.h"
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
                            const RuleDerivation& derivation, const DecodeWants& wants) {
  OutputTranslation output;
  const RuleTree tree = tree_of(derivation);
  for (std::size_t at = 0; at < derivation.size(); ++at) {
    const RuleStep& step = derivation[at];
    if (!wants.steps || !step.applies_rule()) continue;
    OutputStep& out = output.steps.emplace_back();
    out.source = step.source;
    out.target = sentence.target().spell(
        step.target, [](WordId gap) { return '[' + std::to_string(-gap) + ']'; });
    out.target_begin = tree.places[at].target_begin;
    out.target_end = tree.places[at].target_end;
    out.row = step.row;
    out.provenance = step.provenance;
    if (step.row != kNoRow) {
      links_of(model.table(), derivation, tree, at, out);
    } else {
      out.align_unknown(step.target.size());
    }
  }
  output.target = sentence.target().spell(tree.target);
  if (wants.features) output.features = derivation_features(model, sentence, derivation);
  return output;
}

class ChartWorker final : public LineDecoder {
 public:
  ChartWorker(const WeightedModel& weighted, const ChartOptions& options)
      : weighted_(weighted), with_sources_(options.unknown_sources), search_(weighted, options) {}

  void decode(const DecodeRequest& request, const DecodeWants& wants,
              DecodeResult& result) override {
    if (request.reference) {
      throw InputError("a hierarchical model cannot be forced to a reference; use a phrase model");
    }
    std::span<const OfferedTranslation> offers;
    if (with_sources_) offers = request.offers;
    ChartSentence sentence(request.line, request.demands, weighted_.model(), offers);
    result.words = sentence.length();
    const ChartSpace& space = search_.run(
        sentence, {.others = wants.edges(), .boundaries = wants.edges() && wants.graph_values});
    result.stats = space.stats;
    result.found = space.goal() != kNone;
    if (!result.found) return;
    const auto output = [&](const RuleDerivation& derivation) {
      return output_of(weighted_.model(), sentence, derivation, wants);
    };
    result.best = output(best_derivation(space));
    result.best.score = space.best(space.goal()).score;
    if (!wants.edges()) return;
    add_derivations(
        {make_hypergraph(weighted_, space, wants.graph_values), sentence.target()}, wants,
        [&](const Hypergraph& graph, std::span<const std::uint32_t> edges) {
          return output(derivation_of(graph, edges));
        },
        result);
  }

 private:
  const WeightedModel& weighted_;
  bool with_sources_;
  ChartSearch search_;
};

}  // namespace

ChartDecoder::ChartDecoder(std::shared_ptr<const TranslationModel> model,
                           std::span<const double> weights, const ChartOptions& options)
    : BatchDecoder(std::move(model), weights), options_(options) {
  if (!weighted().model().hierarchical()) {
    throw InputError("a phrase model needs a stack search, not a chart search");
  }
  check(options);
}

std::unique_ptr<LineDecoder> ChartDecoder::make_worker() const {
  return std::make_unique<ChartWorker>(weighted(), options_);
}

}  // namespace dragoman
