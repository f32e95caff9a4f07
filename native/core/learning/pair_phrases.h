// All phrase pairs of one sentence pair, with what is known of each: paper 003, section 4.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "alignment/lexical_table.h"
#include "learning/rule_set.h"
#include "text/words.h"

namespace dragoman {

// The values of a rule, in the order of a phrase table's columns (rules/score_phrases.h), and the
// learnt weight of that one rule.
enum RuleValue : std::uint8_t { kTmForward, kTmBackward, kLexForward, kLexBackward, kSparse };
inline constexpr std::size_t kRuleValues = 5;
using RuleValues = std::array<float, kRuleValues>;

// A rule where it stands: source [source_begin, source_end) to target [target_begin, target_end).
// An empty side makes it a null rule.
struct PlacedRule {
  std::uint16_t source_begin = 0;
  std::uint16_t source_end = 0;
  std::uint16_t target_begin = 0;
  std::uint16_t target_end = 0;
  std::size_t source_words() const { return source_end - source_begin; }
  std::size_t target_words() const { return target_end - target_begin; }
  bool operator==(const PlacedRule&) const = default;
};

// Keeps its memory from pair to pair; one per thread.
class PairPhrases {
 public:
  explicit PairPhrases(std::size_t max_length) : max_length_(max_length) {}

  // What to think of rules.
  struct Knowledge {
    // Leave out what the fold of this pair has brought in.
    std::size_t without = kNoFold;
    // Only rules that are counted so often may be used; 0: all, those without counts with a very
    // small probability.
    double least_count = 0;
  };

  // While there is no rule at all, probabilities say nothing (0) and lexical weights alone guide.
  void fill(Sentence source, Sentence target, const RuleSet& rules, const LexicalTable& forward,
            const LexicalTable& backward, const Knowledge& knowledge);

  Sentence source() const { return source_; }
  Sentence target() const { return target_; }
  std::size_t max_length() const { return max_length_; }
  // Whether a rule may be used; null rules are asked for nowhere.
  bool usable(const PlacedRule& rule) const {
    return usable_.empty() ||
           usable_[span(rule.source_begin, rule.source_words()) * target_.size() * max_length_ +
                   span(rule.target_begin, rule.target_words())];
  }
  // No more than max_length() words on a side, one at the most in a null rule.
  const RuleValues& values(const PlacedRule& rule) const {
    if (rule.source_words() == 0) return insertions_[rule.target_begin];
    if (rule.target_words() == 0) return deletions_[rule.source_begin];
    return pairs_[span(rule.source_begin, rule.source_words()) * target_.size() * max_length_ +
                  span(rule.target_begin, rule.target_words())];
  }

 private:
  std::size_t span(std::size_t begin, std::size_t words) const {
    return begin * max_length_ + words - 1;
  }
  void fill_lexical(const LexicalTable& forward, const LexicalTable& backward);
  void fill_probabilities(const RuleSet& rules, const Knowledge& knowledge);

  std::size_t max_length_;
  Sentence source_;
  Sentence target_;
  std::vector<RuleValues> pairs_;  // by source span, then target span
  std::vector<bool> usable_;       // likewise; empty: all are
  std::vector<RuleValues> deletions_;
  std::vector<RuleValues> insertions_;
  // p(t_j | s_i) and p(s_i | t_j) by source position; of the null words.
  std::vector<float> forward_, backward_, target_null_, source_null_;
  std::vector<float> best_;  // backward, by target span and source position
  std::vector<PhraseId> source_ids_, target_ids_;
};

// Natural log of `probability`, or of the least there is.
float lexical_log(float probability);

}  // namespace dragoman
