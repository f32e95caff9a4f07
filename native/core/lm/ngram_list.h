// The n-grams of a model as plain lists: what ARPA files are read into and mixtures are made in.
// They may be larger than memory (column.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lm/column.h"
#include "lm/lm_vocabulary.h"
#include "lm/ngram_model.h"

namespace dragoman {

class NgramList {
 public:
  explicit NgramList(int order, const Storage& storage = {});

  // About what the n-grams of an order take, in bytes for each, until a model is made of them.
  static constexpr std::uint64_t bytes_per_ngram(int order) {
    return static_cast<std::uint64_t>(order) * 4 + 32;
  }

  int order() const { return static_cast<int>(orders_.size()); }
  std::size_t size(int order) const { return at(order).log_probs.size(); }
  std::span<const std::uint32_t> words(int order, std::size_t number) const {
    const auto length = static_cast<std::size_t>(order);
    return {at(order).words.data() + number * length, length};
  }
  float log_prob(int order, std::size_t number) const { return at(order).log_probs[number]; }
  float& log_prob(int order, std::size_t number) { return at(order).log_probs[number]; }
  float& backoff(int order, std::size_t number) { return at(order).backoffs[number]; }

  // Adds a word; false when it is there already. Words of longer n-grams must be added before.
  bool add_word(std::string_view word, float log_prob, float backoff);
  // Adds an n-gram of two words or more; false when it is there already.
  bool add(std::span<const std::uint32_t> words, float log_prob, float backoff);
  // The number of an n-gram among those of its order, or kNoEntry.
  std::uint32_t find(std::span<const std::uint32_t> words) const;
  LmVocabulary vocabulary() const { return vocabulary_.view(); }
  bool has_word(WordId word) const;

  // Makes a model of the list and writes it. What a lookup passes through is added where it is
  // missing: of "a b c" the n-grams "a b" and "b c", with the probability that backing off gives
  // them, so that no score changes (pruned models of other toolkits need it); and <unk>, <s>,
  // </s>. The list is spent afterwards.
  void write(const std::string& path, int threads);

 private:
  struct Order {
    explicit Order(const Storage& storage);

    Column<std::uint32_t> words;  // one n-gram behind the other
    Column<float> log_probs;
    Column<float> backoffs;
    Column<std::uint32_t> slots;               // open addressing; number + 1, 0 is empty
    Column<std::uint32_t> contexts, suffixes;  // numbers of all words but the last, the first
  };
  Order& at(int order) { return orders_[static_cast<std::size_t>(order - 1)]; }
  const Order& at(int order) const { return orders_[static_cast<std::size_t>(order - 1)]; }
  std::size_t slot_of(const Order& here, std::span<const std::uint32_t> words) const;
  void grow_slots(Order& here, int order);
  void complete_words();
  void complete(int order);

  Storage storage_;
  LmVocabularyBuilder vocabulary_;
  std::vector<Order> orders_;
};

}  // namespace dragoman
