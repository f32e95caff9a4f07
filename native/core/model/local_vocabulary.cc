#include "model/local_vocabulary.h"

namespace dragoman {

WordId LocalVocabulary::find(std::string_view word) const {
  const WordId known = model_.find(word);
  if (known != kUnknown) return known;
  const auto own = own_ids_.find(word);
  return own == own_ids_.end() ? kUnknown : own->second;
}

WordId LocalVocabulary::find_or_add(std::string_view word) {
  const WordId known = find(word);
  if (known != kUnknown) return known;
  const auto id = static_cast<WordId>(model_.size() + own_.size());
  own_ids_.emplace(own_.emplace_back(word), id);
  return id;
}

std::string_view LocalVocabulary::word(WordId id) const {
  const auto place = static_cast<std::size_t>(id);
  return place < model_.size() ? model_.word(id) : std::string_view(own_[place - model_.size()]);
}

}  // namespace dragoman
