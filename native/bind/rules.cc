// Phrase extraction and bilingual tokens.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>

#include "align/lexical_table.h"
#include "bind.h"
#include "corpus_in.h"
#include "rules/bilingual.h"
#include "rules/score_phrases.h"
#include "text/error.h"

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

// The whole way from links to a table, stage by stage.
class TableBuilder {
 public:
  TableBuilder(Corpus corpus, const ExtractionOptions& extraction, Smoothing smoothing,
               const WorkResources& resources)
      : corpus_(std::move(corpus)),
        counter_(corpus_.source(), corpus_.target(), corpus_.link_sets(), extraction, smoothing,
                 resources) {}

  PhraseCounter& counter() { return counter_; }

  // Without tables, those of the links are used.
  void begin_scoring(const LexicalTable* forward, const LexicalTable* backward,
                     const ScoringOptions& options) {
    const auto from_links = [&](Direction direction) {
      return lexical_table_from_links(corpus_.source(), corpus_.target(), corpus_.link_sets(),
                                      direction);
    };
    forward_.emplace(forward != nullptr ? *forward : from_links(Direction::kForward));
    backward_.emplace(backward != nullptr ? *backward : from_links(Direction::kBackward));
    scorer_.emplace(counter_, *forward_, *backward_, options);
  }
  PhraseScorer& scorer() {
    if (!scorer_) throw InputError("begin_scoring comes first");
    return *scorer_;
  }
  std::uint64_t spilled_bytes() const {
    return counter_.spilled_bytes() + (scorer_ ? scorer_->spilled_bytes() : 0);
  }

 private:
  Corpus corpus_;
  PhraseCounter counter_;
  std::optional<LexicalTable> forward_;
  std::optional<LexicalTable> backward_;
  std::optional<PhraseScorer> scorer_;
};

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

  nb::class_<TableBuilder>(module, "PhraseTableBuilder",
                           "From a bitext with links to a phrase table, stage by stage.")
      .def(
          "__init__",
          [](TableBuilder* self, ArrayIn<WordId> source_ids, ArrayIn<std::uint64_t> source_offsets,
             ArrayIn<WordId> target_ids, ArrayIn<std::uint64_t> target_offsets, LinksIn links,
             ArrayIn<std::uint64_t> link_offsets, std::size_t max_length,
             const std::vector<std::string>& reordering, const std::string& smoothing,
             std::uint64_t memory, const std::string& directory, int threads) {
            ExtractionOptions extraction;
            extraction.max_length = max_length;
            extraction.reordering = choose_reorderings(reordering);
            WorkResources resources{memory, directory, threads};
            new (self) TableBuilder(
                Corpus{std::move(source_ids), std::move(source_offsets), std::move(target_ids),
                       std::move(target_offsets), std::move(links), std::move(link_offsets)},
                extraction,
                choose<Smoothing>(smoothing, {"none", "good-turing", "kneser-ney"}, "smoothing"),
                resources);
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
      .def_prop_ro("pairs", [](TableBuilder& self) { return self.counter().pairs(); })
      .def_prop_ro("partitions", [](TableBuilder& self) { return self.counter().partitions(); })
      .def_prop_ro("instances",
                   [](TableBuilder& self) { return self.counter().statistics().instances; })
      .def_prop_ro("phrase_pairs",
                   [](TableBuilder& self) { return self.counter().statistics().pairs; })
      .def_prop_ro("spilled_bytes", &TableBuilder::spilled_bytes)
      .def_prop_ro("smoothing_fallback",
                   [](TableBuilder& self) { return self.counter().smoothing().fallback(); })
      .def(
          "extract",
          [](TableBuilder& self, std::size_t first, std::size_t last) {
            self.counter().extract(first, last);
          },
          "first"_a, "last"_a, nb::call_guard<nb::gil_scoped_release>(),
          "Find the phrase pairs of sentence pairs [first, last).")
      .def(
          "aggregate",
          [](TableBuilder& self, std::size_t first, std::size_t last) {
            self.counter().aggregate(first, last);
          },
          "first"_a, "last"_a, nb::call_guard<nb::gil_scoped_release>(),
          "Count partitions [first, last), after all is extracted.")
      .def(
          "join",
          [](TableBuilder& self, std::size_t first, std::size_t last) {
            self.counter().join(first, last);
          },
          "first"_a, "last"_a, nb::call_guard<nb::gil_scoped_release>(),
          "Total target phrases of partitions [first, last), after all is counted.")
      .def(
          "begin_scoring",
          [](TableBuilder& self, const LexicalTable* forward, const LexicalTable* backward,
             const std::string& weighting, double reordering_smoothing, std::uint32_t source_words,
             std::uint32_t target_words) {
            ScoringOptions options;
            options.weighting =
                choose<LexicalWeighting>(weighting, {"viterbi", "links"}, "lexical weighting");
            options.reordering_smoothing = reordering_smoothing;
            options.source_words = source_words;
            options.target_words = target_words;
            const nb::gil_scoped_release release;
            self.begin_scoring(forward, backward, options);
          },
          "forward"_a.none(), "backward"_a.none(), nb::kw_only(), "weighting"_a,
          "reordering_smoothing"_a, "source_words"_a, "target_words"_a,
          nb::sig("def begin_scoring(self, forward: LexicalTable | None, "
                  "backward: LexicalTable | None, *, weighting: str, "
                  "reordering_smoothing: float, source_words: int, target_words: int) -> None"))
      .def(
          "score",
          [](TableBuilder& self, std::size_t first, std::size_t last) {
            self.scorer().score(first, last);
          },
          "first"_a, "last"_a, nb::call_guard<nb::gil_scoped_release>(),
          "Score partitions [first, last), after all is joined.")
      .def(
          "write",
          [](TableBuilder& self, const std::string& path) { return self.scorer().write(path); },
          "path"_a, nb::call_guard<nb::gil_scoped_release>(),
          "Write a part of the table; True when it is whole.")
      .def_prop_ro("written", [](TableBuilder& self) { return self.scorer().written(); });
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
