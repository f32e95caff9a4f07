// Language models: estimating, asking, ARPA, mixing.
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>

#include "bind.h"
#include "lm/arpa.h"
#include "lm/estimator.h"
#include "lm/mixture.h"
#include "lm/ngram_model.h"
#include "lm/score_text.h"
#include "options.h"
#include "text/error.h"
#include "text/utf8.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

ScoreOptions options_of(bool begin, bool end, int threads) {
  ScoreOptions options;
  options.begin = begin;
  options.end = end;
  options.threads = threads;
  return options;
}

// The lines of a text, each of which must be UTF-8. Messages count from line `first` on.
std::vector<std::string_view> lines_of(std::string_view text, const std::string& name,
                                       std::uint64_t first) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (!is_utf8(line)) {
      throw InputError(name + ":" + std::to_string(first + lines.size()) + ": not UTF-8");
    }
    lines.push_back(line);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return lines;
}

#define DRAGOMAN_IDS "numpy.typing.NDArray[numpy.int32]"
#define DRAGOMAN_OFFSETS "numpy.typing.NDArray[numpy.uint64]"

// One word scored, and the state behind it.
struct ScoredWord {
  LmScore score;
  LmState state;
};

void bind_scores(nb::module_& module) {
  nb::class_<ScoredWord>(module, "ScoredWord", "What a model says of one word.")
      .def_prop_ro("log_prob", [](const ScoredWord& self) { return self.score.log_prob; })
      .def_ro("state", &ScoredWord::state, "Behind the word.")
      .def_prop_ro(
          "matched", [](const ScoredWord& self) { return int{self.score.matched}; },
          "Words of the n-gram that was found.")
      .def_prop_ro(
          "independent_left", [](const ScoredWord& self) { return self.score.independent_left; },
          "Whether no words further to the left could have changed it.");
  nb::class_<SentenceScores> scores(module, "SentenceScores", "By sentence, and a sum.");
  def_array(scores, "log_probs", &SentenceScores::log_probs, "Of all words.");
  def_array(scores, "unknown_log_probs", &SentenceScores::unknown_log_probs,
            "The share of unknown words in it.");
  def_array(scores, "unknowns", &SentenceScores::unknowns, "How many words are unknown.");
  scores.def_ro("words", &SentenceScores::words, "Of all sentences, sentence ends included.");
  nb::class_<Discounts>(module, "LmDiscounts", "Of the counts of one order.")
      .def_prop_ro("one", [](const Discounts& self) { return self.amount[1]; })
      .def_prop_ro("two", [](const Discounts& self) { return self.amount[2]; })
      .def_prop_ro(
          "more", [](const Discounts& self) { return self.amount[3]; }, "Of counts from 3 on.")
      .def_ro("fallback_reason", &Discounts::fallback_reason,
              "Why they are the fall-back; empty when they were estimated.");
}

void bind_state(nb::module_& module) {
  nb::class_<LmState>(module, "LmState",
                      "What a language model remembers of the words so far; equal states give "
                      "equal futures.")
      .def("__len__", [](const LmState& self) { return self.length; })
      .def("__hash__", [](const LmState& self) { return self.key(); })
      .def(
          "__eq__",
          [](const LmState& self, nb::handle other) {
            return nb::isinstance<LmState>(other) && self == nb::cast<const LmState&>(other);
          },
          nb::sig("def __eq__(self, other: object, /) -> bool"));
}

void bind_model(nb::module_& module) {
  nb::class_<NgramModel>(module, "NgramModel",
                         "A back-off language model mapped from a file; scores are natural logs.")
      .def_static(
          "open",
          [](const std::string& path, bool verify) {
            const nb::gil_scoped_release release;
            return NgramModel::open(path, verify ? Verify::kContent : Verify::kHeader);
          },
          "path"_a, "verify"_a = true)
      .def_prop_ro("order", &NgramModel::order)
      .def_prop_ro("path", &NgramModel::path)
      .def_prop_ro(
          "counts",
          [](const NgramModel& self) {
            return std::vector<std::uint64_t>(self.counts().begin(), self.counts().end());
          },
          "How many n-grams of each order.")
      .def("__len__", [](const NgramModel& self) { return self.vocabulary().size(); })
      .def(
          "find",
          [](const NgramModel& self, nb::str word) {
            return self.vocabulary().find(utf8_of(word));
          },
          "word"_a, "The word's id, or 0 (<unk>).")
      .def(
          "word",
          [](const NgramModel& self, WordId id) { return to_str(self.vocabulary().word(id)); },
          "id"_a)
      .def("begin_state", &NgramModel::begin_state, "The state behind <s>.")
      .def("null_state", &NgramModel::null_state, "The state when nothing is known.")
      .def(
          "score_word",
          [](const NgramModel& self, const LmState& state, WordId word) {
            ScoredWord found;
            found.score = self.score(state, word, found.state);
            return found;
          },
          "state"_a, "word"_a)
      .def(
          "encode",
          [](const NgramModel& self, const nb::list& lines) {
            const auto views = views_of(lines);
            LineEncoder encoder(self.vocabulary());
            {
              const nb::gil_scoped_release release;
              for (const auto line : views) encoder.add(line);
            }
            return nb::make_tuple(to_numpy(std::move(encoder.ids())),
                                  to_numpy(std::move(encoder.offsets())));
          },
          "lines"_a,
          nb::sig("def encode(self, lines: list[str]) -> tuple[" DRAGOMAN_IDS ", " DRAGOMAN_OFFSETS
                  "]"),
          "The model's ids and the offsets of lines of space-separated tokens.")
      .def(
          "score",
          [](const NgramModel& self, const ArrayIn<WordId>& ids,
             const ArrayIn<std::uint64_t>& offsets, bool begin, bool end, int threads) {
            const nb::gil_scoped_release release;
            return score_sentences(self, Sentences(as_span(ids), as_span(offsets)),
                                   options_of(begin, end, threads));
          },
          "ids"_a, "offsets"_a, "begin"_a = true, "end"_a = true, "threads"_a = 1,
          nb::sig("def score(self, ids: " DRAGOMAN_IDS ", offsets: " DRAGOMAN_OFFSETS
                  ", begin: bool = True, end: bool = True, threads: int = 1) "
                  "-> SentenceScores"))
      .def(
          "score_lines",
          [](const NgramModel& self, const nb::list& lines, bool begin, bool end, int threads) {
            const auto views = views_of(lines);
            const nb::gil_scoped_release release;
            return score_lines(self, views, options_of(begin, end, threads));
          },
          "lines"_a, "begin"_a = true, "end"_a = true, "threads"_a = 1,
          nb::sig("def score_lines(self, lines: list[str], begin: bool = True, end: bool = True, "
                  "threads: int = 1) -> SentenceScores"),
          "The same from lines of space-separated tokens.")
      .def(
          "score_text",
          [](const NgramModel& self, const nb::bytes& text, const std::string& name,
             std::uint64_t first_line, int threads) {
            const std::string_view view = view_of(text);
            const nb::gil_scoped_release release;
            return score_lines(self, lines_of(view, name, first_line),
                               options_of(true, true, threads));
          },
          "text"_a, "name"_a, "first_line"_a, "threads"_a = 1,
          "The same from whole lines of UTF-8; name and number of the first are for messages.")
      .def(
          "score_words",
          [](const NgramModel& self, const ArrayIn<WordId>& ids,
             const ArrayIn<std::uint64_t>& offsets, bool begin, bool end, int threads) {
            WordScores words;
            {
              const nb::gil_scoped_release release;
              score_sentences(self, Sentences(as_span(ids), as_span(offsets)),
                              options_of(begin, end, threads), &words);
            }
            return nb::make_tuple(to_numpy(std::move(words.log_probs)),
                                  to_numpy(std::move(words.matched)));
          },
          "ids"_a, "offsets"_a, "begin"_a = true, "end"_a = true, "threads"_a = 1,
          nb::sig("def score_words(self, ids: " DRAGOMAN_IDS ", offsets: " DRAGOMAN_OFFSETS
                  ", begin: bool = True, end: bool = True, threads: int = 1) -> "
                  "tuple[numpy.typing.NDArray[numpy.float32], "
                  "numpy.typing.NDArray[numpy.uint8]]"),
          "Per word, with a sentence end behind each sentence if `end`: log-probability and "
          "length of the n-gram found.");
}

void bind_estimator(nb::module_& module) {
  OptionGroup<EstimateOptions>(module, "EstimateOptions", "How to estimate a language model.")
      .value("order", &EstimateOptions::order, "Words of the longest n-grams.")
      .property<std::vector<std::uint32_t>>(
          "prune", "collections.abc.Sequence[int]",
          [](const EstimateOptions& self) { return self.prune; },
          [](EstimateOptions& self, std::vector<std::uint32_t> value) {
            self.prune = std::move(value);
          },
          "N-grams seen so often or less are left out, by order; the last holds for higher ones.")
      .property<std::array<double, 3>>(
          "fallback", "collections.abc.Sequence[float]",
          [](const EstimateOptions& self) { return self.fallback; },
          [](EstimateOptions& self, const std::array<double, 3>& value) { self.fallback = value; },
          "Discounts of counts 1, 2, 3+ where they cannot be estimated.")
      .value("memory", &EstimateOptions::memory, "Bytes, beyond which files are used.")
      .value("spool", &EstimateOptions::spool, "The directory of these files.")
      .value("threads", &EstimateOptions::threads, "So many at once.")
      .finish();
  nb::class_<LmEstimator>(module, "LmEstimator",
                          "Counts text, then smooths order by order, then writes a model.")
      .def(
          "__init__",
          [](LmEstimator* self, const EstimateOptions& options) {
            new (self) LmEstimator(options);
          },
          "options"_a)
      .def("begin_file", &LmEstimator::begin_file, "name"_a, "lines_before"_a = 0)
      .def(
          "add",
          [](LmEstimator& self, const nb::bytes& piece) {
            const std::string_view view = view_of(piece);
            const nb::gil_scoped_release release;
            self.add(view);
          },
          "piece"_a)
      .def("end_file", &LmEstimator::end_file)
      .def("put_away_words", &LmEstimator::put_away_words, "path"_a,
           nb::call_guard<nb::gil_scoped_release>(),
           "Write the words seen so far, in their order, for other estimators.")
      .def("take_up_words", &LmEstimator::take_up_words, "path"_a,
           nb::call_guard<nb::gil_scoped_release>(), "Know the words of another estimator.")
      .def("put_away", &LmEstimator::put_away, "path"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Write all that was counted here, which is not there any longer.")
      .def("take_up", &LmEstimator::take_up, "path"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Go on with what an estimator that knows the same words has put away.")
      .def("merge", &LmEstimator::merge, "limit"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Merges up to `limit` more n-grams; whether there are more.")
      .def("smooth", &LmEstimator::smooth, "order"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("write", &LmEstimator::write, "path"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("order", &LmEstimator::order, "After merging: the longest n-gram there is.")
      .def_prop_ro("tokens", &LmEstimator::tokens)
      .def_prop_ro("sentences", &LmEstimator::sentences)
      .def_prop_ro("skipped", &LmEstimator::skipped)
      .def_prop_ro("spilled", &LmEstimator::spilled)
      .def("discounts", &LmEstimator::discounts, "order"_a, nb::rv_policy::copy);
}

// Keeps the model alive that the native writer reads from.
struct ArpaPieces {
  nb::object model;
  ArpaWriter writer;
};

void bind_arpa(nb::module_& module) {
  nb::class_<ArpaReader>(module, "ArpaReader", "Reads an ARPA file in pieces, writes a model.")
      .def(nb::init<std::string>(), "name"_a)
      .def(
          "add",
          [](ArpaReader& self, const nb::bytes& piece) {
            const std::string_view view = view_of(piece);
            const nb::gil_scoped_release release;
            self.add(view);
          },
          "piece"_a)
      .def(
          "write",
          [](ArpaReader& self, const std::string& path, int threads) {
            const nb::gil_scoped_release release;
            self.finish().write(path, threads);
          },
          "path"_a, "threads"_a = 1);
  nb::class_<ArpaPieces>(module, "ArpaPieces", "The pieces of a model's ARPA file.")
      .def(
          "__init__",
          [](ArpaPieces* self, nb::object model) {
            const auto& native = nb::cast<const NgramModel&>(model);
            new (self) ArpaPieces{std::move(model), ArpaWriter(native)};
          },
          "model"_a, nb::sig("def __init__(self, model: NgramModel) -> None"))
      .def(
          "next",
          [](ArpaPieces& self) -> nb::object {
            std::string piece;
            bool more = false;
            {
              const nb::gil_scoped_release release;
              more = self.writer.next(piece);
            }
            if (!more) return nb::none();
            return nb::bytes(piece.data(), piece.size());
          },
          nb::sig("def next(self) -> bytes | None"), "None behind the last piece.");
}

// Keeps the models alive that are mixed.
struct MixedModels {
  nb::list models;
  Mixture mixture;
};

void bind_mixture(nb::module_& module) {
  nb::class_<MixedModels>(module, "Mixture", "Language models over the union of their words.")
      .def(
          "__init__",
          [](MixedModels* self, nb::list models) {
            std::vector<const NgramModel*> native;
            for (const nb::handle model : models) {
              native.push_back(&nb::cast<const NgramModel&>(model));
            }
            new (self) MixedModels{std::move(models), Mixture(std::move(native))};
          },
          "models"_a, nb::sig("def __init__(self, models: list[NgramModel]) -> None"))
      .def("__len__", [](const MixedModels& self) { return self.mixture.size(); })
      .def_prop_ro("words", [](const MixedModels& self) { return self.mixture.words(); })
      .def(
          "word_log_probs",
          [](const MixedModels& self, const nb::list& lines, int threads) {
            const auto views = views_of(lines);
            std::vector<double> scores;
            {
              const nb::gil_scoped_release release;
              scores = self.mixture.word_log_probs(views, threads);
            }
            return to_numpy(std::move(scores));
          },
          "lines"_a, "threads"_a = 1,
          nb::sig("def word_log_probs(self, lines: list[str], threads: int = 1) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          "Of every word and sentence end, model after model.")
      .def(
          "write",
          [](const MixedModels& self, const std::vector<double>& weights, const std::string& path,
             int threads, std::uint64_t memory, const std::string& spool) {
            const nb::gil_scoped_release release;
            self.mixture.write(weights, path, threads, memory, spool);
          },
          "weights"_a, "path"_a, nb::kw_only(), "threads"_a, "memory"_a, "spool"_a,
          "When lists of all n-grams would take more than `memory` bytes, they go to unnamed\n"
          "files in the directory `spool`.");
}

}  // namespace

void bind_lm(nb::module_& module) {
  bind_state(module);
  bind_scores(module);
  bind_model(module);
  bind_estimator(module);
  bind_arpa(module);
  bind_mixture(module);
}
