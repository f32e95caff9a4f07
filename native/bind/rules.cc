// Phrase extraction and bilingual tokens.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bind.h"
#include "corpus_in.h"
#include "rules/bilingual.h"
#include "rules/score_phrases.h"
#include "table_builder.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

std::array<bool, kReorderingKinds> choose_reorderings(const std::vector<std::string>& names) {
  std::array<bool, kReorderingKinds> wanted = {};
  for (const std::string& name : names) {
    const auto kind = choose<ReorderingKind>(
        name, {kReorderingNames[0], kReorderingNames[1], kReorderingNames[2]}, "reordering model");
    wanted[static_cast<std::size_t>(kind)] = true;
  }
  return wanted;
}

using PhraseTableBuilder = TableBuilder<PhraseCounter, PhraseScorer>;

void bind_extraction(nb::module_& module) {
  module.def(
      "extract_phrases",
      [](std::size_t source_length, std::size_t target_length, const LinksIn& links,
         std::size_t max_length, const std::vector<std::string>& reordering) {
        ExtractionOptions options;
        options.max_length = max_length;
        options.reordering = choose_reorderings(reordering);
        std::vector<PhraseInstance> found;
        PhraseExtractor(options).extract(source_length, target_length, as_links(links), found);
        constexpr std::size_t kColumns = 4 + 2 * kReorderingKinds;
        std::vector<std::int32_t> rows;
        for (const PhraseInstance& pair : found) {
          rows.insert(rows.end(), {pair.source_begin, pair.source_begin + pair.source_length,
                                   pair.target_begin, pair.target_begin + pair.target_length});
          for (std::size_t kind = 0; kind < kReorderingKinds; ++kind) {
            for (const auto direction :
                 {ReorderingDirection::kBackward, ReorderingDirection::kForward}) {
              rows.push_back(static_cast<std::int32_t>(
                  pair.orientation(static_cast<ReorderingKind>(kind), direction)));
            }
          }
        }
        return to_matrix(std::move(rows), kColumns);
      },
      "source_length"_a, "target_length"_a, "links"_a, "max_length"_a = 7,
      "reordering"_a = std::vector<std::string>{},
      nb::sig("def extract_phrases(source_length: int, target_length: int, "
              "links: numpy.typing.NDArray[numpy.uint16], max_length: int = 7, "
              "reordering: list[str] = []) -> numpy.typing.NDArray[numpy.int32]"),
      "Phrase pairs of one sentence pair, a row each: source begin and end, target begin and\n"
      "end, then the backward and forward orientation (0 monotone, 1 swap, 2 discontinuous) of\n"
      "the word, phrase and hierarchical models.");

  nb::class_<PhraseTableBuilder> builder(
      module, "PhraseTableBuilder", "From a bitext with links to a phrase table, stage by stage.");
  builder
      .def(
          "__init__",
          [](PhraseTableBuilder* self, ArrayIn<WordId> source_ids,
             ArrayIn<std::uint64_t> source_offsets, ArrayIn<WordId> target_ids,
             ArrayIn<std::uint64_t> target_offsets, LinksIn links,
             ArrayIn<std::uint64_t> link_offsets, std::size_t max_length,
             const std::vector<std::string>& reordering, const std::string& smoothing,
             std::uint64_t memory, const std::string& directory, int threads) {
            new (self) PhraseTableBuilder(
                Corpus{std::move(source_ids), std::move(source_offsets), std::move(target_ids),
                       std::move(target_offsets), std::move(links), std::move(link_offsets)},
                ExtractionOptions{max_length, choose_reorderings(reordering)},
                choose<Smoothing>(smoothing, {"none", "good-turing", "kneser-ney"}, "smoothing"),
                WorkResources{memory, directory, threads});
          },
          "source_ids"_a, "source_offsets"_a, "target_ids"_a, "target_offsets"_a, "links"_a,
          "link_offsets"_a, nb::kw_only(), "max_length"_a, "reordering"_a, "smoothing"_a,
          "memory"_a, "directory"_a, "threads"_a,
          nb::sig("def __init__(self, source_ids: numpy.typing.NDArray[numpy.int32], "
                  "source_offsets: numpy.typing.NDArray[numpy.uint64], "
                  "target_ids: numpy.typing.NDArray[numpy.int32], "
                  "target_offsets: numpy.typing.NDArray[numpy.uint64], "
                  "links: numpy.typing.NDArray[numpy.uint16], "
                  "link_offsets: numpy.typing.NDArray[numpy.uint64], *, max_length: int, "
                  "reordering: list[str], smoothing: str, memory: int, directory: str, "
                  "threads: int) -> None"))
      .def(
          "begin_scoring",
          [](PhraseTableBuilder& self, const LexicalTable& forward, const LexicalTable& backward,
             const std::string& weighting, double reordering_smoothing, std::uint32_t source_words,
             std::uint32_t target_words) {
            ScoringOptions options;
            options.weighting = choose_weighting(weighting);
            options.reordering_smoothing = reordering_smoothing;
            options.source_words = source_words;
            options.target_words = target_words;
            self.begin_scoring(forward, backward, options);
          },
          "forward"_a, "backward"_a, nb::kw_only(), "weighting"_a, "reordering_smoothing"_a,
          "source_words"_a, "target_words"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("phrase_pairs",
                   [](PhraseTableBuilder& self) { return self.counter().statistics().pairs; })
      .def_prop_ro("smoothing_fallback",
                   [](PhraseTableBuilder& self) { return self.counter().smoothing().fallback(); });
  bind_stages(builder);
}

void bind_bilingual(nb::module_& module) {
  module.def(
      "bilingual_lines",
      [](const ArrayIn<WordId>& source_ids, const ArrayIn<std::uint64_t>& source_offsets,
         const ArrayIn<WordId>& target_ids, const ArrayIn<std::uint64_t>& target_offsets,
         const LinksIn& links, const ArrayIn<std::uint64_t>& link_offsets,
         const Vocabulary& source_words, const Vocabulary& target_words, std::size_t first,
         std::size_t last) {
        std::vector<std::string> lines;
        {
          const nb::gil_scoped_release release;
          lines = bilingual_lines({as_span(source_ids), as_span(source_offsets)},
                                  {as_span(target_ids), as_span(target_offsets)},
                                  {as_links(links), as_span(link_offsets)}, source_words,
                                  target_words, first, last);
        }
        nb::list result;
        for (const std::string& line : lines) result.append(to_str(line));
        return result;
      },
      "source_ids"_a, "source_offsets"_a, "target_ids"_a, "target_offsets"_a, "links"_a,
      "link_offsets"_a, "source_words"_a, "target_words"_a, "first"_a, "last"_a,
      nb::sig("def bilingual_lines(source_ids: numpy.typing.NDArray[numpy.int32], "
              "source_offsets: numpy.typing.NDArray[numpy.uint64], "
              "target_ids: numpy.typing.NDArray[numpy.int32], "
              "target_offsets: numpy.typing.NDArray[numpy.uint64], "
              "links: numpy.typing.NDArray[numpy.uint16], "
              "link_offsets: numpy.typing.NDArray[numpy.uint64], source_words: Vocabulary, "
              "target_words: Vocabulary, first: int, last: int) -> list[str]"),
      "Bilingual tokens of sentence pairs [first, last), a line each.");
}

}  // namespace

void bind_rules(nb::module_& module) {
  bind_extraction(module);
  bind_bilingual(module);
}
