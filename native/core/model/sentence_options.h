// One source sentence as a search sees it: its words, what may be done with each span of them,
// and what the user demands.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/local_vocabulary.h"
#include "model/phrase_options.h"
#include "rules/orientation.h"

namespace dragoman {

// A translation that the user gave for source words [begin, end).
struct GivenTranslation {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::vector<std::string> words;
  double log_prob = 0;
  // Whether the span must be translated so; else it competes with what the table has.
  bool exclusive = true;
};

// Words that must be translated together: once begun, nothing else comes before they are done.
struct Zone {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct SentenceInput {
  std::string_view line;  // tokens separated by white space
  std::vector<GivenTranslation> given;
  std::vector<Zone> zones;
  std::vector<std::uint32_t> walls;  // nothing from the wall on before all that is before it
  const RowJudge* judge = nullptr;   // must live as long as the call; null: no opinion
};

// Throws InputError when demands point outside the sentence or contradict each other.
void check(const SentenceInput& input, std::size_t words);

class SentenceOptions {
 public:
  static constexpr std::size_t kMaxWords = 65'535;

  // The builder must live longer. Throws InputError for a line that is too long.
  SentenceOptions(const SentenceInput& input, OptionBuilder& builder, bool drop_unknown);

  std::size_t length() const { return words_.size(); }
  std::span<const std::string> words() const { return words_; }
  // Of a span's source words; 0 when there are no options.
  std::size_t max_length() const { return max_length_; }
  // Null when the span has no options.
  const OptionList* options(std::size_t begin, std::size_t end) const {
    const std::size_t length = end - begin;
    return length <= max_length_ ? lists_[begin * max_length_ + length - 1] : nullptr;
  }
  std::span<const Zone> zones() const { return zones_; }
  std::span<const std::uint32_t> walls() const { return walls_; }

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
  void copy_unknown(OptionBuilder& builder, bool drop);
  void add_given(const SentenceInput& input, OptionBuilder& builder, std::span<const WordId> ids);
  void forbid_crossing();

  const TranslationModel& model_;
  std::vector<std::string> words_;
  std::vector<Zone> zones_;
  std::vector<std::uint32_t> walls_;
  std::size_t max_length_ = 1;
  std::vector<bool> in_table_;  // words that the table translates on their own
  std::vector<const OptionList*> lists_;
  std::vector<std::unique_ptr<OptionList>> own_lists_;
  LocalVocabulary target_;
};

}  // namespace dragoman
