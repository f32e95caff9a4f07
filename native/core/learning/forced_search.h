// Forced decoding without a phrase table: the derivations that turn one sentence into another,
// over all phrase pairs the two have (paper 003, sections 3 and 4).
//
// Stacks are numbers of covered source words, as in real decoding, so that both can be compared
// step by step. Deleting a source word is a step like any other; inserting a target word stays in
// its stack. The language model and the number of words are the same for all derivations of one
// target sentence and play no part here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "learning/pair_phrases.h"
#include "search/coverage.h"
#include "search/distortion.h"
#include "search/hypergraph.h"

namespace dragoman {

struct ForcedOptions {
  std::uint32_t beam = 10;  // hypotheses per stack; 0: all
  bool null_rules = false;
  // The same as in real decoding (search/search_options.h).
  std::uint32_t distortion_limit = kNoLimit;
  std::uint32_t gap_limit = 2;
};

struct ForcedWeights {
  std::array<double, kRuleValues> values{};
  double phrases = 0;  // of each rule that has words on both sides
  double distortion = 0;
  // Of each null rule. What is learnt of `phrases` is learnt without them: a weight that welcomes
  // phrases must not welcome deletions and insertions as well.
  double null_rules = 0;
};

inline constexpr std::uint32_t kNobody = 0xffffffff;

// One way to a partial derivation.
struct ForcedEdge {
  double score = 0;  // of the edge alone
  std::uint32_t from = kNobody;
  std::uint32_t next = kNobody;  // another way to the same
  PlacedRule rule;
};

struct ForcedHypothesis {
  double score = 0;              // of the best way
  double total = 0;              // with the estimate of what is left
  std::uint32_t best = kNobody;  // edges
  std::uint32_t first = kNobody;
  CoverageId coverage = CoverageSet::kEmpty;
  std::uint16_t produced = 0;  // target words
  std::uint16_t last_end = 0;  // of the last source phrase
};

// What a forced search found.
struct ForcedSpace {
  std::vector<ForcedHypothesis> hypotheses;  // the start first
  std::vector<ForcedEdge> edges;
  // The best of each stack as the search saw it, kNobody for an empty one; at the end of a pair
  // that can be derived, its best derivation.
  std::vector<std::uint32_t> best;
  std::vector<std::uint32_t> goals;  // complete hypotheses
  std::uint64_t evaluated = 0;

  bool reached() const { return !goals.empty(); }
};

// One per thread; keeps its memory from pair to pair.
class ForcedSearch {
 public:
  ForcedSearch(std::size_t max_length, const ForcedOptions& options);

  // Neither side may be empty or longer than 65,535 words.
  const ForcedSpace& run(const PairPhrases& phrases, const ForcedWeights& weights);
  const CoverageSet& coverages() const { return *coverages_; }

 private:
  // What all hypotheses of one coverage share.
  struct CoverageFacts {
    double future = 0;  // estimate of translating what is left
    std::uint32_t least_phrases = 0;
    std::uint32_t gaps = 0;
    bool known = false;
  };

  void score_phrases();
  void estimate_future();
  void close_stack(std::size_t covered);
  void insert_words(std::vector<std::uint32_t>& kept);
  void keep_best(std::vector<std::uint32_t>& stack) const;
  bool better(std::uint32_t a, std::uint32_t b) const;
  void expand(std::uint32_t index);
  // Returns the hypothesis that the edge led to; kNobody when it has no place.
  std::uint32_t add(std::uint32_t from, const PlacedRule& rule, CoverageId coverage,
                    double increment);
  const CoverageFacts& facts(CoverageId coverage);
  bool can_end(const CoverageFacts& facts, std::size_t uncovered, std::size_t unproduced) const;
  double score_of(const PlacedRule& rule) const;
  double run_future(std::size_t begin, std::size_t end) const {
    return source_future_[begin * (length_ + 1) + end];
  }
  std::uint32_t* slot_of(std::uint64_t key);

  std::size_t max_length_;
  ForcedOptions options_;
  const PairPhrases* phrases_ = nullptr;
  ForcedWeights weights_;
  std::size_t length_ = 0;  // of the source
  std::size_t target_length_ = 0;

  std::vector<double> scores_;  // of pairs: by source span, then target span
  std::vector<double> deletions_, insertions_;
  std::vector<double> source_future_;  // of runs of source words
  std::vector<double> target_future_;  // of what is left from a target word on
  std::vector<double> inserted_;       // likewise, by insertions alone
  double insertable_ = 0;              // of all insertions worth having
  std::unique_ptr<CoverageSet> coverages_;
  std::vector<CoverageFacts> facts_;
  ForcedSpace space_;
  std::vector<std::vector<std::uint32_t>> stacks_;
  // The worst of the best so many of each stack, as far as they are known (a heap each).
  std::vector<std::vector<double>> bounds_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> slots_;  // open addressing over keys_; 0 is empty, else index + 1
};

// The derivations of a forced search as a hypergraph whose scores are those of the edges; `rules`
// receives the rule of each edge. The first edge is the empty beginning, edges into the goal are
// the jump to the end of the sentence; neither has a rule, and rules are empty there. Empty when
// the pair cannot be derived.
Hypergraph forced_graph(const ForcedSpace& space, const CoverageSet& coverages,
                        const ForcedWeights& weights, std::size_t source_words,
                        std::vector<PlacedRule>& rules);

// The rules of the best way to a hypothesis, in target order.
std::vector<PlacedRule> forced_derivation(const ForcedSpace& space, std::uint32_t hypothesis);

}  // namespace dragoman
