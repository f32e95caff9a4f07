// What comes of a line: translations, counters and pictures of the search.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>

#include "bind.h"
#include "search/batch.h"
#include "spans.h"

using namespace dragoman;

void bind_search_results(nb::module_& module) {
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
