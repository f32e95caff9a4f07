// Python's view of native/core/search.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>

#include "bind.h"
#include "options.h"
#include "search/chart_batch.h"
#include "search/posteriors.h"
#include "search/prefix_search.h"
#include "search/stack_batch.h"
#include "search/word_posteriors.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

using Span = std::pair<std::uint32_t, std::uint32_t>;

struct SpelledPosterior {
  std::string word;
  WordPosterior found;
};

// A completion as people read it.
struct SpelledCompletion {
  double score = 0;
  std::string last;
  std::vector<std::string> words;
};

Span to_pair(SourceSpan span) { return {span.begin, span.end}; }

std::optional<std::uint32_t> unless(std::uint32_t none, std::uint32_t value) {
  return value == none ? std::optional<std::uint32_t>() : value;
}

std::vector<DecodeRequest> requests_of(std::vector<std::string>&& lines,
                                       const std::optional<nb::list>& demands,
                                       std::optional<std::vector<std::string>>&& references,
                                       const std::optional<nb::list>& offers) {
  if ((demands && demands->size() != lines.size()) || (offers && offers->size() != lines.size()) ||
      (references && references->size() != lines.size())) {
    throw nb::value_error("demands, references and offers must be as many as lines");
  }
  std::vector<DecodeRequest> requests(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    requests[i].line = std::move(lines[i]);
    if (references) requests[i].reference = std::move((*references)[i]);
    if (demands && !(*demands)[i].is_none()) {
      requests[i].demands = nb::cast<const Demands&>((*demands)[i]);
    }
    if (offers && !(*offers)[i].is_none()) {
      requests[i].offers = nb::cast<std::vector<OfferedTranslation>>((*offers)[i]);
    }
  }
  return requests;
}

void bind_demands(nb::module_& module) {
  nb::class_<GivenTranslation>(module, "GivenTranslation",
                               "A translation that the user gave for words [begin, end).")
      .def(
          "__init__",
          [](GivenTranslation* self, std::uint32_t begin, std::uint32_t end, std::string target,
             double log_prob, bool exclusive) {
            new (self) GivenTranslation{begin, end, std::move(target), log_prob, exclusive};
          },
          "begin"_a, "end"_a, "target"_a, "log_prob"_a = 0.0, "exclusive"_a = true)
      .def_ro("begin", &GivenTranslation::begin)
      .def_ro("end", &GivenTranslation::end)
      .def_ro("target", &GivenTranslation::target, "Tokens separated by spaces.")
      .def_ro("log_prob", &GivenTranslation::log_prob,
              "The value of each feature of the phrase table.")
      .def_ro("exclusive", &GivenTranslation::exclusive,
              "Whether the words must be translated so; else it competes with the model's own.")
      .def(
          "__eq__",
          [](const GivenTranslation& self, nb::handle other) {
            return nb::isinstance<GivenTranslation>(other) &&
                   self == nb::cast<const GivenTranslation&>(other);
          },
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__", [](const GivenTranslation& self) {
        return nb::str("GivenTranslation({}, {}, {!r}, {}, {})")
            .format(self.begin, self.end, self.target, self.log_prob, self.exclusive);
      });

  nb::class_<Demands>(module, "Demands", "What the user demands of one line.")
      .def(
          "__init__",
          [](Demands* self, std::vector<GivenTranslation> given, const std::vector<Span>& zones,
             std::vector<std::uint32_t> walls) {
            auto* made = new (self) Demands{std::move(given), {}, std::move(walls)};
            for (const auto& [begin, end] : zones) made->zones.push_back({begin, end});
          },
          "given"_a = std::vector<GivenTranslation>(), "zones"_a = std::vector<Span>(),
          "walls"_a = std::vector<std::uint32_t>())
      .def_ro("given", &Demands::given)
      .def_prop_ro(
          "zones",
          [](const Demands& self) {
            std::vector<Span> zones;
            for (const Zone& zone : self.zones) zones.emplace_back(zone.begin, zone.end);
            return zones;
          },
          "Words [begin, end) that are translated together, nothing else in between.")
      .def_ro("walls", &Demands::walls, "What is before a wall comes before what is behind it.");
}

void bind_offers(nb::module_& module) {
  nb::class_<OfferedTranslation>(module, "OfferedTranslation",
                                 "A translation that a source offers for one word.")
      .def(
          "__init__",
          [](OfferedTranslation* self, std::uint32_t place, std::string target, double log_prob,
             std::int8_t source, bool copied, std::vector<WordId> bilingual) {
            const Provenance provenance{static_cast<float>(log_prob), source, copied};
            new (self)
                OfferedTranslation{place, std::move(target), provenance, std::move(bilingual)};
          },
          "place"_a, "target"_a, "log_prob"_a, "source"_a, "copied"_a = false,
          "bilingual"_a = std::vector<WordId>(),
          "`source`: its place among the features of sources; `bilingual`: ids of the table's "
          "tokens, one for each target word.")
      .def_ro("place", &OfferedTranslation::place)
      .def_ro("target", &OfferedTranslation::target);
}

void bind_results(nb::module_& module) {
  nb::class_<SearchStats>(module, "SearchStats", "What a search did.")
      .def_ro("evaluated", &SearchStats::evaluated,
              "Partial hypotheses that were scored in context, also those given up half-way.")
      .def_ro("lm_lookups", &SearchStats::lm_lookups,
              "Words that language models were asked for while extending hypotheses.")
      .def_ro("recombined", &SearchStats::recombined)
      .def_ro("pruned_threshold", &SearchStats::pruned_threshold)
      .def_ro("pruned_limit", &SearchStats::pruned_limit)
      .def_ro("early_begins", &SearchStats::early_begins)
      .def_ro("early_ends", &SearchStats::early_ends)
      .def_ro("early_options", &SearchStats::early_options)
      .def_ro("retried", &SearchStats::retried);

  nb::class_<OutputStep>(module, "PhraseStep", "One phrase pair of a translation.")
      .def_prop_ro("source", [](const OutputStep& self) { return to_pair(self.source); })
      .def_prop_ro("target_span",
                   [](const OutputStep& self) {
                     return std::make_pair(self.target_begin, self.target_end);
                   })
      .def_ro("target", &OutputStep::target)
      .def_prop_ro("row", [](const OutputStep& self) { return unless(kNoRow, self.row); })
      .def_prop_ro(
          "unknown", [](const OutputStep& self) { return self.provenance.unknown; },
          "Whether the word was copied.")
      .def_prop_ro(
          "source_number",
          [](const OutputStep& self) {
            const std::int8_t source = self.provenance.source;
            return source == Provenance::kNoSource ? std::optional<int>() : source;
          },
          "Of the source of unknown words that offered it, if one did.")
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
      .def_ro("steps", &OutputTranslation::steps)
      .def_ro("member", &OutputTranslation::member,
              "Of a consensus: the model whose translation it is.");

  nb::class_<PicturedHypothesis>(module, "PicturedHypothesis", "What survived in a stack.")
      .def_ro("covered", &PicturedHypothesis::covered, "Covered words: its stack.")
      .def_prop_ro(
          "back", [](const PicturedHypothesis& self) { return unless(kNone, self.back); },
          "The place of what it extends.")
      .def_ro("total", &PicturedHypothesis::total, "Score with estimate.")
      .def_prop_ro(
          "source", [](const PicturedHypothesis& self) { return to_pair(self.source); },
          "The source span of its last phrase.")
      .def_ro("target", &PicturedHypothesis::target, "The translation of its last phrase.")
      .def_ro("coverage", &PicturedHypothesis::coverage, "1 for each covered word, else 0.")
      .def_ro("best", &PicturedHypothesis::best,
              "Whether it is on the way to the translation chosen.");

  nb::class_<SearchPicture>(module, "SearchPicture", "The stacks of a search, to be drawn.")
      .def_ro("stacks", &SearchPicture::stacks, "Counters by number of covered words.")
      .def_ro("hypotheses", &SearchPicture::hypotheses, "What survived, by stack and best first.");

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
  nb::class_<SpelledEdge>(module, "HypergraphEdge", "One way to make a node from others.")
      .def_ro("head", &SpelledEdge::head)
      .def_ro("tails", &SpelledEdge::tails)
      .def_ro("score", &SpelledEdge::score, "Weights times features of this edge alone.")
      .def_prop_ro("source", [](const SpelledEdge& self) { return to_pair(self.source); })
      .def_ro("target", &SpelledEdge::target, "* stands for a tail.")
      .def_prop_ro(
          "row", [](const SpelledEdge& self) { return unless(kNoRow, self.row); },
          "Of the table; None for what is not in it.");

  nb::class_<SpelledDerivation>(module, "Derivation", "One derivation of a hypergraph.")
      .def_ro("score", &SpelledDerivation::score)
      .def_ro("target", &SpelledDerivation::target)
      .def_ro("edges", &SpelledDerivation::edges,
              "Tails before heads, in target order where there is one.");

  nb::class_<BleuCounts>(module, "BleuCounts", "What BLEU is computed from.")
      .def(nb::init<>())
      .def_rw("matches", &BleuCounts::matches, "Of n-grams, by n.")
      .def_rw("totals", &BleuCounts::totals)
      .def_rw("length", &BleuCounts::length)
      .def_rw("reference_length", &BleuCounts::reference_length);

  OptionGroup<OracleOptions>(module, "OracleOptions",
                             "How to look for the derivation nearest to a reference.")
      .value("beam", &OracleOptions::beam, "Profiles of matches that each node keeps.")
      .value("bleu_weight", &OracleOptions::bleu_weight, "Of BLEU in what is maximised.")
      .value("model_weight", &OracleOptions::model_weight, "Of the model's score in it.")
      .value("scale", &OracleOptions::scale, "By which BLEU is multiplied.")
      .property<BleuCounts>(
          "background", "BleuCounts", [](const OracleOptions& self) { return self.background; },
          [](OracleOptions& self, const BleuCounts& value) { self.background = value; },
          "Counts of other sentences; all zero: BLEU of the sentence, one added to the counts "
          "beyond single words.")
      .finish();

  nb::class_<SpelledOracle>(module, "Oracle", "The derivation nearest to a reference.")
      .def_ro("bleu", &SpelledOracle::bleu)
      .def_ro("counts", &SpelledOracle::counts)
      .def_ro("derivation", &SpelledOracle::derivation);

  nb::class_<Posteriors> posteriors_class(module, "Posteriors",
                                          "How probable nodes and edges are; natural logarithms.");
  posteriors_class.def_ro("log_total", &Posteriors::log_total,
                          "Of the sum over all derivations; with an infinite scale, the best "
                          "score.");
  def_array(posteriors_class, "nodes", &Posteriors::nodes,
            "By node; with an infinite scale, by how much the best derivation through it is "
            "worse than the best of all.");
  def_array(posteriors_class, "edges", &Posteriors::edges, "The same by edge.");

  nb::class_<SpelledPosterior>(module, "WordPosterior", "How sure a search is of a word.")
      .def_ro("word", &SpelledPosterior::word)
      .def_prop_ro(
          "word_probability",
          [](const SpelledPosterior& self) { return self.found.word_probability; },
          "That some translation of the same source words has this word.")
      .def_prop_ro(
          "phrase_probability",
          [](const SpelledPosterior& self) { return self.found.phrase_probability; },
          "That the whole phrase or rule which it comes from is used.")
      .def_prop_ro("phrase_words",
                   [](const SpelledPosterior& self) { return self.found.phrase_words; })
      .def_prop_ro("unknown", [](const SpelledPosterior& self) { return self.found.unknown; });

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
            return self.edge(index);
          },
          "index"_a)
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
      .def("kbest", &SentenceGraph::kbest, "k"_a, "distinct"_a = false, "The best derivations.")
      .def(
          "posteriors",
          [](const SentenceGraph& self, double scale) { return posteriors(self.graph, scale); },
          "scale"_a = 1.0, "With scores times `scale`, which may be infinite.")
      .def(
          "word_posteriors",
          [](const SentenceGraph& self, double scale) {
            const nb::gil_scoped_release release;
            std::vector<SpelledPosterior> spelt;
            for (const WordPosterior& one : word_posteriors(self.graph, scale)) {
              spelt.push_back({std::string(self.words.word(one.word)), one});
            }
            return spelt;
          },
          "scale"_a, "Of the words of the best derivation.")
      .def(
          "oracle",
          [](const SentenceGraph& self, std::string_view reference, const OracleOptions* options) {
            const nb::gil_scoped_release release;
            return self.oracle(reference, options != nullptr ? *options : OracleOptions());
          },
          "reference"_a, "options"_a = nb::none(), "The derivation nearest to the reference.");
}

void check_offers(const BatchDecoder& decoder, const std::vector<DecodeRequest>& requests) {
  const auto sources = static_cast<int>(decoder.weighted().model().features().sources());
  for (const DecodeRequest& request : requests) {
    for (const OfferedTranslation& offer : request.offers) {
      if (offer.provenance.source < 0 || offer.provenance.source >= sources) {
        throw nb::value_error("an offer of a source that the model does not have");
      }
    }
  }
}

// A prefix search that keeps its graph and spells its words.
class SentenceCompleter {
 public:
  explicit SentenceCompleter(std::shared_ptr<const SentenceGraph> graph)
      : graph_(std::move(graph)), search_(graph_->graph) {}

  std::vector<std::string> words() const {
    std::vector<std::string> spelt;
    for (const WordId word : search_.words()) spelt.emplace_back(graph_->words.word(word));
    return spelt;
  }
  std::vector<SpelledCompletion> complete(const ArrayIn<float>& costs, double edit_cost,
                                          std::size_t most) {
    std::vector<SpelledCompletion> found;
    for (const Completion& one : search_.complete(as_span(costs), edit_cost, most)) {
      SpelledCompletion spelt{
          one.score, one.last < 0 ? "" : graph_->words.spell({&one.last, 1}), {}};
      for (const WordId word : one.words) spelt.words.emplace_back(graph_->words.word(word));
      found.push_back(std::move(spelt));
    }
    return found;
  }

 private:
  std::shared_ptr<const SentenceGraph> graph_;
  PrefixSearch search_;
};

void bind_completion(nb::module_& module) {
  nb::class_<SpelledCompletion>(module, "Completion", "How a translation goes on.")
      .def_ro("score", &SpelledCompletion::score, "Of the whole translation, less the edits.")
      .def_ro("last", &SpelledCompletion::last,
              "What stands for the last word typed; empty: nothing.")
      .def_ro("words", &SpelledCompletion::words, "What comes behind it.");

  nb::class_<SentenceCompleter>(module, "PrefixSearch",
                                "Completions of translations that somebody has begun; one graph, "
                                "asked again and again, from one thread at a time.")
      .def(nb::init<std::shared_ptr<const SentenceGraph>>(), "graph"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("words", &SentenceCompleter::words, "Those of the graph, each once.")
      .def(
          "complete", &SentenceCompleter::complete, "costs"_a, nb::kw_only(), "edit_cost"_a,
          "most"_a = 1, nb::call_guard<nb::gil_scoped_release>(),
          nb::sig("def complete(self, costs: numpy.typing.NDArray[numpy.float32], *, edit_cost: "
                  "float, most: int = 1) -> list[Completion]"),
          "`costs`: a row for each word typed, what it costs that each of `words` stands for it.");
}

std::vector<DecodeResult> decode(BatchDecoder& self, std::vector<std::string> lines,
                                 const DecodeWants* wants, const std::optional<nb::list>& demands,
                                 std::optional<std::vector<std::string>> references,
                                 const std::optional<nb::list>& offers, int threads) {
  const std::vector<DecodeRequest> requests =
      requests_of(std::move(lines), demands, std::move(references), offers);
  check_offers(self, requests);
  const nb::gil_scoped_release release;
  return self.decode(requests, wants != nullptr ? *wants : DecodeWants(), threads);
}

void bind_nbest(nb::module_& module) {
  nb::class_<NbestArrays> arrays(module, "NbestArrays",
                                 "N-best lists of many lines without their derivations.");
  arrays.def_ro("texts", &NbestArrays::texts, "The translations of all lines.");
  def_array(arrays, "sizes", &NbestArrays::sizes, "How many each line has.");
  arrays.def_prop_ro(
      "features",
      [](nb::handle self) {
        auto& all = nb::cast<NbestArrays&>(self);
        const std::size_t rows = all.texts.size();
        const std::size_t columns = rows == 0 ? 0 : all.features.size() / rows;
        return MatrixOut<double>(all.features.data(), {rows, columns}, self);
      },
      nb::sig("def features(self) -> numpy.typing.NDArray[numpy.float64]"),
      "A row of feature values for each translation.");
  module.def(
      "decode_nbest",
      [](BatchDecoder& decoder, std::vector<std::string> lines, std::size_t nbest, bool distinct,
         const std::optional<nb::list>& offers, int threads) {
        const auto requests = requests_of(std::move(lines), {}, {}, offers);
        check_offers(decoder, requests);
        const nb::gil_scoped_release release;
        return decoder.decode_nbest(requests, nbest, distinct, threads);
      },
      "decoder"_a, "lines"_a, nb::kw_only(), "nbest"_a, "distinct"_a = false,
      "offers"_a = nb::none(), "threads"_a = 1,
      nb::sig("def decode_nbest(decoder: Decoder, lines: collections.abc.Sequence[str], *, "
              "nbest: int, distinct: bool = False, "
              "offers: list[list[OfferedTranslation] | None] | None = None, "
              "threads: int = 1) -> NbestArrays"));
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
      .value("give_up", &SearchOptions::give_up,
             "Whether extensions that have become too bad are given up half-way.")
      .value("estimate_margin", &SearchOptions::estimate_margin,
             "How far below its stack an extension's estimate may lie in early pruning.")
      .value("pop_limit", &SearchOptions::pop_limit,
             "Cube pruning: extensions that may enter a stack; 0: beam_limit.")
      .limit("distortion_limit", &SearchOptions::distortion_limit, kNoLimit, "The longest jump.")
      .limit("gap_limit", &SearchOptions::gap_limit, kNoLimit, "Most runs of uncovered words.")
      .choice("unknown", &SearchOptions::unknown, unknown, "What becomes of unknown words.")
      .value("unknown_sources", &SearchOptions::unknown_sources,
             "Whether they are translated as the model's sources offer.")
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
      .value("unknown_sources", &ChartOptions::unknown_sources,
             "Whether they are translated as the model's sources offer.")
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
  bind_demands(module);
  bind_offers(module);
  bind_results(module);
  bind_graph(module);
  bind_completion(module);
  nb::class_<BatchDecoder>(module, "Decoder", "A model with weights and search options.")
      .def("decode", &decode, "lines"_a, "wants"_a = nb::none(), nb::kw_only(),
           "demands"_a = nb::none(), "references"_a = nb::none(), "offers"_a = nb::none(),
           "threads"_a = 1,
           nb::sig(
               "def decode(self, lines: collections.abc.Sequence[str], "
               "wants: DecodeWants | None = None, *, demands: list[Demands | None] | None = None, "
               "references: collections.abc.Sequence[str] | None = None, "
               "offers: list[list[OfferedTranslation] | None] | None = None, "
               "threads: int = 1) -> list[DecodeResult]"),
           "Translate tokenised lines. `demands` has an entry for each line. With `references`, "
           "only derivations of exactly these tokens are looked for. `offers`: translations of "
           "words that the table does not know. A chart search knows no references and draws no "
           "picture.");

  nb::class_<PhraseDecoder, BatchDecoder>(module, "PhraseDecoder",
                                          "A phrase model, searched stack by stack.")
      .def(
          "__init__",
          [](PhraseDecoder* self, std::shared_ptr<TranslationModel> model,
             const ArrayIn<double>& weights, const SearchOptions& options) {
            new (self) PhraseDecoder(std::move(model), as_span(weights), options);
          },
          "model"_a, "weights"_a, "options"_a,
          nb::sig("def __init__(self, model: TranslationModel, "
                  "weights: array.array[float] | numpy.typing.NDArray[numpy.float64], "
                  "options: SearchOptions) -> None"));

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
                  "weights: array.array[float] | numpy.typing.NDArray[numpy.float64], "
                  "options: ChartOptions) -> None"));

  bind_nbest(module);
}
