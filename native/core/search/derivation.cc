#include "search/derivation.h"

#include <algorithm>
#include <array>

namespace dragoman {

Derivation best_derivation(const SearchSpace& space) {
  Derivation derivation;
  if (space.goal == kNone) return derivation;
  for (std::uint32_t at = space.goal; space.hypotheses[at].option != nullptr;
       at = space.hypotheses[at].back) {
    const Hypothesis& hypothesis = space.hypotheses[at];
    const PhraseOption& option = *hypothesis.option;
    derivation.push_back({hypothesis.last, option.row, option.target_words(), option.provenance});
  }
  std::reverse(derivation.begin(), derivation.end());
  return derivation;
}

namespace {

// Orientations from the covered words, kept as plain flags.
class OrientationTracker {
 public:
  explicit OrientationTracker(std::size_t length) : covered_(length, false) {}

  Orientation backward(ReorderingKind kind, SourceSpan next) const {
    if (kind != ReorderingKind::kHierarchical) return orientation_towards(last_, next);
    SourceSpan block = last_;
    while (block.begin > 0 && covered_[block.begin - 1u]) --block.begin;
    while (block.end < covered_.size() && covered_[block.end]) ++block.end;
    return orientation_towards(block, next);
  }
  Orientation forward(ReorderingKind kind, SourceSpan next) const {
    if (kind != ReorderingKind::kHierarchical) return orientation_towards(last_, next);
    return forward_orientation(last_, next, covered_.size(), [this](std::size_t position) {
      return static_cast<bool>(covered_[position]);
    });
  }
  void cover(SourceSpan phrase) {
    for (std::size_t at = phrase.begin; at < phrase.end; ++at) covered_[at] = true;
    last_ = phrase;
  }

 private:
  std::vector<bool> covered_;
  SourceSpan last_;
};

}  // namespace

std::vector<double> derivation_features(const TranslationModel& model,
                                        const SentenceOptions& sentence,
                                        std::span<const DerivationStep> derivation) {
  const FeatureSet& features = model.features();
  const PhraseTable& table = model.table();
  std::vector<double> values(features.size(), 0.0);

  std::size_t at = 0;
  for (const DerivationStep& step : derivation) {
    for (std::size_t column = 0; column < features.table_columns(); ++column) {
      values[column] += static_cast<double>(step.row == kNoRow ? step.provenance.log_prob
                                                               : table.score(step.row, column));
    }
    if (const auto context = features.context(); context && step.row != kNoRow) {
      const auto found = sentence.in_context(step.source.begin, step.source.end, step.row);
      values[*context] += found.words;
      values[*context + 1] += found.none;
    }
    values[features.words()] += static_cast<double>(step.target.size());
    values[features.phrases()] += 1;
    if (const auto counter = features.counter_of(step.provenance)) values[*counter] += 1;
    values[features.distortion()] -= jump(static_cast<std::uint32_t>(at), step.source.begin);
    at = step.source.end;
  }
  values[features.distortion()] -=
      jump(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(sentence.length()));

  for (std::size_t m = 0; m < model.sequences().size(); ++m) {
    const SequenceModel& sequence = model.sequences()[m];
    LmState state = sequence.model.begin_state();
    const auto read = [&values, &state, &sequence, place = features.sequence(m)](WordId word) {
      LmState next;
      values[place] += sequence.model.score(state, word, next).log_prob;
      state = next;
    };
    for (const DerivationStep& step : derivation) {
      const PhraseOption* const extra =
          step.row == kNoRow ? sentence.extra_option(step.source, step.target, step.provenance)
                             : nullptr;
      for (std::size_t i = 0; i < step.target.size(); ++i) {
        const WordId word = step.target[i];
        if (!sequence.bilingual()) {
          read(sequence.id_of(word, sentence.target().word(word)));
        } else {
          read(extra != nullptr ? extra->lm_words[m * extra->words + i]
                                : sequence.id_of(table.bilingual(step.row)[i]));
        }
      }
    }
    read(kEndSentence);
  }

  for (std::size_t r = 0; r < model.reorderings(); ++r) {
    const ReorderingKind kind = model.reordering_kind(r);
    OrientationTracker tracker(sentence.length());
    const auto pay = [&](const DerivationStep& step, ReorderingDirection direction,
                         Orientation orientation) {
      if (step.row == kNoRow) return;
      std::array<float, kScoresPerReordering> scores;
      table.reordering_scores(step.row, r, scores.data());
      const std::size_t column = reordering_column(direction, orientation);
      values[features.reordering(r) + column] += static_cast<double>(scores[column]);
    };
    const auto end = static_cast<std::uint16_t>(sentence.length());
    for (std::size_t i = 0; i <= derivation.size(); ++i) {
      const bool at_end = i == derivation.size();
      const SourceSpan next = at_end ? SourceSpan{end, end} : derivation[i].source;
      if (i > 0) {
        pay(derivation[i - 1], ReorderingDirection::kForward, tracker.forward(kind, next));
      }
      if (at_end) break;
      pay(derivation[i], ReorderingDirection::kBackward, tracker.backward(kind, next));
      tracker.cover(next);
    }
  }
  return values;
}

double dot(std::span<const double> weights, std::span<const double> values) {
  double total = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) total += weights[i] * values[i];
  return total;
}

}  // namespace dragoman
