// Python's view of native/core/evaluation.
#include "bind.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <vector>

#include "evaluation/bleu_statistics.h"
#include "evaluation/edit_rate.h"
#include "parallel/parallel_for.h"
#include "text/error.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

constexpr std::size_t kRowsPerBlock = 1000;

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

void bind_evaluation(nb::module_& module) {
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
}
