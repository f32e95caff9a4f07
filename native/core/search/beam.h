// The hypotheses that cover one number of source words: recombined as they come, pruned by
// threshold and limit.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "search/hypothesis.h"

namespace dragoman {

// What two hypotheses must agree in, beside coverage and language model states, to have the same
// future.
struct RecombinationRule {
  std::size_t sequences = 0;
  bool reordering = false;  // begin of the last phrase and its forward scores
  bool produced = false;    // the number of target words (forced decoding)
};

// States that stay where they are until the pool is cleared.
class StatePool {
 public:
  LmState* take(std::size_t count);
  void clear();

 private:
  static constexpr std::size_t kChunk = 4096;
  std::vector<std::unique_ptr<LmState[]>> chunks_;
  std::size_t chunk_ = 0;
  std::size_t used_ = 0;
};

class Beam {
 public:
  Beam() = default;

  // `useless`: how much worse than the best a hypothesis is that is never extended.
  void reset(const RecombinationRule& rule, double threshold, double useless, std::uint32_t limit,
             bool keep_alternatives);

  // Whether a hypothesis of this total has a place, as far as can be told now.
  bool admits(double total) const { return total >= bound_; }
  // Whether one that may reach this total is worth a look. The same whether alternatives are kept
  // or not, so that the best is the same.
  bool expects(double total) const { return total >= expected_; }
  // Counts one that has none.
  void refuse(double total) {
    ++(total < best_ - kept_reach() ? stats_.pruned_threshold : stats_.pruned_limit);
  }
  // `own_states`: the states belong to the caller and must be copied.
  // `complete`: nothing follows, so that only coverage counts.
  void add(const Hypothesis& hypothesis, bool own_states, bool complete);

  // What survives, best first; the beam is not to be added to any more.
  const std::vector<Hypothesis>& finish();
  const std::vector<Alternative>& alternatives() const { return alternatives_; }
  bool empty() const { return entries_.empty(); }
  // What has been counted since the last reset.
  SearchStats& stats() { return stats_; }

 private:
  std::uint64_t hash_of(const Hypothesis& hypothesis, bool complete) const;
  bool same_state(const Hypothesis& one, const Hypothesis& other, bool complete) const;
  void keep_alternative(Hypothesis& kept, const Hypothesis& lost, std::uint32_t lost_list);
  void shrink();
  void rebuild(std::size_t slots);
  // Of those that are never extended, only alternatives are of use.
  double kept_reach() const { return keep_alternatives_ ? threshold_ : reach_; }
  void count(double total);  // of an entry that top_ does not have
  void raise_best(double total);
  void raise_expected(double total) {
    if (total > expected_) expected_ = total;
    raise_bound(total);
  }
  void raise_bound(double bound) {
    if (bound > bound_) bound_ = bound;
  }

  RecombinationRule rule_;
  SearchStats stats_;
  double threshold_ = 0;
  double reach_ = 0;  // that, or how much worse is useless, whichever is less
  std::uint32_t limit_ = 0;
  bool keep_alternatives_ = false;
  double best_ = -std::numeric_limits<double>::infinity();
  double bound_ = -std::numeric_limits<double>::infinity();
  double expected_ = -std::numeric_limits<double>::infinity();
  std::vector<Hypothesis> entries_, finished_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint8_t> counted_;  // whether top_ has it, or had
  std::vector<std::uint32_t> slots_;   // open addressing; 0 is empty, else the entry + 1
  std::vector<std::uint32_t> order_;
  // A heap of the best totals of different entries within reach, as many as the limit, the lowest
  // in front; some entries may have become better since.
  std::vector<double> top_;
  std::vector<Alternative> alternatives_;
  StatePool pool_;
};

}  // namespace dragoman
