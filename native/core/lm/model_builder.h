// Puts a language model together and writes it to a file.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "lm/column.h"
#include "lm/ngram_model.h"

namespace dragoman {

// The logarithm of zero, as in ARPA files: models have no infinite ones, which would make all that
// is added to them alike.
inline constexpr float kImpossible = static_cast<float>(-99 * std::numbers::ln10);

// An n-gram on its way into a model.
struct NewNgram {
  std::uint32_t word = 0;  // the last
  float log_prob = 0;
  float backoff = 0;
  bool extends_left = false;  // whether a longer n-gram ends with this one
};

// Orders come one by one, shortest first.
class ModelBuilder {
 public:
  ModelBuilder(int order, Storage storage, int threads);

  // What the n-gram of this number is; called from several threads.
  using Source = std::function<NewNgram(std::size_t number)>;
  // Single words, numbered by their ids.
  void add_words(std::size_t words, const Source& ngram);
  // The n-grams of the next order, number i with the context contexts[i], which is the number
  // that context had in the order before; kNoEntry leaves the n-gram out.
  void add_order(std::span<const std::uint32_t> contexts, const Source& ngram);

  void write(const std::string& path, const LmVocabulary& vocabulary) const;

 private:
  ContextEntry& context(std::size_t number);
  template <class Entry>
  void lay_out(std::span<const std::uint32_t> contexts, const Source& ngram, Column<Entry>& table);

  int order_;
  int added_ = 0;
  Storage storage_;
  int threads_;
  std::vector<std::uint64_t> counts_;
  Column<ContextEntry> unigrams_;
  std::array<Column<ContextEntry>, kMaxLmOrder - 2> contexts_;
  Column<LongestEntry> longest_;
  Column<std::uint32_t> places_;  // where the n-grams of the last order went, by number
};

}  // namespace dragoman
