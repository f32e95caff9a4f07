#include "search/stack.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "search/stack_cube.h"

namespace dragoman {

std::uint32_t pending_distortion(const CoverageSet& coverages, CoverageId coverage,
                                 std::uint32_t last_end) {
  std::uint32_t total = 0;
  auto at = last_end;
  coverages.for_each_gap(coverage, [&total, &at](std::size_t begin, std::size_t end) {
    total += jump(at, static_cast<std::uint32_t>(begin));
    at = static_cast<std::uint32_t>(end);
  });
  return total + static_cast<std::uint32_t>(coverages.length()) - at;
}

StackSearch::StackSearch(const WeightedModel& weighted, const SearchOptions& options)
    : weighted_(weighted),
      options_(options),
      distortion_weight_(weighted.distortion_weight()),
      ends_(weighted.sequences()),
      scratch_(weighted.sequences()) {
  check(options);
  for (std::size_t i = 0; i < weighted.sequences(); ++i) {
    lm_only_lowers_ = lm_only_lowers_ && weighted.sequence_weight(i) >= 0;
  }
  double left = 0;
  for (std::size_t i = 0; i < weighted.sequences(); ++i) left += weighted.sequence_weight(i);
  const double all = left;
  for (std::size_t i = 0; i < weighted.sequences(); ++i) {
    // What models that count for little say is little in doubt.
    double margin = options.estimate_margin;
    if (std::isfinite(margin)) margin *= all > 0 ? left / all : 0;
    sequences_.push_back({LookupMemory(weighted.model().sequences()[i].model),
                          weighted.sequence_weight(i), margin});
    left -= weighted.sequence_weight(i);
  }
  only_lowers_ = lm_only_lowers_;
  for (std::size_t r = 0; r < weighted.model().reorderings(); ++r) {
    for (std::size_t i = 0; i < kScoresPerReordering; ++i) {
      only_lowers_ =
          only_lowers_ && weighted.weight(weighted.model().features().reordering(r) + i) >= 0;
    }
  }
}

StackSearch::~StackSearch() = default;

const SearchSpace& StackSearch::run(const SentenceOptions& sentence, bool keep_edges,
                                    std::optional<Sentence> reference) {
  sentence_ = &sentence;
  keep_edges_ = keep_edges;
  reference_ = reference;
  space_.stats = {};
  const std::size_t n = sentence.length();
  const std::size_t reach =
      options_.distortion_limit == kNoLimit ? n : std::size_t{options_.distortion_limit} + 1;
  future_.emplace(sentence, reach);
  // A reference leaves few ways: what early or cube pruning lets through may be a dead end.
  const bool prunes_early =
      options_.search == SearchKind::kEarly || options_.search == SearchKind::kCube;
  const SearchKind kind = reference && prunes_early ? SearchKind::kEstimate : options_.search;
  if (!attempt(kind) && prunes_early && !reference) {
    // Zones and negative distortion weights take away early pruning's guarantee.
    ++space_.stats.retried;
    attempt(SearchKind::kEstimate);
  }
  return space_;
}

bool StackSearch::attempt(SearchKind kind) {
  kind_ = kind;
  space_.estimates_distortion = kind != SearchKind::kPharaoh;
  may_stop_ = options_.give_up && lm_only_lowers_;
  doubts_ = may_stop_ && kind == SearchKind::kEarly;
  useless_ = kind == SearchKind::kEarly && distortion_weight_ >= 0
                 ? options_.used_early_threshold() + kRounding
                 : std::numeric_limits<double>::infinity();
  start();
  const std::size_t n = sentence_->length();
  std::uint32_t first = 0;
  for (std::size_t covered = 0;; ++covered) {
    if (covered > 0) {
      if (kind == SearchKind::kCube) fill_by_cubes(covered);
      first = static_cast<std::uint32_t>(space_.hypotheses.size());
      close_stack(covered);
    }
    if (covered == n) break;
    if (kind == SearchKind::kCube) {
      group_by_coverage(first);
      cube_->close_stack(*this, covered);
    } else if (first < space_.hypotheses.size()) {
      expand(first);
    }
  }
  if (first < space_.hypotheses.size()) space_.goal = first;
  return space_.goal != kNone;
}

void StackSearch::start() {
  const std::size_t n = sentence_->length();
  const std::size_t reach =
      options_.distortion_limit == kNoLimit ? n : std::size_t{options_.distortion_limit} + 1;
  space_.hypotheses.clear();
  space_.alternatives.clear();
  space_.stacks.assign(1, {});
  space_.goal = kNone;
  space_.coverages = std::make_unique<CoverageSet>(n, reach);
  states_.clear();
  beams_.resize(std::max(beams_.size(), std::bit_ceil(sentence_->max_length() + 1)));
  const RecombinationRule rule{weighted_.sequences(), weighted_.reorders(),
                               reference_.has_value()};
  for (Beam& beam : beams_) {
    beam.reset(rule, options_.beam_threshold, useless_, options_.beam_limit, keep_edges_);
  }
  if (kind_ == SearchKind::kCube) {
    if (cube_ == nullptr) cube_ = std::make_unique<Cube>();
    cube_->start(n);
  }
  Hypothesis empty;
  LmState* states = states_.take(std::max<std::size_t>(1, weighted_.sequences()));
  for (std::size_t i = 0; i < weighted_.sequences(); ++i) {
    states[i] = weighted_.model().sequences()[i].model.begin_state();
  }
  empty.states = states;
  empty.total = n == 0 ? 0 : future_->run(0, n);
  space_.hypotheses.push_back(empty);
  if (n == 0) {
    // Nothing to translate: the score is that of an empty sentence.
    LmState end;
    for (std::size_t i = 0; i < weighted_.sequences(); ++i) {
      space_.hypotheses.front().score +=
          weighted_.sequence_weight(i) *
          weighted_.model().sequences()[i].model.score(states[i], kEndSentence, end).log_prob;
    }
    if (reference_ && !reference_->empty()) space_.hypotheses.clear();
  }
}

// Moves what survives of a stack to where it stays.
void StackSearch::close_stack(std::size_t covered) {
  Beam& closing = beam(covered);
  const std::size_t sequences = weighted_.sequences();
  for (Hypothesis hypothesis : closing.finish()) {
    const PhraseOption& option = *hypothesis.option;
    if (hypothesis.states != option.lm_end && sequences > 0) {
      LmState* copies = states_.take(sequences);
      std::copy_n(hypothesis.states, sequences, copies);
      hypothesis.states = copies;
    }
    std::uint32_t next = hypothesis.alternatives;
    hypothesis.alternatives = kNone;
    while (next != kNone) {
      Alternative copy = closing.alternatives()[next];
      next = copy.next;
      copy.next = hypothesis.alternatives;
      hypothesis.alternatives = static_cast<std::uint32_t>(space_.alternatives.size());
      space_.alternatives.push_back(copy);
    }
    space_.hypotheses.push_back(hypothesis);
  }
  space_.stats += closing.stats();
  space_.stacks.push_back(closing.stats());
  const RecombinationRule rule{sequences, weighted_.reorders(), reference_.has_value()};
  closing.reset(rule, options_.beam_threshold, useless_, options_.beam_limit, keep_edges_);
}

void StackSearch::group_by_coverage(std::uint32_t first) {
  const auto& hypotheses = space_.hypotheses;
  by_coverage_.clear();
  for (auto i = first; i < hypotheses.size(); ++i) by_coverage_.push_back(i);
  std::stable_sort(by_coverage_.begin(), by_coverage_.end(),
                   [&hypotheses](std::uint32_t a, std::uint32_t b) {
                     return hypotheses[a].coverage < hypotheses[b].coverage;
                   });
  groups_.clear();
  for (std::uint32_t i = 0; i < by_coverage_.size(); ++i) {
    if (i == 0 ||
        hypotheses[by_coverage_[i]].coverage != hypotheses[by_coverage_[i - 1]].coverage) {
      groups_.push_back({i, i});
    }
    groups_.back().end = i + 1;
  }
  // The best of the stack first: the sooner the next stacks know what is good, the better.
  std::sort(groups_.begin(), groups_.end(), [this](const Group& a, const Group& b) {
    return by_coverage_[a.begin] < by_coverage_[b.begin];
  });
}

}  // namespace dragoman
