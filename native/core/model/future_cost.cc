#include "model/future_cost.h"

#include <algorithm>
#include <limits>

namespace dragoman {

FutureCost::FutureCost(const SentenceOptions& options, std::size_t reach)
    : length_(options.length()),
      reach_(std::clamp<std::size_t>(reach, 1,
                                     std::min(std::max<std::size_t>(1, length_), kMaxReach))),
      within_(length_ * reach_, -std::numeric_limits<double>::infinity()),
      to_end_(length_ + 1, -std::numeric_limits<double>::infinity()) {
  to_end_[length_] = 0;
  for (std::size_t begin = length_; begin-- > 0;) {
    double* here = within_.data() + begin * reach_;
    const std::size_t longest = std::min(options.max_length(), length_ - begin);
    for (std::size_t phrase = 1; phrase <= longest; ++phrase) {
      const OptionList* list = options.options(begin, begin + phrase);
      if (list == nullptr) continue;
      const double best = list->best();
      const std::size_t next = begin + phrase;
      to_end_[begin] = std::max(to_end_[begin], best + to_end_[next]);
      if (phrase > reach_) continue;
      here[phrase - 1] = std::max(here[phrase - 1], best);
      const double* behind = within_.data() + next * reach_;
      const std::size_t last = std::min(reach_, length_ - begin);
      for (std::size_t total = phrase + 1; total <= last; ++total) {
        here[total - 1] = std::max(here[total - 1], best + behind[total - phrase - 1]);
      }
    }
  }
}

}  // namespace dragoman
