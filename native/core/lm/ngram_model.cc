#include "lm/ngram_model.h"

#include "lm/model_layout.h"
#include "lm/ngram_walk.h"
#include "text/error.h"

namespace dragoman {
namespace {

constexpr float kLargestNumber = 1e30F;

// Checks what lookups rely on; looks at one entry, not at all.
template <class Entry>
Continuations<Entry> checked(std::span<const Entry> entries, const std::string& path) {
  if (entries.size() > kNoPlace || (!entries.empty() && !(entries.back().word & kLastOfList))) {
    throw InputError(path + ": a table of n-grams is damaged");
  }
  return Continuations<Entry>(entries);
}

// No search can order what is not a number, and no sum of these becomes one. Minus infinity, the
// logarithm of nothing, is in order. Without a branch, so that many are looked at together.
bool are_backoffs(std::span<const ContextEntry> entries) {
  bool good = true;
  for (const ContextEntry& entry : entries) good &= entry.backoff <= kLargestNumber;
  return good;
}
template <class Entry>
bool are_log_probs(std::span<const Entry> entries) {
  bool good = true;
  for (const Entry& entry : entries) good &= entry.log_prob == entry.log_prob;
  return good;
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
  bool numbers = are_log_probs(model.unigrams_) && are_backoffs(model.unigrams_) &&
                 are_log_probs(file->section<LongestEntry>(kLmLongest));
  for (std::uint32_t i = 0; i < model.contexts_.size(); ++i) {
    const auto entries = file->section<ContextEntry>(kLmContexts + i);
    if (static_cast<int>(i) + 2 >= model.order_ && !entries.empty()) {
      throw InputError(path + ": n-grams beyond the order of the model; the file is damaged");
    }
    model.contexts_[i] = checked(entries, path);
    numbers = numbers && are_log_probs(entries) && are_backoffs(entries);
  }
  if (!numbers) throw InputError(path + ": a score is not a number; the file is damaged");
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

void NgramModel::for_each_ngram(int order, const VisitNgram& visit) const {
  NgramWalk(*this, order).advance(unigrams_.size(), visit);
}

}  // namespace dragoman
