// Python's view of native/core/tuning.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "bind.h"
#include "options.h"
#include "parallel/parallel_for.h"
#include "text/error.h"
#include "tuning/candidate_set.h"
#include "tuning/line_search.h"
#include "tuning/mira.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

// Rows of one width, one after another.
using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Views of NumPy's arrays, which it keeps alive.
struct BoundCandidates {
  BoundCandidates(Table values, Table counts, ArrayIn<std::int64_t> begins)
      : features(std::move(values)),
        statistics(std::move(counts)),
        starts(std::move(begins)),
        view{{features.data(), features.size()},
             {statistics.data(), statistics.size()},
             as_span(starts),
             features.shape(1),
             statistics.shape(1)} {
    view.check();
  }

  Table features;
  Table statistics;
  ArrayIn<std::int64_t> starts;
  CandidateRows view;
};

struct MiraEpoch {
  std::vector<double> average;
  std::vector<double> weights;
  std::vector<double> background;
};

std::vector<double> sized(const ArrayIn<double>& values, std::size_t size) {
  if (values.size() != size) throw InputError("weights or background are not of the right size");
  return {values.data(), values.data() + values.size()};
}

MiraEpoch epoch(const BoundCandidates& candidates, const std::string& metric, const MiraStep& step,
                const ArrayIn<std::int64_t>& order, const ArrayIn<double>& lowest,
                const ArrayIn<double>& weights, const ArrayIn<double>& background) {
  const CandidateRows& rows = candidates.view;
  const std::vector<double> bounds = sized(lowest, rows.feature_columns);
  MiraEpoch done;
  done.weights = sized(weights, rows.feature_columns);
  done.background = sized(background, rows.statistic_columns);
  const nb::gil_scoped_release release;
  done.average = mira_epoch(rows, objective_of(metric), step, as_span(order), bounds, done.weights,
                            done.background);
  return done;
}

auto gains(const BoundCandidates& candidates, const std::string& metric,
           const ArrayIn<double>& background) {
  const CandidateRows& rows = candidates.view;
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
auto line_searches(const BoundCandidates& candidates, const std::string& metric,
                   const ArrayIn<double>& weights, const Table& directions, int threads) {
  const CandidateRows& rows = candidates.view;
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
  return std::pair(to_numpy(std::move(gammas)), to_numpy(std::move(scores)));
}

}  // namespace

void bind_tuning(nb::module_& module) {
  nb::class_<BoundCandidates>(module, "CandidateRows",
                              "Feature values and metric statistics of n-best lists.")
      .def(nb::init<Table, Table, ArrayIn<std::int64_t>>(), "features"_a, "statistics"_a,
           "starts"_a,
           nb::sig("def __init__(self, features: numpy.typing.NDArray[numpy.float64], "
                   "statistics: numpy.typing.NDArray[numpy.float64], "
                   "starts: numpy.typing.NDArray[numpy.int64]) -> None"),
           "Sentence n has the rows [starts[n], starts[n + 1]) of both; a view.")
      .def(
          "best",
          [](const BoundCandidates& self, const ArrayIn<double>& weights) {
            const std::vector<double> given = sized(weights, self.view.feature_columns);
            return to_numpy(best_rows(self.view, given));
          },
          "weights"_a,
          nb::sig("def best(self, weights: numpy.typing.NDArray[numpy.float64]) -> "
                  "numpy.typing.NDArray[numpy.int64]"),
          "The row of each sentence's best candidate, the first of those whose scores differ by "
          "no more than rounding.");
  nb::class_<CandidateSet>(module, "CandidateSet", "Which candidates have been seen before.")
      .def(nb::init<>())
      .def(
          "add",
          [](CandidateSet& self, const ArrayIn<std::int64_t>& sizes,
             const std::vector<std::string>& texts, const Table& features) {
            return to_numpy(self.add(as_span(sizes), texts, {features.data(), features.size()}));
          },
          "sizes"_a, "texts"_a, "features"_a,
          nb::sig("def add(self, sizes: numpy.typing.NDArray[numpy.int64], "
                  "texts: collections.abc.Sequence[str], "
                  "features: numpy.typing.NDArray[numpy.float64]) -> "
                  "numpy.typing.NDArray[numpy.int64]"),
          "Take n-best lists, sizes[n] candidates of sentence n; the rows of those that are new.")
      .def(
          "latest",
          [](const CandidateSet& self) {
            std::vector<std::uint64_t> keys;
            for (const CandidateSet::Key& key : self.latest()) {
              keys.insert(keys.end(), key.begin(), key.end());
            }
            return to_numpy(std::move(keys));
          },
          nb::sig("def latest(self) -> numpy.typing.NDArray[numpy.uint64]"),
          "What tells apart the candidates that the last call found new.")
      .def(
          "restore",
          [](CandidateSet& self, const ArrayIn<std::uint64_t>& keys) {
            self.restore(as_span(keys));
          },
          "keys"_a, nb::sig("def restore(self, keys: numpy.typing.NDArray[numpy.uint64]) -> None"),
          "Take up what `latest` has given.");
  OptionGroup<MiraStep>(module, "MiraStep", "How far MIRA moves the weights.")
      .value("aggressiveness", &MiraStep::aggressiveness, "The largest step.")
      .value("decay", &MiraStep::decay, "How fast the background forgets.")
      .value("margin", &MiraStep::margin, "Whether to ask for a margin.")
      .finish();
  nb::class_<MiraEpoch> epoch_class(module, "MiraEpoch", "What came of one pass.");
  def_array(epoch_class, "average", &MiraEpoch::average, "Of the weights after each sentence.");
  def_array(epoch_class, "weights", &MiraEpoch::weights, "The last ones.");
  def_array(epoch_class, "background", &MiraEpoch::background, "What was chosen before.");
  module.def("mira_epoch", epoch, "candidates"_a, "metric"_a, "step"_a, "order"_a, "lowest"_a,
             "weights"_a, "background"_a,
             nb::sig("def mira_epoch(candidates: CandidateRows, metric: str, step: MiraStep, "
                     "order: numpy.typing.NDArray[numpy.int64], "
                     "lowest: numpy.typing.NDArray[numpy.float64], "
                     "weights: numpy.typing.NDArray[numpy.float64], "
                     "background: numpy.typing.NDArray[numpy.float64]) -> MiraEpoch"),
             "One pass over the sentences in `order`.");
  module.def("sentence_gains", gains, "candidates"_a, "metric"_a, "background"_a,
             nb::sig("def sentence_gains(candidates: CandidateRows, metric: str, "
                     "background: numpy.typing.NDArray[numpy.float64]) -> "
                     "numpy.typing.NDArray[numpy.float64]"),
             "What each candidate would add to the corpus score, in units of its size.");
  module.def("line_searches", line_searches, "candidates"_a, "metric"_a, "weights"_a,
             "directions"_a, "threads"_a = 1,
             nb::sig("def line_searches(candidates: CandidateRows, metric: str, "
                     "weights: numpy.typing.NDArray[numpy.float64], "
                     "directions: numpy.typing.NDArray[numpy.float64], threads: int = 1) -> "
                     "tuple[numpy.typing.NDArray[numpy.float64], "
                     "numpy.typing.NDArray[numpy.float64]]"),
             "How far to go from the weights in each direction, and the score (of 1) there.");
}
