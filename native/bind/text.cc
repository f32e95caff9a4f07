// Vocabulary, bitext and the set of strings seen.
#include <nanobind/stl/string.h>

#include <string>

#include "bind.h"
#include "text/bitext.h"
#include "text/seen_set.h"
#include "text/tokens.h"
#include "text/vocabulary.h"
#include "texts.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

void bind_vocabulary(nb::module_& module) {
  nb::class_<Vocabulary>(module, "Vocabulary",
                         "Words and their ids; immutable, mapped from a file.")
      .def_static(
          "open",
          [](const std::string& path) {
            const nb::gil_scoped_release release;
            return Vocabulary::open(path);
          },
          "path"_a)
      .def("save", &Vocabulary::save, "path"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("__len__", &Vocabulary::size)
      .def(
          "find", [](const Vocabulary& self, nb::str word) { return self.find(utf8_of(word)); },
          "word"_a, "The word's id, or 0 (<unk>).")
      .def(
          "word", [](const Vocabulary& self, WordId id) { return to_str(self.word(id)); }, "id"_a)
      .def("count", &Vocabulary::count, "id"_a, "How often the word was seen in training.")
      .def(
          "encode",
          [](const Vocabulary& self, const nb::list& lines) {
            const auto views = views_of(lines);
            std::vector<WordId> ids;
            std::vector<std::uint64_t> offsets{0};
            {
              const nb::gil_scoped_release release;
              for (const auto line : views) {
                self.encode(line, ids);
                offsets.push_back(ids.size());
              }
            }
            return nb::make_tuple(to_numpy(std::move(ids)), to_numpy(std::move(offsets)));
          },
          "lines"_a,
          nb::sig("def encode(self, lines: list[str]) -> "
                  "tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.uint64]]"),
          "Ids and offsets of lines of space-separated tokens.")
      .def(
          "decode",
          [](const Vocabulary& self, const ArrayIn<WordId>& ids) {
            const auto line = self.decode(as_span(ids));
            return to_str(line);
          },
          "ids"_a, nb::sig("def decode(self, ids: numpy.typing.NDArray[numpy.int32]) -> str"),
          "The words of the ids, separated by spaces.");

  module.def(
      "build_vocabulary",
      [](const nb::list& lines, std::uint64_t min_count) {
        const auto views = views_of(lines);
        const nb::gil_scoped_release release;
        VocabularyBuilder builder;
        for (const auto line : views) {
          for_each_token(line, [&](std::string_view token) { builder.add(token); });
        }
        return builder.finish(min_count).vocabulary;
      },
      "lines"_a, "min_count"_a = 1,
      nb::sig("def build_vocabulary(lines: list[str], min_count: int = 1) -> Vocabulary"));
}

void bind_texts(nb::module_& module) {
  nb::class_<BoundSentences>(module, "Sentences", "Sentences of word ids, in NumPy's arrays.")
      .def(nb::init<ArrayIn<WordId>, ArrayIn<std::uint64_t>>(), "ids"_a, "offsets"_a,
           nb::sig("def __init__(self, ids: numpy.typing.NDArray[numpy.int32], "
                   "offsets: numpy.typing.NDArray[numpy.uint64]) -> None"),
           "Sentence n has the ids [offsets[n], offsets[n + 1]).")
      .def("__len__", [](const BoundSentences& self) { return self.view.size(); });
  nb::class_<BoundParallelText>(module, "ParallelText", "Sentences and their translations.")
      .def(nb::init<const BoundSentences&, const BoundSentences&>(), "source"_a, "target"_a)
      .def("__len__", [](const BoundParallelText& self) { return self.view.size(); });
}

void bind_bitext(nb::module_& module) {
  nb::class_<Bitext>(module, "BitextFile",
                     "A mapped bitext: ids and sentence offsets of both sides.")
      .def(nb::init<const std::string&>(), "path"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("__len__", [](const Bitext& self) { return self.source().size(); })
#define DRAGOMAN_VIEW(name, type, expression)                                                     \
  .def_prop_ro(                                                                                   \
      name,                                                                                       \
      [](nb::handle self) { return view_numpy(nb::cast<const Bitext&>(self).expression, self); }, \
      nb::sig("def " name "(self) -> numpy.typing.NDArray[" type "]"))
          DRAGOMAN_VIEW("source_ids", "numpy.int32", source().ids())
              DRAGOMAN_VIEW("source_offsets", "numpy.uint64", source().offsets())
                  DRAGOMAN_VIEW("target_ids", "numpy.int32", target().ids())
                      DRAGOMAN_VIEW("target_offsets", "numpy.uint64", target().offsets());
#undef DRAGOMAN_VIEW

  nb::class_<BitextBuilder>(module, "BitextBuilder",
                            "Takes sentence pairs, writes a bitext and its vocabularies.")
      .def(nb::init<const std::string&>(), "spool"_a)
      .def("__len__", &BitextBuilder::size)
      .def(
          "add",
          [](BitextBuilder& self, const nb::list& source, const nb::list& target) {
            if (source.size() != target.size()) {
              throw nb::value_error("source and target must have the same length");
            }
            const auto source_views = views_of(source);
            const auto target_views = views_of(target);
            const nb::gil_scoped_release release;
            for (std::size_t i = 0; i < source_views.size(); ++i) {
              self.add(source_views[i], target_views[i]);
            }
          },
          "source"_a, "target"_a,
          nb::sig("def add(self, source: list[str], target: list[str]) -> None"))
      .def("finish", &BitextBuilder::finish, "bitext_path"_a, "source_vocabulary_path"_a,
           "target_vocabulary_path"_a, nb::call_guard<nb::gil_scoped_release>());
}

void bind_seen_set(nb::module_& module) {
  nb::class_<SeenSet>(module, "SeenSet", "Remembers which strings were seen, in 16 bytes each.")
      .def(nb::init<>())
      .def("__len__", &SeenSet::size)
      .def(
          "insert", [](SeenSet& self, nb::str text) { return self.insert(utf8_of(text)); },
          "text"_a, "Whether the text was new.")
      .def("__contains__",
           [](const SeenSet& self, nb::str text) { return self.contains(utf8_of(text)); });
}

}  // namespace

void bind_text(nb::module_& module) {
  bind_vocabulary(module);
  bind_texts(module);
  bind_bitext(module);
  bind_seen_set(module);
}
