#include "learning/pair_phrases.h"

#include <algorithm>
#include <cmath>

#include "rules/lexical_weight.h"

namespace dragoman {

float lexical_log(float probability) {
  return static_cast<float>(std::log(static_cast<double>(std::max(kLexicalFloor, probability))));
}

void PairPhrases::fill(Sentence source, Sentence target, const RuleSet& rules,
                       const LexicalTable& forward, const LexicalTable& backward,
                       const Knowledge& knowledge) {
  source_ = source;
  target_ = target;
  pairs_.assign(source.size() * target.size() * max_length_ * max_length_, {});
  deletions_.assign(source.size(), {});
  insertions_.assign(target.size(), {});
  fill_lexical(forward, backward);
  usable_.clear();
  if (!rules.empty()) fill_probabilities(rules, knowledge);
}

// Every word takes its best partner in the other phrase, the empty word included, as
// LexicalScorer does it for LexicalWeighting::kViterbi.
void PairPhrases::fill_lexical(const LexicalTable& forward, const LexicalTable& backward) {
  const std::size_t n = source_.size();
  const std::size_t m = target_.size();
  target_null_.resize(m);
  source_null_.resize(n);
  for (std::size_t j = 0; j < m; ++j) target_null_[j] = forward.prob(kNullWord, target_[j]);
  for (std::size_t i = 0; i < n; ++i) source_null_[i] = backward.prob(kNullWord, source_[i]);
  for (std::size_t i = 0; i < n; ++i) {
    deletions_[i][kLexBackward] = lexical_log(source_null_[i]);
  }
  for (std::size_t j = 0; j < m; ++j) {
    insertions_[j][kLexForward] = lexical_log(target_null_[j]);
  }
  forward_.resize(n * m);
  backward_.resize(n * m);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      forward_[i * m + j] = forward.prob(source_[i], target_[j]);
      backward_[i * m + j] = backward.prob(target_[j], source_[i]);
    }
  }
  const std::size_t spans = m * max_length_;
  // Log-probability of each source word given a target span, by span.
  best_.assign(spans * n, 0);
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      float best = source_null_[i];
      for (std::size_t words = 1; words <= std::min(max_length_, m - j); ++words) {
        best = std::max(best, backward_[i * m + j + words - 1]);
        best_[span(j, words) * n + i] = lexical_log(best);
      }
    }
  }
  std::vector<float> best(m);
  std::vector<float> logs(m);
  for (std::size_t i = 0; i < n; ++i) {
    std::copy(target_null_.begin(), target_null_.end(), best.begin());
    for (std::size_t length = 1; length <= std::min(max_length_, n - i); ++length) {
      for (std::size_t j = 0; j < m; ++j) {
        best[j] = std::max(best[j], forward_[(i + length - 1) * m + j]);
        logs[j] = lexical_log(best[j]);
      }
      RuleValues* row = pairs_.data() + span(i, length) * spans;
      for (std::size_t j = 0; j < m; ++j) {
        float sum = 0;
        for (std::size_t words = 1; words <= std::min(max_length_, m - j); ++words) {
          sum += logs[j + words - 1];
          RuleValues& values = row[span(j, words)];
          values[kLexForward] = sum;
          const float* generated = best_.data() + span(j, words) * n + i;
          float backward_sum = 0;
          for (std::size_t k = 0; k < length; ++k) backward_sum += generated[k];
          values[kLexBackward] = backward_sum;
        }
      }
    }
  }
}

void PairPhrases::fill_probabilities(const RuleSet& rules, const Knowledge& knowledge) {
  const std::size_t n = source_.size();
  const std::size_t m = target_.size();
  const auto ids_of = [this](Sentence sentence, const PhraseIndex& index,
                             std::vector<PhraseId>& ids) {
    ids.assign(sentence.size() * max_length_, kNoPhrase);
    for (std::size_t begin = 0; begin < sentence.size(); ++begin) {
      for (std::size_t words = 1; words <= std::min(max_length_, sentence.size() - begin);
           ++words) {
        ids[span(begin, words)] = index.find(sentence.subspan(begin, words));
      }
    }
  };
  ids_of(source_, rules.sources(), source_ids_);
  ids_of(target_, rules.targets(), target_ids_);
  const auto unseen = static_cast<float>(std::log(kUnseenRule));
  // Returns the count.
  const auto fill = [&rules, unseen, without = knowledge.without](
                        RuleValues& values, PhraseId source, PhraseId target) -> double {
    const RuleSet::Rule* rule = rules.find(source, target);
    if (rule == nullptr) {
      values[kTmForward] = values[kTmBackward] = unseen;
      return 0;
    }
    const RuleSet::LogProbabilities found = rules.probabilities(*rule, without);
    values[kTmForward] = found.forward;
    values[kTmBackward] = found.backward;
    values[kSparse] = static_cast<float>(rule->sparse);
    return rules.count(*rule, without);
  };
  for (std::size_t i = 0; i < n; ++i) fill(deletions_[i], source_ids_[span(i, 1)], kNullPhrase);
  for (std::size_t j = 0; j < m; ++j) fill(insertions_[j], kNullPhrase, target_ids_[span(j, 1)]);
  if (knowledge.least_count > 0) usable_.resize(pairs_.size());
  for (std::size_t s = 0; s < source_ids_.size(); ++s) {
    for (std::size_t t = 0; t < target_ids_.size(); ++t) {
      const std::size_t place = s * target_ids_.size() + t;
      const double count = fill(pairs_[place], source_ids_[s], target_ids_[t]);
      if (knowledge.least_count > 0) usable_[place] = count >= knowledge.least_count;
    }
  }
}

}  // namespace dragoman
