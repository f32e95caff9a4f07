// Python's view of native/core/unknown.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <utility>

#include "bind.h"
#include "unknown/sources.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

using Rated = std::vector<std::tuple<std::string, std::string, double>>;

template <class Change>
std::vector<Change> changes_of(const Rated& rows) {
  std::vector<Change> changes;
  for (const auto& [from, to, goodness] : rows) changes.push_back({from, to, goodness});
  return changes;
}

void bind_lexicon(nb::module_& module) {
  nb::class_<Lexicon>(module, "Lexicon", "The words that a table translates on their own.")
      .def(nb::init<std::shared_ptr<PhraseTable>, Vocabulary, Vocabulary>(), "table"_a,
           "source_vocabulary"_a, "target_vocabulary"_a)
      .def("form_of", &Lexicon::form_of, "word"_a,
           "The id of the word, or of the same in another case; 0 when nothing is known.")
      .def(
          "meanings",
          [](Lexicon& self, WordId id) {
            std::vector<std::pair<std::string, double>> found;
            for (const Meaning& meaning : self.meanings(id)) {
              found.emplace_back(meaning.target, meaning.probability);
            }
            return found;
          },
          "id"_a, "Translations of a known word and their probabilities, the best ones.")
      .def("overlap", &Lexicon::overlap, "first"_a, "second"_a,
           "How much two known words mean the same, between 0 and 1.")
      .def("count", &Lexicon::count, "id"_a, "How often training has seen a word.")
      .def("target_count", &Lexicon::target_count, "word"_a,
           "How often the target side of training has a word.");
}

}  // namespace

void bind_unknown(nb::module_& module) {
  bind_lexicon(module);
  module.def(
      "word_kind", [](std::string_view word) { return static_cast<int>(kind_of(word)); }, "word"_a,
      "What can be seen of a word from outside: 0 number, 1 code, 2 sign, 3 capital, 4 Latin, "
      "5 other letters.");

  nb::class_<SourceKnowledge>(module, "SourceKnowledge", "What was learnt about words never seen.")
      .def(nb::init<>())
      .def(
          "set_relatives",
          [](SourceKnowledge& self, const Rated& ends, const Rated& beginnings,
             std::vector<double> stems, std::size_t shortest_stem) {
            self.relatives = {changes_of<Rewrite>(ends), changes_of<Rewrite>(beginnings),
                              std::move(stems), shortest_stem};
          },
          nb::kw_only(), "ends"_a, "beginnings"_a, "stems"_a, "shortest_stem"_a)
      .def(
          "set_parts",
          [](SourceKnowledge& self, const Rated& links, std::vector<double> sizes,
             std::size_t shortest_part,
             const std::vector<std::pair<std::string, double>>& patterns, std::vector<double> ends,
             std::vector<double> beginnings) {
            self.parts = {
                changes_of<PartLink>(links), std::move(sizes), shortest_part, {}, std::move(ends),
                std::move(beginnings)};
            for (const auto& [text, share] : patterns)
              self.parts.patterns.push_back({text, share});
          },
          nb::kw_only(), "links"_a, "sizes"_a, "shortest_part"_a, "patterns"_a, "ends"_a,
          "beginnings"_a)
      .def(
          "set_spelling",
          [](SourceKnowledge& self, const Rated& edits, double other, std::vector<double> sizes,
             std::size_t shortest) {
            self.spelling = {changes_of<Edit>(edits), other, std::move(sizes), shortest};
          },
          nb::kw_only(), "edits"_a, "other"_a, "sizes"_a, "shortest"_a)
      .def(
          "set_copied",
          [](SourceKnowledge& self, std::vector<double> copied) {
            self.copied = std::move(copied);
          },
          "copied"_a);

  nb::class_<WordOffer>(module, "WordOffer", "A translation of one unknown word.")
      .def_prop_ro("source", [](const WordOffer& self) { return static_cast<int>(self.source); })
      .def_ro("target", &WordOffer::target)
      .def_ro("log_prob", &WordOffer::log_prob)
      .def_ro("bilingual", &WordOffer::bilingual)
      .def_ro("why", &WordOffer::why);

  nb::class_<WordSources>(module, "WordSources",
                          "What is offered for words that a table does not know.")
      .def(
          "__init__",
          [](WordSources* self, std::shared_ptr<PhraseTable> table, const Vocabulary& source,
             const Vocabulary& target, const SourceKnowledge& knowledge) {
            new (self) WordSources(Lexicon(std::move(table), source, target), knowledge);
          },
          "table"_a, "source_vocabulary"_a, "target_vocabulary"_a, "knowledge"_a)
      .def("offers", &WordSources::offers, "word"_a, "left_out"_a = false,
           "Source by source, best first; `left_out`: as if the word had never been seen.");
}
