// What can be asked of the hypergraph of a search.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "options.h"
#include "search/batch.h"
#include "search/posteriors.h"
#include "search/prefix_search.h"
#include "search/word_posteriors.h"
#include "spans.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

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

}  // namespace

void bind_search_graph(nb::module_& module) {
  bind_graph(module);
  bind_completion(module);
}
