// Several language models as one: p(w|h) = sum of weight * p_i(w|h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lm/ngram_list.h"
#include "lm/ngram_model.h"

namespace dragoman {

// Models seldom know the same words. Here each is taken over the union of the vocabularies: a
// word it does not know gets an equal share of its <unk>, so that the mixture still sums to one
// and models with small vocabularies are not rewarded for it.
class Mixture {
 public:
  // The models must outlive the mixture; at least one.
  explicit Mixture(std::vector<const NgramModel*> models);

  std::size_t size() const { return models_.size(); }
  std::size_t words() const { return vocabulary_.size(); }
  // Of a model: over how many words its <unk> is shared, itself included.
  std::size_t unknown_words(std::size_t model) const { return unknown_words_[model]; }

  // log p_i(w|h) over the union, for every word of the sentences and their ends, as WordScores
  // orders them: model after model.
  std::vector<double> word_log_probs(const std::vector<std::string_view>& lines,
                                     int threads) const;

  // Writes one back-off model that has the n-grams of all, each with its mixed probability, and
  // back-offs that make every context sum to one (as SRILM's -mix-lm). Where no model has the
  // n-gram, backing off only approximates the mixture. When lists of all n-grams would take more
  // than `memory` bytes, they go to unnamed files in `spool`.
  void write(std::span<const double> weights, const std::string& path, int threads,
             std::uint64_t memory, const std::string& spool) const;

 private:
  double log_prob(std::size_t model, std::span<const std::uint32_t> words) const;
  void set_backoffs(NgramList& list, int order, const Storage& storage) const;
  std::uint64_t list_bytes() const;

  std::vector<const NgramModel*> models_;
  LmVocabularyBuilder vocabulary_;
  std::vector<std::size_t> unknown_words_;
  std::vector<std::vector<WordId>> ids_;  // of a model, by the union's id
};

}  // namespace dragoman
