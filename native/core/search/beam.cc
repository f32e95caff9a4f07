#include "search/beam.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "text/checksum.h"

namespace dragoman {

namespace {

// Of a stack's table of states; one that a sentence has made larger than the most is given back.
constexpr std::size_t kFirstSlots = 256;
constexpr std::size_t kMostSlots = 65'536;

}  // namespace

LmState* StatePool::take(std::size_t count) {
  if (chunks_.empty() || used_ + count > kChunk) {
    if (!chunks_.empty()) ++chunk_;
    if (chunk_ == chunks_.size()) chunks_.push_back(std::make_unique<LmState[]>(kChunk));
    used_ = 0;
  }
  LmState* taken = chunks_[chunk_].get() + used_;
  used_ += count;
  return taken;
}

void StatePool::clear() {
  // What one sentence of unusual length needed is not kept for the others.
  if (chunks_.size() > 16) chunks_.resize(16);
  chunk_ = 0;
  used_ = 0;
}

void Beam::reset(const RecombinationRule& rule, double threshold, double useless,
                 std::uint32_t limit, bool keep_alternatives) {
  rule_ = rule;
  stats_ = {};
  threshold_ = threshold;
  reach_ = std::min(threshold, useless);
  top_.clear();
  limit_ = limit == 0 ? std::numeric_limits<std::uint32_t>::max() : limit;
  keep_alternatives_ = keep_alternatives;
  best_ = bound_ = expected_ = -std::numeric_limits<double>::infinity();
  entries_.clear();
  hashes_.clear();
  counted_.clear();
  alternatives_.clear();
  pool_.clear();
  if (slots_.size() > kMostSlots) slots_.resize(kFirstSlots);
  if (slots_.size() < kFirstSlots) slots_.resize(kFirstSlots);
  std::fill(slots_.begin(), slots_.end(), 0);
}

std::uint64_t Beam::hash_of(const Hypothesis& hypothesis, bool complete) const {
  if (complete) return 0;
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  std::uint64_t hash = fold_multiply(
      (std::uint64_t{hypothesis.coverage} << 32 | hypothesis.last.end) + kOdd, 0xd6e8feb86659fd93);
  for (std::size_t i = 0; i < rule_.sequences; ++i) {
    hash = fold_multiply(hash ^ hypothesis.states[i].key(), kOdd);
  }
  if (rule_.reordering) {
    hash = fold_multiply(
        hash ^ (std::uint64_t{hypothesis.option->forward_class} << 16 | hypothesis.last.begin),
        kOdd);
  }
  if (rule_.produced) hash = fold_multiply(hash ^ hypothesis.produced, kOdd);
  return hash;
}

bool Beam::same_state(const Hypothesis& one, const Hypothesis& other, bool complete) const {
  if (one.coverage != other.coverage) return false;
  if (rule_.produced && one.produced != other.produced) return false;
  if (complete) return true;
  if (one.last.end != other.last.end) return false;
  if (rule_.reordering && (one.last.begin != other.last.begin ||
                           one.option->forward_class != other.option->forward_class)) {
    return false;
  }
  for (std::size_t i = 0; i < rule_.sequences; ++i) {
    if (!(one.states[i] == other.states[i])) return false;
  }
  return true;
}

void Beam::keep_alternative(Hypothesis& kept, const Hypothesis& lost, std::uint32_t lost_list) {
  if (!keep_alternatives_) return;
  alternatives_.push_back({lost.score, lost.option, lost.back, lost_list, lost.last});
  kept.alternatives = static_cast<std::uint32_t>(alternatives_.size() - 1);
}

void Beam::add(const Hypothesis& hypothesis, bool own_states, bool complete) {
  const std::uint64_t hash = hash_of(hypothesis, complete);
  std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (; slots_[at] != 0; at = (at + 1) & mask) {
    const std::uint32_t index = slots_[at] - 1;
    Hypothesis& there = entries_[index];
    if (hashes_[index] != hash || !same_state(there, hypothesis, complete)) continue;
    ++stats_.recombined;
    if (hypothesis.score > there.score) {
      const bool counted =
          counted_[index] != 0 && (top_.size() < limit_ || there.total >= top_.front());
      // The states are equal, and those there have their place already.
      const LmState* states = there.states;
      const Hypothesis lost = there;
      there = hypothesis;
      there.states = states;
      keep_alternative(there, lost, lost.alternatives);
      if (!counted) {
        count(hypothesis.total);
        counted_[index] = hypothesis.total >= best_ - reach_;
      }
      raise_best(hypothesis.total);
    } else {
      keep_alternative(there, hypothesis, there.alternatives);
    }
    return;
  }
  slots_[at] = static_cast<std::uint32_t>(entries_.size() + 1);
  hashes_.push_back(hash);
  entries_.push_back(hypothesis);
  if (own_states) {
    LmState* copies = pool_.take(rule_.sequences);
    std::copy_n(hypothesis.states, rule_.sequences, copies);
    entries_.back().states = copies;
  }
  counted_.push_back(hypothesis.total >= best_ - reach_);
  count(hypothesis.total);
  raise_best(hypothesis.total);
  if (entries_.size() >= std::uint64_t{2} * limit_) {
    shrink();
  } else if (entries_.size() * 2 >= slots_.size()) {
    rebuild(slots_.size() * 2);
  }
}

void Beam::count(double total) {
  if (limit_ == std::numeric_limits<std::uint32_t>::max() || total < best_ - reach_) return;
  if (top_.size() < limit_) {
    top_.push_back(total);
    std::push_heap(top_.begin(), top_.end(), std::greater<>());
  } else if (total > top_.front()) {
    std::pop_heap(top_.begin(), top_.end(), std::greater<>());
    top_.back() = total;
    std::push_heap(top_.begin(), top_.end(), std::greater<>());
  }
  if (top_.size() == limit_) raise_expected(top_.front());
}

void Beam::raise_best(double total) {
  if (total <= best_) return;
  best_ = total;
  raise_bound(best_ - kept_reach());
}

// Cuts back to the limit; what is worse than the worst that stays need not come any more.
void Beam::shrink() {
  order_.resize(entries_.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::nth_element(order_.begin(), order_.begin() + (limit_ - 1), order_.end(),
                   [this](std::uint32_t a, std::uint32_t b) {
                     if (entries_[a].total != entries_[b].total) {
                       return entries_[a].total > entries_[b].total;
                     }
                     return a < b;
                   });
  raise_bound(entries_[order_[limit_ - 1]].total);
  stats_.pruned_limit += entries_.size() - limit_;
  order_.resize(limit_);
  std::sort(order_.begin(), order_.end());
  for (std::size_t i = 0; i < order_.size(); ++i) {
    entries_[i] = entries_[order_[i]];
    hashes_[i] = hashes_[order_[i]];
    counted_[i] = counted_[order_[i]];
  }
  entries_.resize(order_.size());
  hashes_.resize(order_.size());
  counted_.resize(order_.size());
  rebuild(slots_.size());
}

void Beam::rebuild(std::size_t slots) {
  slots_.assign(slots, 0);
  const std::size_t mask = slots - 1;
  for (std::size_t i = 0; i < hashes_.size(); ++i) {
    std::size_t at = hashes_[i] & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = static_cast<std::uint32_t>(i + 1);
  }
}

const std::vector<Hypothesis>& Beam::finish() {
  order_.resize(entries_.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
    return entries_[a].total != entries_[b].total ? entries_[a].total > entries_[b].total : a < b;
  });
  std::size_t kept = order_.size();
  while (kept > 0 && entries_[order_[kept - 1]].total < best_ - kept_reach()) --kept;
  stats_.pruned_threshold += order_.size() - kept;
  if (kept > limit_) {
    stats_.pruned_limit += kept - limit_;
    kept = limit_;
  }
  finished_.clear();
  for (std::size_t i = 0; i < kept; ++i) finished_.push_back(entries_[order_[i]]);
  return finished_;
}

}  // namespace dragoman
