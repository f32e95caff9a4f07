#include "search/stack.h"

#include <algorithm>
#include <limits>

#include "search/stack_cube.h"

namespace dragoman {

namespace {

// Sums of the same numbers in another order differ in the last bits; a threshold must not tell
// them apart (paper 000, footnote 6, relies on equality).
constexpr double kRounding = 1e-7;

}  // namespace

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
      scratch_(2 * std::max<std::size_t>(1, weighted.sequences())) {
  check(options);
  for (std::size_t i = 0; i < weighted.sequences(); ++i) {
    lm_only_lowers_ = lm_only_lowers_ && weighted.sequence_weight(i) >= 0;
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
  beams_.resize(std::max(beams_.size(), sentence_->max_length() + 1));
  const RecombinationRule rule{weighted_.sequences(), weighted_.reorders(),
                               reference_.has_value()};
  for (Beam& beam : beams_) {
    beam.reset(rule, options_.beam_threshold, options_.beam_limit, keep_edges_);
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
  for (Hypothesis& hypothesis : closing.finish()) {
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
  closing.reset(rule, options_.beam_threshold, options_.beam_limit, keep_edges_);
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
}

// All phrases that may come next, by begin and end.
void StackSearch::find_steps(CoverageId coverage) {
  const CoverageSet& coverages = *space_.coverages;
  const std::size_t n = sentence_->length();
  const std::uint32_t first = coverages.first(coverage);
  std::size_t last_begin = n;
  if (options_.distortion_limit != kNoLimit) {
    last_begin = std::min<std::size_t>(n, std::size_t{first} + options_.distortion_limit + 1);
  }
  double future = 0;
  coverages.for_each_gap(coverage, [this, &future](std::size_t begin, std::size_t end) {
    future += future_->run(begin, end);
  });
  if (!sentence_->barriers().empty()) find_zones(coverage, last_begin);
  steps_.clear();
  begins_.clear();
  std::size_t gap_begin = first;
  for (std::size_t begin = first; begin < last_begin; ++begin) {
    if (coverages.is_covered(coverage, begin)) {
      gap_begin = begin + 1;
      continue;
    }
    std::size_t gap_end = begin + 1;
    const std::size_t top = coverages.top(coverage);
    if (begin >= top) {
      gap_end = n;
    } else {
      while (gap_end < top && !coverages.is_covered(coverage, gap_end)) ++gap_end;
      if (gap_end == top) gap_end = n;  // nothing is covered from there on
    }
    const auto first_step = static_cast<std::uint32_t>(steps_.size());
    const double without_gap = future - future_->run(gap_begin, gap_end);
    const double before = begin > gap_begin ? future_->run(gap_begin, begin) : 0;
    for (std::size_t end = begin + 1; end <= std::min(gap_end, begin + sentence_->max_length());
         ++end) {
      const OptionList* options = sentence_->options(begin, end);
      if (options == nullptr || !step_allowed(coverage, begin, end)) continue;
      Step step;
      step.span = {static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end)};
      step.options = options;
      step.completes = coverages.covered(coverage) + end - begin == n;
      step.future = without_gap + before + (end < gap_end ? future_->run(end, gap_end) : 0);
      steps_.push_back(step);
    }
    if (first_step < steps_.size()) {
      begins_.push_back({first_step, static_cast<std::uint32_t>(steps_.size()),
                         static_cast<std::uint16_t>(begin)});
    }
  }
}

bool StackSearch::step_allowed(CoverageId coverage, std::size_t begin, std::size_t end) const {
  const CoverageSet& coverages = *space_.coverages;
  const std::uint32_t first = coverages.first(coverage);
  if (!return_allowed(first, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end),
                      options_.distortion_limit)) {
    return false;
  }
  if (options_.gap_limit != kNoLimit) {
    std::uint32_t gaps = 0;
    coverages.for_each_gap(coverage, [&gaps, begin, end](std::size_t from, std::size_t to) {
      const bool inside = from <= begin && end <= to;
      gaps += inside
                  ? static_cast<std::uint32_t>(from < begin) + static_cast<std::uint32_t>(end < to)
                  : 1;
    });
    if (gaps > options_.gap_limit) return false;
  }
  const Barriers& barriers = sentence_->barriers();
  if (barriers.empty()) return true;
  if (barriers.next_wall(first) <= begin) return false;
  if (begin < open_zone_.begin || end > open_zone_.end) return false;
  const auto behind =
      std::upper_bound(barred_zones_.begin(), barred_zones_.end(), begin,
                       [](std::size_t place, const Zone& zone) { return place < zone.begin; });
  return behind == barred_zones_.begin() || behind[-1].end < end;
}

// What zones leave of the steps from a coverage on.
void StackSearch::find_zones(CoverageId coverage, std::size_t last_begin) {
  const Barriers& barriers = sentence_->barriers();
  const CoverageSet& coverages = *space_.coverages;
  const std::uint32_t first = coverages.first(coverage);
  const std::uint32_t top = coverages.top(coverage);
  open_zone_ = {0, static_cast<std::uint32_t>(sentence_->length())};
  barred_zones_.clear();
  // Those that begin before the first uncovered word are begun, and not done if it is in them.
  if (const Zone* const around = barriers.around(first)) open_zone_ = *around;
  const auto zones = barriers.zones_from(first, std::max<std::size_t>(top, last_begin));
  if (zones.empty()) return;
  next_covered_.assign(top - first + 1, top);
  next_free_.assign(top - first + 1, top);
  for (std::uint32_t at = top; at-- > first;) {
    const bool covered = coverages.is_covered(coverage, at);
    next_covered_[at - first] = covered ? at : next_covered_[at - first + 1];
    next_free_[at - first] = covered ? next_free_[at - first + 1] : at;
  }
  for (const Zone& zone : zones) {
    const bool begun =
        zone.begin < top && next_covered_[zone.begin - first] < std::min(top, zone.end);
    const bool done = zone.end <= top && next_free_[zone.begin - first] >= zone.end;
    if (begun && !done) {
      open_zone_.begin = std::max(open_zone_.begin, zone.begin);
      open_zone_.end = std::min(open_zone_.end, zone.end);
    }
    // Whoever enters a zone must be able to come back from its end.
    if (!begun && !return_allowed(first, zone.begin, zone.end, options_.distortion_limit)) {
      const std::uint32_t end = barred_zones_.empty() ? 0 : barred_zones_.back().end;
      barred_zones_.push_back({zone.begin, std::max(end, zone.end)});
    }
  }
}

void StackSearch::expand(std::uint32_t first) {
  const double best = space_.hypotheses[first].total;  // the stack is sorted
  const double acceptable = kind_ == SearchKind::kEarly
                                ? best - options_.used_early_threshold() - kRounding
                                : -std::numeric_limits<double>::infinity();
  group_by_coverage(first);
  for (const Group& group : groups_) {
    find_steps(space_.hypotheses[by_coverage_[group.begin]].coverage);
    for (std::uint32_t i = group.begin; i < group.end; ++i) extend(by_coverage_[i], acceptable);
  }
}

double StackSearch::jump_cost(const Hypothesis& from, SourceSpan next) const {
  const std::uint32_t distance = space_.estimates_distortion
                                     ? modified_increment(space_.coverages->first(from.coverage),
                                                          from.last.end, next.begin, next.end)
                                     : jump(from.last.end, next.begin);
  return -distortion_weight_ * distance;
}

// The three points at which section 5 breaks off; without early pruning nothing is unacceptable.
void StackSearch::extend(std::uint32_t index, double acceptable) {
  const Hypothesis from = space_.hypotheses[index];
  const bool early = kind_ == SearchKind::kEarly;
  const bool penalised = distortion_weight_ >= 0;  // else later begins and ends may be better
  SearchStats& stats = space_.stats;
  for (const Begin& begin : begins_) {
    if (early && penalised) {
      const SourceSpan word{begin.position, static_cast<std::uint16_t>(begin.position + 1)};
      if (from.total + jump_cost(from, word) < acceptable) {
        ++stats.early_begins;
        break;
      }
    }
    if (!jump_allowed(from.last.end, begin.position, options_.distortion_limit)) continue;
    for (std::uint32_t s = begin.first_step; s < begin.last_step; ++s) {
      Step& step = steps_[s];
      if (early && penalised && from.total + jump_cost(from, step.span) < acceptable) {
        ++stats.early_ends;
        break;
      }
      const Departure departure = depart(index, step.span);
      Beam& into =
          beam(space_.coverages->covered(from.coverage) + step.span.end - step.span.begin);
      for (const PhraseOption& option : step.options->options()) {
        if (early && departure.base + option.estimate + step.future < acceptable) {
          ++stats.early_options;
          break;
        }
        if (reference_ && !matches_reference(from, option)) continue;
        if (evaluate(departure, step, option, into)) {
          into.add(candidate_, candidate_owns_states_, candidate_complete_);
        }
      }
    }
  }
}

bool StackSearch::matches_reference(const Hypothesis& from, const PhraseOption& option) const {
  const Sentence target = option.target_words();
  return from.produced + target.size() <= reference_->size() &&
         same_words(target, reference_->subspan(from.produced, target.size()));
}

StackSearch::Departure StackSearch::depart(std::uint32_t index, SourceSpan span) const {
  Departure departure;
  const Hypothesis& from = space_.hypotheses[index];
  departure.from = &from;
  departure.from_index = index;
  departure.base = from.score + jump_cost(from, span);
  if (weighted_.reorders()) {
    const CoverageSet& coverages = *space_.coverages;
    departure.orientations.by_phrase =
        static_cast<std::uint8_t>(orientation_towards(from.last, span));
    departure.orientations.by_block_backward = static_cast<std::uint8_t>(
        orientation_towards(coverages.run_around(from.coverage, from.last), span));
    departure.orientations.by_block_forward = static_cast<std::uint8_t>(forward_orientation(
        from.last, span, coverages.length(), [&coverages, &from](std::size_t position) {
          return coverages.is_covered(from.coverage, position);
        }));
    if (from.option != nullptr) {
      const float* scores = from.option->reordering;
      departure.forward = scores[kByPhraseForward + departure.orientations.by_phrase] +
                          scores[kByBlockForward + departure.orientations.by_block_forward];
    }
  }
  return departure;
}

bool StackSearch::evaluate(const Departure& departure, Step& step, const PhraseOption& option,
                           Beam& into) {
  ++into.stats().evaluated;
  const Hypothesis& from = *departure.from;
  const std::size_t sequences = weighted_.sequences();
  double score = departure.base + departure.forward + option.fixed;
  if (option.reordering != nullptr) {
    score += option.reordering[kByPhraseBackward + departure.orientations.by_phrase];
    score += option.reordering[kByBlockBackward + departure.orientations.by_block_backward];
  }
  // Language models can but lower the score, so that one may stop as soon as it is too low.
  const bool may_stop = options_.give_up && lm_only_lowers_ && !step.completes;
  const bool may_doubt = may_stop && kind_ == SearchKind::kEarly;
  // What is still to come, with estimates of the models that have not been asked yet. What stands
  // before a phrase makes it more or less likely, but seldom by more than the margin.
  double hoped = option.estimate - option.fixed + step.future + options_.estimate_margin;
  LmState* const ends = scratch_.data();
  bool all_known = true;  // whether the phrase alone tells all states behind it
  for (std::size_t m = 0; m < sequences; ++m) {
    const NgramModel& model = weighted_.model().sequences()[m].model;
    const double weight = weighted_.sequence_weight(m);
    const WordId* words = option.lm_words + m * option.words;
    const float* rest = option.lm_rest + m * kMaxLmOrder;
    const LmState* in = from.states + m;
    LmState between[2];
    double log_prob = 0;
    bool known = false;
    hoped -= weight * static_cast<double>(rest[0]);
    for (std::size_t i = 0; i < option.words; ++i) {
      const bool doubtful =
          may_doubt &&
          !into.admits(score + weight * (log_prob + static_cast<double>(rest[i])) + hoped);
      if (doubtful || (may_stop && !into.admits(score + weight * log_prob + step.future))) {
        into.refuse(score + weight * log_prob + step.future);
        return false;
      }
      LmState& out = between[i & 1];
      ++into.stats().lm_lookups;
      log_prob += model.score(*in, words[i], out).log_prob;
      in = &out;
      if (out.length <= i + 1) {
        // What stood before the phrase is forgotten: the rest is known.
        if (i + 1 < option.words) log_prob += rest[i + 1];
        known = true;
        break;
      }
    }
    score += weight * log_prob;
    if (known) {
      ends[m] = option.lm_end[m];
    } else {
      ends[m] = *in;
      all_known = false;
    }
  }
  candidate_.score = score;
  candidate_.option = &option;
  candidate_.last = step.span;
  candidate_.produced = from.produced + option.words;
  candidate_.states = all_known ? option.lm_end : ends;
  candidate_owns_states_ = !all_known;
  candidate_complete_ = step.completes;
  if (candidate_complete_) {
    if (reference_ && candidate_.produced != reference_->size()) return false;
    into.stats().lm_lookups += sequences;
    finish_sentence(step.span);
  }
  candidate_.total = candidate_.score + step.future;
  if (!into.admits(candidate_.total)) {
    into.refuse(candidate_.total);
    return false;
  }
  if (step.coverage == kNone) {
    step.coverage = space_.coverages->with(from.coverage, step.span.begin, step.span.end);
  }
  candidate_.coverage = step.coverage;
  candidate_.back = departure.from_index;
  candidate_.alternatives = kNone;
  return true;
}

// The end of the sentence: </s>, the last jump, and the last phrase's forward orientation.
void StackSearch::finish_sentence(SourceSpan last) {
  const auto n = static_cast<std::uint32_t>(sentence_->length());
  for (std::size_t m = 0; m < weighted_.sequences(); ++m) {
    LmState end;
    candidate_.score +=
        weighted_.sequence_weight(m) * weighted_.model()
                                           .sequences()[m]
                                           .model.score(candidate_.states[m], kEndSentence, end)
                                           .log_prob;
  }
  if (!space_.estimates_distortion) {
    candidate_.score -= distortion_weight_ * jump(last.end, n);
  }
  if (candidate_.option->reordering != nullptr) {
    const SourceSpan end{static_cast<std::uint16_t>(n), static_cast<std::uint16_t>(n)};
    const float* scores = candidate_.option->reordering;
    const auto by_phrase = static_cast<std::size_t>(orientation_towards(last, end));
    const auto by_block = static_cast<std::size_t>(
        forward_orientation(last, end, n, [](std::size_t) { return true; }));
    candidate_.score += scores[kByPhraseForward + by_phrase] + scores[kByBlockForward + by_block];
  }
}

}  // namespace dragoman
