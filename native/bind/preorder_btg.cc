// Preordering without a parser: trees learnt from alignments.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <string>

#include "bind.h"
#include "options.h"
#include "parallel/parallel_for.h"
#include "preorder/btg_parser.h"
#include "preorder/btg_trainer.h"
#include "text/vocabulary.h"
#include "texts.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

using BoundBtgTrainer = Unlocked<BtgTrainer>;

void bind_parsing(nb::module_& module) {
  OptionGroup<BtgOptions>(module, "BtgOptions", "How to learn to split and exchange.")
      .value("bits", &BtgOptions::bits, "2 to this power: places for features.")
      .value("sharpness", &BtgOptions::sharpness, "Of regrets.")
      .value("rate", &BtgOptions::rate, "Of steps.")
      .value("seed", &BtgOptions::seed, "Of the order of sentences.")
      .value("max_words", &BtgOptions::max_words, "Longer sentences are not learnt from.")
      .finish();
  nb::class_<BoundBtgTrainer>(module, "BtgTrainer",
                              "Learns to split and exchange, from word alignments.")
      .def(
          "__init__",
          [](BoundBtgTrainer* self, const BoundSentences& source, const BoundLinkSets& links,
             const Vocabulary& vocabulary, const ArrayIn<std::uint16_t>& classes,
             const BtgOptions& options) {
            new (self)
                BoundBtgTrainer(source.view, links.view, vocabulary, as_span(classes), options);
          },
          "source"_a, "links"_a, "vocabulary"_a, "classes"_a, "options"_a, nb::keep_alive<1, 2>(),
          nb::keep_alive<1, 3>(),
          nb::sig("def __init__(self, source: Sentences, links: LinkSets, vocabulary: Vocabulary, "
                  "classes: numpy.typing.NDArray[numpy.uint16], options: BtgOptions) -> None"))
      .def("__len__", [](const BoundBtgTrainer& self) { return self->size(); })
      .def("begin_round", [](BoundBtgTrainer& self) { self->begin_round(); })
      .def(
          "learn",
          [](BoundBtgTrainer& self, std::size_t begin, std::size_t end) {
            const nb::gil_scoped_release release;
            return self->learn(begin, end);
          },
          "begin"_a, "end"_a,
          "Learns from some sentences; the regret of the decisions, and the pairs of words.")
      .def(
          "save",
          [](const BoundBtgTrainer& self, const std::string& path) {
            const nb::gil_scoped_release release;
            self->save(path);
          },
          "path"_a);
  nb::class_<BtgParser>(module, "BtgParser", "Reorders sentences without a parser.")
      .def(
          "__init__",
          [](BtgParser* self, const std::string& path, bool verify) {
            const nb::gil_scoped_release release;
            new (self) BtgParser(path, verify ? Verify::kContent : Verify::kHeader);
          },
          "path"_a, "verify"_a = true)
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

void bind_btg(nb::module_& module) { bind_parsing(module); }
