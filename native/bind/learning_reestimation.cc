// Python's view of what re-estimation needs: learning/rederive.h and rules/table_rows.h.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "learning/rederive.h"
#include "options.h"
#include "rules/table_rows.h"
#include "search/stack_batch.h"
#include "texts.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

// Consecutive pairs, with links or without any.
struct RederiveShard {
  std::vector<RederiveRequest> requests;
};

std::vector<RederiveRequest> requests_of(std::vector<std::string>&& sources,
                                         std::vector<std::string>&& references,
                                         const BoundLinkSets* links) {
  if (sources.size() != references.size() ||
      (links != nullptr && links->view.size() != sources.size())) {
    throw nb::value_error("a shard needs as many references, and links, as sources");
  }
  std::vector<RederiveRequest> requests(sources.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    requests[i].source = std::move(sources[i]);
    requests[i].reference = std::move(references[i]);
    if (links == nullptr) continue;
    const auto own = links->view[i];
    requests[i].links.assign(own.begin(), own.end());
  }
  return requests;
}

void bind_rows(nb::module_& module) {
  nb::class_<RowFacts> facts(module, "TableRowFacts", "The rows of a table, by row.");
  def_array(facts, "sources", &RowFacts::sources, "The number of the source phrase.");
  def_array(facts, "targets", &RowFacts::targets, "The number of the target phrase.");
  def_array(facts, "source_lengths", &RowFacts::source_lengths, "Words of the source phrase.");
  def_array(facts, "counts", &RowFacts::counts, "Of the pair, its source and its target.", 3);
  module.def("table_row_facts", &row_facts, "table"_a, nb::call_guard<nb::gil_scoped_release>());
  module.def(
      "match_table_rows",
      [](const PhraseTable& table, const PhraseTable& other) {
        std::vector<std::uint32_t> matches;
        {
          const nb::gil_scoped_release release;
          matches = match_rows(table, other);
        }
        return to_numpy(std::move(matches));
      },
      "table"_a, "other"_a,
      nb::sig("def match_table_rows(table: PhraseTableFile, other: PhraseTableFile) -> "
              "numpy.typing.NDArray[numpy.uint32]"),
      "For each row, the row of the other table with the same phrases, or 2**32 - 1.");
  nb::class_<DerivedText> derived(module, "DerivedText",
                                  "The target sides of derivations, and their links.");
  def_array(derived, "ids", &DerivedText::ids, "Of all derivations, one behind the other.");
  def_array(derived, "offsets", &DerivedText::offsets, "Where each begins.");
  derived.def_prop_ro(
      "links",
      [](nb::handle self) {
        std::vector<Link>& links = nb::cast<DerivedText&>(self).links;
        return MatrixOut<std::uint16_t>(reinterpret_cast<std::uint16_t*>(links.data()),
                                        {links.size(), 2}, self);
      },
      nb::sig("def links(self) -> numpy.typing.NDArray[numpy.uint16]"), "A row each.");
  def_array(derived, "link_offsets", &DerivedText::link_offsets, "Where each one's begin.");
  module.def(
      "derived_text",
      [](const PhraseTable& table, const ArrayIn<std::uint32_t>& steps,
         const ArrayIn<std::uint16_t>& spans, const ArrayIn<std::uint32_t>& rows) {
        const nb::gil_scoped_release release;
        return derived_text(table, as_span(steps),
                            {reinterpret_cast<const StepSpan*>(spans.data()), spans.size() / 3},
                            as_span(rows));
      },
      "table"_a, "steps"_a, "spans"_a, "rows"_a,
      nb::sig("def derived_text(table: PhraseTableFile, "
              "steps: numpy.typing.NDArray[numpy.uint32], "
              "spans: numpy.typing.NDArray[numpy.uint16], "
              "rows: numpy.typing.NDArray[numpy.uint32]) -> DerivedText"),
      "Steps, spans and rows as in ShardDerivations.");
}

}  // namespace

void bind_reestimate(nb::module_& module) {
  bind_rows(module);
  nb::class_<ShardDerivations> shard(module, "ShardDerivations",
                                     "Derivations of consecutive sentence pairs, as arrays.");
  def_array(shard, "outcomes", &ShardDerivations::outcomes,
            "By pair: 0 derived, 1 no derivation, 2 refused.");
  def_array(shard, "derivations", &ShardDerivations::derivations,
            "By pair: how many derivations.");
  def_rows(shard, "model_counts", &ShardDerivations::model,
           "By pair: BLEU's matches, totals, length, reference length of the model's best "
           "translation.");
  def_rows(shard, "best_counts", &ShardDerivations::best, "The same of the first derivation.");
  def_rows(shard, "objectives", &ShardDerivations::objectives,
           "By pair: of the model's best, of the best of its list (0 without one), of the first "
           "derivation.");
  shard.def_ro("problems", &ShardDerivations::problems, "Refused pairs, and why.");
  def_array(shard, "steps", &ShardDerivations::steps, "By derivation: how many steps.");
  def_array(shard, "scores", &ShardDerivations::scores, "By derivation: the model's score.");
  def_rows(shard, "spans", &ShardDerivations::spans,
           "By step: source begin, source end, number of target words.");
  def_array(shard, "rows", &ShardDerivations::rows,
            "By step: row of the table, 2**32 - 1 for copied words.");

  OptionGroup<RederiveOptions>(module, "RederiveOptions", "How to derive sentence pairs.")
      .value("forced", &RederiveOptions::forced, "Only derivations of exactly the reference.")
      .value("nbest", &RederiveOptions::nbest, "Derivations of each pair.")
      .value("mu", &RederiveOptions::mu, "Weight of the model's score beside BLEU.")
      .value("beam", &RederiveOptions::beam, "Of the oracle.")
      .value("leave_one_out", &RederiveOptions::leave_one_out,
             "Leave out what a pair itself has contributed to the table.")
      .value("max_phrase_length", &RederiveOptions::max_phrase_length, "Of that table.")
      .value("compare_with", &RederiveOptions::compare_with,
             "Also look for the best objective among so many best by the model.")
      .finish();

  nb::class_<RederiveShard>(module, "RederiveShard", "Sentence pairs to derive.")
      .def(
          "__init__",
          [](RederiveShard* self, std::vector<std::string> sources,
             std::vector<std::string> references, const BoundLinkSets* links) {
            new (self)
                RederiveShard{requests_of(std::move(sources), std::move(references), links)};
          },
          "sources"_a, "references"_a, "links"_a = nb::none())
      .def("__len__", [](const RederiveShard& self) { return self.requests.size(); });

  nb::class_<Rederiver>(module, "Rederiver", "Derives sentence pairs with a model.")
      .def(
          "__init__",
          [](Rederiver* self, const PhraseDecoder& decoder, const RederiveOptions& options) {
            new (self) Rederiver(decoder.weighted().shared_model(), decoder.weighted().weights(),
                                 decoder.options(), options);
          },
          "decoder"_a, "options"_a, "Takes model, weights and search options of the decoder.")
      .def(
          "run",
          [](Rederiver& self, const std::vector<const RederiveShard*>& shards, int threads) {
            std::vector<std::span<const RederiveRequest>> requests;
            for (const RederiveShard* shard : shards) requests.push_back(shard->requests);
            const nb::gil_scoped_release release;
            return self.run(requests, threads);
          },
          "shards"_a, "threads"_a = 1, "The same whatever the number of threads.");
}
