// Parallel text: in arrays, in files, and the set of strings seen.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bind.h"
#include "corpus/bitext.h"
#include "corpus/seen_set.h"
#include "corpus/segment_index.h"
#include "corpus/word_classes.h"
#include "corpus/word_clusterer.h"
#include "texts.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

void bind_texts(nb::module_& module) {
  nb::class_<BoundSentences>(module, "Sentences", "Sentences of word ids, in NumPy's arrays.")
      .def(nb::init<ArrayIn<WordId>, ArrayIn<std::uint64_t>>(), "ids"_a, "offsets"_a,
           nb::sig("def __init__(self, ids: numpy.typing.NDArray[numpy.int32], "
                   "offsets: numpy.typing.NDArray[numpy.uint64]) -> None"),
           "Sentence n has the ids [offsets[n], offsets[n + 1]).")
      .def("__len__", [](const BoundSentences& self) { return self.view.size(); })
      .def(
          "text",
          [](const BoundSentences& self, const Vocabulary& vocabulary, std::size_t first,
             std::size_t last) {
            if (first > last || last > self.view.size()) throw nb::index_error();
            std::string text;
            {
              const nb::gil_scoped_release release;
              for (std::size_t at = first; at < last; ++at) {
                text += vocabulary.decode(self.view[at]);
                text += '\n';
              }
            }
            return nb::bytes(text.data(), text.size());
          },
          "vocabulary"_a, "first"_a, "last"_a, "Sentences [first, last) in words, a line each.")
      .def(
          "class_text",
          [](const BoundSentences& self, const ArrayIn<WordClass>& classes, std::size_t first,
             std::size_t last) {
            if (first > last || last > self.view.size()) throw nb::index_error();
            std::string text;
            {
              const nb::gil_scoped_release release;
              text = class_text(self.view, as_span(classes), first, last);
            }
            return nb::bytes(text.data(), text.size());
          },
          "classes"_a, "first"_a, "last"_a,
          nb::sig("def class_text(self, classes: numpy.typing.NDArray[numpy.uint16], "
                  "first: int, last: int) -> bytes"),
          "The same with the number of its class in the place of each word.");
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

void bind_memory(nb::module_& module) {
  nb::class_<SegmentMatch>(module, "SegmentMatch", "A segment that is like what was asked for.")
      .def_ro("segment", &SegmentMatch::segment)
      .def_ro("edits", &SegmentMatch::edits, "Words to insert, delete or replace.")
      .def_ro("length", &SegmentMatch::length, "Of the longer source, in words.")
      .def_prop_ro("similarity", &SegmentMatch::similarity);

  nb::class_<SegmentIndex>(module, "SegmentIndex",
                           "A translation memory: segments found by the words of their source.")
      .def(nb::init<const std::string&, const std::string&>(), "path"_a, "vocabulary_path"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def("__len__", &SegmentIndex::size)
      .def("source", &SegmentIndex::source, "segment"_a)
      .def("target", &SegmentIndex::target, "segment"_a)
      .def("count", &SegmentIndex::count, "segment"_a, "How often the pair was seen.")
      .def("last_seen", &SegmentIndex::last_seen, "segment"_a,
           "Its last number among the pairs as they came.")
      .def("search", &SegmentIndex::search, "words"_a, "least"_a, "most"_a,
           nb::call_guard<nb::gil_scoped_release>(),
           "Segments at least so similar (0 to 1), nearest first, then by count, then latest.");

  nb::class_<SegmentIndexBuilder>(module, "SegmentIndexBuilder",
                                  "Takes pairs, writes a translation memory.")
      .def(nb::init<const std::string&>(), "spool"_a)
      .def("__len__", &SegmentIndexBuilder::size)
      .def("add", &SegmentIndexBuilder::add, "words"_a, "source"_a, "target"_a)
      .def("finish", &SegmentIndexBuilder::finish, "path"_a, "vocabulary_path"_a,
           nb::call_guard<nb::gil_scoped_release>());
}

void bind_word_classes(nb::module_& module) {
  nb::class_<WordClusterer>(module, "WordClusterer",
                            "Word classes by the exchange algorithm; sweep until little moves.")
      .def(
          "__init__",
          [](WordClusterer* self, const BoundSentences& text, std::size_t vocabulary, int classes,
             std::uint64_t min_count) {
            const nb::gil_scoped_release release;
            new (self) WordClusterer(text.view, vocabulary, classes, min_count);
          },
          "text"_a, "vocabulary"_a, "classes"_a, "min_count"_a)
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
  module.def(
      "save_word_classes",
      [](const std::string& path, const ArrayIn<WordClass>& classes) {
        WordClasses::save(path, as_span(classes));
      },
      "path"_a, "classes"_a,
      nb::sig("def save_word_classes(path: str, classes: numpy.typing.NDArray[numpy.uint16]) "
              "-> None"),
      "Writes the class of each id of a vocabulary.");
  module.def(
      "load_word_classes",
      [](const std::string& path) {
        const WordClasses classes(path);
        return to_numpy(
            std::vector<WordClass>(classes.of_words().begin(), classes.of_words().end()));
      },
      "path"_a, nb::sig("def load_word_classes(path: str) -> numpy.typing.NDArray[numpy.uint16]"),
      "Reads them again.");
}

}  // namespace

void bind_corpus(nb::module_& module) {
  bind_texts(module);
  bind_bitext(module);
  bind_seen_set(module);
  bind_memory(module);
  bind_word_classes(module);
}
