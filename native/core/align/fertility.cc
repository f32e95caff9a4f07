#include "align/fertility.h"

#include <algorithm>
#include <array>

namespace dragoman {
namespace {

// One more event of probability p; the last entry collects "3 or more".
inline void add_event(float* distribution, float p) {
  distribution[3] += distribution[2] * p;
  distribution[2] = distribution[2] * (1 - p) + distribution[1] * p;
  distribution[1] = distribution[1] * (1 - p) + distribution[0] * p;
  distribution[0] *= 1 - p;
}

}  // namespace

Fertilities::Fertilities(std::span<const double> counts) {
  const std::size_t words = counts.size() / kFertilities;
  std::array<double, kFertilities> overall{};
  double total = 0;
  for (std::size_t k = 0; k < words * kFertilities; ++k) {
    overall[k % kFertilities] += counts[k];
    total += counts[k];
  }
  if (!(total > 0)) return;
  // A hundredth for each fertility, so that none is impossible.
  for (double& share : overall) share = share / total + 0.01;

  gains_.resize((words + 1) * kFertilities);
  for (std::size_t word = 0; word <= words; ++word) {
    std::array<double, kFertilities> weight{};
    for (std::size_t k = 0; k < kFertilities; ++k) {
      weight[k] = kPrior * overall[k] + (word < words ? counts[word * kFertilities + k] : 0.0);
    }
    float* gain = gains_.data() + word * kFertilities;
    gain[0] = static_cast<float>(weight[1] / weight[0]);
    gain[1] = static_cast<float>(weight[2] / weight[1]);
    // "3 or more" is not all 3: half of it is, as in a geometric tail that halves.
    gain[2] = gain[3] = static_cast<float>(weight[3] / weight[2] / 2);
  }
}

Fertilities Fertilities::from_gains(std::vector<float> gains) {
  Fertilities fertilities;
  fertilities.gains_ = std::move(gains);
  return fertilities;
}

void link_count_distribution(const float* links, std::size_t n, std::size_t stride,
                             float (&distribution)[kFertilities]) {
  distribution[0] = 1;
  distribution[1] = distribution[2] = distribution[3] = 0;
  for (std::size_t b = 0; b < n; ++b) add_event(distribution, links[b * stride]);
}

void expected_gains(const float* links, std::size_t n, std::size_t stride, const float* gains,
                    float* expected, std::vector<float>& scratch) {
  // What happens besides b is what happens before it and what happens after it.
  scratch.resize((n + 1) * kFertilities);
  float* after = scratch.data() + n * kFertilities;
  after[0] = 1;
  after[1] = after[2] = after[3] = 0;
  for (std::size_t b = n; b-- > 0;) {
    float* const here = after - kFertilities;
    std::copy(after, after + kFertilities, here);
    add_event(here, links[b * stride]);
    after = here;
  }
  float before[kFertilities] = {1, 0, 0, 0};
  for (std::size_t b = 0; b < n; ++b) {
    after = scratch.data() + (b + 1) * kFertilities;
    const float none = before[0] * after[0];
    const float one = before[0] * after[1] + before[1] * after[0];
    const float two = before[0] * after[2] + before[1] * after[1] + before[2] * after[0];
    const float more = std::max(0.0F, 1 - none - one - two);
    expected[b * stride] = none * gains[0] + one * gains[1] + two * gains[2] + more * gains[3];
    add_event(before, links[b * stride]);
  }
}

}  // namespace dragoman
