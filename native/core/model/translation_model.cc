#include "model/translation_model.h"

#include <optional>

#include "corpus/word_classes.h"
#include "text/error.h"
#include "text/tokens.h"

namespace dragoman {

namespace {

ReorderingKind kind_of(const std::string& name, const std::string& path) {
  if (name == "word") return ReorderingKind::kWord;
  if (name == "phrase") return ReorderingKind::kPhrase;
  if (name == "hierarchical") return ReorderingKind::kHierarchical;
  throw InputError(path + ": unknown kind of reordering model: " + name);
}

void check_size(const std::string& path, const char* side, std::uint32_t expected,
                std::size_t found) {
  if (expected != found) {
    throw InputError(path + ": the phrase table was made with a " + side + " vocabulary of " +
                     std::to_string(expected) + " words, not of " + std::to_string(found) +
                     "; the files do not belong together");
  }
}

std::vector<WordId> ids_of(const Vocabulary& vocabulary, const LmVocabulary& model) {
  std::vector<WordId> ids(vocabulary.size(), kUnknown);
  for (std::size_t id = kReserved; id < ids.size(); ++id) {
    ids[id] = model.find(vocabulary.word(static_cast<WordId>(id)));
  }
  return ids;
}

std::vector<WordId> ids_of(const WordClasses& classes, const LmVocabulary& model) {
  std::vector<WordId> ids;
  ids.reserve(classes.of_words().size());
  for (const WordClass one : classes.of_words()) ids.push_back(model.find(class_name(one)));
  return ids;
}

}  // namespace

TranslationModel::TranslationModel(const Files& files, Verify verify)
    : table_(files.phrase_table, verify),
      source_(Vocabulary::open(files.source_vocabulary)),
      target_(Vocabulary::open(files.target_vocabulary)) {
  check_size(table_.path(), "source", table_.info().source_words, source_.size());
  check_size(table_.path(), "target", table_.info().target_words, target_.size());
  std::vector<std::string> names;
  std::optional<Vocabulary> bilingual;
  for (const SequenceFile& file : files.sequences) {
    SequenceModel sequence{file.name, NgramModel::open(file.path, verify), file.tokens, {}};
    if (file.tokens == Tokens::kBilingual) {
      if (table_.info().bilingual_words == 0) {
        throw InputError(table_.path() + ": holds no bilingual tokens, which " + file.name +
                         " needs");
      }
      if (!bilingual) {
        bilingual = Vocabulary::open(files.bilingual_vocabulary);
        check_size(table_.path(), "bilingual", table_.info().bilingual_words, bilingual->size());
      }
      sequence.ids = ids_of(*bilingual, sequence.model.vocabulary());
    } else if (file.tokens == Tokens::kClasses) {
      const WordClasses classes(files.word_classes, verify);
      check_size(files.word_classes, "target", static_cast<std::uint32_t>(target_.size()),
                 classes.of_words().size());
      sequence.ids = ids_of(classes, sequence.model.vocabulary());
      sequence.unknown = sequence.model.vocabulary().find(class_name(kRareWords));
    } else {
      sequence.ids = ids_of(target_, sequence.model.vocabulary());
    }
    names.push_back(file.name);
    sequences_.push_back(std::move(sequence));
  }
  for (const std::string& name : table_.reordering_names()) {
    reordering_kinds_.push_back(kind_of(name, table_.path()));
  }
  if (!files.context.empty()) {
    if (hierarchical()) {
      throw InputError(files.context + ": only models of phrases look at the context of words");
    }
    context_.emplace(files.context, verify);
    check_size(files.context, "source", static_cast<std::uint32_t>(source_.size()),
               context_->shape().source_words);
    check_size(files.context, "target", static_cast<std::uint32_t>(target_.size()),
               context_->shape().target_words);
  }
  features_ = FeatureSet(table_.feature_names(), names, table_.reordering_names(), hierarchical(),
                         files.sources, context_.has_value());
}

std::vector<std::uint32_t> TranslationModel::strangers(std::string_view line) const {
  std::vector<std::uint32_t> places;
  std::uint32_t place = 0;
  for_each_token(line, [&](std::string_view word) {
    const WordId id = source_.find(word);
    if (id == kUnknown || table_.find({&id, 1}).empty()) places.push_back(place);
    ++place;
  });
  return places;
}

}  // namespace dragoman
