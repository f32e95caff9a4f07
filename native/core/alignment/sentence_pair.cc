#include "alignment/sentence_pair.h"

#include <algorithm>
#include <cmath>

namespace dragoman {

void PairPosteriors::resize(std::size_t source_words, std::size_t target_words) {
  source_words_ = source_words;
  target_words_ = target_words;
  with_fertilities_ = false;
  restricted_ = false;
  agreed.resize(source_words * target_words);
  weights.resize(source_words * target_words);
  source_factor.resize(source_words);
  target_factor.resize(target_words);
  source_null.resize(source_words);
  target_null.resize(target_words);
}

void PairPosteriors::restrict_to(std::span<const Link> sure, std::span<const Link> possible) {
  restricted_ = true;
  sure_ = sure;
  // Of all cells, keep those of the links; of all null words, those of words without a sure link.
  kept_.assign(weights.size(), 0.0F);
  for (const auto links : {sure, possible}) {
    for (const Link link : links) {
      const std::size_t cell = link.source * target_words_ + link.target;
      kept_[cell] = weights[cell];
    }
  }
  weights.swap(kept_);
  for (const Link link : sure) source_null[link.source] = target_null[link.target] = 0;
}

void PairPosteriors::compute(Stage stage, const AlignmentParameters& parameters,
                             double* forward_jump_counts, double* backward_jump_counts) {
  forward_.resize(source_words_, target_words_);
  backward_.resize(target_words_, source_words_);
  for (std::size_t j = 0; j < target_words_; ++j) {
    float* emission = forward_.emission(j);
    for (std::size_t i = 0; i < source_words_; ++i) {
      emission[i] = weights[i * target_words_ + j] * source_factor[i];
    }
    if (with_fertilities_) {
      for (std::size_t i = 0; i < source_words_; ++i) {
        emission[i] *= forward_gains_[i * target_words_ + j];
      }
    }
    forward_.null_emission(j) = target_null[j];
  }
  for (std::size_t i = 0; i < source_words_; ++i) {
    float* emission = backward_.emission(i);
    const float* row = weights.data() + i * target_words_;
    for (std::size_t j = 0; j < target_words_; ++j) emission[j] = row[j] * target_factor[j];
    if (with_fertilities_) {
      const float* gains = backward_gains_.data() + i * target_words_;
      for (std::size_t j = 0; j < target_words_; ++j) emission[j] *= gains[j];
    }
    backward_.null_emission(i) = source_null[i];
  }
  const auto null_probability = static_cast<float>(parameters.null_probability);
  if (stage == Stage::kModel1) {
    forward_.model1(null_probability);
    backward_.model1(null_probability);
  } else {
    forward_.hmm(parameters.forward_jumps, null_probability, forward_jump_counts);
    backward_.hmm(parameters.backward_jumps, null_probability, backward_jump_counts);
  }
  agree(stage);
}

void PairPosteriors::agree(Stage stage) {
  for (std::size_t j = 0; j < target_words_; ++j) {
    const float* posterior = forward_.posterior(j);
    for (std::size_t i = 0; i < source_words_; ++i) agreed[i * target_words_ + j] = posterior[i];
  }
  for (std::size_t i = 0; i < source_words_; ++i) {
    const float* posterior = backward_.posterior(i);
    float* row = agreed.data() + i * target_words_;
    for (std::size_t j = 0; j < target_words_; ++j) row[j] *= posterior[j];
  }
  if (stage == Stage::kModel1) {
    for (float& cell : agreed) cell = std::sqrt(cell);
  }
  if (restricted_) {
    for (const Link link : sure_) agreed[link.source * target_words_ + link.target] = 1;
  }
}

void PairPosteriors::use_fertilities(Sentence source, Sentence target,
                                     const AlignmentParameters& parameters) {
  if (parameters.source_fertilities.empty() || parameters.target_fertilities.empty()) return;
  with_fertilities_ = true;
  forward_gains_.resize(agreed.size());
  backward_gains_.resize(agreed.size());
  for (std::size_t i = 0; i < source_words_; ++i) {
    expected_gains(agreed.data() + i * target_words_, target_words_, 1,
                   parameters.source_fertilities.gains(source[i]),
                   forward_gains_.data() + i * target_words_, scratch_);
  }
  for (std::size_t j = 0; j < target_words_; ++j) {
    expected_gains(agreed.data() + j, source_words_, target_words_,
                   parameters.target_fertilities.gains(target[j]), backward_gains_.data() + j,
                   scratch_);
  }
}

void PairPosteriors::best_links(std::vector<Link>& forward, std::vector<Link>& backward) const {
  forward.clear();
  backward.clear();
  for (std::size_t j = 0; j < target_words_; ++j) {
    const float* posterior = forward_.posterior(j);
    const std::size_t best = static_cast<std::size_t>(
        std::max_element(posterior, posterior + source_words_) - posterior);
    if (posterior[best] > forward_.null_posterior(j)) {
      forward.push_back({static_cast<std::uint16_t>(best), static_cast<std::uint16_t>(j)});
    }
  }
  std::sort(forward.begin(), forward.end());
  for (std::size_t i = 0; i < source_words_; ++i) {
    const float* posterior = backward_.posterior(i);
    const std::size_t best = static_cast<std::size_t>(
        std::max_element(posterior, posterior + target_words_) - posterior);
    if (posterior[best] > backward_.null_posterior(i)) {
      backward.push_back({static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(best)});
    }
  }
}

void PairPosteriors::links(Symmetry symmetry, double threshold, std::vector<Link>& links) {
  if (restricted_) {
    links.insert(links.end(), sure_.begin(), sure_.end());
    return;
  }
  if (symmetry == Symmetry::kPosterior) {
    const auto bound = static_cast<float>(threshold * threshold);
    for (std::size_t i = 0; i < source_words_; ++i) {
      for (std::size_t j = 0; j < target_words_; ++j) {
        if (agreed[i * target_words_ + j] > bound) {
          links.push_back({static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(j)});
        }
      }
    }
    return;
  }
  best_links(forward_links_, backward_links_);
  symmetriser_.combine(forward_links_, backward_links_, symmetry, links);
}

}  // namespace dragoman
