// What translating a run of source words will cost at best, by the options' estimates alone:
// no distortion, no language model across phrases (paper 000, section 3).
#pragma once

#include <cstddef>
#include <vector>

#include "model/sentence_options.h"

namespace dragoman {

class FutureCost {
 public:
  // Runs that do not reach the end of the sentence are known up to `reach` words; those of
  // longer ones are put together. A distortion limit keeps such runs short, so that memory
  // grows with the length of the sentence and not with its square.
  FutureCost(const SentenceOptions& options, std::size_t reach);

  double run(std::size_t begin, std::size_t end) const {
    if (end == length_) return to_end_[begin];
    double total = 0;
    for (; end - begin > reach_; begin += reach_) {
      total += within_[begin * reach_ + reach_ - 1];
    }
    return total + within_[begin * reach_ + (end - begin) - 1];
  }

 private:
  static constexpr std::size_t kMaxReach = 1024;

  std::size_t length_;
  std::size_t reach_;
  std::vector<double> within_;  // [begin][length - 1]
  std::vector<double> to_end_;
};

}  // namespace dragoman
