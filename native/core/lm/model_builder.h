// Puts a language model together and writes it to a file.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lm/column.h"
#include "lm/ngram_model.h"

namespace dragoman {

class ModelBuilder {
 public:
  ModelBuilder(int order, std::size_t words, Storage storage);

  // Announces how many n-grams of this order will be added: 2 <= order <= order(). The n-grams
  // of lower orders must be there already, because a key needs the node of the context.
  void begin_order(int order, std::size_t ngrams);
  // Adds an n-gram of the order begun and returns its node; `inserted` is false when it was
  // there before. Of the longest n-grams the back-off is dropped.
  LmNode add(NgramKey key, ContextValue value, bool& inserted);
  void prefetch(NgramKey key) const;

  // For changes after adding: of order 1 the node is the word id; not of the longest order.
  ContextValue& value(int order, LmNode node);
  // The node of the n-gram w1..wk, or kNoNode.
  LmNode find(std::span<const std::uint32_t> words) const;
  int order() const { return order_; }
  std::uint64_t count(int order) const { return counts_[static_cast<std::size_t>(order - 1)]; }

  void write(const std::string& path, const LmVocabulary& vocabulary) const;

 private:
  int order_;
  int begun_ = 1;
  Storage storage_;
  std::vector<std::uint64_t> counts_;
  Column<ContextValue> unigrams_;
  std::array<Column<ContextBucket>, kMaxLmOrder - 2> contexts_;
  Column<LongestBucket> longest_;
};

// What is stored for an n-gram; see ContextValue.
ContextValue stored_value(float log_prob, float backoff, bool extends_left, bool extends_right);

}  // namespace dragoman
