// Everything a search asks: phrase table, language models, vocabularies. Immutable, mapped from
// files, shared by threads; weights are not part of it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "context/context_lexicon.h"
#include "lm/ngram_model.h"
#include "model/feature_set.h"
#include "rules/phrase_table.h"
#include "text/vocabulary.h"

namespace dragoman {

// What a language model is over: the target words, the classes that they belong to, or the
// bilingual tokens of the phrase table.
enum class Tokens : std::uint8_t { kWords, kClasses, kBilingual };

struct SequenceModel {
  std::string name;
  NgramModel model;
  Tokens tokens = Tokens::kWords;
  std::vector<WordId> ids;    // target word (or bilingual token) to the model's own id
  WordId unknown = kUnknown;  // what the model makes of all others

  bool bilingual() const { return tokens == Tokens::kBilingual; }
  WordId id_of(WordId token) const {
    return static_cast<std::size_t>(token) < ids.size() ? ids[static_cast<std::size_t>(token)]
                                                        : unknown;
  }
  // Of a target word of a sentence; beyond the vocabulary are those that a sentence has of its
  // own, which a language model of more text may know.
  WordId id_of(WordId word, std::string_view spelling) const {
    return static_cast<std::size_t>(word) < ids.size() || tokens != Tokens::kWords
               ? id_of(word)
               : model.vocabulary().find(spelling);
  }
};

class TranslationModel {
 public:
  struct SequenceFile {
    std::string name;  // of the feature
    std::string path;
    Tokens tokens = Tokens::kWords;
  };
  struct Files {
    std::string phrase_table;
    std::string source_vocabulary;
    std::string target_vocabulary;
    std::string bilingual_vocabulary;  // empty when no sequence model needs it
    std::string word_classes;          // likewise
    std::vector<SequenceFile> sequences;
    std::vector<std::string> sources = {};  // of translations of unknown words: their features
    std::string context = {};               // a lexicon that looks at the context, or none
  };

  // Throws InputError when a file is damaged or files do not belong together.
  explicit TranslationModel(const Files& files, Verify verify = Verify::kContent);

  const PhraseTable& table() const { return table_; }
  const Vocabulary& source() const { return source_; }
  const Vocabulary& target() const { return target_; }
  const std::vector<SequenceModel>& sequences() const { return sequences_; }
  const FeatureSet& features() const { return features_; }
  // Null when the model has none.
  const ContextLexicon* context() const { return context_ ? &*context_ : nullptr; }
  // Whether the table holds rules with gaps, for a chart search.
  bool hierarchical() const { return table_.info().hierarchical != 0; }
  // By reordering model of the table.
  ReorderingKind reordering_kind(std::size_t model) const { return reordering_kinds_[model]; }
  std::size_t reorderings() const { return reordering_kinds_.size(); }
  // The places of the words that the table does not translate on their own.
  std::vector<std::uint32_t> strangers(std::string_view line) const;

 private:
  PhraseTable table_;
  Vocabulary source_;
  Vocabulary target_;
  std::vector<SequenceModel> sequences_;
  std::optional<ContextLexicon> context_;
  FeatureSet features_;
  std::vector<ReorderingKind> reordering_kinds_;
};

}  // namespace dragoman
