// Hypotheses on their way from one stack to the next.
#include <algorithm>
#include <limits>

#include "search/stack.h"

namespace dragoman {

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
  const SourceSpan block = block_of(from);
  const std::uint32_t covered = space_.coverages->covered(from.coverage);
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
      const double cost = jump_cost(from, step.span);
      if (early && penalised && from.total + cost < acceptable) {
        ++stats.early_ends;
        break;
      }
      Beam& into = beam(covered + step.span.end - step.span.begin);
      // Whether an estimate, which only falls from option to option, leaves no hope: nothing else
      // makes a score rise by more than the margin.
      const auto hopeless = [&](double estimate, double forward) {
        return estimate < acceptable ||
               (doubts_ && only_lowers_ && !step.completes &&
                !into.expects(estimate + forward + options_.estimate_margin));
      };
      const double base = from.score + cost;
      if (early && hopeless(base + step.best, 0)) {
        ++stats.early_options;
        continue;
      }
      const Departure departure = depart(index, step.span, block, base);
      for (const PhraseOption& option : step.options->options()) {
        if (early && hopeless(base + option.estimate + step.future, departure.forward)) {
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

// The run of covered words around the last phrase.
SourceSpan StackSearch::block_of(const Hypothesis& from) const {
  return weighted_.reorders() ? space_.coverages->run_around(from.coverage, from.last) : from.last;
}

StackSearch::Departure StackSearch::depart(std::uint32_t index, SourceSpan span, SourceSpan block,
                                           double base) const {
  Departure departure;
  const Hypothesis& from = space_.hypotheses[index];
  departure.from = &from;
  departure.from_index = index;
  departure.base = base;
  if (weighted_.reorders()) {
    const CoverageSet& coverages = *space_.coverages;
    departure.orientations.by_phrase =
        static_cast<std::uint8_t>(orientation_towards(from.last, span));
    departure.orientations.by_block_backward =
        static_cast<std::uint8_t>(orientation_towards(block, span));
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
  const std::size_t sequences = sequences_.size();
  double score = departure.base + departure.forward + option.fixed;
  if (option.reordering != nullptr) {
    score += option.reordering[kByPhraseBackward + departure.orientations.by_phrase];
    score += option.reordering[kByBlockBackward + departure.orientations.by_block_backward];
  }
  // Language models can but lower the score, so that one may stop as soon as it is too low.
  const bool may_stop = may_stop_ && !step.completes;
  const bool may_doubt = doubts_ && !step.completes;
  // What is still to come, with estimates of the models that have not been asked yet. What stands
  // before a phrase makes it more or less likely, but seldom by more than the margin.
  double hoped = option.estimate - option.fixed + step.future;
  const LmState** const ends = ends_.data();
  std::uint64_t lookups = 0;
  std::size_t forgotten = 0;  // models of which the phrase alone tells the state behind it
  for (std::size_t m = 0; m < sequences; ++m) {
    auto& [model, weight, margin] = sequences_[m];
    const WordId* words = option.lm_words + m * option.words;
    const float* rest = option.lm_rest + m * kMaxLmOrder;
    const LmState* in = from.states + m;
    double log_prob = 0;
    hoped -= weight * static_cast<double>(rest[0]);
    for (std::size_t i = 0; i < option.words; ++i) {
      const double so_far = score + weight * log_prob + step.future;
      const double hope = score + weight * (log_prob + static_cast<double>(rest[i])) + hoped;
      // One branch for both: which of them decides is nothing that a processor can guess.
      const bool hopeful = into.expects(hope + margin);
      const bool fits = into.admits(so_far);
      if ((may_doubt & !hopeful) | (may_stop & !fits)) {
        into.refuse(so_far);
        into.stats().lm_lookups += lookups;
        return false;
      }
      ++lookups;
      const LookupMemory::Answer answer = model.score(*in, words[i]);
      log_prob += answer.log_prob;
      in = answer.state;
      if (answer.length <= i + 1) {
        // What stood before the phrase is forgotten: the rest is known, and nothing behind its
        // last word.
        log_prob += rest[i + 1];
        in = option.lm_end + m;
        ++forgotten;
        break;
      }
    }
    score += weight * log_prob;
    ends[m] = in;
  }
  into.stats().lm_lookups += lookups;
  candidate_.score = score;
  candidate_.option = &option;
  candidate_.last = step.span;
  candidate_.produced = from.produced + option.words;
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
  candidate_owns_states_ = forgotten < sequences;
  if (candidate_owns_states_) {
    for (std::size_t m = 0; m < sequences; ++m) scratch_[m] = *ends[m];
    candidate_.states = scratch_.data();
  } else {
    candidate_.states = option.lm_end;
  }
  candidate_.back = departure.from_index;
  candidate_.alternatives = kNone;
  return true;
}

// The end of the sentence: </s>, the last jump, and the last phrase's forward orientation.
void StackSearch::finish_sentence(SourceSpan last) {
  const auto n = static_cast<std::uint32_t>(sentence_->length());
  for (std::size_t m = 0; m < sequences_.size(); ++m) {
    auto& [model, weight, margin] = sequences_[m];
    // The answer may take the place of the one that the state is in.
    scratch_[m] = *ends_[m];
    ends_[m] = &scratch_[m];
    candidate_.score += weight * model.score(scratch_[m], kEndSentence).log_prob;
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
