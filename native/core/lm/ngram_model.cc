#include "lm/ngram_model.h"

#include <stdexcept>

#include "lm/model_layout.h"
#include "text/error.h"

namespace dragoman {
namespace {

// Checks what lookups rely on; looks at one entry, not at all.
template <class Entry>
Continuations<Entry> checked(std::span<const Entry> entries, const std::string& path) {
  if (entries.size() > kNoPlace || (!entries.empty() && !(entries.back().word & kLastOfList))) {
    throw InputError(path + ": a table of n-grams is damaged");
  }
  return Continuations<Entry>(entries);
}

}  // namespace

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
  model.unigrams_ = file->section<ContextEntry>(kLmUnigrams);
  if (model.unigrams_.size() != model.vocabulary_.size()) {
    throw InputError(path + ": the tables do not fit the vocabulary; the file is damaged");
  }
  model.longest_ = checked(file->section<LongestEntry>(kLmLongest), path);
  for (std::uint32_t i = 0; i < model.contexts_.size(); ++i) {
    model.contexts_[i] = checked(file->section<ContextEntry>(kLmContexts + i), path);
  }
  model.file_ = std::move(file);
  return model;
}

LmState NgramModel::begin_state() const {
  const ContextEntry& begin = unigrams_[kBeginSentence];
  LmState state;
  state.places[0] = begin.continuations;
  state.backoffs[0] = begin.backoff;
  state.length = begin.continuations != kNoPlace ? 1 : 0;
  return state;
}

void NgramModel::for_each_ngram(int order, const Visit& visit) const {
  if (order < 1 || order > order_) throw std::out_of_range("no n-grams of this order");
  std::vector<WordId> words(static_cast<std::size_t>(order));
  std::uint64_t left = counts_[static_cast<std::size_t>(order - 1)];
  const auto give = [&](float log_prob, float backoff) {
    // A damaged file could make one list the continuation of many contexts.
    if (left-- == 0) throw InputError(path() + ": more n-grams than announced; it is damaged");
    visit(words, plain_log_prob(log_prob), backoff);
  };
  const auto set_word = [&](int position, std::uint32_t word) {
    word &= ~kLastOfList;
    if (word >= unigrams_.size()) {
      throw InputError(path() + ": an n-gram with a word outside the vocabulary; it is damaged");
    }
    words[static_cast<std::size_t>(position)] = static_cast<WordId>(word);
  };
  // Contexts without continuations of the full length may be visited, n-grams not.
  const std::function<void(int, LmPlace)> descend = [&](int length, LmPlace place) {
    if (length + 1 == order_) {
      longest_.for_each(place, [&](std::uint32_t at) {
        set_word(length, longest_[at].word);
        give(longest_[at].log_prob, 0);
      });
      return;
    }
    const auto& table = contexts_[static_cast<std::size_t>(length - 1)];
    table.for_each(place, [&](std::uint32_t at) {
      const ContextEntry& entry = table[at];
      set_word(length, entry.word);
      if (length + 1 == order) {
        give(entry.log_prob, entry.backoff);
      } else if (entry.continuations != kNoPlace) {
        descend(length + 1, entry.continuations);
      }
    });
  };
  for (std::size_t word = 0; word < unigrams_.size(); ++word) {
    const ContextEntry& entry = unigrams_[word];
    words[0] = static_cast<WordId>(word);
    if (order == 1) {
      give(entry.log_prob, entry.backoff);
    } else if (entry.continuations != kNoPlace) {
      descend(1, entry.continuations);
    }
  }
  if (left != 0) throw InputError(path() + ": fewer n-grams than announced; it is damaged");
}

}  // namespace dragoman
