#include "alignment/fertility.h"

#include <algorithm>

namespace dragoman {
namespace {

// Links of less probability (a third of what a count can resolve) are taken not to happen; nearly
// all are of this kind, and skipping them makes the cost linear in the likely ones.
constexpr float kImprobable = 1e-5F;

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
  for (std::size_t b = 0; b < n; ++b) {
    if (links[b * stride] > kImprobable) add_event(distribution, links[b * stride]);
  }
}

void expected_gains(const float* links, std::size_t n, std::size_t stride, const float* gains,
                    float* expected, GainScratch& scratch) {
  auto& [likely, after] = scratch;
  likely.clear();
  for (std::size_t b = 0; b < n; ++b) {
    if (links[b * stride] > kImprobable) likely.push_back(b);
  }
  // after[m]: how many of the likely links from the m-th on happen.
  after.resize(likely.size() + 1);
  after.back() = {1, 0, 0, 0};
  for (std::size_t m = likely.size(); m-- > 0;) {
    after[m] = after[m + 1];
    add_event(after[m].data(), links[likely[m] * stride]);
  }
  // Besides an improbable link, all others may happen.
  const auto& all = after.front();
  const float usual =
      all[0] * gains[0] + all[1] * gains[1] + all[2] * gains[2] + all[3] * gains[3];
  for (std::size_t b = 0; b < n; ++b) expected[b * stride] = usual;
  // Besides a likely one, those before it and those after it.
  float before[kFertilities] = {1, 0, 0, 0};
  for (std::size_t m = 0; m < likely.size(); ++m) {
    const auto& rest = after[m + 1];
    const float none = before[0] * rest[0];
    const float one = before[0] * rest[1] + before[1] * rest[0];
    const float two = before[0] * rest[2] + before[1] * rest[1] + before[2] * rest[0];
    const float more = std::max(0.0F, 1 - none - one - two);
    expected[likely[m] * stride] =
        none * gains[0] + one * gains[1] + two * gains[2] + more * gains[3];
    add_event(before, links[likely[m] * stride]);
  }
}

}  // namespace dragoman
