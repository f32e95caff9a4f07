// Python's view of native/core/model.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bind.h"
#include "model/translation_model.h"

using namespace dragoman;
using namespace nb::literals;

void bind_translation_model(nb::module_& module) {
  using SequenceTuple = std::tuple<std::string, std::string, Tokens>;
  nb::enum_<Tokens>(module, "Tokens", "What a language model is over.")
      .value("WORDS", Tokens::kWords)
      .value("CLASSES", Tokens::kClasses)
      .value("BILINGUAL", Tokens::kBilingual);
  nb::class_<TranslationModel>(module, "TranslationModel",
                               "Phrase table, language models and vocabularies, mapped.")
      .def(
          "__init__",
          [](TranslationModel* self, const std::string& phrase_table,
             const std::string& source_vocabulary, const std::string& target_vocabulary,
             const std::vector<SequenceTuple>& sequences, const std::string& bilingual_vocabulary,
             const std::string& word_classes, const std::string& context,
             const std::vector<std::string>& sources, bool verify) {
            TranslationModel::Files files{phrase_table,      source_vocabulary,
                                          target_vocabulary, bilingual_vocabulary,
                                          word_classes,      {},
                                          sources,           context};
            for (const auto& [name, path, tokens] : sequences) {
              files.sequences.push_back({name, path, tokens});
            }
            const nb::gil_scoped_release release;
            new (self) TranslationModel(files, verify ? Verify::kContent : Verify::kHeader);
          },
          "phrase_table"_a, "source_vocabulary"_a, "target_vocabulary"_a, "sequences"_a,
          "bilingual_vocabulary"_a = "", "word_classes"_a = "", "context"_a = "",
          "sources"_a = std::vector<std::string>(), "verify"_a = true,
          "`sequences`: name of the feature, file, and what it is over; "
          "`sources`: the features of sources of translations for unknown words.")
      .def(
          "strangers",
          [](const TranslationModel& self, const std::vector<std::string>& lines) {
            std::vector<std::vector<std::uint32_t>> places;
            const nb::gil_scoped_release release;
            for (const std::string& line : lines) places.push_back(self.strangers(line));
            return places;
          },
          "lines"_a,
          "For each tokenised line the places of words that the table does not translate.")
      .def_prop_ro(
          "features",
          [](const TranslationModel& self) {
            const auto names = self.features().names();
            return std::vector<std::string>(names.begin(), names.end());
          },
          "The names of the features, in the order of weights and values.")
      .def_prop_ro("hierarchical", &TranslationModel::hierarchical,
                   "Whether the table holds rules with gaps.")
      .def_prop_ro("phrase_pairs",
                   [](const TranslationModel& self) { return self.table().size(); })
      .def_prop_ro("max_source_length", [](const TranslationModel& self) {
        return self.table().info().max_source_length;
      });
}
