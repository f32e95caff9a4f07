#include "lm/lookup_memory.h"

namespace dragoman {

LookupMemory::LookupMemory(const NgramModel& model)
    : model_(&model),
      known_(std::make_unique<Known[]>(kSlots)),
      states_(std::make_unique<LmState[]>(kSlots)) {}

void LookupMemory::ask(const LmState& in, WordId word, std::uint64_t question, std::size_t slot) {
  LmState out;  // `in` may be the state in this place
  const auto in_length = static_cast<std::uint16_t>(in.length);
  const float log_prob = model_->score(in, word, out).log_prob;
  known_[slot] = {question, log_prob, in_length, static_cast<std::uint16_t>(out.length)};
  states_[slot] = out;
}

}  // namespace dragoman
