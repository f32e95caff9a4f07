// Answers of a language model, remembered.
//
// A search asks the same questions again and again: hypotheses end in the same words, and phrases
// begin with the same ones. An answer that is remembered is one comparison, where a lookup goes
// from order to order by branches that no processor can guess. States are numbers of a model's
// own, so that answers hold from sentence to sentence.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>

#include "lm/ngram_model.h"

namespace dragoman {

// Of one model; one per thread.
class LookupMemory {
 public:
  explicit LookupMemory(const NgramModel& model);

  struct Answer {
    float log_prob;
    std::uint32_t length;  // of the state behind the word
    const LmState* state;  // that state; valid until the next lookup
  };
  // As NgramModel::score; `in` may be the state of the last answer.
  Answer score(const LmState& in, WordId word) {
    const std::uint32_t place = in.length == 0 ? 0 : in.places[in.length - 1];
    const auto id = static_cast<std::uint32_t>(word);
    const std::uint64_t question = std::uint64_t{place} << 32 | id;
    const std::size_t slot =
        (question + in.length * kOddLength) * kOdd >> (64 - std::countr_zero(kSlots));
    const Known& known = known_[slot];
    if (known.question != question || known.in_length != in.length) ask(in, word, question, slot);
    return {known.log_prob, known.out_length, &states_[slot]};
  }

 private:
  static constexpr std::size_t kSlots = 4096;
  static constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  static constexpr std::uint64_t kOddLength = 0xd6e8feb86659fd93;
  static constexpr std::uint16_t kNothing = 0xffff;

  struct Known {
    std::uint64_t question = 0;
    float log_prob = 0;
    std::uint16_t in_length = kNothing;
    std::uint16_t out_length = 0;
  };

  void ask(const LmState& in, WordId word, std::uint64_t question, std::size_t slot);

  const NgramModel* model_;
  std::unique_ptr<Known[]> known_;
  std::unique_ptr<LmState[]> states_;
};

}  // namespace dragoman
