// Vocabularies, and cutting raw text into words.
#include <nanobind/stl/string.h>

#include <string>
#include <vector>

#include "bind.h"
#include "text/cut_words.h"
#include "text/tokens.h"
#include "text/vocabulary.h"

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

  nb::class_<VocabularyBuilder>(module, "VocabularyBuilder", "Counts the words of a text.")
      .def(nb::init<>())
      .def(
          "add",
          [](VocabularyBuilder& self, const nb::bytes& text) {
            const std::string_view view = view_of(text);
            const nb::gil_scoped_release release;
            for_each_token(view, [&](std::string_view token) { self.add(token); });
          },
          "text"_a, "Whole lines of tokens.")
      .def(
          "finish", [](VocabularyBuilder& self) { return self.finish().vocabulary; },
          nb::call_guard<nb::gil_scoped_release>(), "When there is no more to add.");
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

void bind_cutting(nb::module_& module) {
  nb::enum_<Apostrophe>(module, "Apostrophe", "Where a word is cut at an apostrophe.")
      .value("inside", Apostrophe::kInside)
      .value("before", Apostrophe::kBefore)
      .value("behind", Apostrophe::kBehind);

  module.def(
      "cut_words",
      [](nb::str text, Apostrophe apostrophe) {
        const std::string_view bytes = utf8_of(text);
        static thread_local std::vector<TokenSpan> spans;
        cut_words(bytes, apostrophe, spans);
        nb::list tokens, gaps;
        std::size_t at = 0;
        for (const auto [begin, end] : spans) {
          gaps.append(to_str(bytes.substr(at, begin - at)));
          tokens.append(to_str(bytes.substr(begin, end - begin)));
          at = end;
        }
        gaps.append(to_str(bytes.substr(at)));
        return nb::make_tuple(std::move(tokens), std::move(gaps));
      },
      "text"_a, "apostrophe"_a = Apostrophe::kInside,
      nb::sig("def cut_words(text: str, apostrophe: Apostrophe = ...) -> "
              "tuple[list[str], list[str]]"),
      "The tokens of a text, and the white space before, between and behind them.");
}

}  // namespace

void bind_text(nb::module_& module) {
  bind_vocabulary(module);
  bind_cutting(module);
}
