// Python's view of what re-estimation needs: search/rederive.h and rules/table_rows.h.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bind.h"
#include "rules/table_rows.h"
#include "search/rederive.h"
#include "search/stack_batch.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

using LinksIn = nb::ndarray<const std::uint16_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using ShardIn = std::tuple<std::vector<std::string>, std::vector<std::string>, LinksIn,
                           ArrayIn<std::uint64_t>>;

std::vector<RederiveRequest> requests_of(ShardIn&& shard) {
  auto& [sources, references, links, offsets] = shard;
  if (sources.size() != references.size() ||
      (offsets.size() > 0 && offsets.size() != sources.size() + 1)) {
    throw nb::value_error("a shard needs as many references, and links, as sources");
  }
  const LinkSets sets =
      offsets.size() == 0 ? LinkSets()
                          : LinkSets({reinterpret_cast<const Link*>(links.data()), links.shape(0)},
                                     as_span(offsets));
  std::vector<RederiveRequest> requests(sources.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    requests[i].source = std::move(sources[i]);
    requests[i].reference = std::move(references[i]);
    if (sets.size() > 0) requests[i].links.assign(sets[i].begin(), sets[i].end());
  }
  return requests;
}

template <std::size_t N>
ArrayOut<double> rows_of(const std::vector<std::array<double, N>>& rows) {
  std::vector<double> values;
  values.reserve(rows.size() * N);
  for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
  return to_numpy(std::move(values));
}

void bind_rows(nb::module_& module) {
  module.def(
      "table_row_facts",
      [](const PhraseTable& table) {
        RowFacts facts;
        {
          const nb::gil_scoped_release release;
          facts = row_facts(table);
        }
        return nb::make_tuple(
            to_numpy(std::move(facts.sources)), to_numpy(std::move(facts.targets)),
            to_numpy(std::move(facts.source_lengths)), to_numpy(std::move(facts.counts)));
      },
      "table"_a,
      nb::sig("def table_row_facts(table: PhraseTableFile) -> tuple["
              "numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint32], "
              "numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.float32]]"),
      "By row: number of the source phrase, number of the target phrase, words of the source "
      "phrase, and three counts each (of the pair, the source, the target).");
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
  module.def(
      "derived_text",
      [](const PhraseTable& table, const ArrayIn<std::uint32_t>& steps,
         const ArrayIn<std::uint16_t>& spans, const ArrayIn<std::uint32_t>& rows) {
        DerivedText text;
        {
          const nb::gil_scoped_release release;
          text = derived_text(table, as_span(steps),
                              {reinterpret_cast<const StepSpan*>(spans.data()), spans.size() / 3},
                              as_span(rows));
        }
        std::vector<std::uint16_t> links;
        links.reserve(2 * text.links.size());
        for (const Link& link : text.links) {
          links.push_back(link.source);
          links.push_back(link.target);
        }
        return nb::make_tuple(to_numpy(std::move(text.ids)), to_numpy(std::move(text.offsets)),
                              to_numpy(std::move(links)), to_numpy(std::move(text.link_offsets)));
      },
      "table"_a, "steps"_a, "spans"_a, "rows"_a,
      nb::sig("def derived_text(table: PhraseTableFile, "
              "steps: numpy.typing.NDArray[numpy.uint32], "
              "spans: numpy.typing.NDArray[numpy.uint16], "
              "rows: numpy.typing.NDArray[numpy.uint32]) -> tuple["
              "numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.uint64], "
              "numpy.typing.NDArray[numpy.uint16], numpy.typing.NDArray[numpy.uint64]]"),
      "The target sides of derivations (ids, offsets) and their links (pairs, offsets); steps, "
      "spans and rows as in ShardDerivations.");
}

}  // namespace

void bind_reestimate(nb::module_& module) {
  bind_rows(module);
  nb::class_<ShardDerivations>(module, "ShardDerivations",
                               "Derivations of consecutive sentence pairs, as flat arrays.")
      .def_prop_ro(
          "outcomes",
          [](const ShardDerivations& self) {
            return to_numpy(std::vector<std::uint8_t>(self.outcomes));
          },
          nb::rv_policy::automatic,
          nb::sig("def outcomes(self) -> numpy.typing.NDArray[numpy.uint8]"),
          "By pair: 0 derived, 1 no derivation, 2 refused.")
      .def_prop_ro(
          "derivations",
          [](const ShardDerivations& self) {
            return to_numpy(std::vector<std::uint32_t>(self.derivations));
          },
          nb::rv_policy::automatic,
          nb::sig("def derivations(self) -> numpy.typing.NDArray[numpy.uint32]"),
          "By pair: how many derivations.")
      .def_prop_ro(
          "model_counts", [](const ShardDerivations& self) { return rows_of(self.model); },
          nb::rv_policy::automatic,
          nb::sig("def model_counts(self) -> numpy.typing.NDArray[numpy.float64]"),
          "By pair, ten each: BLEU's matches, totals, length, reference length of the model's "
          "best translation.")
      .def_prop_ro(
          "best_counts", [](const ShardDerivations& self) { return rows_of(self.best); },
          nb::rv_policy::automatic,
          nb::sig("def best_counts(self) -> numpy.typing.NDArray[numpy.float64]"),
          "The same of the first derivation.")
      .def_prop_ro(
          "objectives", [](const ShardDerivations& self) { return rows_of(self.objectives); },
          nb::rv_policy::automatic,
          nb::sig("def objectives(self) -> numpy.typing.NDArray[numpy.float64]"),
          "By pair, three each: of the model's best, of the best of its list (0 without one), of "
          "the first derivation.")
      .def_ro("problems", &ShardDerivations::problems, "Refused pairs, and why.")
      .def_prop_ro(
          "steps",
          [](const ShardDerivations& self) {
            return to_numpy(std::vector<std::uint32_t>(self.steps));
          },
          nb::rv_policy::automatic,
          nb::sig("def steps(self) -> numpy.typing.NDArray[numpy.uint32]"),
          "By derivation: how many steps.")
      .def_prop_ro(
          "scores",
          [](const ShardDerivations& self) { return to_numpy(std::vector<double>(self.scores)); },
          nb::rv_policy::automatic,
          nb::sig("def scores(self) -> numpy.typing.NDArray[numpy.float64]"),
          "By derivation: the model's score.")
      .def_prop_ro(
          "spans",
          [](const ShardDerivations& self) {
            std::vector<std::uint16_t> values;
            values.reserve(3 * self.rows.size());
            for (std::size_t i = 0; i < self.rows.size(); ++i) {
              values.push_back(self.source_begins[i]);
              values.push_back(self.source_ends[i]);
              values.push_back(self.target_words[i]);
            }
            return to_numpy(std::move(values));
          },
          nb::rv_policy::automatic,
          nb::sig("def spans(self) -> numpy.typing.NDArray[numpy.uint16]"),
          "By step, three each: source begin, source end, number of target words.")
      .def_prop_ro(
          "rows",
          [](const ShardDerivations& self) {
            return to_numpy(std::vector<std::uint32_t>(self.rows));
          },
          nb::rv_policy::automatic,
          nb::sig("def rows(self) -> numpy.typing.NDArray[numpy.uint32]"),
          "By step: row of the table, 2**32 - 1 for copied words.");

  nb::class_<Rederiver>(module, "Rederiver", "Derives sentence pairs with a model.")
      .def(
          "__init__",
          [](Rederiver* self, const PhraseDecoder& decoder, bool forced, std::size_t nbest,
             double mu, std::size_t beam, bool leave_one_out, std::size_t max_phrase_length,
             std::size_t compare_with) {
            RederiveOptions options;
            options.forced = forced;
            options.nbest = nbest;
            options.mu = mu;
            options.beam = beam;
            options.leave_one_out = leave_one_out;
            options.max_phrase_length = max_phrase_length;
            options.compare_with = compare_with;
            new (self) Rederiver(decoder.weighted().shared_model(), decoder.weighted().weights(),
                                 decoder.options(), options);
          },
          "decoder"_a, nb::kw_only(), "forced"_a, "nbest"_a, "mu"_a, "beam"_a, "leave_one_out"_a,
          "max_phrase_length"_a, "compare_with"_a = 0,
          "Takes model, weights and search options of the decoder.")
      .def(
          "run",
          [](Rederiver& self, std::vector<ShardIn> shards, int threads) {
            std::vector<std::vector<RederiveRequest>> requests;
            requests.reserve(shards.size());
            for (ShardIn& shard : shards) requests.push_back(requests_of(std::move(shard)));
            std::vector<ShardDerivations> results;
            {
              const nb::gil_scoped_release release;
              results = self.run(requests, threads);
            }
            return results;
          },
          "shards"_a, "threads"_a = 1,
          nb::sig("def run(self, shards: list[tuple[list[str], list[str], "
                  "numpy.typing.NDArray[numpy.uint16], numpy.typing.NDArray[numpy.uint64]]], "
                  "threads: int = 1) -> list[ShardDerivations]"),
          "Derives shards of pairs: sources, references, links and their offsets (both may be "
          "empty). The same whatever the number of threads.");
}
