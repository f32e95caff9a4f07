// Python's view of native/core/search.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>
#include <utility>

#include "bind.h"
#include "options.h"
#include "search/chart_batch.h"
#include "search/kbest.h"
#include "search/oracle.h"
#include "search/posteriors.h"
#include "search/stack_batch.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

using GivenTuple = std::tuple<std::uint32_t, std::uint32_t, std::string, double, bool>;
using DemandsTuple =
    std::tuple<std::vector<GivenTuple>, std::vector<std::pair<std::uint32_t, std::uint32_t>>,
               std::vector<std::uint32_t>>;

using PicturedTuple =
    std::tuple<std::uint32_t, std::optional<std::uint32_t>, double,
               std::pair<std::uint16_t, std::uint16_t>, std::string, std::string, bool>;

std::vector<DecodeRequest> requests_of(std::vector<std::string>&& lines,
                                       const std::optional<std::vector<DemandsTuple>>& demands,
                                       std::optional<std::vector<std::string>>&& references) {
  if ((demands && demands->size() != lines.size()) ||
      (references && references->size() != lines.size())) {
    throw nb::value_error("demands and references must be as many as lines");
  }
  std::vector<DecodeRequest> requests(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    requests[i].line = std::move(lines[i]);
    if (references) requests[i].reference = std::move((*references)[i]);
    if (!demands) continue;
    const auto& [given, zones, walls] = (*demands)[i];
    for (const auto& [begin, end, target, log_prob, exclusive] : given) {
      requests[i].demands.given.push_back({begin, end, target, log_prob, exclusive});
    }
    for (const auto& [begin, end] : zones) requests[i].demands.zones.push_back({begin, end});
    requests[i].demands.walls = walls;
  }
  return requests;
}

void bind_results(nb::module_& module) {
  nb::class_<SearchStats>(module, "SearchStats", "What a search did.")
      .def_ro("evaluated", &SearchStats::evaluated,
              "Partial hypotheses whose full score was computed.")
      .def_ro("recombined", &SearchStats::recombined)
      .def_ro("pruned_threshold", &SearchStats::pruned_threshold)
      .def_ro("pruned_limit", &SearchStats::pruned_limit)
      .def_ro("early_begins", &SearchStats::early_begins)
      .def_ro("early_ends", &SearchStats::early_ends)
      .def_ro("early_options", &SearchStats::early_options)
      .def_ro("retried", &SearchStats::retried);

  nb::class_<OutputStep>(module, "PhraseStep", "One phrase pair of a translation.")
      .def_prop_ro("source",
                   [](const OutputStep& self) {
                     return std::make_pair(self.source.begin, self.source.end);
                   })
      .def_prop_ro("target_span",
                   [](const OutputStep& self) {
                     return std::make_pair(self.target_begin, self.target_end);
                   })
      .def_ro("target", &OutputStep::target)
      .def_prop_ro("row",
                   [](const OutputStep& self) {
                     return self.row == kNoRow ? std::optional<std::uint32_t>()
                                               : std::optional<std::uint32_t>(self.row);
                   })
      .def_ro("unknown", &OutputStep::unknown)
      .def_ro("alignment", &OutputStep::alignment,
              "Source and target positions, from the begins of the spans on.");

  nb::class_<OutputTranslation>(module, "PhraseTranslation", "A translation and where it is from.")
      .def_ro("target", &OutputTranslation::target)
      .def_ro("score", &OutputTranslation::score)
      .def_prop_ro(
          "features",
          [](const OutputTranslation& self) {
            return to_numpy(std::vector<double>(self.features));
          },
          nb::rv_policy::automatic,
          nb::sig("def features(self) -> numpy.typing.NDArray[numpy.float64]"))
      .def_ro("steps", &OutputTranslation::steps);

  nb::class_<SearchPicture>(module, "SearchPicture", "The stacks of a search, to be drawn.")
      .def_ro("stacks", &SearchPicture::stacks, "Counters by number of covered words.")
      .def_prop_ro(
          "hypotheses",
          [](const SearchPicture& self) {
            std::vector<PicturedTuple> hypotheses;
            hypotheses.reserve(self.hypotheses.size());
            for (const PicturedHypothesis& one : self.hypotheses) {
              hypotheses.emplace_back(one.covered,
                                      one.back == kNone ? std::optional<std::uint32_t>()
                                                        : std::optional<std::uint32_t>(one.back),
                                      one.total, std::make_pair(one.source.begin, one.source.end),
                                      one.target, one.coverage, one.best);
            }
            return hypotheses;
          },
          "What survived, by stack and best first: covered words, the place of what it extends, "
          "score with estimate, last source span, its translation, coverage, and whether it is on "
          "the way to the translation chosen.");

  nb::class_<DecodeResult>(module, "DecodeResult", "What came of one line.")
      .def_ro("error", &DecodeResult::error)
      .def_ro("found", &DecodeResult::found)
      .def_ro("words", &DecodeResult::words)
      .def_ro("best", &DecodeResult::best)
      .def_ro("nbest", &DecodeResult::nbest)
      .def_ro("graph", &DecodeResult::graph)
      .def_ro("picture", &DecodeResult::picture)
      .def_ro("stats", &DecodeResult::stats);
}

void bind_graph(nb::module_& module) {
  nb::class_<SentenceGraph>(module, "Hypergraph",
                            "States and extensions of a search, packed; nodes come after those "
                            "they are made of.")
      .def_prop_ro("nodes", [](const SentenceGraph& self) { return self.graph.nodes(); })
      .def_prop_ro("edges", [](const SentenceGraph& self) { return self.graph.edges(); })
      .def_prop_ro("goal", [](const SentenceGraph& self) { return self.graph.goal(); })
      .def(
          "edge",
          [](const SentenceGraph& self, std::size_t index) {
            if (index >= self.graph.edges()) throw nb::index_error("no such edge");
            const Hyperedge& edge = self.graph.edge(index);
            const auto tails = self.graph.tails(edge);
            return std::make_tuple(edge.head,
                                   std::vector<std::uint32_t>(tails.begin(), tails.end()),
                                   edge.score, std::make_pair(edge.source.begin, edge.source.end),
                                   self.spell(self.graph.target(edge)),
                                   edge.rule == kNoRow ? std::optional<std::uint32_t>()
                                                       : std::optional<std::uint32_t>(edge.rule));
          },
          "index"_a,
          "Head, tails, score, source span, target (* stands for a tail) and row of the table.")
      .def(
          "values",
          [](const SentenceGraph& self, std::size_t index) {
            if (!self.graph.has_values() || index >= self.graph.edges()) {
              throw nb::index_error("the graph was made without feature values, or no such edge");
            }
            const auto row = self.graph.values(index);
            return to_numpy(std::vector<double>(row.begin(), row.end()));
          },
          "index"_a,
          nb::sig("def values(self, index: int) -> numpy.typing.NDArray[numpy.float64]"),
          "Feature values of an edge.")
      .def(
          "reweight",
          [](SentenceGraph& self, const ArrayIn<double>& weights) {
            self.graph.reweight(as_span(weights));
          },
          "weights"_a,
          nb::sig("def reweight(self, weights: numpy.typing.NDArray[numpy.float64]) -> None"),
          "Score every edge anew.")
      .def(
          "kbest",
          [](const SentenceGraph& self, std::size_t k, bool distinct) {
            std::vector<std::tuple<double, std::string, std::vector<std::uint32_t>>> found;
            KBest kbest(self.graph);
            for (KBest::Entry& entry : kbest.entries(k, distinct)) {
              found.emplace_back(entry.score, self.spell(entry.target), std::move(entry.edges));
            }
            return found;
          },
          "k"_a, "distinct"_a = false, "Score, target and edges of the best derivations.")
      .def(
          "posteriors",
          [](const SentenceGraph& self, double scale) {
            Posteriors found = posteriors(self.graph, scale);
            return std::make_tuple(found.log_total, to_numpy(std::move(found.nodes)),
                                   to_numpy(std::move(found.edges)));
          },
          "scale"_a = 1.0,
          nb::sig("def posteriors(self, scale: float = 1.0) -> tuple[float, "
                  "numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]"),
          "Log of the sum over all derivations, log-posteriors of nodes and of edges; with an "
          "infinite scale the best score, and by how much the best derivation through a node or "
          "an edge is worse.")
      .def(
          "oracle",
          [](const SentenceGraph& self, const std::string& reference, std::size_t beam,
             double bleu_weight, double model_weight, const std::vector<double>& background,
             double scale) {
            OracleOptions options;
            options.beam = beam;
            options.bleu_weight = bleu_weight;
            options.model_weight = model_weight;
            options.scale = scale;
            if (!background.empty()) {
              if (background.size() != 2 * kBleuOrder + 2) {
                throw nb::value_error("background: 4 matches, 4 totals, length, reference length");
              }
              std::copy_n(background.begin(), kBleuOrder, options.background.matches.begin());
              std::copy_n(background.begin() + kBleuOrder, kBleuOrder,
                          options.background.totals.begin());
              options.background.length = background[2 * kBleuOrder];
              options.background.reference_length = background[2 * kBleuOrder + 1];
            }
            const std::vector<WordId> ids = self.read(reference);
            OracleResult found;
            {
              const nb::gil_scoped_release release;
              found = find_oracle(self.graph, ids, options);
            }
            std::vector<double> counts(found.counts.matches.begin(), found.counts.matches.end());
            counts.insert(counts.end(), found.counts.totals.begin(), found.counts.totals.end());
            counts.push_back(found.counts.length);
            counts.push_back(found.counts.reference_length);
            return std::make_tuple(found.bleu, found.score, self.spell(found.target), found.edges,
                                   counts);
          },
          "reference"_a, "beam"_a = 50, "bleu_weight"_a = 1.0, "model_weight"_a = 0.0,
          "background"_a = std::vector<double>(), "scale"_a = 1.0,
          "The derivation nearest to the reference: BLEU, model score, target, edges, and the "
          "counts of BLEU (matches, totals, length, reference length).");
}

std::vector<DecodeResult> decode(BatchDecoder& self, std::vector<std::string> lines,
                                 const DecodeWants& wants,
                                 std::optional<std::vector<DemandsTuple>> demands,
                                 std::optional<std::vector<std::string>> references, int threads) {
  const std::vector<DecodeRequest> requests =
      requests_of(std::move(lines), demands, std::move(references));
  const nb::gil_scoped_release release;
  return self.decode(requests, wants, threads);
}

void bind_options(nb::module_& module) {
  const Choices unknown("way with unknown words", {"copy", "drop", "mark"});
  OptionGroup<SearchOptions>(module, "SearchOptions", "What a stack search can be told.")
      .choice("search", &SearchOptions::search,
              Choices("search", {"pharaoh", "estimate", "early", "cube"}), "The algorithm.")
      .value("ttable_threshold", &SearchOptions::ttable_threshold,
             "How much worse than the best option of a phrase; infinity: all.")
      .value("beam_threshold", &SearchOptions::beam_threshold,
             "How much worse than the best of a stack; infinity: all.")
      .value("ttable_limit", &SearchOptions::ttable_limit, "Options of a phrase; 0: all.")
      .value("beam_limit", &SearchOptions::beam_limit, "Hypotheses of a stack; 0: all.")
      .value("early_threshold", &SearchOptions::early_threshold,
             "Early pruning's own threshold; None: that of the options.")
      .value("pop_limit", &SearchOptions::pop_limit,
             "Cube pruning: extensions that may enter a stack; 0: beam_limit.")
      .limit("distortion_limit", &SearchOptions::distortion_limit, kNoLimit, "The longest jump.")
      .limit("gap_limit", &SearchOptions::gap_limit, kNoLimit, "Most runs of uncovered words.")
      .choice("unknown", &SearchOptions::unknown, unknown, "What becomes of unknown words.")
      .finish();
  OptionGroup<ChartOptions>(module, "ChartOptions", "What a chart search can be told.")
      .value("ttable_threshold", &ChartOptions::ttable_threshold,
             "How much worse than the best rule of a source side; infinity: all.")
      .value("ttable_limit", &ChartOptions::ttable_limit, "Rules of a source side; 0: all.")
      .value("beam_threshold", &ChartOptions::beam_threshold,
             "How much worse than the best of a cell; infinity: all.")
      .value("pop_limit", &ChartOptions::pop_limit, "Derivations that may enter a cell; 0: all.")
      .value("span_limit", &ChartOptions::span_limit,
             "Words that a rule may span with its gaps; 0: no limit.")
      .choice("unknown", &ChartOptions::unknown, unknown, "What becomes of unknown words.")
      .finish();
  OptionGroup<DecodeWants>(module, "DecodeWants", "What to return beside the best translation.")
      .value("nbest", &DecodeWants::nbest, "So many translations.")
      .value("distinct", &DecodeWants::distinct, "Of each target only one.")
      .value("graph", &DecodeWants::graph, "The hypergraph.")
      .value("graph_values", &DecodeWants::graph_values, "With the feature values of its edges.")
      .value("features", &DecodeWants::features, "Feature values of translations.")
      .value("picture", &DecodeWants::picture, "The stacks, to be drawn.")
      .finish();
}

}  // namespace

void bind_search(nb::module_& module) {
  bind_options(module);
  bind_results(module);
  bind_graph(module);
  nb::class_<BatchDecoder>(module, "Decoder", "A model with weights and search options.")
      .def("decode", &decode, "lines"_a, "wants"_a = DecodeWants(), nb::kw_only(),
           "demands"_a = nb::none(), "references"_a = nb::none(), "threads"_a = 1,
           "Translate tokenised lines. `demands` holds, for each line, given translations (begin, "
           "end, target, log-probability, whether exclusive), zones (begin, end) and walls. A "
           "chart search knows no `references` and has no `picture`.");

  nb::class_<PhraseDecoder, BatchDecoder>(module, "PhraseDecoder",
                                          "A phrase model, searched stack by stack.")
      .def(
          "__init__",
          [](PhraseDecoder* self, std::shared_ptr<TranslationModel> model,
             const ArrayIn<double>& weights, const SearchOptions& options) {
            new (self) PhraseDecoder(std::move(model), as_span(weights), options);
          },
          "model"_a, "weights"_a, "options"_a,
          nb::sig(
              "def __init__(self, model: TranslationModel, "
              "weights: numpy.typing.NDArray[numpy.float64], options: SearchOptions) -> None"));

  nb::class_<ChartDecoder, BatchDecoder>(module, "ChartDecoder",
                                         "A hierarchical model, searched over a chart.")
      .def(
          "__init__",
          [](ChartDecoder* self, std::shared_ptr<TranslationModel> model,
             const ArrayIn<double>& weights, const ChartOptions& options) {
            new (self) ChartDecoder(std::move(model), as_span(weights), options);
          },
          "model"_a, "weights"_a, "options"_a,
          nb::sig("def __init__(self, model: TranslationModel, "
                  "weights: numpy.typing.NDArray[numpy.float64], options: ChartOptions) -> None"));
}
