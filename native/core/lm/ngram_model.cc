#include "lm/ngram_model.h"

#include <stdexcept>

#include "lm/model_layout.h"
#include "text/error.h"

namespace dragoman {

NgramModel NgramModel::open(const std::string& path, Verify verify) {
  auto file = std::make_shared<BinaryFile>(path, kLmKind, kLmVersion, kLmSections, verify);
  NgramModel model;
  model.counts_ = file->section<std::uint64_t>(kLmCounts);
  if (model.counts_.empty() || model.counts_.size() > kMaxLmOrder) {
    throw InputError(path + ": a language model of order " + std::to_string(model.counts_.size()) +
                     "; the file is damaged");
  }
  model.order_ = static_cast<int>(model.counts_.size());
  const auto characters = file->section<char>(kLmWordCharacters);
  model.vocabulary_ = LmVocabulary(file->section<std::uint64_t>(kLmWordStarts),
                                   {characters.data(), characters.size()},
                                   file->section<std::uint64_t>(kLmWordSlots), path);
  model.unigrams_ = file->section<ContextValue>(kLmUnigrams);
  model.longest_ = LongestTable(file->section<LongestBucket>(kLmLongest));
  for (std::uint32_t i = 0; i < model.contexts_.size(); ++i) {
    model.contexts_[i] = ContextTable(file->section<ContextBucket>(kLmContexts + i));
    if (model.contexts_[i].nodes() > kNoNode) {
      throw InputError(path + ": an n-gram table is too large; the file is damaged");
    }
  }
  if (model.unigrams_.size() != model.vocabulary_.size() || model.longest_.nodes() > kNoNode) {
    throw InputError(path + ": the tables do not fit the vocabulary; the file is damaged");
  }
  model.file_ = std::move(file);
  return model;
}

LmState NgramModel::begin_state() const {
  LmState state;
  state.nodes[0] = kBeginSentence;
  state.backoffs[0] = unigrams_[kBeginSentence].backoff;
  state.length = order_ > 1 && extends_right(state.backoffs[0]) ? 1 : 0;
  return state;
}

std::size_t NgramModel::nodes(int order) const {
  if (order < 1 || order > order_) throw std::out_of_range("no n-grams of this order");
  if (order == 1) return unigrams_.size();
  if (order == order_) return longest_.nodes();
  return contexts_[static_cast<std::size_t>(order - 2)].nodes();
}

ContextValue NgramModel::context_value(int order, LmNode node) const {
  if (order == 1) return unigrams_[node];
  return contexts_[static_cast<std::size_t>(order - 2)].value(node);
}

std::vector<WordId> NgramModel::words(int order, LmNode node) const {
  std::vector<WordId> words(static_cast<std::size_t>(order));
  for (int k = order; k > 1; --k) {
    if (node >= nodes(k)) return {};
    const NgramKey key = k == order_ ? longest_.key(node)
                                     : contexts_[static_cast<std::size_t>(k - 2)].key(node);
    if (key.word >= unigrams_.size()) return {};
    words[static_cast<std::size_t>(k - 1)] = static_cast<WordId>(key.word);
    node = key.context;
  }
  if (node >= unigrams_.size()) return {};
  words[0] = static_cast<WordId>(node);
  return words;
}

}  // namespace dragoman
