// All n-grams of one order of a model, sorted by the ids of their words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lm/ngram_model.h"

namespace dragoman {

class NgramWalk {
 public:
  // The model must outlive the walk. Throws std::out_of_range when it has no such order.
  NgramWalk(const NgramModel& model, int order);

  // Visits the n-grams that begin with the next `words` words of the vocabulary; false when that
  // was all. Throws InputError when the file is damaged.
  bool advance(std::size_t words, const VisitNgram& visit);

 private:
  void descend(std::size_t length, LmPlace place, const VisitNgram& visit);
  void give(float log_prob, float backoff, const VisitNgram& visit);

  const NgramModel& model_;
  std::size_t order_;
  std::size_t next_ = 0;  // the first word of the n-grams to come
  std::uint64_t left_;    // how many must come, if the file is sound
  std::vector<WordId> words_;
  // The continuations of the context on each level: word and entry, to be sorted.
  std::array<std::vector<std::uint64_t>, kMaxLmOrder> continuations_;
};

}  // namespace dragoman
