// Python's view of native/core/tuning.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <utility>

#include "bind.h"
#include "evaluation/bleu_statistics.h"
#include "evaluation/edit_rate.h"
#include "parallel/parallel_for.h"
#include "text/error.h"
#include "tuning/line_search.h"
#include "tuning/mira.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

constexpr std::size_t kRowsPerBlock = 1000;

// Rows of one width, one after another.
using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

CandidateRows rows_of(const Table& features, const Table& statistics,
                      const ArrayIn<std::int64_t>& starts) {
  const CandidateRows rows{{features.data(), features.size()},
                           {statistics.data(), statistics.size()},
                           as_span(starts),
                           features.shape(1),
                           statistics.shape(1)};
  rows.check();
  return rows;
}

std::vector<double> sized(const ArrayIn<double>& values, std::size_t size) {
  if (values.size() != size) throw InputError("weights or background are not of the right size");
  return {values.data(), values.data() + values.size()};
}

auto epoch(const Table& features, const Table& statistics, const ArrayIn<std::int64_t>& starts,
           const std::string& metric, const ArrayIn<std::int64_t>& order,
           const ArrayIn<double>& lowest, const ArrayIn<double>& weights,
           const ArrayIn<double>& background, double aggressiveness, double decay, bool margin) {
  const CandidateRows rows = rows_of(features, statistics, starts);
  const std::vector<double> bounds = sized(lowest, rows.feature_columns);
  std::vector<double> moved = sized(weights, rows.feature_columns);
  std::vector<double> behind = sized(background, rows.statistic_columns);
  std::vector<double> average;
  {
    const nb::gil_scoped_release release;
    average = mira_epoch(rows, objective_of(metric), {aggressiveness, decay, margin},
                         as_span(order), bounds, moved, behind);
  }
  return std::make_tuple(to_numpy(std::move(average)), to_numpy(std::move(moved)),
                         to_numpy(std::move(behind)));
}

auto gains(const Table& features, const Table& statistics, const ArrayIn<std::int64_t>& starts,
           const std::string& metric, const ArrayIn<double>& background) {
  const CandidateRows rows = rows_of(features, statistics, starts);
  const std::vector<double> behind = sized(background, rows.statistic_columns);
  std::vector<double> found(static_cast<std::size_t>(rows.starts.back()));
  for (std::size_t i = 0; i < rows.sentences(); ++i) {
    const auto first = static_cast<std::size_t>(rows.starts[i]);
    const auto size = static_cast<std::size_t>(rows.starts[i + 1]) - first;
    sentence_gains(rows, objective_of(metric), i, behind, std::span(found).subspan(first, size));
  }
  return to_numpy(std::move(found));
}

// Gamma and score for each direction.
auto line_searches(const Table& features, const Table& statistics,
                   const ArrayIn<std::int64_t>& starts, const std::string& metric,
                   const ArrayIn<double>& weights, const Table& directions, int threads) {
  const CandidateRows rows = rows_of(features, statistics, starts);
  const std::vector<double> from = sized(weights, rows.feature_columns);
  if (directions.shape(1) != rows.feature_columns) {
    throw InputError("directions are not of the right size");
  }
  const Objective objective = objective_of(metric);
  std::vector<double> gammas(directions.shape(0));
  std::vector<double> scores(directions.shape(0));
  {
    const nb::gil_scoped_release release;
    parallel_for(threads, gammas.size(), [&](std::size_t at, int) {
      const std::span<const double> along{directions.data() + at * from.size(), from.size()};
      const LinePoint found = line_search(rows, objective, from, along);
      gammas[at] = found.gamma;
      scores[at] = found.score;
    });
  }
  return std::make_tuple(to_numpy(std::move(gammas)), to_numpy(std::move(scores)));
}

auto statistics_of(const BleuReferences& self, const std::vector<std::string>& hypotheses,
                   const ArrayIn<std::int64_t>& sentences, int threads) {
  if (hypotheses.size() != sentences.size()) {
    throw InputError("hypotheses and their sentences are not equally many");
  }
  for (const std::int64_t at : as_span(sentences)) {
    if (at < 0 || static_cast<std::size_t>(at) >= self.size()) {
      throw InputError("a hypothesis is of a sentence without references");
    }
  }
  std::vector<double> rows(hypotheses.size() * BleuReferences::kColumns);
  {
    const nb::gil_scoped_release release;
    const std::size_t blocks = (hypotheses.size() + kRowsPerBlock - 1) / kRowsPerBlock;
    parallel_for(threads, blocks, [&](std::size_t block, int) {
      const std::size_t end = std::min(hypotheses.size(), (block + 1) * kRowsPerBlock);
      for (std::size_t i = block * kRowsPerBlock; i < end; ++i) {
        self.statistics(static_cast<std::size_t>(sentences.data()[i]), hypotheses[i],
                        rows.data() + i * BleuReferences::kColumns);
      }
    });
  }
  return to_numpy(std::move(rows));
}

auto edits_of(const std::vector<std::string>& hypotheses,
              const std::vector<std::string>& references, int threads) {
  if (hypotheses.size() != references.size()) {
    throw InputError("hypotheses and references are not equally many");
  }
  if (threads < 1) throw InputError("at least one thread is needed");
  std::vector<double> edits(hypotheses.size());
  {
    const nb::gil_scoped_release release;
    std::vector<EditCounter> counters(static_cast<std::size_t>(threads));
    parallel_for(threads, hypotheses.size(), [&](std::size_t i, int worker) {
      edits[i] = static_cast<double>(
          counters[static_cast<std::size_t>(worker)].edits(hypotheses[i], references[i]));
    });
  }
  return to_numpy(std::move(edits));
}

}  // namespace

void bind_tuning(nb::module_& module) {
  module.def("translation_edits", edits_of, "hypotheses"_a, "references"_a, "threads"_a = 1,
             nb::sig("def translation_edits(hypotheses: collections.abc.Sequence[str], "
                     "references: collections.abc.Sequence[str], threads: int = 1) -> "
                     "numpy.typing.NDArray[numpy.float64]"),
             "How many edits, with moves of words, turn each hypothesis into its reference.");
  nb::class_<BleuReferences>(module, "BleuReferences",
                             "Tokenised references, their n-grams counted once.")
      .def(nb::init<const std::vector<std::vector<std::string>>&>(), "references"_a,
           "A list of lines for each reference file.")
      .def("__len__", &BleuReferences::size)
      .def("statistics", statistics_of, "hypotheses"_a, "sentences"_a, "threads"_a = 1,
           nb::sig("def statistics(self, hypotheses: collections.abc.Sequence[str], "
                   "sentences: numpy.typing.NDArray[numpy.int64], threads: int = 1) -> "
                   "numpy.typing.NDArray[numpy.float64]"),
           "Ten values for each hypothesis, as sacrebleu orders them; `sentences` says which "
           "sentence each translates.");
  module.def("mira_epoch", epoch, "features"_a, "statistics"_a, "starts"_a, nb::kw_only(),
             "metric"_a, "order"_a, "lowest"_a, "weights"_a, "background"_a, "aggressiveness"_a,
             "decay"_a, "margin"_a = true,
             nb::sig("def mira_epoch(features: numpy.typing.NDArray[numpy.float64], statistics: "
                     "numpy.typing.NDArray[numpy.float64], starts: "
                     "numpy.typing.NDArray[numpy.int64], *, metric: str, order: "
                     "numpy.typing.NDArray[numpy.int64], lowest: "
                     "numpy.typing.NDArray[numpy.float64], weights: "
                     "numpy.typing.NDArray[numpy.float64], background: "
                     "numpy.typing.NDArray[numpy.float64], aggressiveness: float, decay: float, "
                     "margin: bool = True) "
                     "-> tuple[numpy.typing.NDArray[numpy.float64], "
                     "numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]"),
             "One pass over the sentences in `order`: averaged weights, weights, background.");
  module.def("sentence_gains", gains, "features"_a, "statistics"_a, "starts"_a, nb::kw_only(),
             "metric"_a, "background"_a,
             nb::sig("def sentence_gains(features: numpy.typing.NDArray[numpy.float64], "
                     "statistics: numpy.typing.NDArray[numpy.float64], starts: "
                     "numpy.typing.NDArray[numpy.int64], *, metric: str, background: "
                     "numpy.typing.NDArray[numpy.float64]) -> "
                     "numpy.typing.NDArray[numpy.float64]"),
             "What each candidate would add to the corpus score, in units of its size.");
  module.def("line_searches", line_searches, "features"_a, "statistics"_a, "starts"_a,
             nb::kw_only(), "metric"_a, "weights"_a, "directions"_a, "threads"_a = 1,
             nb::sig("def line_searches(features: numpy.typing.NDArray[numpy.float64], "
                     "statistics: numpy.typing.NDArray[numpy.float64], starts: "
                     "numpy.typing.NDArray[numpy.int64], *, metric: str, weights: "
                     "numpy.typing.NDArray[numpy.float64], directions: "
                     "numpy.typing.NDArray[numpy.float64], threads: int = 1) -> "
                     "tuple[numpy.typing.NDArray[numpy.float64], "
                     "numpy.typing.NDArray[numpy.float64]]"),
             "How far to go from the weights in each direction, and the score (of 1) there.");
  module.def(
      "best_rows",
      [](const Table& features, const Table& statistics, const ArrayIn<std::int64_t>& starts,
         const ArrayIn<double>& weights) {
        const CandidateRows rows = rows_of(features, statistics, starts);
        const std::vector<double> given = sized(weights, rows.feature_columns);
        return to_numpy(best_rows(rows, given));
      },
      "features"_a, "statistics"_a, "starts"_a, "weights"_a,
      nb::sig("def best_rows(features: numpy.typing.NDArray[numpy.float64], statistics: "
              "numpy.typing.NDArray[numpy.float64], starts: numpy.typing.NDArray[numpy.int64], "
              "weights: numpy.typing.NDArray[numpy.float64]) -> "
              "numpy.typing.NDArray[numpy.int64]"),
      "The row of each sentence's best candidate, the first of those whose scores differ by no "
      "more than rounding.");
}
