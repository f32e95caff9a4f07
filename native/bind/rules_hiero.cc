// Hierarchical rules: extraction, counting, scoring.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>

#include "bind.h"
#include "options.h"
#include "rules/score_rules.h"
#include "table_builder.h"
#include "texts.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

using RuleTableBuilder = TableBuilder<RuleCounter, RuleScorer>;

}  // namespace

void bind_hiero(nb::module_& module) {
  OptionGroup<RuleExtractionOptions>(module, "RuleExtractionOptions",
                                     "Which hierarchical rules to extract.")
      .value("max_span", &RuleExtractionOptions::max_span, "Words of a rule with its gaps.")
      .value("max_symbols", &RuleExtractionOptions::max_symbols, "Words and gaps of a side.")
      .value("max_gaps", &RuleExtractionOptions::max_gaps, "So many, 2 at most.")
      .value("min_gap", &RuleExtractionOptions::min_gap, "Source words under a gap.")
      .value("tight", &RuleExtractionOptions::tight,
             "Only from phrase pairs without loose words at their edges.")
      .finish();
  OptionGroup<RuleScoringOptions> scoring(module, "RuleScoringOptions", "How to score rules.");
  add_table_scoring(scoring)
      .value("min_count", &RuleScoringOptions::min_count,
             "Rules with gaps that count less are left out.")
      .value("discount", &RuleScoringOptions::discount,
             "Taken off each count and spread, as Kneser-Ney smoothing does; 0: nothing.")
      .value("max_options", &RuleScoringOptions::max_options, "Rules of a source side; 0: all.")
      .finish();
  module.def(
      "extract_rules",
      [](std::size_t source_length, std::size_t target_length, const LinksIn& links,
         const RuleExtractionOptions* options) {
        using Span = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>;
        std::vector<RuleInstance> found;
        RuleExtractor(options != nullptr ? *options : RuleExtractionOptions())
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
      "source_length"_a, "target_length"_a, "links"_a, "options"_a = nb::none(),
      nb::sig("def extract_rules(source_length: int, target_length: int, "
              "links: numpy.typing.NDArray[numpy.uint16], "
              "options: RuleExtractionOptions | None = None) -> "
              "list[tuple[tuple[int, int, int, int], list[tuple[int, int, int, int]], int]]"),
      "The rules of one sentence pair: source begin and end, target begin and end; the same of\n"
      "each gap; and among how many rules of its phrase pair the count is shared.");

  nb::class_<RuleTableBuilder> builder(
      module, "RuleTableBuilder", "From a bitext with links to a table of hierarchical rules.");
  builder
      .def(
          "__init__",
          [](RuleTableBuilder* self, const BoundAlignedText& text,
             const RuleExtractionOptions& options, const WorkResources& resources) {
            new (self) RuleTableBuilder(text, options, resources);
          },
          "text"_a, "options"_a, "resources"_a, nb::keep_alive<1, 2>())
      .def_prop_ro("rules",
                   [](RuleTableBuilder& self) { return self.counter().statistics().rules; })
      .def_prop_ro("rules_with_gaps",
                   [](RuleTableBuilder& self) { return self.counter().statistics().with_gaps; });
  bind_stages<RuleScoringOptions>(builder);
}
