// What searches can be told, as Python sees it.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bind.h"
#include "options.h"
#include "search/batch.h"
#include "search/search_options.h"

using namespace dragoman;

void bind_search_options(nb::module_& module) {
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
