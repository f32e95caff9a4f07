#include "model/local_vocabulary.h"

#include <algorithm>

namespace dragoman {

WordId LocalVocabulary::find(std::string_view word) const {
  const WordId known = model_.find(word);
  if (known != kUnknown) return known;
  const auto place = std::find(own_.begin(), own_.end(), word);
  if (place == own_.end()) return kUnknown;
  return static_cast<WordId>(model_.size() + static_cast<std::size_t>(place - own_.begin()));
}

WordId LocalVocabulary::find_or_add(std::string_view word) {
  const WordId known = find(word);
  if (known != kUnknown) return known;
  own_.emplace_back(word);
  return static_cast<WordId>(model_.size() + own_.size() - 1);
}

std::string_view LocalVocabulary::word(WordId id) const {
  const auto place = static_cast<std::size_t>(id);
  return place < model_.size() ? model_.word(id) : std::string_view(own_[place - model_.size()]);
}

}  // namespace dragoman
