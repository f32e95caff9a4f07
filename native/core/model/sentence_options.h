// One source sentence as a search sees it: its words, what may be done with each span of them,
// and what the user demands.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "context/context_lexicon.h"
#include "model/demands.h"
#include "model/local_vocabulary.h"
#include "model/phrase_options.h"
#include "rules/orientation.h"

namespace dragoman {

class SentenceOptions {
 public:
  // The builder must live longer; the judge, if there is one, only as long as this call. Throws
  // InputError for a line that is too long, and for demands that contradict each other.
  SentenceOptions(std::string_view line, const Demands& demands, OptionBuilder& builder,
                  bool drop_unknown, const RowJudge* judge = nullptr,
                  std::span<const OfferedTranslation> offers = {});

  std::size_t length() const { return words_.size(); }
  std::span<const std::string> words() const { return words_; }
  // Of a span's source words; 0 when there are no options.
  std::size_t max_length() const { return max_length_; }
  // Null when the span has no options.
  const OptionList* options(std::size_t begin, std::size_t end) const {
    const std::size_t length = end - begin;
    return length <= max_length_ ? lists_[begin * max_length_ + length - 1] : nullptr;
  }
  // Of those that are not in the table, the one with these words from there.
  const PhraseOption* extra_option(SourceSpan span, Sentence target,
                                   const Provenance& provenance) const;
  const Barriers& barriers() const { return barriers_; }
  // What a row of the table is worth at a place, to a lexicon that looks at the context: what its
  // links say, and what the words say that have none.
  struct ContextValues {
    double words = 0;
    double none = 0;
  };
  ContextValues in_context(std::size_t begin, std::size_t end, std::uint32_t row) const;

  // Of all target words in the options.
  const LocalVocabulary& target() const { return target_; }
  LocalVocabulary& target() { return target_; }

 private:
  const OptionList*& slot(std::size_t begin, std::size_t end) {
    return lists_[begin * max_length_ + (end - begin) - 1];
  }
  ExtraOption extra(std::span<const std::string> target);
  void collect_from_table(OptionBuilder& builder, std::span<const WordId> ids,
                          const RowJudge* judge);
  void add_offered(std::span<const OfferedTranslation> offers, bool drop);
  void copy_unknown(OptionBuilder& builder, bool drop);
  void add_given(std::span<const GivenTranslation> all, OptionBuilder& builder,
                 std::span<const WordId> ids);
  void forbid_crossing();
  void look_at_context(OptionBuilder& builder);

  const TranslationModel& model_;
  std::vector<std::string> words_;
  Barriers barriers_;
  std::size_t max_length_ = 1;
  std::vector<bool> in_table_;  // words that the table translates on their own
  std::map<std::uint32_t, std::vector<ExtraOption>> offered_;  // by place
  std::vector<const OptionList*> lists_;
  std::vector<std::unique_ptr<OptionList>> own_lists_;
  LocalVocabulary target_;
  std::optional<SentenceContext> context_;
};

}  // namespace dragoman
