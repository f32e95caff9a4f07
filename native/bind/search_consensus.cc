// Python's view of native/core/search/consensus.h.
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "parallel/parallel_for.h"
#include "search/consensus.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

// By sentence, of each model. The lists of Python keep what is pointed to alive.
std::vector<std::vector<const DecodeResult*>> by_sentence(const nb::list& models) {
  std::vector<std::vector<const DecodeResult*>> sentences;
  for (const nb::handle model : models) {
    const auto results = nb::cast<nb::list>(model);
    if (sentences.empty()) sentences.resize(results.size());
    if (results.size() != sentences.size()) {
      throw nb::value_error("every model must have a result for each sentence");
    }
    for (std::size_t s = 0; s < sentences.size(); ++s) {
      sentences[s].push_back(&nb::cast<const DecodeResult&>(results[s]));
    }
  }
  return sentences;
}

std::vector<DecodeResult> choose(const nb::list& models, double scale,
                                 const ArrayIn<double>& weights, std::size_t nbest, int threads) {
  const auto sentences = by_sentence(models);
  std::vector<DecodeResult> chosen(sentences.size());
  const nb::gil_scoped_release release;
  parallel_for(threads, sentences.size(), [&](std::size_t s, int) {
    chosen[s] = consensus(sentences[s], scale, as_span(weights), nbest);
  });
  return chosen;
}

NbestArrays candidates(const nb::list& models, double scale) {
  NbestArrays arrays;
  for (const auto& results : by_sentence(models)) {
    const auto found = consensus_candidates(results, scale);
    arrays.sizes.push_back(static_cast<std::int64_t>(found.size()));
    for (const ConsensusCandidate& one : found) {
      arrays.texts.push_back(results[one.member]->nbest[one.entry].target);
      arrays.features.insert(arrays.features.end(), one.features.begin(), one.features.end());
    }
  }
  return arrays;
}

}  // namespace

void bind_consensus(nb::module_& module) {
  module.def(
      "consensus", &choose, "models"_a, "scale"_a, "weights"_a, nb::kw_only(), "nbest"_a = 0,
      "threads"_a = 1,
      nb::sig("def consensus(models: list[list[DecodeResult]], scale: float, "
              "weights: numpy.typing.NDArray[numpy.float64], *, nbest: int = 0, "
              "threads: int = 1) -> list[DecodeResult]"),
      "What models agree on, sentence by sentence, from their lists of different translations.");
  module.def("consensus_candidates", &candidates, "models"_a, "scale"_a,
             nb::sig("def consensus_candidates(models: list[list[DecodeResult]], scale: float) "
                     "-> NbestArrays"),
             "All translations that a consensus chooses from, with their features.");
}
