// Python's view of native/core/neural.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>
#include <vector>

#include "bind.h"
#include "neural/affiliations.h"
#include "neural/examples.h"
#include "neural/judge.h"
#include "texts.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

#define DRAGOMAN_FLOATS "numpy.typing.NDArray[numpy.float32]"

NetworkShape shape_of(std::uint32_t history, std::uint32_t window, std::uint32_t dimensions,
                      std::uint32_t hidden, std::uint32_t source_words,
                      std::uint32_t target_words) {
  return {history, window, dimensions, hidden, source_words, target_words};
}

}  // namespace

void bind_neural(nb::module_& module) {
  nb::class_<NetworkShape>(module, "NetworkShape", "How large a network is, and what it sees.")
      .def(
          "__init__",
          [](NetworkShape* self, std::uint32_t history, std::uint32_t window,
             std::uint32_t dimensions, std::uint32_t hidden, std::uint32_t source_words,
             std::uint32_t target_words) {
            new (self) NetworkShape(
                shape_of(history, window, dimensions, hidden, source_words, target_words));
            if (!self->sound()) throw nb::value_error("a network cannot be of such a shape");
          },
          nb::kw_only(), "history"_a, "window"_a, "dimensions"_a, "hidden"_a, "source_words"_a,
          "target_words"_a)
      .def_ro("history", &NetworkShape::history)
      .def_ro("window", &NetworkShape::window)
      .def_ro("dimensions", &NetworkShape::dimensions)
      .def_ro("hidden", &NetworkShape::hidden)
      .def_ro("source_words", &NetworkShape::source_words)
      .def_ro("target_words", &NetworkShape::target_words)
      .def_prop_ro("inputs", &NetworkShape::inputs, "How many words it sees.");
  module.def(
      "network_examples",
      [](const BoundAlignedText& text, const NetworkShape& shape, std::size_t step) {
        std::vector<std::uint16_t> rows;
        {
          const nb::gil_scoped_release release;
          rows = network_examples(text.view, shape, step);
        }
        return to_matrix(std::move(rows), shape.inputs() + 1);
      },
      "text"_a, "shape"_a, "step"_a = 1,
      nb::sig("def network_examples(text: AlignedText, shape: NetworkShape, step: int = 1) -> "
              "numpy.typing.NDArray[numpy.uint16]"),
      "Of every so manieth sentence pair a row for each target word and the end: what a network "
      "sees of its place, then the word itself.");
  module.def(
      "save_network",
      [](const std::string& path, const NetworkShape& shape, const ArrayIn<float>& source,
         const ArrayIn<float>& target, const ArrayIn<float>& first, const ArrayIn<float>& bias,
         const ArrayIn<float>& output, const ArrayIn<float>& frequency) {
        const nb::gil_scoped_release release;
        Network::save(path, shape,
                      {as_span(source), as_span(target), as_span(first), as_span(bias),
                       as_span(output), as_span(frequency)});
      },
      "path"_a, "shape"_a, nb::kw_only(), "source"_a, "target"_a, "first"_a, "bias"_a, "output"_a,
      "frequency"_a,
      nb::sig("def save_network(path: str, shape: NetworkShape, *, source: " DRAGOMAN_FLOATS
              ", target: " DRAGOMAN_FLOATS ", first: " DRAGOMAN_FLOATS ", bias: " DRAGOMAN_FLOATS
              ", output: " DRAGOMAN_FLOATS ", frequency: " DRAGOMAN_FLOATS ") -> None"),
      "Writes the weights of a network, each matrix row after row.");
  nb::class_<NetworkJudge>(module, "NetworkJudge", "A network that scores translations.")
      .def(nb::init<const std::string&, Vocabulary, Vocabulary>(), "path"_a, "source_vocabulary"_a,
           "target_vocabulary"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("shape", [](const NetworkJudge& self) { return self.network->shape(); })
      .def(
          "score",
          [](const NetworkJudge& self, nb::str source, nb::str target,
             const std::vector<std::pair<std::uint32_t, std::uint32_t>>& links) {
            std::vector<WordId> words[2];
            self.source.encode(utf8_of(source), words[0]);
            self.target.encode(utf8_of(target), words[1]);
            NetworkScorer scorer(self.network);
            scorer.begin(words[0]);
            return scorer.score(words[1], affiliations(links, words[1].size()));
          },
          "source"_a, "target"_a, "links"_a,
          "The log probability of one translation, of which links between positions are known.");
}
