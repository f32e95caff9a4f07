// Python's view of native/core/search/consensus.h.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>

#include "bind.h"
#include "neural/judge.h"
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

// What a network must know of each sentence: its tokens, and the order in which each model saw
// them.
class Views {
 public:
  Views(NetworkJudge* judge, const std::optional<nb::list>& sources,
        const std::optional<nb::list>& orders, std::size_t sentences, std::size_t models)
      : judge_(judge) {
    if (judge == nullptr) return;
    if (!sources || !orders || sources->size() != sentences || orders->size() != sentences) {
      throw nb::value_error("a network needs the source and the orders of each sentence");
    }
    for (std::size_t s = 0; s < sentences; ++s) {
      sources_.emplace_back();
      judge->source.encode(utf8_of((*sources)[s]), sources_.back());
      orders_.emplace_back();
      for (const nb::handle one : nb::cast<nb::list>((*orders)[s])) {
        orders_.back().push_back(one.is_none() ? std::vector<std::uint32_t>()
                                               : nb::cast<std::vector<std::uint32_t>>(one));
      }
      if (orders_.back().size() != models) throw nb::value_error("every model has an order");
    }
  }

  // Calls work(sentence, view), from several threads; without a network, the view is null.
  template <class Work>
  void for_each(int threads, std::size_t sentences, Work&& work) const {
    if (judge_ == nullptr) {
      parallel_for(threads, sentences, [&](std::size_t s, int) { work(s, nullptr); });
      return;
    }
    judge_->scorers.run(
        threads, sentences, [this] { return std::make_unique<NetworkScorer>(judge_->network); },
        [&](std::size_t s, NetworkScorer& scorer) {
          scorer.begin(sources_[s]);
          const NetworkView view{scorer, judge_->target, orders_[s]};
          work(s, &view);
        });
  }

 private:
  NetworkJudge* judge_;
  std::vector<std::vector<WordId>> sources_;
  std::vector<std::vector<std::vector<std::uint32_t>>> orders_;
};

std::vector<DecodeResult> choose(const nb::list& models, double scale,
                                 const ArrayIn<double>& weights, std::size_t nbest, int threads,
                                 NetworkJudge* network, const std::optional<nb::list>& sources,
                                 const std::optional<nb::list>& orders) {
  const auto sentences = by_sentence(models);
  const Views views(network, sources, orders, sentences.size(), models.size());
  std::vector<DecodeResult> chosen(sentences.size());
  const nb::gil_scoped_release release;
  views.for_each(threads, sentences.size(), [&](std::size_t s, const NetworkView* view) {
    chosen[s] = consensus(sentences[s], scale, as_span(weights), nbest, view);
  });
  return chosen;
}

NbestArrays candidates(const nb::list& models, double scale, int threads, NetworkJudge* network,
                       const std::optional<nb::list>& sources,
                       const std::optional<nb::list>& orders) {
  const auto sentences = by_sentence(models);
  const Views views(network, sources, orders, sentences.size(), models.size());
  std::vector<std::vector<ConsensusCandidate>> found(sentences.size());
  NbestArrays arrays;
  const nb::gil_scoped_release release;
  views.for_each(threads, sentences.size(), [&](std::size_t s, const NetworkView* view) {
    found[s] = consensus_candidates(sentences[s], scale, view);
  });
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    arrays.sizes.push_back(static_cast<std::int64_t>(found[s].size()));
    for (const ConsensusCandidate& one : found[s]) {
      arrays.texts.push_back(sentences[s][one.member]->nbest[one.entry].target);
      arrays.features.insert(arrays.features.end(), one.features.begin(), one.features.end());
    }
  }
  return arrays;
}

}  // namespace

void bind_consensus(nb::module_& module) {
  module.def(
      "consensus", &choose, "models"_a, "scale"_a, "weights"_a, nb::kw_only(), "nbest"_a = 0,
      "threads"_a = 1, "network"_a = nb::none(), "sources"_a = nb::none(), "orders"_a = nb::none(),
      nb::sig("def consensus(models: list[list[DecodeResult]], scale: float, "
              "weights: numpy.typing.NDArray[numpy.float64], *, nbest: int = 0, "
              "threads: int = 1, network: NetworkJudge | None = None, "
              "sources: list[str] | None = None, "
              "orders: list[list[list[int] | None]] | None = None) -> list[DecodeResult]"),
      "What models agree on, sentence by sentence, from their lists of different translations. A "
      "network that has a say needs the tokens, and the order in which each model has seen them.");
  module.def("consensus_candidates", &candidates, "models"_a, "scale"_a, nb::kw_only(),
             "threads"_a = 1, "network"_a = nb::none(), "sources"_a = nb::none(),
             "orders"_a = nb::none(),
             nb::sig("def consensus_candidates(models: list[list[DecodeResult]], scale: float, *, "
                     "threads: int = 1, network: NetworkJudge | None = None, "
                     "sources: list[str] | None = None, "
                     "orders: list[list[list[int] | None]] | None = None) -> NbestArrays"),
             "All translations that a consensus chooses from, with their features.");
}
