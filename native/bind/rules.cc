// Phrase extraction, phrase tables, bilingual tokens and Moses' text tables.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>

#include "align/lexical_table.h"
#include "bind.h"
#include "corpus_in.h"
#include "rules/bilingual.h"
#include "rules/moses_table.h"
#include "rules/rewrite_table.h"
#include "rules/score_phrases.h"
#include "rules/significance.h"
#include "text/error.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

template <class T>
using MatrixOut = nb::ndarray<nb::numpy, T, nb::ndim<2>>;

template <class T>
MatrixOut<T> to_matrix(std::vector<T>&& values, std::size_t columns) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  std::vector<T>* raw = owned.release();
  const nb::capsule keeper(
      raw, [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
  return MatrixOut<T>(raw->data(), {raw->size() / columns, columns}, keeper);
}

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

void check_row(const PhraseTable& table, std::uint32_t row) {
  if (row >= table.size()) {
    throw nb::index_error(
        ("row " + std::to_string(row) + " of " + std::to_string(table.size())).c_str());
  }
}

nb::tuple to_tuple(OptionRange range) { return nb::make_tuple(range.begin, range.end); }

void bind_table(nb::module_& module) {
  nb::class_<PhraseTable>(module, "PhraseTableFile", "A mapped phrase table.")
      .def(
          "__init__",
          [](PhraseTable* self, const std::string& path, bool verify) {
            const nb::gil_scoped_release release;
            new (self) PhraseTable(path, verify ? Verify::kContent : Verify::kHeader);
          },
          "path"_a, "verify"_a = false)
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
            return to_tuple(self.find(as_span(phrase)));
          },
          "phrase"_a,
          nb::sig("def find(self, phrase: numpy.typing.NDArray[numpy.int32]) -> tuple[int, int]"),
          "The rows [begin, end) of a source phrase's options; empty when it has none.")
      .def(
          "spans",
          [](const PhraseTable& self, const ArrayIn<WordId>& sentence) {
            nb::list spans;
            self.for_each_span(as_span(sentence),
                               [&](std::size_t begin, std::size_t end, OptionRange range) {
                                 spans.append(nb::make_tuple(begin, end, to_tuple(range)));
                               });
            return spans;
          },
          "sentence"_a,
          nb::sig("def spans(self, sentence: numpy.typing.NDArray[numpy.int32]) -> "
                  "list[tuple[int, int, tuple[int, int]]]"),
          "All spans of the sentence that have options: begin, end, rows.")
      .def(
          "sources",
          [](const PhraseTable& self, std::uint32_t first, std::uint32_t last) {
            if (first > last || last > self.first_words()) {
              throw nb::index_error("no such first words");
            }
            std::vector<WordId> ids;
            std::vector<std::uint64_t> offsets{0};
            std::vector<std::uint32_t> rows;
            self.for_each_source(first, last, [&](Sentence source, OptionRange range) {
              ids.insert(ids.end(), source.begin(), source.end());
              offsets.push_back(ids.size());
              rows.push_back(range.begin);
              rows.push_back(range.end);
            });
            return nb::make_tuple(to_numpy(std::move(ids)), to_numpy(std::move(offsets)),
                                  to_matrix(std::move(rows), 2));
          },
          "first"_a, "last"_a,
          nb::sig("def sources(self, first: int, last: int) -> "
                  "tuple[numpy.typing.NDArray[numpy.int32], "
                  "numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint32]]"),
          "Source phrases whose first words are numbered [first, last) of `first_words`: ids,\n"
          "offsets, and the rows of each.")
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
            const PhraseCounts& counts = self.counts(row);
            return nb::make_tuple(counts.joint, counts.source, counts.target);
          },
          "row"_a, nb::sig("def counts(self, row: int) -> tuple[float, float, float]"),
          "How often the pair, its source phrase and its target phrase were extracted.")
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
          [](const PhraseTable& self, const ArrayIn<WordId>& source_ids,
             const ArrayIn<std::uint64_t>& source_offsets, const ArrayIn<WordId>& target_ids,
             const ArrayIn<std::uint64_t>& target_offsets, int threads) {
            std::vector<float> values;
            {
              const nb::gil_scoped_release release;
              values = significances(self, {as_span(source_ids), as_span(source_offsets)},
                                     {as_span(target_ids), as_span(target_offsets)}, threads);
            }
            return to_numpy(std::move(values));
          },
          "source_ids"_a, "source_offsets"_a, "target_ids"_a, "target_offsets"_a, "threads"_a,
          nb::sig("def significances(self, source_ids: numpy.typing.NDArray[numpy.int32], "
                  "source_offsets: numpy.typing.NDArray[numpy.uint64], "
                  "target_ids: numpy.typing.NDArray[numpy.int32], "
                  "target_offsets: numpy.typing.NDArray[numpy.uint64], threads: int) -> "
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
          [](MosesImporter& self, nb::bytes lines) {
            const std::string_view text(lines.c_str(), lines.size());
            const nb::gil_scoped_release release;
            self.add_phrases(text);
          },
          "lines"_a)
      .def("begin_reordering", &MosesImporter::begin_reordering, "model"_a, "file_name"_a)
      .def(
          "add_reordering",
          [](MosesImporter& self, nb::bytes lines) {
            const std::string_view text(lines.c_str(), lines.size());
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
  bind_table(module);
  bind_rewriter(module);
  bind_moses(module);
  bind_bilingual(module);
}
