#include "learning/violation.h"

#include <algorithm>
#include <string>

#include "search/derivation.h"
#include "text/error.h"

namespace dragoman {

namespace {

constexpr std::size_t kColumns[] = {kTmForward, kTmBackward, kLexForward, kLexBackward, kSparse};

// Log-probabilities of the first words of a target sentence; the last entry includes </s>.
std::vector<double> prefix_scores(const SequenceModel& sequence, Sentence target) {
  std::vector<double> scores{0};
  LmState states[2] = {sequence.model.begin_state(), {}};
  std::size_t now = 0;
  const auto read = [&](WordId word) {
    scores.push_back(
        scores.back() +
        static_cast<double>(sequence.model.score(states[now], word, states[1 - now]).log_prob));
    now = 1 - now;
  };
  for (const WordId word : target) read(sequence.id_of(word));
  read(kEndSentence);
  return scores;
}

class Comparison {
 public:
  Comparison(const WeightedModel& weighted, const PairPhrases& phrases, const ForcedSpace& forced,
             const SentenceOptions& sentence, const SearchSpace& real)
      : weighted_(weighted),
        features_(weighted.model().features()),
        phrases_(phrases),
        forced_(forced),
        length_(static_cast<std::uint32_t>(sentence.length())),
        real_(real) {
    for (const SequenceModel& sequence : weighted.model().sequences()) {
      prefixes_.push_back(prefix_scores(sequence, phrases.target()));
    }
  }

  double forced_score(std::size_t step) const {
    const ForcedHypothesis& hypothesis = forced_.hypotheses[forced_.best[step]];
    double score = hypothesis.score + weighted_.weight(features_.words()) * hypothesis.produced;
    for (std::size_t m = 0; m < prefixes_.size(); ++m) {
      score += weighted_.sequence_weight(m) * prefixes_[m][read_words(step, hypothesis)];
    }
    if (step == length_) {
      score -= weighted_.distortion_weight() * jump(hypothesis.last_end, length_);
    }
    return score;
  }

  double real_score(std::uint32_t index) const {
    const Hypothesis& hypothesis = real_.hypotheses[index];
    if (!real_.estimates_distortion || index == real_.goal) return hypothesis.score;
    return hypothesis.score +
           weighted_.distortion_weight() *
               pending_distortion(*real_.coverages, hypothesis.coverage, hypothesis.last.end);
  }

  void add_forced(std::size_t step, Violation& violation) const {
    const ForcedHypothesis& hypothesis = forced_.hypotheses[forced_.best[step]];
    std::vector<double>& values = violation.difference;
    violation.wanted = forced_derivation(forced_, forced_.best[step]);
    std::uint32_t at = 0;
    for (const PlacedRule& rule : violation.wanted) {
      const RuleValues& own = phrases_.values(rule);
      for (std::size_t column = 0; column < features_.table_columns(); ++column) {
        values[column] += static_cast<double>(own[kColumns[column]]);
      }
      values[features_.phrases()] += 1;
      if (rule.source_words() == 0) continue;
      values[features_.distortion()] -= jump(at, rule.source_begin);
      at = rule.source_end;
    }
    if (step == length_) values[features_.distortion()] -= jump(at, length_);
    values[features_.words()] += hypothesis.produced;
    for (std::size_t m = 0; m < prefixes_.size(); ++m) {
      values[features_.sequence(m)] += prefixes_[m][read_words(step, hypothesis)];
    }
  }

  void subtract_real(std::uint32_t index, Violation& violation) const {
    std::vector<double>& values = violation.difference;
    const TranslationModel& model = weighted_.model();
    std::vector<std::uint32_t> path;
    for (std::uint32_t at = index; real_.hypotheses[at].option != nullptr;
         at = real_.hypotheses[at].back) {
      path.push_back(at);
    }
    std::reverse(path.begin(), path.end());
    std::uint32_t last_end = 0;
    std::vector<float> columns(features_.table_columns());
    for (const std::uint32_t at : path) {
      const Hypothesis& hypothesis = real_.hypotheses[at];
      const PhraseOption& option = *hypothesis.option;
      if (option.row == kNoRow) {
        std::fill(columns.begin(), columns.end(), option.provenance.log_prob);
        if (const auto counter = features_.counter_of(option.provenance)) values[*counter] -= 1;
      } else {
        model.table().scores(option.row, columns.data());
      }
      for (std::size_t column = 0; column < columns.size(); ++column) {
        values[column] -= static_cast<double>(columns[column]);
      }
      values[features_.words()] -= option.words;
      values[features_.phrases()] -= 1;
      values[features_.distortion()] += jump(last_end, hypothesis.last.begin);
      last_end = hypothesis.last.end;
      const Sentence target = option.target_words();
      violation.used.push_back({hypothesis.last, {target.begin(), target.end()}});
    }
    if (index == real_.goal) values[features_.distortion()] += jump(last_end, length_);
    for (std::size_t m = 0; m < model.sequences().size(); ++m) {
      const NgramModel& lm = model.sequences()[m].model;
      LmState states[2] = {lm.begin_state(), {}};
      std::size_t now = 0;
      const auto read = [&](WordId word) {
        values[features_.sequence(m)] -=
            static_cast<double>(lm.score(states[now], word, states[1 - now]).log_prob);
        now = 1 - now;
      };
      for (const std::uint32_t at : path) {
        const PhraseOption& option = *real_.hypotheses[at].option;
        for (std::size_t i = 0; i < option.words; ++i) read(option.lm_words[m * option.words + i]);
      }
      if (index == real_.goal) read(kEndSentence);
    }
  }

  // The best of each stack: hypotheses lie stack by stack, best first.
  std::vector<std::uint32_t> real_bests() const {
    std::vector<std::uint32_t> best(length_ + 1, kNone);
    for (std::uint32_t i = 1; i < real_.hypotheses.size(); ++i) {
      std::uint32_t& place = best[real_.coverages->covered(real_.hypotheses[i].coverage)];
      if (place == kNone) place = i;
    }
    best[length_] = real_.goal;
    return best;
  }

 private:
  std::size_t read_words(std::size_t step, const ForcedHypothesis& hypothesis) const {
    return hypothesis.produced + (step == length_ ? 1u : 0u);
  }

  const WeightedModel& weighted_;
  const FeatureSet& features_;
  const PairPhrases& phrases_;
  const ForcedSpace& forced_;
  std::uint32_t length_;
  const SearchSpace& real_;
  std::vector<std::vector<double>> prefixes_;  // by language model
};

}  // namespace

ForcedWeights forced_weights(const FeatureSet& features, std::span<const double> weights) {
  ForcedWeights own;
  for (std::size_t column = 0; column < features.table_columns(); ++column) {
    own.values[kColumns[column]] = weights[column];
  }
  own.phrases = weights[features.phrases()];
  own.distortion = weights[features.distortion()];
  return own;
}

void check_joint_model(const TranslationModel& model) {
  static const std::string kNames[] = {"tm.fwd", "tm.bwd", "lex.fwd", "lex.bwd", "sparse"};
  const auto names = model.table().feature_names();
  const bool columns_fit = (names.size() == kRuleValues || names.size() == kRuleValues - 1) &&
                           std::equal(names.begin(), names.end(), kNames);
  if (!columns_fit) {
    throw InputError(model.table().path() +
                     ": joint training knows the columns tm.fwd, tm.bwd, lex.fwd, lex.bwd and "
                     "sparse, in this order");
  }
  if (model.reorderings() > 0) {
    throw InputError("joint training knows no reordering models; make the table without");
  }
  for (const SequenceModel& sequence : model.sequences()) {
    if (sequence.bilingual()) throw InputError("joint training knows no bilingual language model");
  }
}

Violation max_violation(const WeightedModel& weighted, const PairPhrases& phrases,
                        const ForcedSpace& forced, const SentenceOptions& sentence,
                        const SearchSpace& real) {
  Violation violation;
  std::vector<WordId> translation;
  for (const DerivationStep& step : best_derivation(real)) {
    translation.insert(translation.end(), step.target.begin(), step.target.end());
  }
  violation.correct = real.goal != kNone && same_words(translation, phrases.target());
  if (violation.correct) return violation;
  const Comparison comparison(weighted, phrases, forced, sentence, real);
  const std::vector<std::uint32_t> bests = comparison.real_bests();
  for (std::size_t step = 1; step <= sentence.length(); ++step) {
    if (bests[step] == kNone || forced.best[step] == kNobody) continue;
    const double size = comparison.real_score(bests[step]) - comparison.forced_score(step);
    // At scores of zero everything is wrong alike: the longest prefix teaches most.
    if (size < 0 || (violation.found && size < violation.size)) continue;
    violation.found = true;
    violation.size = size;
    violation.step = step;
  }
  if (!violation.found) return violation;
  violation.difference.assign(weighted.model().features().size(), 0.0);
  comparison.add_forced(violation.step, violation);
  comparison.subtract_real(bests[violation.step], violation);
  return violation;
}

}  // namespace dragoman
