// What a chart search is asked to translate, and which words may be spanned together.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/demands.h"
#include "model/local_vocabulary.h"
#include "model/translation_model.h"

namespace dragoman {

// A sentence, what the user demands of it, and the words its translation may have.
class ChartSentence {
 public:
  // Throws InputError for a line that is too long, and for demands that cannot be met.
  // The offers must live longer.
  ChartSentence(std::string_view line, const Demands& demands, const TranslationModel& model,
                std::span<const OfferedTranslation> offers = {});
  ChartSentence(const ChartSentence&) = delete;  // points into itself
  ChartSentence& operator=(const ChartSentence&) = delete;

  std::size_t length() const { return words_.size(); }
  std::span<const std::string> words() const { return words_; }
  std::span<const WordId> ids() const { return ids_; }
  std::span<const GivenTranslation> given() const { return demands_.given; }
  // Those that begin there.
  std::span<const GivenTranslation> given(std::size_t begin) const;
  std::span<const OfferedTranslation> offers() const { return offers_; }
  // Whether a constituent may span [begin, end): none lies across a wall or the edge of a zone, or
  // in a part of what has an exclusive translation.
  bool allows(std::size_t begin, std::size_t end) const;
  // Whether a rule that begins at `begin` may take in the words, or what a gap derives from,
  // [from, to): those of a zone stay together, and those with an exclusive translation have that.
  bool allows(std::size_t begin, std::size_t from, std::size_t to, bool as_words) const;
  // Whether a rule that begins with a gap over [begin, gap_end), or with none, may span
  // [begin, end): a zone at its begin must be in that gap.
  bool begins_well(std::size_t begin, std::size_t gap_end, std::size_t end) const;
  // Of all target words that rules put in.
  const LocalVocabulary& target() const { return target_; }
  LocalVocabulary& target() { return target_; }

 private:
  const GivenTranslation* exclusive(std::size_t at) const {
    return exclusive_at_.empty() ? nullptr : exclusive_at_[at];
  }

  Demands demands_;
  std::vector<std::string> words_;
  Barriers barriers_;
  std::vector<const GivenTranslation*> exclusive_at_;  // by word; empty when there are none
  std::vector<WordId> ids_;
  std::span<const OfferedTranslation> offers_;
  LocalVocabulary target_;
};

}  // namespace dragoman
