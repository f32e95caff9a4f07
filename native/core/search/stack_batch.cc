#include "search/stack_batch.h"

#include "model/sentence_options.h"
#include "search/derivation.h"
#include "search/picture.h"
#include "search/stack.h"
#include "search/stack_graph.h"
#include "text/error.h"
#include "text/tokens.h"

namespace dragoman {

namespace {

// A worker forgets the phrases it has seen when they take more than this.
constexpr std::size_t kMaxOptionBytes = std::size_t{256} << 20;

void add_text(std::string& text, std::string_view more) {
  if (!text.empty() && !more.empty()) text += ' ';
  text += more;
}

OutputTranslation output_of(const TranslationModel& model, const SentenceOptions& sentence,
                            const Derivation& derivation, const DecodeWants& wants) {
  OutputTranslation output;
  std::uint32_t at = 0;
  for (const DerivationStep& step : derivation) {
    if (!wants.steps) {
      for (const WordId word : step.target) add_text(output.target, sentence.target().word(word));
      continue;
    }
    OutputStep& out = output.steps.emplace_back();
    out.source = step.source;
    out.target = sentence.target().spell(step.target);
    out.target_begin = at;
    at += static_cast<std::uint32_t>(step.target.size());
    out.target_end = at;
    out.row = step.row;
    out.provenance = step.provenance;
    if (step.row != kNoRow) {
      for (const PhraseLink link : model.table().alignment(step.row)) {
        out.alignment.emplace_back(link.source, link.target);
      }
    } else {
      out.align_unknown(step.target.size());
    }
    add_text(output.target, out.target);
  }
  return output;
}

Derivation phrase_derivation_of(const Hypergraph& graph, std::span<const std::uint32_t> edges) {
  Derivation derivation;
  derivation.reserve(edges.size());
  for (const std::uint32_t e : edges) {
    const Hyperedge& edge = graph.edge(e);
    if (edge.tails == 0) continue;  // the beginning
    derivation.push_back({edge.source, edge.rule, graph.target(edge).subspan(1), edge.provenance});
  }
  return derivation;
}

class StackWorker final : public LineDecoder {
 public:
  StackWorker(const WeightedModel& weighted, const SearchOptions& options)
      : weighted_(weighted),
        drop_unknown_(options.unknown == UnknownWords::kDrop),
        with_sources_(options.unknown_sources),
        builder_(weighted, options.ttable_limit, options.ttable_threshold),
        search_(weighted, options) {}

  void decode(const DecodeRequest& request, const DecodeWants& wants,
              DecodeResult& result) override {
    if (builder_.bytes() > kMaxOptionBytes) builder_.forget();
    std::span<const OfferedTranslation> offers;
    if (with_sources_) offers = request.offers;
    SentenceOptions sentence(request.line, request.demands, builder_, drop_unknown_, request.judge,
                             offers);
    result.words = sentence.length();
    std::vector<WordId> reference;
    if (request.reference) {
      for_each_token(*request.reference, [&](std::string_view word) {
        reference.push_back(sentence.target().find_or_add(word));
      });
    }
    const SearchSpace& space =
        search_.run(sentence, wants.edges(),
                    request.reference ? std::optional<Sentence>(reference) : std::nullopt);
    result.stats = space.stats;
    if (wants.picture) {
      result.picture = std::make_shared<SearchPicture>(picture_of(sentence, space));
    }
    result.found = space.goal != kNone;
    if (!result.found) return;
    const TranslationModel& model = weighted_.model();
    const Derivation best = best_derivation(space);
    result.best = output_of(model, sentence, best, wants);
    if (wants.features) result.best.features = derivation_features(model, sentence, best);
    result.best.score = space.hypotheses[space.goal].score;
    if (!wants.edges()) return;
    StackGraph stack_graph(weighted_, sentence, space);
    add_derivations(
        {stack_graph.make(wants.graph_values), sentence.target()}, wants,
        [&](const Hypergraph& graph, std::span<const std::uint32_t> edges) {
          OutputTranslation output =
              output_of(model, sentence, phrase_derivation_of(graph, edges), wants);
          if (wants.features) output.features = stack_graph.features(edges);
          return output;
        },
        result);
  }

 private:
  const WeightedModel& weighted_;
  bool drop_unknown_;
  bool with_sources_;
  OptionBuilder builder_;
  StackSearch search_;
};

}  // namespace

PhraseDecoder::PhraseDecoder(std::shared_ptr<const TranslationModel> model,
                             std::span<const double> weights, const SearchOptions& options)
    : BatchDecoder(std::move(model), weights), options_(options) {
  if (weighted().model().hierarchical()) {
    throw InputError("a hierarchical model needs a chart search, not a stack search");
  }
  check(options);
}

std::unique_ptr<LineDecoder> PhraseDecoder::make_worker() const {
  return std::make_unique<StackWorker>(weighted(), options_);
}

}  // namespace dragoman
