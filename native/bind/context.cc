// Python's view of native/core/context.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "bind.h"
#include "context/context_trainer.h"
#include "options.h"
#include "text/tokens.h"
#include "text/vocabulary.h"
#include "texts.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

using BoundContextTrainer = Unlocked<ContextTrainer>;

}  // namespace

void bind_context(nb::module_& module) {
  OptionGroup<ContextOptions>(module, "ContextOptions", "How to learn from the words around.")
      .value("translations", &ContextOptions::translations, "Of a word, at most.")
      .value("rate", &ContextOptions::rate, "Of steps.")
      .value("decay", &ContextOptions::decay, "By which weights are drawn to zero.")
      .value("seed", &ContextOptions::seed, "Of the order of sentences.")
      .finish();
  nb::class_<BoundContextTrainer>(module, "ContextTrainer",
                                  "Learns how words are translated beside others.")
      .def(
          "__init__",
          [](BoundContextTrainer* self, const BoundAlignedText& text, std::uint32_t source_words,
             std::uint32_t target_words, std::uint32_t bits, std::uint32_t window,
             ContextOptions options) {
            options.shape = {bits, window, source_words, target_words};
            new (self) BoundContextTrainer(text.view, options);
          },
          "text"_a, "source_words"_a, "target_words"_a, nb::kw_only(), "bits"_a, "window"_a,
          "options"_a, nb::keep_alive<1, 2>(),
          "`bits`: 2 to this power are the places for weights; `window`: words on each side.")
      .def("__len__", [](BoundContextTrainer& self) { return self->size(); })
      .def("begin_round", [](BoundContextTrainer& self) { self->begin_round(); })
      .def(
          "learn",
          [](BoundContextTrainer& self, std::size_t begin, std::size_t end) {
            const nb::gil_scoped_release release;
            return self->learn(begin, end);
          },
          "begin"_a, "end"_a,
          "Learns from pairs of the round's order; the log-probability of links, and of how many "
          "words.")
      .def(
          "save",
          [](BoundContextTrainer& self, const std::string& path) {
            const nb::gil_scoped_release release;
            self->save(path);
          },
          "path"_a);
  nb::class_<ContextLexicon>(module, "ContextLexicon",
                             "How words are translated where they stand.")
      .def(
          "__init__",
          [](ContextLexicon* self, const std::string& path, bool verify) {
            const nb::gil_scoped_release release;
            new (self) ContextLexicon(path, verify ? Verify::kContent : Verify::kHeader);
          },
          "path"_a, "verify"_a = true)
      .def(
          "log_probs",
          [](const ContextLexicon& self, const Vocabulary& source, const Vocabulary& target,
             const std::string& line) {
            std::vector<WordId> ids;
            for_each_token(line, [&](std::string_view word) { ids.push_back(source.find(word)); });
            const SentenceContext context(self, ids);
            std::vector<std::vector<std::pair<std::string, float>>> words(ids.size());
            for (std::size_t place = 0; place < ids.size(); ++place) {
              for (const WordId one : self.translations(ids[place])) {
                const bool none = one == kNoTranslation;
                words[place].emplace_back(none ? "" : std::string(target.word(one)),
                                          context.log_prob(place, one));
              }
            }
            return words;
          },
          "source_words"_a, "target_words"_a, "line"_a,
          "For each word of a tokenised line its translations, '' for none, and their "
          "log-probabilities.");
}
