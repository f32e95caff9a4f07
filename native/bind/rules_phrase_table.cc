// Phrase tables: looked into, written anew, and as text tables of Moses.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>

#include "bind.h"
#include "rules/bilingual.h"
#include "rules/moses_table.h"
#include "rules/phrase_table.h"
#include "rules/rewrite_table.h"
#include "rules/significance.h"
#include "text/error.h"
#include "texts.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

void check_row(const PhraseTable& table, std::uint32_t row) {
  if (row >= table.size()) {
    throw nb::index_error(
        ("row " + std::to_string(row) + " of " + std::to_string(table.size())).c_str());
  }
}

using Rows = std::pair<std::uint32_t, std::uint32_t>;

Rows to_pair(OptionRange range) { return {range.begin, range.end}; }

// A part of a sentence that has options.
struct SpanRows {
  std::size_t begin = 0;
  std::size_t end = 0;
  Rows rows;
};

struct SourcePhrases {
  std::vector<WordId> ids;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::array<std::uint32_t, 2>> rows;
};

void bind_table(nb::module_& module) {
  nb::class_<PhraseCounts>(module, "PhraseCounts", "How often was extracted:")
      .def_ro("joint", &PhraseCounts::joint, "the pair,")
      .def_ro("source", &PhraseCounts::source, "its source phrase,")
      .def_ro("target", &PhraseCounts::target, "its target phrase.");
  nb::class_<SpanRows>(module, "SpanRows", "A part of a sentence that has options.")
      .def_ro("begin", &SpanRows::begin)
      .def_ro("end", &SpanRows::end)
      .def_ro("rows", &SpanRows::rows, "Rows [begin, end) of the table.");
  nb::class_<SourcePhrases> sources(module, "SourcePhrases", "Source phrases of a table.");
  def_array(sources, "ids", &SourcePhrases::ids, "Of all, one behind the other.");
  def_array(sources, "offsets", &SourcePhrases::offsets, "Where each begins.");
  def_rows(sources, "rows", &SourcePhrases::rows, "Rows [begin, end) of each.");
  nb::class_<PhraseTable>(module, "PhraseTableFile", "A mapped phrase table.")
      .def(
          "__init__",
          [](PhraseTable* self, const std::string& path, bool verify) {
            const nb::gil_scoped_release release;
            new (self) PhraseTable(path, verify ? Verify::kContent : Verify::kHeader);
          },
          "path"_a, "verify"_a = true)
      .def("__len__", &PhraseTable::size)
      .def_prop_ro("source_phrases",
                   [](const PhraseTable& self) { return self.info().source_phrases; })
      .def_prop_ro("max_source_length",
                   [](const PhraseTable& self) { return self.info().max_source_length; })
      .def_prop_ro("max_target_length",
                   [](const PhraseTable& self) { return self.info().max_target_length; })
      .def_prop_ro("source_words",
                   [](const PhraseTable& self) { return self.info().source_words; })
      .def_prop_ro("target_words",
                   [](const PhraseTable& self) { return self.info().target_words; })
      .def_prop_ro("bilingual_words",
                   [](const PhraseTable& self) { return self.info().bilingual_words; })
      .def_prop_ro("quantised", [](const PhraseTable& self) { return self.info().quantised != 0; })
      .def_prop_ro("hierarchical",
                   [](const PhraseTable& self) { return self.info().hierarchical != 0; })
      .def_prop_ro("first_words", &PhraseTable::first_words)
      .def_prop_ro("features",
                   [](const PhraseTable& self) {
                     const auto names = self.feature_names();
                     return std::vector<std::string>(names.begin(), names.end());
                   })
      .def_prop_ro("reorderings",
                   [](const PhraseTable& self) {
                     const auto names = self.reordering_names();
                     return std::vector<std::string>(names.begin(), names.end());
                   })
      .def_prop_ro("sort_weights",
                   [](const PhraseTable& self) {
                     const auto weights = self.sort_weights();
                     return std::vector<double>(weights.begin(), weights.end());
                   })
      .def(
          "find",
          [](const PhraseTable& self, const ArrayIn<WordId>& phrase) {
            return to_pair(self.find(as_span(phrase)));
          },
          "phrase"_a,
          nb::sig("def find(self, phrase: numpy.typing.NDArray[numpy.int32]) -> tuple[int, int]"),
          "The rows [begin, end) of a source phrase's options; empty when it has none.")
      .def(
          "spans",
          [](const PhraseTable& self, const ArrayIn<WordId>& sentence) {
            std::vector<SpanRows> spans;
            self.for_each_span(as_span(sentence),
                               [&](std::size_t begin, std::size_t end, OptionRange range) {
                                 spans.push_back({begin, end, to_pair(range)});
                               });
            return spans;
          },
          "sentence"_a,
          nb::sig("def spans(self, sentence: numpy.typing.NDArray[numpy.int32]) -> "
                  "list[SpanRows]"),
          "All spans of the sentence that have options.")
      .def(
          "sources",
          [](const PhraseTable& self, std::uint32_t first, std::uint32_t last) {
            if (first > last || last > self.first_words()) {
              throw nb::index_error("no such first words");
            }
            SourcePhrases found;
            self.for_each_source(first, last, [&](Sentence source, OptionRange range) {
              found.ids.insert(found.ids.end(), source.begin(), source.end());
              found.offsets.push_back(found.ids.size());
              found.rows.push_back({range.begin, range.end});
            });
            return found;
          },
          "first"_a, "last"_a,
          "Source phrases whose first words are numbered [first, last) of `first_words`.")
      .def(
          "target",
          [](nb::handle self, std::uint32_t row) {
            const auto& table = nb::cast<const PhraseTable&>(self);
            check_row(table, row);
            return view_numpy(table.target(row), self);
          },
          "row"_a, nb::sig("def target(self, row: int) -> numpy.typing.NDArray[numpy.int32]"))
      .def(
          "bilingual",
          [](nb::handle self, std::uint32_t row) {
            const auto& table = nb::cast<const PhraseTable&>(self);
            check_row(table, row);
            return view_numpy(table.bilingual(row), self);
          },
          "row"_a, nb::sig("def bilingual(self, row: int) -> numpy.typing.NDArray[numpy.int32]"))
      .def(
          "alignment",
          [](const PhraseTable& self, std::uint32_t row) {
            check_row(self, row);
            nb::list result;
            for (const PhraseLink& link : self.alignment(row)) {
              result.append(nb::make_tuple(int{link.source}, int{link.target}));
            }
            return result;
          },
          "row"_a, nb::sig("def alignment(self, row: int) -> list[tuple[int, int]]"))
      .def(
          "counts",
          [](const PhraseTable& self, std::uint32_t row) {
            check_row(self, row);
            return self.counts(row);
          },
          "row"_a)
      .def(
          "scores",
          [](const PhraseTable& self, std::uint32_t first, std::uint32_t last) {
            if (first > last || last > self.size()) throw nb::index_error("no such rows");
            const std::size_t columns = self.info().features;
            std::vector<float> values((last - first) * columns);
            for (std::uint32_t row = first; row < last; ++row) {
              self.scores(row, values.data() + (row - first) * columns);
            }
            return to_matrix(std::move(values), std::max<std::size_t>(columns, 1));
          },
          "first"_a, "last"_a,
          nb::sig("def scores(self, first: int, last: int) -> "
                  "numpy.typing.NDArray[numpy.float32]"),
          "Natural logs of rows [first, last), one column per feature.")
      .def(
          "reordering",
          [](const PhraseTable& self, std::uint32_t first, std::uint32_t last, std::size_t model) {
            if (first > last || last > self.size()) throw nb::index_error("no such rows");
            if (model >= self.info().reorderings) throw nb::index_error("no such model");
            std::vector<float> values((last - first) * kScoresPerReordering);
            for (std::uint32_t row = first; row < last; ++row) {
              self.reordering_scores(row, model,
                                     values.data() + (row - first) * kScoresPerReordering);
            }
            return to_matrix(std::move(values), kScoresPerReordering);
          },
          "first"_a, "last"_a, "model"_a,
          nb::sig("def reordering(self, first: int, last: int, model: int) -> "
                  "numpy.typing.NDArray[numpy.float32]"),
          "Natural logs of rows [first, last) under one reordering model: backward monotone,\n"
          "swap, discontinuous, then forward.")
      .def(
          "significances",
          [](const PhraseTable& self, const BoundParallelText& text, int threads) {
            std::vector<float> values;
            {
              const nb::gil_scoped_release release;
              values = significances(self, text.view, threads);
            }
            return to_numpy(std::move(values));
          },
          "text"_a, "threads"_a,
          nb::sig("def significances(self, text: ParallelText, threads: int) -> "
                  "numpy.typing.NDArray[numpy.float32]"),
          "-ln of each row's p-value under Fisher's exact test on the bitext.")
      .def(
          "bilingual_tokens",
          [](const PhraseTable& self, const Vocabulary& source_words,
             const Vocabulary& target_words) {
            BilingualPhrases phrases;
            {
              const nb::gil_scoped_release release;
              phrases = bilingual_phrases(self, source_words, target_words);
            }
            nb::list spellings;
            for (const std::string& spelling : phrases.spellings) {
              spellings.append(to_str(spelling));
            }
            return nb::make_tuple(spellings, to_numpy(std::move(phrases.tokens)));
          },
          "source_words"_a, "target_words"_a,
          nb::sig("def bilingual_tokens(self, source_words: Vocabulary, "
                  "target_words: Vocabulary) -> "
                  "tuple[list[str], numpy.typing.NDArray[numpy.uint32]]"),
          "The different bilingual tokens of all rows, and the number of each in the order of\n"
          "rows and target words.");

  module.def("negative_log_p_value", &negative_log_p_value, "both"_a, "source"_a, "target"_a,
             "pairs"_a, "-ln p of Fisher's exact test.");
}

// Keeps the arrays that the options view.
struct Rewriter {
  std::vector<ArrayIn<float>> columns;
  std::optional<ArrayIn<std::uint8_t>> keep;
  std::optional<ArrayIn<WordId>> bilingual;
  std::optional<ArrayIn<float>> reordering;
  std::optional<ArrayIn<float>> counts;
  std::optional<TableRewriter> work;
};

void bind_rewriter(nb::module_& module) {
  nb::class_<Rewriter>(module, "PhraseTableRewriter",
                       "Writes a table anew: sorted, thinned out, extended or quantised.")
      .def(
          "__init__",
          [](Rewriter* self, const PhraseTable& table, const std::string& path,
             const std::vector<double>& sort_weights, const std::vector<std::string>& column_names,
             std::vector<ArrayIn<float>> columns, std::optional<ArrayIn<std::uint8_t>> keep,
             std::uint32_t limit, bool quantise, std::optional<ArrayIn<WordId>> bilingual,
             std::uint32_t bilingual_words, std::optional<ArrayIn<float>> reordering,
             std::optional<ArrayIn<float>> counts) {
            auto made = std::make_unique<Rewriter>();
            made->columns = std::move(columns);
            made->keep = std::move(keep);
            made->bilingual = std::move(bilingual);
            made->reordering = std::move(reordering);
            made->counts = std::move(counts);
            RewriteOptions options;
            options.sort_weights = sort_weights;
            options.column_names = column_names;
            for (const auto& column : made->columns) options.columns.push_back(as_span(column));
            if (made->keep) options.keep = as_span(*made->keep);
            options.limit = limit;
            options.quantise = quantise;
            if (made->bilingual) options.bilingual = as_span(*made->bilingual);
            options.bilingual_words = bilingual_words;
            if (made->reordering) options.reordering = as_span(*made->reordering);
            if (made->counts) options.counts = as_span(*made->counts);
            {
              const nb::gil_scoped_release release;
              made->work.emplace(table, path, options);
            }
            new (self) Rewriter(std::move(*made));
          },
          "table"_a, "path"_a, nb::kw_only(), "sort_weights"_a, "column_names"_a, "columns"_a,
          "keep"_a.none(), "limit"_a, "quantise"_a, "bilingual"_a.none(), "bilingual_words"_a,
          "reordering"_a.none() = nb::none(), "counts"_a.none() = nb::none(),
          nb::keep_alive<1, 2>(),
          nb::sig("def __init__(self, table: PhraseTableFile, path: str, *, "
                  "sort_weights: list[float], column_names: list[str], "
                  "columns: list[numpy.typing.NDArray[numpy.float32]], "
                  "keep: numpy.typing.NDArray[numpy.uint8] | None, limit: int, quantise: bool, "
                  "bilingual: numpy.typing.NDArray[numpy.int32] | None, "
                  "bilingual_words: int, "
                  "reordering: numpy.typing.NDArray[numpy.float32] | None = None, "
                  "counts: numpy.typing.NDArray[numpy.float32] | None = None) -> None"))
      .def(
          "run", [](Rewriter& self) { return self.work->run(); },
          nb::call_guard<nb::gil_scoped_release>(),
          "Do a part of the work; True when the file is whole.")
      .def_prop_ro("written", [](Rewriter& self) { return self.work->options(); });
}

void bind_moses(nb::module_& module) {
  nb::class_<MosesImporter>(module, "MosesImporter", "Text tables of Moses on their way in.")
      .def(nb::init<std::string>(), "phrase_table_name"_a)
      .def("__len__", &MosesImporter::size)
      .def_prop_ro("without_reordering", &MosesImporter::without_reordering)
      .def(
          "add_phrases",
          [](MosesImporter& self, const nb::bytes& lines) {
            const std::string_view text = view_of(lines);
            const nb::gil_scoped_release release;
            self.add_phrases(text);
          },
          "lines"_a)
      .def("begin_reordering", &MosesImporter::begin_reordering, "model"_a, "file_name"_a)
      .def(
          "add_reordering",
          [](MosesImporter& self, const nb::bytes& lines) {
            const std::string_view text = view_of(lines);
            const nb::gil_scoped_release release;
            self.add_reordering(text);
          },
          "lines"_a)
      .def("finish", &MosesImporter::finish, "table_path"_a, "source_vocabulary_path"_a,
           "target_vocabulary_path"_a, "weights"_a, nb::call_guard<nb::gil_scoped_release>());

  const auto to_bytes = [](const std::string& text) {
    return nb::bytes(text.data(), text.size());
  };
  module.def(
      "moses_phrases",
      [to_bytes](const PhraseTable& table, const Vocabulary& source_words,
                 const Vocabulary& target_words, std::uint32_t first, std::uint32_t last) {
        std::string text;
        {
          const nb::gil_scoped_release release;
          text = moses_phrases(table, source_words, target_words, first,
                               std::min(last, table.first_words()));
        }
        return to_bytes(text);
      },
      "table"_a, "source_words"_a, "target_words"_a, "first"_a, "last"_a,
      "Lines of a Moses phrase table, for first words numbered [first, last).");
  module.def(
      "moses_reordering",
      [to_bytes](const PhraseTable& table, const Vocabulary& source_words,
                 const Vocabulary& target_words, std::size_t model, std::uint32_t first,
                 std::uint32_t last) {
        std::string text;
        {
          const nb::gil_scoped_release release;
          text = moses_reordering(table, source_words, target_words, model, first,
                                  std::min(last, table.first_words()));
        }
        return to_bytes(text);
      },
      "table"_a, "source_words"_a, "target_words"_a, "model"_a, "first"_a, "last"_a,
      "Lines of a Moses reordering table, for first words numbered [first, last).");
}

}  // namespace

void bind_phrase_table(nb::module_& module) {
  bind_table(module);
  bind_rewriter(module);
  bind_moses(module);
}
