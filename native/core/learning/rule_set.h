// The standing rule set of paper 003: phrase pairs with fractional counts, and their
// probabilities.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "text/words.h"

namespace dragoman {

using PhraseId = std::uint32_t;
inline constexpr PhraseId kNullPhrase = 0;  // the empty phrase of null rules
inline constexpr PhraseId kNoPhrase = 0xffffffff;

// Different phrases of one language, numbered as they come; the empty one is number 0.
class PhraseIndex {
 public:
  PhraseIndex();

  PhraseId find(Sentence phrase) const;  // kNoPhrase when it is not there
  PhraseId intern(Sentence phrase);
  Sentence words(PhraseId id) const {
    return Sentence(words_).subspan(starts_[id], starts_[id + 1] - starts_[id]);
  }
  std::size_t size() const { return starts_.size() - 1; }
  std::span<const WordId> all_words() const { return words_; }
  std::span<const std::uint64_t> starts() const { return starts_; }
  void clear();

 private:
  std::size_t place_of(Sentence phrase) const;  // its slot, or the empty one where it belongs
  void grow();

  std::vector<WordId> words_;
  std::vector<std::uint64_t> starts_;
  std::vector<std::uint32_t> slots_;  // open addressing; 0 is empty, else id + 1
};

// A probability below which none is taken to be: rules that have no count yet get it (paper 003,
// footnote 4).
inline constexpr double kUnseenRule = 1e-7;

// Counts come from the folds of a corpus, so that they can be asked for without one of them: what
// a sentence itself has brought in tells nothing about how good it is.
inline constexpr std::size_t kNoFold = static_cast<std::size_t>(-1);

class RuleSet {
 public:
  // `k` of equation 1.
  explicit RuleSet(double k = 4.0, std::size_t folds = 1);

  struct Rule {
    PhraseId source = kNullPhrase;
    PhraseId target = kNullPhrase;
    double sparse = 0;  // learnt weight of this one rule; see joint_trainer.h
  };

  // Either side may be empty, not both.
  Rule& add(Sentence source, Sentence target, double count, std::size_t fold = 0);
  // All rules of another set of as many folds, with their counts.
  void add_all(const RuleSet& other);
  // Totals anew from the counts of rules, rule by rule: as open() has them, whatever the order in
  // which counts have come. For sums of numbers that are rounded depend on it.
  void add_up();
  const Rule* find(PhraseId source, PhraseId target) const;
  Rule* find(PhraseId source, PhraseId target) {
    return const_cast<Rule*>(static_cast<const RuleSet*>(this)->find(source, target));
  }

  // Natural logs of equation 1, which favours short phrases (DeNero et al. 2006):
  //   p(e | f) = c(f, e) / (c(f) + k^(l - 1)), l the words of f.
  // An empty phrase counts as one word long. Not below log(kUnseenRule). `without`: leave the
  // counts of that fold out.
  struct LogProbabilities {
    float forward = 0;   // p(target | source)
    float backward = 0;  // p(source | target)
  };
  LogProbabilities probabilities(const Rule& rule, std::size_t without = kNoFold) const;
  double count(const Rule& rule, std::size_t without = kNoFold) const {
    return counts_.without(static_cast<std::size_t>(&rule - rules_.data()), without);
  }
  double source_count(PhraseId id, std::size_t without = kNoFold) const {
    return source_counts_.without(id, without);
  }
  double target_count(PhraseId id, std::size_t without = kNoFold) const {
    return target_counts_.without(id, without);
  }

  const PhraseIndex& sources() const { return sources_; }
  const PhraseIndex& targets() const { return targets_; }
  std::span<const Rule> rules() const { return rules_; }
  std::size_t size() const { return rules_.size(); }  // null rules included
  bool empty() const { return rules_.empty(); }
  std::size_t folds() const { return folds_; }
  void clear();

  void save(const std::string& path) const;
  // Throws InputError for a damaged file.
  static RuleSet open(const std::string& path);

 private:
  // Counts of things by fold, and all together.
  class FoldCounts {
   public:
    void reset(std::size_t folds) {
      folds_ = folds;
      by_fold_.clear();
      totals_.clear();
    }
    void clear_counts() {
      std::fill(totals_.begin(), totals_.end(), 0.0);
      std::fill(by_fold_.begin(), by_fold_.end(), 0.0);
    }
    void resize(std::size_t size) {
      totals_.resize(size);
      by_fold_.resize(size * folds_);
    }
    void add(std::size_t place, std::size_t fold, double count) {
      totals_[place] += count;
      by_fold_[place * folds_ + fold] += count;
    }
    double without(std::size_t place, std::size_t fold) const {
      if (fold == kNoFold) return totals_[place];
      // Differences of sums leave crumbs.
      const double rest = totals_[place] - by_fold_[place * folds_ + fold];
      return rest < 1e-9 ? 0 : rest;
    }
    double of(std::size_t place, std::size_t fold) const {
      return by_fold_[place * folds_ + fold];
    }
    std::span<const double> by_fold() const { return by_fold_; }

   private:
    std::size_t folds_ = 1;
    std::vector<double> totals_;
    std::vector<double> by_fold_;
  };

  double given(double count, std::size_t words) const;
  std::size_t place_of(PhraseId source, PhraseId target) const;
  void grow();

  double k_;
  std::size_t folds_;
  PhraseIndex sources_;
  PhraseIndex targets_;
  FoldCounts source_counts_;
  FoldCounts target_counts_;
  std::vector<Rule> rules_;
  FoldCounts counts_;  // of rules
  std::vector<std::uint32_t> slots_;
};

}  // namespace dragoman
