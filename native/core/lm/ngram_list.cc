#include "lm/ngram_list.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lm/model_builder.h"
#include "text/checksum.h"
#include "text/error.h"

namespace dragoman {
namespace {

// A value still to come: of words named but not given, of n-grams to be derived by backing off.
constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
// What KenLM gives unknown words when a model says nothing of them.
constexpr float kNoUnknownLogProb = static_cast<float>(-100 * std::numbers::ln10);

}  // namespace

NgramList::Order::Order(const Storage& storage)
    : words(storage),
      log_probs(storage),
      backoffs(storage),
      slots(storage),
      contexts(storage),
      suffixes(storage) {}

NgramList::NgramList(int order, const Storage& storage) : storage_(storage) {
  if (order < 1 || order > kMaxLmOrder) throw std::invalid_argument("order out of range");
  for (int one = 1; one <= order; ++one) orders_.emplace_back(storage);
}

bool NgramList::has_word(WordId word) const {
  const auto& log_probs = orders_[0].log_probs;
  const auto number = static_cast<std::size_t>(word);
  return number < log_probs.size() && !std::isnan(log_probs[number]);
}

bool NgramList::add_word(std::string_view word, float log_prob, float backoff) {
  const WordId id = vocabulary_.add(word);
  if (has_word(id)) return false;
  Order& here = orders_[0];
  here.log_probs.resize(vocabulary_.size(), kMissing);
  here.backoffs.resize(vocabulary_.size(), 0);
  here.log_probs[static_cast<std::size_t>(id)] = log_prob;
  here.backoffs[static_cast<std::size_t>(id)] = backoff;
  return true;
}

std::size_t NgramList::slot_of(const Order& here, std::span<const std::uint32_t> words) const {
  const auto bytes = std::as_bytes(words);
  const std::uint64_t hash =
      hash_bytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const std::size_t mask = here.slots.size() - 1;
  std::size_t slot = hash & mask;
  while (here.slots[slot] != 0 &&
         !std::equal(words.begin(), words.end(),
                     here.words.data() + (here.slots[slot] - 1) * words.size())) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

void NgramList::grow_slots(Order& here, int order) {
  const std::size_t slots = std::max<std::size_t>(1024, 2 * here.slots.size());
  here.slots = Column<std::uint32_t>(storage_);
  here.slots.resize(slots, 0);
  for (std::size_t number = 0; number < here.log_probs.size(); ++number) {
    here.slots[slot_of(here, words(order, number))] = static_cast<std::uint32_t>(number + 1);
  }
}

bool NgramList::add(std::span<const std::uint32_t> words, float log_prob, float backoff) {
  Order& here = at(static_cast<int>(words.size()));
  const std::size_t size = here.log_probs.size();
  if (2 * (size + 1) > here.slots.size()) grow_slots(here, static_cast<int>(words.size()));
  const std::size_t slot = slot_of(here, words);
  if (here.slots[slot] != 0) return false;
  if (size + 1 >= kNoEntry) throw InputError("more than 4,294,967,294 n-grams of one order");
  here.slots[slot] = static_cast<std::uint32_t>(size + 1);
  for (const std::uint32_t word : words) here.words.push_back(word);
  here.log_probs.push_back(log_prob);
  here.backoffs.push_back(backoff);
  return true;
}

std::uint32_t NgramList::find(std::span<const std::uint32_t> words) const {
  if (words.size() == 1) return words[0];
  const Order& here = at(static_cast<int>(words.size()));
  if (here.slots.size() == 0) return kNoEntry;
  return here.slots[slot_of(here, words)] - 1;  // empty: 0 - 1 is kNoEntry
}

void NgramList::complete_words() {
  Order& words = orders_[0];
  words.log_probs.resize(vocabulary_.size(), kMissing);
  words.backoffs.resize(vocabulary_.size(), 0);
  if (!has_word(kUnknown)) words.log_probs[kUnknown] = kNoUnknownLogProb;
  for (const WordId mark : {kBeginSentence, kEndSentence}) {
    const auto number = static_cast<std::size_t>(mark);
    if (!has_word(mark)) words.log_probs[number] = words.log_probs[kUnknown];
  }
}

// Notes contexts and suffixes of an order's n-grams and adds those that are missing, without a
// probability yet, to the order below.
void NgramList::complete(int order) {
  Order& here = at(order);
  std::vector<std::uint32_t> key;
  const auto number_of = [&](std::span<const std::uint32_t> words) {
    std::uint32_t number = find(words);
    if (number == kNoEntry) {
      number = static_cast<std::uint32_t>(size(order - 1));
      add(words, kMissing, 0);
    }
    return number;
  };
  for (std::size_t number = 0; number < size(order); ++number) {
    const auto all = words(order, number);
    here.contexts.push_back(number_of(all.first(all.size() - 1)));
    here.suffixes.push_back(number_of(all.subspan(1)));
  }
}

void NgramList::write(const std::string& path, int threads) {
  complete_words();
  for (int order = this->order(); order > 1; --order) complete(order);
  ModelBuilder builder(order(), storage_, threads);
  for (int order = 1; order <= this->order(); ++order) {
    Order& here = at(order);
    Column<std::uint8_t> extended(storage_);
    extended.resize(size(order), 0);
    if (order < this->order()) {
      const std::span<const std::uint32_t> suffixes = at(order + 1).suffixes;
      for (const std::uint32_t suffix : suffixes) extended[suffix] = 1;
    }
    const auto ngram = [&](std::size_t number) {
      NewNgram ngram;
      ngram.word = order == 1 ? static_cast<std::uint32_t>(number) : words(order, number).back();
      ngram.log_prob = here.log_probs[number];
      ngram.backoff = order < this->order() ? here.backoffs[number] : 0;
      ngram.extends_left = extended[number] != 0;
      return ngram;
    };
    if (order == 1) {
      builder.add_words(size(1), ngram);
      continue;
    }
    for (std::size_t number = 0; number < size(order); ++number) {
      if (!std::isnan(here.log_probs[number])) continue;
      here.log_probs[number] = at(order - 1).backoffs[here.contexts[number]] +
                               at(order - 1).log_probs[here.suffixes[number]];
      // Back-offs above 1 exist; a probability is never.
      here.log_probs[number] = std::min(0.0f, here.log_probs[number]);
    }
    builder.add_order(here.contexts, ngram);
  }
  builder.write(path, vocabulary());
}

}  // namespace dragoman
