// The decoders as Python sees them: batches of lines in, results out.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>

#include "bind.h"
#include "search/chart_batch.h"
#include "search/stack_batch.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

std::vector<DecodeRequest> requests_of(std::vector<std::string>&& lines,
                                       const std::optional<nb::list>& demands,
                                       std::optional<std::vector<std::string>>&& references,
                                       const std::optional<nb::list>& offers) {
  if ((demands && demands->size() != lines.size()) || (offers && offers->size() != lines.size()) ||
      (references && references->size() != lines.size())) {
    throw nb::value_error("demands, references and offers must be as many as lines");
  }
  std::vector<DecodeRequest> requests(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    requests[i].line = std::move(lines[i]);
    if (references) requests[i].reference = std::move((*references)[i]);
    if (demands && !(*demands)[i].is_none()) {
      requests[i].demands = nb::cast<const Demands&>((*demands)[i]);
    }
    if (offers && !(*offers)[i].is_none()) {
      requests[i].offers = nb::cast<std::vector<OfferedTranslation>>((*offers)[i]);
    }
  }
  return requests;
}

void check_offers(const BatchDecoder& decoder, const std::vector<DecodeRequest>& requests) {
  const auto sources = static_cast<int>(decoder.weighted().model().features().sources());
  for (const DecodeRequest& request : requests) {
    for (const OfferedTranslation& offer : request.offers) {
      if (offer.provenance.source < 0 || offer.provenance.source >= sources) {
        throw nb::value_error("an offer of a source that the model does not have");
      }
    }
  }
}

std::vector<DecodeResult> decode(BatchDecoder& self, std::vector<std::string> lines,
                                 const DecodeWants* wants, const std::optional<nb::list>& demands,
                                 std::optional<std::vector<std::string>> references,
                                 const std::optional<nb::list>& offers, int threads) {
  const std::vector<DecodeRequest> requests =
      requests_of(std::move(lines), demands, std::move(references), offers);
  check_offers(self, requests);
  const nb::gil_scoped_release release;
  return self.decode(requests, wants != nullptr ? *wants : DecodeWants(), threads);
}

void bind_nbest(nb::module_& module) {
  nb::class_<NbestArrays> arrays(module, "NbestArrays",
                                 "N-best lists of many lines without their derivations.");
  arrays.def_ro("texts", &NbestArrays::texts, "The translations of all lines.");
  def_array(arrays, "sizes", &NbestArrays::sizes, "How many each line has.");
  arrays.def_prop_ro(
      "features",
      [](nb::handle self) {
        auto& all = nb::cast<NbestArrays&>(self);
        const std::size_t rows = all.texts.size();
        const std::size_t columns = rows == 0 ? 0 : all.features.size() / rows;
        return MatrixOut<double>(all.features.data(), {rows, columns}, self);
      },
      nb::sig("def features(self) -> numpy.typing.NDArray[numpy.float64]"),
      "A row of feature values for each translation.");
  module.def(
      "decode_nbest",
      [](BatchDecoder& decoder, std::vector<std::string> lines, std::size_t nbest, bool distinct,
         const std::optional<nb::list>& offers, int threads) {
        const auto requests = requests_of(std::move(lines), {}, {}, offers);
        check_offers(decoder, requests);
        const nb::gil_scoped_release release;
        return decoder.decode_nbest(requests, nbest, distinct, threads);
      },
      "decoder"_a, "lines"_a, nb::kw_only(), "nbest"_a, "distinct"_a = false,
      "offers"_a = nb::none(), "threads"_a = 1,
      nb::sig("def decode_nbest(decoder: Decoder, lines: collections.abc.Sequence[str], *, "
              "nbest: int, distinct: bool = False, "
              "offers: list[list[OfferedTranslation] | None] | None = None, "
              "threads: int = 1) -> NbestArrays"));
}

}  // namespace

void bind_search(nb::module_& module) {
  bind_search_options(module);
  bind_search_demands(module);
  bind_search_results(module);
  bind_search_graph(module);
  nb::class_<BatchDecoder>(module, "Decoder", "A model with weights and search options.")
      .def("decode", &decode, "lines"_a, "wants"_a = nb::none(), nb::kw_only(),
           "demands"_a = nb::none(), "references"_a = nb::none(), "offers"_a = nb::none(),
           "threads"_a = 1,
           nb::sig(
               "def decode(self, lines: collections.abc.Sequence[str], "
               "wants: DecodeWants | None = None, *, demands: list[Demands | None] | None = None, "
               "references: collections.abc.Sequence[str] | None = None, "
               "offers: list[list[OfferedTranslation] | None] | None = None, "
               "threads: int = 1) -> list[DecodeResult]"),
           "Translate tokenised lines. `demands` has an entry for each line. With `references`, "
           "only derivations of exactly these tokens are looked for. `offers`: translations of "
           "words that the table does not know. A chart search knows no references and draws no "
           "picture.");

  nb::class_<PhraseDecoder, BatchDecoder>(module, "PhraseDecoder",
                                          "A phrase model, searched stack by stack.")
      .def(
          "__init__",
          [](PhraseDecoder* self, std::shared_ptr<TranslationModel> model,
             const ArrayIn<double>& weights, const SearchOptions& options) {
            new (self) PhraseDecoder(std::move(model), as_span(weights), options);
          },
          "model"_a, "weights"_a, "options"_a,
          nb::sig("def __init__(self, model: TranslationModel, "
                  "weights: array.array[float] | numpy.typing.NDArray[numpy.float64], "
                  "options: SearchOptions) -> None"));

  nb::class_<ChartDecoder, BatchDecoder>(module, "ChartDecoder",
                                         "A hierarchical model, searched over a chart.")
      .def(
          "__init__",
          [](ChartDecoder* self, std::shared_ptr<TranslationModel> model,
             const ArrayIn<double>& weights, const ChartOptions& options) {
            new (self) ChartDecoder(std::move(model), as_span(weights), options);
          },
          "model"_a, "weights"_a, "options"_a,
          nb::sig("def __init__(self, model: TranslationModel, "
                  "weights: array.array[float] | numpy.typing.NDArray[numpy.float64], "
                  "options: ChartOptions) -> None"));

  bind_nbest(module);
}
