// Phrase extraction and bilingual tokens.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bind.h"
#include "options.h"
#include "rules/bilingual.h"
#include "rules/score_phrases.h"
#include "table_builder.h"
#include "texts.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

const Choices kReorderings("reordering model", {kReorderingNames.begin(), kReorderingNames.end()});

std::array<bool, kReorderingKinds> choose_reorderings(const std::vector<std::string>& names) {
  std::array<bool, kReorderingKinds> wanted = {};
  for (const std::string& name : names) wanted[kReorderings.value<std::size_t>(name)] = true;
  return wanted;
}

std::vector<std::string> names_of(const std::array<bool, kReorderingKinds>& wanted) {
  std::vector<std::string> names;
  for (std::size_t kind = 0; kind < wanted.size(); ++kind) {
    if (wanted[kind]) names.push_back(kReorderings.name(kind));
  }
  return names;
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

  OptionGroup<WorkResources>(module, "WorkResources", "What counting may use.")
      .value("memory", &WorkResources::memory, "Bytes, for records in flight.")
      .value("directory", &WorkResources::directory, "For temporary files.")
      .value("threads", &WorkResources::threads, "So many at once.")
      .finish();
  OptionGroup<ExtractionOptions>(module, "ExtractionOptions", "Which phrase pairs to extract.")
      .value("max_length", &ExtractionOptions::max_length, "Words of a phrase on either side.")
      .property<std::vector<std::string>>(
          "reordering", "collections.abc.Sequence[str]",
          [](const ExtractionOptions& self) { return names_of(self.reordering); },
          [](ExtractionOptions& self, const std::vector<std::string>& names) {
            self.reordering = choose_reorderings(names);
          },
          "Reordering models to count for: word, phrase, hierarchical.")
      .property<std::vector<std::uint32_t>>(
          "times", "collections.abc.Sequence[int]",
          [](const ExtractionOptions& self) { return self.times; },
          [](ExtractionOptions& self, const std::vector<std::uint32_t>& times) {
            self.times = times;
          },
          "How often each sentence pair counts; empty: once each.")
      .finish();
  OptionGroup<ScoringOptions> scoring(module, "ScoringOptions", "How to score phrase pairs.");
  add_table_scoring(scoring)
      .value("reordering_smoothing", &ScoringOptions::reordering_smoothing,
             "Added to each orientation count.")
      .finish();
  nb::class_<PhraseTableBuilder> builder(
      module, "PhraseTableBuilder", "From a bitext with links to a phrase table, stage by stage.");
  builder
      .def(
          "__init__",
          [](PhraseTableBuilder* self, const BoundAlignedText& text,
             const ExtractionOptions& options, const std::string& smoothing,
             const WorkResources& resources) {
            const Choices smoothings("smoothing", {"none", "good-turing", "kneser-ney"});
            new (self) PhraseTableBuilder(text, options, smoothings.value<Smoothing>(smoothing),
                                          resources);
          },
          "text"_a, "options"_a, "smoothing"_a, "resources"_a, nb::keep_alive<1, 2>())
      .def_prop_ro("phrase_pairs",
                   [](PhraseTableBuilder& self) { return self.counter().statistics().pairs; })
      .def_prop_ro("smoothing_fallback",
                   [](PhraseTableBuilder& self) { return self.counter().smoothing().fallback(); });
  bind_stages<ScoringOptions>(builder);
}

void bind_bilingual(nb::module_& module) {
  module.def(
      "bilingual_lines",
      [](const BoundAlignedText& text, const Vocabulary& source_words,
         const Vocabulary& target_words, std::size_t first, std::size_t last) {
        std::vector<std::string> lines;
        {
          const nb::gil_scoped_release release;
          lines = bilingual_lines(text.view, source_words, target_words, first, last);
        }
        nb::list result;
        for (const std::string& line : lines) result.append(to_str(line));
        return result;
      },
      "text"_a, "source_words"_a, "target_words"_a, "first"_a, "last"_a,
      nb::sig("def bilingual_lines(text: AlignedText, source_words: Vocabulary, "
              "target_words: Vocabulary, first: int, last: int) -> list[str]"),
      "Bilingual tokens of sentence pairs [first, last), a line each.");
}

}  // namespace

void bind_rules(nb::module_& module) {
  bind_extraction(module);
  bind_bilingual(module);
}
