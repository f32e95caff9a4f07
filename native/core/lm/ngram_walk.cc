#include "lm/ngram_walk.h"

#include <algorithm>
#include <stdexcept>

#include "text/error.h"

namespace dragoman {
namespace {

std::uint64_t sortable(std::uint32_t word, std::uint32_t entry) {
  return std::uint64_t{word & ~kLastOfList} << 32 | entry;
}

}  // namespace

NgramWalk::NgramWalk(const NgramModel& model, int order)
    : model_(model), order_(static_cast<std::size_t>(order)), words_(order_) {
  if (order < 1 || order > model.order()) throw std::out_of_range("no n-grams of this order");
  left_ = model.counts()[order_ - 1];
}

bool NgramWalk::advance(std::size_t words, const VisitNgram& visit) {
  const std::size_t size = model_.unigrams_.size();
  const std::size_t end = next_ + std::min(words, size - next_);
  for (; next_ < end; ++next_) {
    const ContextEntry& entry = model_.unigrams_[next_];
    words_[0] = static_cast<WordId>(next_);
    if (order_ == 1) {
      give(entry.log_prob, entry.backoff, visit);
    } else if (entry.continuations != kNoPlace) {
      descend(1, entry.continuations, visit);
    }
  }
  if (next_ < size) return true;
  if (left_ != 0) {
    throw InputError(model_.path() + ": fewer n-grams than announced; it is damaged");
  }
  return false;
}

// Contexts without continuations of the full length may be visited, n-grams not.
void NgramWalk::descend(std::size_t length, LmPlace place, const VisitNgram& visit) {
  auto& found = continuations_[length];
  found.clear();
  const bool longest = static_cast<int>(length) + 1 == model_.order();
  const auto& table = model_.contexts_[longest ? 0 : length - 1];
  if (longest) {
    model_.longest_.for_each(
        place, [&](std::uint32_t at) { found.push_back(sortable(model_.longest_[at].word, at)); });
  } else {
    table.for_each(place,
                   [&](std::uint32_t at) { found.push_back(sortable(table[at].word, at)); });
  }
  std::sort(found.begin(), found.end());
  for (const std::uint64_t continuation : found) {
    const auto word = static_cast<std::uint32_t>(continuation >> 32);
    const auto at = static_cast<std::uint32_t>(continuation);
    if (word >= model_.unigrams_.size()) {
      throw InputError(model_.path() +
                       ": an n-gram with a word outside the vocabulary; it is damaged");
    }
    words_[length] = static_cast<WordId>(word);
    if (longest) {
      give(model_.longest_[at].log_prob, 0, visit);
    } else if (length + 1 == order_) {
      give(table[at].log_prob, table[at].backoff, visit);
    } else if (table[at].continuations != kNoPlace) {
      descend(length + 1, table[at].continuations, visit);
    }
  }
}

void NgramWalk::give(float log_prob, float backoff, const VisitNgram& visit) {
  // A damaged file could make one list the continuation of many contexts.
  if (left_-- == 0) {
    throw InputError(model_.path() + ": more n-grams than announced; it is damaged");
  }
  visit(words_, plain_log_prob(log_prob), backoff);
}

}  // namespace dragoman
