#include "alignment/hmm.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dragoman {
namespace {

constexpr std::size_t kLanes = 8;
// Paths of less posterior mass than this are not followed backwards. The bound holds for the
// sum of what is lost per position, and is far below what a count can resolve.
constexpr float kNegligible = 1e-7F;
// States of less mass than this (of 1 for all states) are not left. A following word would have
// to be likelier by this factor than under every other state to bring them back.
constexpr float kUnreachable = 1e-12F;
constexpr double kUniformShare = 0.001;

// Both functions work on whole vectors: `size` is a multiple of kLanes. They are written
// element by element (no sum is reordered), so every instruction set gives the same result.

// sum[k] += weight * values[k]
[[gnu::always_inline]] inline void add_scaled(float* __restrict sum,
                                              const float* __restrict values, float weight,
                                              std::size_t size) {
  for (std::size_t k = 0; k < size; ++k) sum[k] += weight * values[k];
}

// Sums are kept in lanes, so that they too can be computed by vectors in a fixed order.
inline float sum_of(const float (&lanes)[kLanes]) {
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
         ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

#if defined(__x86_64__)
// Without FMA, whose other rounding would make results depend on the machine.
[[gnu::target("avx2")]] void accumulate_avx2(float* sum, const float* rows, const float* weights,
                                             std::size_t count, std::size_t size) {
  for (std::size_t i = 0; i < count; ++i) {
    if (weights[i] != 0.0F) add_scaled(sum, rows - i, weights[i], size);
  }
}
[[gnu::target("avx2")]] void spread_avx2(float* sums, const float* row, const float* weights,
                                         std::size_t count, std::size_t size) {
  for (std::size_t i = 0; i < count; ++i) {
    if (weights[i] != 0.0F) add_scaled(sums - i, row, weights[i], size);
  }
}
const bool kHasAvx2 = __builtin_cpu_supports("avx2") != 0;
#endif

// sum[k] += Σ_i weights[i] * rows[k - i]: what arrives at k from all i.
void accumulate(float* sum, const float* rows, const float* weights, std::size_t count,
                std::size_t size) {
#if defined(__x86_64__)
  if (kHasAvx2) return accumulate_avx2(sum, rows, weights, count, size);
#endif
  for (std::size_t i = 0; i < count; ++i) {
    if (weights[i] != 0.0F) add_scaled(sum, rows - i, weights[i], size);
  }
}

// sums[k - i] += weights[i] * row[k]: products gathered by distance.
void spread(float* sums, const float* row, const float* weights, std::size_t count,
            std::size_t size) {
#if defined(__x86_64__)
  if (kHasAvx2) return spread_avx2(sums, row, weights, count, size);
#endif
  for (std::size_t i = 0; i < count; ++i) {
    if (weights[i] != 0.0F) add_scaled(sums - i, row, weights[i], size);
  }
}

}  // namespace

Jumps::Jumps() : weights_(kWeights) {
  for (int distance = -kReach; distance <= kReach; ++distance) {
    weights_[static_cast<std::size_t>(distance + kReach)] =
        static_cast<float>(std::exp(-0.3 * std::abs(distance - 1)) + 1e-3);
  }
}

Jumps::Jumps(std::span<const double> weights) : weights_(weights.begin(), weights.end()) {
  if (weights.size() != kWeights) throw std::invalid_argument("wrong number of jump weights");
}

Jumps Jumps::from_counts(std::span<const double> counts) {
  double total = 0;
  for (const double count : counts) total += count;
  if (!(total > 0)) return Jumps();
  std::vector<double> weights(counts.begin(), counts.end());
  for (double& weight : weights) {
    weight = (1 - kUniformShare) * weight / total + kUniformShare / kWeights;
  }
  return Jumps(weights);
}

float Jumps::weight(int distance) const {
  return weights_[static_cast<std::size_t>(std::clamp(distance, -kReach, kReach) + kReach)];
}

void DirectionMatrix::resize(std::size_t states, std::size_t times) {
  states_ = states;
  times_ = times;
  stride_ = (states + 1 + kLanes - 1) / kLanes * kLanes;
  emission_.assign(stride_ * times, 0.0F);
  posterior_.resize(stride_ * times);
  null_emission_.resize(times);
  null_posterior_.resize(times);
}

void DirectionMatrix::model1(float null_probability) {
  const float share = (1 - null_probability) / static_cast<float>(states_);
  for (std::size_t time = 0; time < times_; ++time) {
    const float* emission = emission_.data() + time * stride_;
    float* posterior = posterior_.data() + time * stride_;
    const float null_mass = null_probability * null_emission_[time];
    float total = 0;
    for (std::size_t k = 1; k <= states_; ++k) total += emission[k];
    total = total * share + null_mass;
    const float factor = total > 0 ? 1 / total : 0;
    for (std::size_t k = 0; k < stride_; ++k) posterior[k] = emission[k] * share * factor;
    null_posterior_[time] = null_mass * factor;
  }
}

void DirectionMatrix::hmm(const Jumps& jumps, float null_probability, double* jump_counts) {
  const std::size_t reach = stride_;  // distances that can occur, and those that padding reads
  jump_.resize(2 * reach + 1);
  reversed_jump_.resize(2 * reach + 1);
  for (std::size_t k = 0; k <= 2 * reach; ++k) {
    jump_[k] = jumps.weight(static_cast<int>(k) - static_cast<int>(reach));
    reversed_jump_[2 * reach - k] = jump_[k];
  }
  leave_.assign(stride_, 0.0F);
  {
    // Jumps from position k go to the indices 1 .. states: a sliding sum of weights.
    double sum = 0;
    for (std::size_t to = 1; to <= states_; ++to) sum += jump_[reach + to];
    for (std::size_t from = 0; from <= states_; ++from) {
      if (from > 0) sum += jump_[reach + 1 - from] - jump_[reach + states_ + 1 - from];
      leave_[from] = (1 - null_probability) / static_cast<float>(std::max(sum, 1e-20));
    }
  }
  reversed_count_.assign(2 * reach + 1, 0.0F);
  hmm_forward(null_probability);
  hmm_backward(null_probability, jump_counts != nullptr);
  if (jump_counts != nullptr) {
    for (std::size_t k = 0; k < 2 * reach; ++k) {
      const int distance = static_cast<int>(reach) - static_cast<int>(k);
      jump_counts[std::clamp(distance, -Jumps::kReach, Jumps::kReach) + Jumps::kReach] +=
          static_cast<double>(reversed_count_[k]) * reversed_jump_[k];
    }
  }
}

void DirectionMatrix::hmm_forward(float null_probability) {
  alpha_.assign(stride_ * times_, 0.0F);
  null_alpha_.assign(stride_ * times_, 0.0F);
  scale_.resize(times_);
  start_.assign(stride_, 0.0F);
  start_[0] = 1;
  nothing_.assign(stride_, 0.0F);
  ahead_.resize(stride_);
  for (std::size_t time = 0; time < times_; ++time) {
    float* alpha = alpha_.data() + time * stride_;
    float* null_alpha = null_alpha_.data() + time * stride_;
    const float* before = time == 0 ? start_.data() : alpha - stride_;
    const float* null_before = time == 0 ? nothing_.data() : null_alpha - stride_;
    const float* emission = emission_.data() + time * stride_;
    const float null_factor = null_probability * null_emission_[time];

    for (std::size_t k = 0; k < stride_; ++k) {
      const float mass = before[k] + null_before[k];
      null_alpha[k] = mass * null_factor;
      ahead_[k] = mass > kUnreachable ? mass * leave_[k] : 0.0F;
    }
    accumulate(alpha, jump_.data() + stride_, ahead_.data(), states_ + 1, stride_);
    float sums[kLanes] = {};
    for (std::size_t k = 0; k < stride_; k += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        alpha[k + lane] *= emission[k + lane];
        sums[lane] += alpha[k + lane] + null_alpha[k + lane];
      }
    }
    float total = sum_of(sums);
    if (!(total > 0)) {
      // Nothing is possible (all emissions underflowed): every state is as good as another.
      for (std::size_t k = 1; k <= states_; ++k) alpha[k] = 1;
      total = static_cast<float>(states_);
    }
    scale_[time] = 1 / total;
    for (std::size_t k = 0; k < stride_; ++k) {
      alpha[k] *= scale_[time];
      null_alpha[k] *= scale_[time];
    }
  }
}

void DirectionMatrix::hmm_backward(float null_probability, bool count_jumps) {
  // beta is the same for a position and for its null state: what follows depends only on
  // where the last word came from.
  next_beta_.assign(stride_, 0.0F);
  for (std::size_t k = 0; k <= states_; ++k) next_beta_[k] = jump_[stride_ + states_ + 1 - k];
  beta_.resize(stride_);
  for (std::size_t time = times_; time-- > 0;) {
    const float* alpha = alpha_.data() + time * stride_;
    const float* null_alpha = null_alpha_.data() + time * stride_;
    float* posterior = posterior_.data() + time * stride_;
    float sums[kLanes] = {};
    float null_sums[kLanes] = {};
    const float* const beta = next_beta_.data();
    for (std::size_t k = 0; k < stride_; k += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        posterior[k + lane] = alpha[k + lane] * beta[k + lane];
        sums[lane] += posterior[k + lane];
        null_sums[lane] += null_alpha[k + lane] * beta[k + lane];
      }
    }
    const float null_mass = sum_of(null_sums);
    const float total = sum_of(sums) + null_mass;
    const float factor = total > 0 ? 1 / total : 0;
    for (std::size_t k = 0; k < stride_; ++k) posterior[k] *= factor;
    null_posterior_[time] = null_mass * factor;
    if (count_jumps && time + 1 == times_) {
      for (std::size_t k = 0; k <= states_; ++k) {
        reversed_count_[stride_ + k - states_ - 1] = (alpha[k] + null_alpha[k]) * factor;
      }
    }

    // Now one step back: what each position sees ahead of it.
    const float* emission = emission_.data() + time * stride_;
    const float scale = scale_[time] * factor;
    for (std::size_t k = 0; k < stride_; ++k) {
      ahead_[k] = posterior[k] > kNegligible ? emission[k] * next_beta_[k] * scale : 0.0F;
    }
    const float* before = time == 0 ? start_.data() : alpha - stride_;
    const float* null_before = time == 0 ? nothing_.data() : null_alpha - stride_;
    if (count_jumps) {
      float* const leaving = beta_.data();
      for (std::size_t k = 0; k < stride_; ++k) {
        leaving[k] = (before[k] + null_before[k]) * leave_[k];
      }
      spread(reversed_count_.data() + stride_, leaving, ahead_.data(), states_ + 1, stride_);
    }
    if (time == 0) break;
    std::fill(beta_.begin(), beta_.end(), 0.0F);
    accumulate(beta_.data(), reversed_jump_.data() + stride_, ahead_.data(), states_ + 1, stride_);
    const float null_factor = null_probability * null_emission_[time] * scale;
    for (std::size_t k = 0; k < stride_; ++k) {
      next_beta_[k] = beta_[k] * leave_[k] + null_factor * next_beta_[k];
    }
  }
}

}  // namespace dragoman
