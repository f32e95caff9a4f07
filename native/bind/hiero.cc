// Hierarchical rules: extraction, counting, scoring.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>

#include "bind.h"
#include "corpus_in.h"
#include "rules/score_rules.h"
#include "table_builder.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

using RuleTableBuilder = TableBuilder<RuleCounter, RuleScorer>;

RuleExtractionOptions options_of(std::size_t max_span, std::size_t max_symbols,
                                 std::size_t max_gaps, std::size_t min_gap, bool tight) {
  return {max_span, max_symbols, max_gaps, min_gap, tight};
}

}  // namespace

void bind_hiero(nb::module_& module) {
  module.def(
      "extract_rules",
      [](std::size_t source_length, std::size_t target_length, const LinksIn& links,
         std::size_t max_span, std::size_t max_symbols, std::size_t max_gaps, std::size_t min_gap,
         bool tight) {
        using Span = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>;
        std::vector<RuleInstance> found;
        RuleExtractor(options_of(max_span, max_symbols, max_gaps, min_gap, tight))
            .extract(source_length, target_length, as_links(links), found);
        std::vector<std::tuple<Span, std::vector<Span>, std::uint32_t>> rules;
        for (const RuleInstance& rule : found) {
          const std::size_t s = rule.source_begin, t = rule.target_begin;
          std::vector<Span> gaps;
          for (std::size_t number = 0; number < rule.gaps(); ++number) {
            const RuleGap gap = rule.gap(number);
            gaps.emplace_back(s + gap.source, s + gap.source + gap.source_length, t + gap.target,
                              t + gap.target + gap.target_length);
          }
          rules.emplace_back(Span{s, s + rule.source_length(), t, t + rule.target_length()}, gaps,
                             rule.share);
        }
        return rules;
      },
      "source_length"_a, "target_length"_a, "links"_a, "max_span"_a = 10, "max_symbols"_a = 5,
      "max_gaps"_a = 2, "min_gap"_a = 1, "tight"_a = true,
      nb::sig("def extract_rules(source_length: int, target_length: int, "
              "links: numpy.typing.NDArray[numpy.uint16], max_span: int = 10, "
              "max_symbols: int = 5, max_gaps: int = 2, min_gap: int = 1, tight: bool = True) -> "
              "list[tuple[tuple[int, int, int, int], list[tuple[int, int, int, int]], int]]"),
      "The rules of one sentence pair: source begin and end, target begin and end; the same of\n"
      "each gap; and among how many rules of its phrase pair the count is shared.");

  nb::class_<RuleTableBuilder> builder(
      module, "RuleTableBuilder", "From a bitext with links to a table of hierarchical rules.");
  builder
      .def(
          "__init__",
          [](RuleTableBuilder* self, ArrayIn<WordId> source_ids,
             ArrayIn<std::uint64_t> source_offsets, ArrayIn<WordId> target_ids,
             ArrayIn<std::uint64_t> target_offsets, LinksIn links,
             ArrayIn<std::uint64_t> link_offsets, std::size_t max_span, std::size_t max_symbols,
             std::size_t max_gaps, std::size_t min_gap, bool tight, std::uint64_t memory,
             const std::string& directory, int threads) {
            new (self) RuleTableBuilder(
                Corpus{std::move(source_ids), std::move(source_offsets), std::move(target_ids),
                       std::move(target_offsets), std::move(links), std::move(link_offsets)},
                options_of(max_span, max_symbols, max_gaps, min_gap, tight),
                WorkResources{memory, directory, threads});
          },
          "source_ids"_a, "source_offsets"_a, "target_ids"_a, "target_offsets"_a, "links"_a,
          "link_offsets"_a, nb::kw_only(), "max_span"_a, "max_symbols"_a, "max_gaps"_a,
          "min_gap"_a, "tight"_a, "memory"_a, "directory"_a, "threads"_a,
          nb::sig("def __init__(self, source_ids: numpy.typing.NDArray[numpy.int32], "
                  "source_offsets: numpy.typing.NDArray[numpy.uint64], "
                  "target_ids: numpy.typing.NDArray[numpy.int32], "
                  "target_offsets: numpy.typing.NDArray[numpy.uint64], "
                  "links: numpy.typing.NDArray[numpy.uint16], "
                  "link_offsets: numpy.typing.NDArray[numpy.uint64], *, max_span: int, "
                  "max_symbols: int, max_gaps: int, min_gap: int, tight: bool, memory: int, "
                  "directory: str, threads: int) -> None"))
      .def(
          "begin_scoring",
          [](RuleTableBuilder& self, const LexicalTable& forward, const LexicalTable& backward,
             const std::string& weighting, double min_count, std::uint32_t max_options,
             std::uint32_t source_words, std::uint32_t target_words) {
            RuleScoringOptions options;
            options.weighting = choose_weighting(weighting);
            options.min_count = min_count;
            options.max_options = max_options;
            options.source_words = source_words;
            options.target_words = target_words;
            self.begin_scoring(forward, backward, options);
          },
          "forward"_a, "backward"_a, nb::kw_only(), "weighting"_a, "min_count"_a, "max_options"_a,
          "source_words"_a, "target_words"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("rules",
                   [](RuleTableBuilder& self) { return self.counter().statistics().rules; })
      .def_prop_ro("rules_with_gaps",
                   [](RuleTableBuilder& self) { return self.counter().statistics().with_gaps; });
  bind_stages(builder);
}
