// Preordering without a parser: word classes, and trees learnt from alignments.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <string>

#include "bind.h"
#include "corpus_in.h"
#include "parallel/parallel_for.h"
#include "preorder/btg_parser.h"
#include "preorder/btg_trainer.h"
#include "preorder/word_clusterer.h"
#include "text/vocabulary.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

using Offsets = ArrayIn<std::uint64_t>;

// A trainer and the arrays it reads, which are NumPy's.
struct BoundBtgTrainer {
  ArrayIn<WordId> ids;
  Offsets offsets;
  LinksIn links;
  Offsets link_offsets;
  std::unique_ptr<BtgTrainer> trainer;
};

void bind_word_classes(nb::module_& module) {
  nb::class_<WordClusterer>(module, "WordClusterer",
                            "Word classes by the exchange algorithm; sweep until little moves.")
      .def(
          "__init__",
          [](WordClusterer* self, const ArrayIn<WordId>& ids, const Offsets& offsets,
             std::size_t vocabulary, int classes, std::uint64_t min_count) {
            const Sentences text(as_span(ids), as_span(offsets));
            const nb::gil_scoped_release release;
            new (self) WordClusterer(text, vocabulary, classes, min_count);
          },
          "ids"_a, "offsets"_a, "vocabulary"_a, "classes"_a, "min_count"_a,
          nb::sig("def __init__(self, ids: numpy.typing.NDArray[numpy.int32], offsets: "
                  "numpy.typing.NDArray[numpy.uint64], vocabulary: int, classes: int, "
                  "min_count: int) -> None"))
      .def(
          "sweep",
          [](WordClusterer& self) {
            const nb::gil_scoped_release release;
            return self.sweep();
          },
          "Moves every word to where it fits best; returns how many moved.")
      .def_prop_ro("objective", &WordClusterer::objective)
      .def(
          "classes",
          [](const WordClusterer& self) {
            return to_numpy(
                std::vector<std::uint16_t>(self.classes().begin(), self.classes().end() - 1));
          },
          nb::sig("def classes(self) -> numpy.typing.NDArray[numpy.uint16]"),
          "The class of each word id; 0 for rare words.");
}

void bind_parsing(nb::module_& module) {
  nb::class_<BoundBtgTrainer>(module, "BtgTrainer",
                              "Learns to split and exchange, from word alignments.")
      .def(
          "__init__",
          [](BoundBtgTrainer* self, ArrayIn<WordId> ids, Offsets offsets, LinksIn links,
             Offsets link_offsets, const Vocabulary& vocabulary,
             const ArrayIn<std::uint16_t>& classes, int bits, double sharpness, double rate,
             std::uint64_t seed, std::size_t max_words) {
            const Sentences source(as_span(ids), as_span(offsets));
            const LinkSets sets = link_sets_of(links, link_offsets);
            BtgOptions options;
            options.bits = bits;
            options.sharpness = sharpness;
            options.rate = rate;
            options.seed = seed;
            options.max_words = max_words;
            auto trainer =
                std::make_unique<BtgTrainer>(source, sets, vocabulary, as_span(classes), options);
            new (self) BoundBtgTrainer{std::move(ids), std::move(offsets), std::move(links),
                                       std::move(link_offsets), std::move(trainer)};
          },
          "ids"_a, "offsets"_a, "links"_a, "link_offsets"_a, "vocabulary"_a, "classes"_a, "bits"_a,
          "sharpness"_a, "rate"_a, "seed"_a, "max_words"_a,
          nb::sig("def __init__(self, ids: numpy.typing.NDArray[numpy.int32], offsets: "
                  "numpy.typing.NDArray[numpy.uint64], links: numpy.typing.NDArray[numpy.uint16], "
                  "link_offsets: numpy.typing.NDArray[numpy.uint64], vocabulary: Vocabulary, "
                  "classes: numpy.typing.NDArray[numpy.uint16], bits: int, sharpness: float, "
                  "rate: float, seed: int, max_words: int) -> None"))
      .def("__len__", [](const BoundBtgTrainer& self) { return self.trainer->size(); })
      .def("begin_round", [](BoundBtgTrainer& self) { self.trainer->begin_round(); })
      .def(
          "learn",
          [](BoundBtgTrainer& self, std::size_t begin, std::size_t end) {
            const nb::gil_scoped_release release;
            return self.trainer->learn(begin, end);
          },
          "begin"_a, "end"_a,
          "Learns from some sentences; the regret of the decisions, and the pairs of words.")
      .def(
          "save",
          [](const BoundBtgTrainer& self, const std::string& path) {
            const nb::gil_scoped_release release;
            self.trainer->save(path);
          },
          "path"_a);
  nb::class_<BtgParser>(module, "BtgParser", "Reorders sentences without a parser.")
      .def(
          "__init__",
          [](BtgParser* self, const std::string& path, bool verify) {
            const nb::gil_scoped_release release;
            new (self) BtgParser(path, verify ? Verify::kContent : Verify::kHeader);
          },
          "path"_a, "verify"_a = false)
      .def_prop_ro("words", &BtgParser::words)
      .def(
          "orders",
          [](const BtgParser& self, const nb::list& lines, int threads) {
            const auto views = views_of(lines);
            std::vector<std::int32_t> all;
            std::vector<std::uint64_t> offsets{0};
            {
              const nb::gil_scoped_release release;
              std::vector<std::vector<std::int32_t>> orders(views.size());
              parallel_for(threads, views.size(),
                           [&](std::size_t line, int) { self.parse(views[line], orders[line]); });
              for (const auto& order : orders) {
                all.insert(all.end(), order.begin(), order.end());
                offsets.push_back(all.size());
              }
            }
            return nb::make_tuple(to_numpy(std::move(all)), to_numpy(std::move(offsets)));
          },
          "lines"_a, "threads"_a,
          nb::sig("def orders(self, lines: list[str], threads: int) -> "
                  "tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.uint64]]"),
          "The order of each line's words, one behind the other.");
}

}  // namespace

void bind_btg(nb::module_& module) {
  bind_word_classes(module);
  bind_parsing(module);
}
