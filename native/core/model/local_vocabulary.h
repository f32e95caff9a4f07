// The target words of one line: those of the model, and those that the line alone brings in
// (copied from its source, given by the user, asked for by a reference).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/checksum.h"
#include "text/vocabulary.h"

namespace dragoman {

// Words that the model does not know have ids from the size of its vocabulary on.
class LocalVocabulary {
 public:
  explicit LocalVocabulary(const Vocabulary& model) : model_(model) {}

  WordId find(std::string_view word) const;  // kUnknown when nowhere
  WordId find_or_add(std::string_view word);
  // Valid until the next word is added.
  std::string_view word(WordId id) const;
  // Separated by spaces.
  std::string spell(Sentence words) const {
    return spell(words, [](WordId) { return std::string_view(); });
  }
  // The same of words among which there are gaps, below zero; `gap` says how they are written.
  template <class Gap>
  std::string spell(Sentence symbols, Gap&& gap) const {
    std::string text;
    for (const WordId id : symbols) {
      if (!text.empty()) text += ' ';
      if (id < 0) {
        text += gap(id);
      } else {
        text += word(id);
      }
    }
    return text;
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const { return hash_bytes(word); }
  };
  Vocabulary model_;
  std::vector<std::string> own_;
  // A line may be made of strangers.
  std::unordered_map<std::string, WordId, Hash, std::equal_to<>> own_ids_;
};

}  // namespace dragoman
