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

  void reset(const RecombinationRule& rule, double threshold, std::uint32_t limit,
             bool keep_alternatives);

  // Whether a hypothesis of this total has a place, as far as can be told now.
  bool admits(double total) const { return total >= bound_; }
  // Counts one that has none.
  void refuse(double total) {
    ++(total < best_ - threshold_ ? stats_.pruned_threshold : stats_.pruned_limit);
  }
  // `own_states`: the states belong to the caller and must be copied.
  // `complete`: nothing follows, so that only coverage counts.
  void add(const Hypothesis& hypothesis, bool own_states, bool complete);

  // What survives, best first; the beam is not to be added to any more.
  std::vector<Hypothesis>& finish();
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
  void raise_bound() {
    if (best_ - threshold_ > bound_) bound_ = best_ - threshold_;
  }

  RecombinationRule rule_;
  SearchStats stats_;
  double threshold_ = 0;
  std::uint32_t limit_ = 0;
  bool keep_alternatives_ = false;
  double best_ = -std::numeric_limits<double>::infinity();
  double bound_ = -std::numeric_limits<double>::infinity();
  std::vector<Hypothesis> entries_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> slots_;  // open addressing; 0 is empty, else the entry + 1
  std::vector<std::uint32_t> order_;
  std::vector<Alternative> alternatives_;
  StatePool pool_;
};

}  // namespace dragoman
