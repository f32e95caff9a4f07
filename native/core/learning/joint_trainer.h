// Rule induction and parameter tuning in one loop: algorithm 1 of paper 003, the parts of it that
// go over the corpus. Who decides on weights, iterations and the end is the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "alignment/lexical_table.h"
#include "corpus/parallel_text.h"
#include "learning/forced_search.h"
#include "learning/found_rules.h"
#include "learning/rule_set.h"
#include "model/translation_model.h"
#include "search/search_options.h"

namespace dragoman {

struct JointOptions {
  std::size_t max_length = 3;  // of phrases on either side
  double k = 4.0;              // of equation 1
  // The corpus is taken as so many folds, and weights are learnt from a pair with the rules that
  // the others have taught; 1: with all rules.
  std::size_t folds = 4;
  ForcedOptions forced;
};

// What came of real decoding some pairs.
struct Lessons {
  std::uint64_t pairs = 0;
  std::uint64_t reachable = 0;
  std::uint64_t correct = 0;
  std::uint64_t violations = 0;
  double violation = 0;            // summed
  std::vector<double> difference;  // summed: what the weights are to be moved by
};

struct RuleTableOptions {
  double min_count = 0.01;         // rules below it are left out
  std::size_t without = kNoFold;   // whose counts do not count
  std::uint32_t limit = 100;       // most options of a source phrase; 0: all
  bool sparse = false;             // a fifth column with the rules' own weights
  std::uint32_t source_words = 0;  // vocabulary sizes
  std::uint32_t target_words = 0;
};

// A rule where it stands, and the log-probability that a derivation uses it there.
struct ForcedRule {
  std::uint32_t head = 0;
  std::uint32_t tail = 0;
  PlacedRule rule;
  double score = 0;
  double log_posterior = 0;
};

class JointTrainer {
 public:
  // Tables hold p(target | source) and p(source | target); text and tables must live longer.
  JointTrainer(const ParallelText& text, const LexicalTable& forward, const LexicalTable& backward,
               const JointOptions& options);

  std::size_t pairs() const { return source_.size(); }
  std::size_t fold_of(std::size_t pair) const { return pair % options_.folds; }
  const RuleSet& rules() const { return rules_; }
  void set_rules(RuleSet&& rules) { rules_ = std::move(rules); }
  // Rules with words on both sides.
  std::size_t proper_rules() const;

  // Lines 4 to 6: forced decoding of the pairs [begin, end), and all rules by their posterior
  // probability among all derivations that were not pruned, with scores times `scale`; rules less
  // probable than `min_posterior` are left out. The same for any number of threads, and for
  // another trainer with the same text and standing rules.
  FoundRules find(std::size_t begin, std::size_t end, const ForcedWeights& weights, double scale,
                  double min_posterior, int threads) const;
  // Counts what was found into a rule set apart; pairs must come in their order, since sums of
  // numbers that are rounded depend on it. finish_counting() (line 7) makes it the standing one,
  // or unites it with the standing one, counts added, as line 6 has it. Throws InputError for
  // rules that are not in the text.
  void add(const FoundRules& found);
  void finish_counting(bool unite = false);

  // Lines 8 to 12 for these pairs of one fold, all with the same weights: forced and real
  // decoding, and the sum of the updates at the steps of greatest violation. The model's table is
  // that of write_table() without this fold. Forced decoding uses the rules that have this
  // `least_count` there, which should be that of the table (what real decoding could never do
  // teaches little), or 0 for all phrase pairs; and no null rules.
  // Updates of the rules' own weights wait for finish_learning().
  Lessons learn(std::span<const std::uint32_t> pairs, double least_count,
                std::shared_ptr<const TranslationModel> model, std::span<const double> weights,
                const SearchOptions& options, int threads);
  void finish_learning(double sparse_rate);

  // An ordinary phrase table with the columns tm.fwd, tm.bwd, lex.fwd, lex.bwd. Null rules are
  // for forced decoding and are not in it. Returns how many rules are.
  std::uint64_t write_table(const std::string& path, const RuleTableOptions& options) const;

  // For looking inside: all derivations of one pair, and the rules of its best one.
  std::vector<ForcedRule> derivations(std::size_t pair, const ForcedWeights& weights,
                                      double scale) const;
  std::vector<PlacedRule> best_derivation(std::size_t pair, const ForcedWeights& weights) const;

 private:
  struct Worker;

  bool has_words(std::size_t pair) const {
    return !source_[pair].empty() && !target_[pair].empty();
  }

  Sentences source_, target_;
  const LexicalTable& forward_;
  const LexicalTable& backward_;
  JointOptions options_;
  RuleSet rules_;
  RuleSet counting_;
  std::vector<double> sparse_updates_;  // by rule
};

}  // namespace dragoman
