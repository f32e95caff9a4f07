#include "search/stack_graph.h"

#include <algorithm>
#include <array>

namespace dragoman {

namespace {

// The features of extending one hypothesis by one phrase, asked of the models anew.
class EdgeFeatures {
 public:
  EdgeFeatures(const WeightedModel& weighted, const SentenceOptions& sentence,
               const SearchSpace& space)
      : model_(weighted.model()), sentence_(sentence), space_(space) {}

  void of(const Hypothesis& from, const PhraseOption& option, SourceSpan span, bool complete,
          std::vector<float>& values) const {
    const FeatureSet& features = model_.features();
    values.assign(features.size(), 0.0f);
    if (option.row != kNoRow) {
      model_.table().scores(option.row, values.data());
      if (const auto context = features.context()) {
        const auto found = sentence_.in_context(span.begin, span.end, option.row);
        values[*context] = static_cast<float>(found.words);
        values[*context + 1] = static_cast<float>(found.none);
      }
    } else {
      std::fill_n(values.begin(), features.table_columns(), option.provenance.log_prob);
      if (const auto counter = features.counter_of(option.provenance)) values[*counter] = 1;
    }
    values[features.words()] = option.words;
    values[features.phrases()] = 1;
    const auto n = static_cast<std::uint32_t>(sentence_.length());
    std::uint32_t distance = jump(from.last.end, span.begin);
    if (complete) distance += jump(span.end, n);
    values[features.distortion()] = -static_cast<float>(distance);
    for (std::size_t m = 0; m < model_.sequences().size(); ++m) {
      const NgramModel& lm = model_.sequences()[m].model;
      LmState states[2] = {from.states[m], {}};
      std::size_t now = 0;
      double log_prob = 0;
      for (std::size_t i = 0; i < option.words; ++i) {
        const WordId word = option.lm_words[m * option.words + i];
        log_prob += lm.score(states[now], word, states[1 - now]).log_prob;
        now = 1 - now;
      }
      if (complete) log_prob += lm.score(states[now], kEndSentence, states[1 - now]).log_prob;
      values[features.sequence(m)] = static_cast<float>(log_prob);
    }
    for (std::size_t r = 0; r < model_.reorderings(); ++r) {
      reordering(from, option, span, complete, r, values.data() + features.reordering(r));
    }
  }

 private:
  void reordering(const Hypothesis& from, const PhraseOption& option, SourceSpan span,
                  bool complete, std::size_t model, float* values) const {
    const CoverageSet& coverages = *space_.coverages;
    const std::size_t n = sentence_.length();
    const bool blocks = model_.reordering_kind(model) == ReorderingKind::kHierarchical;
    const auto pay = [&](const PhraseOption& who, ReorderingDirection direction,
                         Orientation orientation) {
      if (who.row == kNoRow) return;
      std::array<float, kScoresPerReordering> scores;
      model_.table().reordering_scores(who.row, model, scores.data());
      const std::size_t column = reordering_column(direction, orientation);
      values[column] += scores[column];
    };
    const auto covered = [&coverages, &from](std::size_t position) {
      return coverages.is_covered(from.coverage, position);
    };
    const SourceSpan towards = blocks ? coverages.run_around(from.coverage, from.last) : from.last;
    pay(option, ReorderingDirection::kBackward, orientation_towards(towards, span));
    if (from.option != nullptr) {
      pay(*from.option, ReorderingDirection::kForward,
          blocks ? forward_orientation(from.last, span, n, covered)
                 : orientation_towards(from.last, span));
    }
    if (complete) {
      const SourceSpan end{static_cast<std::uint16_t>(n), static_cast<std::uint16_t>(n)};
      pay(option, ReorderingDirection::kForward,
          blocks ? forward_orientation(span, end, n, [](std::size_t) { return true; })
                 : orientation_towards(span, end));
    }
  }

  const TranslationModel& model_;
  const SentenceOptions& sentence_;
  const SearchSpace& space_;
};

}  // namespace

Hypergraph make_hypergraph(const WeightedModel& weighted, const SentenceOptions& sentence,
                           const SearchSpace& space, bool with_values) {
  const FeatureSet& features = weighted.model().features();
  Hypergraph graph(features.size());
  if (space.goal == kNone) return graph;
  const auto& hypotheses = space.hypotheses;
  const auto for_each_way = [&space](const Hypothesis& hypothesis, auto&& visit) {
    visit(hypothesis.score, hypothesis.option, hypothesis.back, hypothesis.last);
    for (std::uint32_t a = hypothesis.alternatives; a != kNone; a = space.alternatives[a].next) {
      const Alternative& other = space.alternatives[a];
      visit(other.score, other.option, other.back, other.last);
    }
  };
  std::vector<Hypergraph::Node> node_of(hypotheses.size(), kNone);
  node_of[space.goal] = 0;  // for now: wanted
  for (std::size_t h = hypotheses.size(); h-- > 1;) {
    if (node_of[h] == kNone) continue;
    for_each_way(hypotheses[h], [&node_of](double, const PhraseOption*, std::uint32_t back,
                                           SourceSpan) { node_of[back] = 0; });
  }
  const EdgeFeatures edge_features(weighted, sentence, space);
  std::vector<float> values(with_values ? features.size() : 0);
  std::vector<WordId> target;
  // The score without what is still to be jumped, which the modified distortion holds.
  const auto plain_score = [&](double score, CoverageId coverage, std::uint32_t end) {
    if (!space.estimates_distortion) return score;
    return score +
           weighted.distortion_weight() * pending_distortion(*space.coverages, coverage, end);
  };
  for (std::size_t h = 0; h < hypotheses.size(); ++h) {
    if (node_of[h] == kNone) continue;
    node_of[h] = graph.add_node();
    const Hypothesis& here = hypotheses[h];
    if (here.option == nullptr) {
      // An empty sentence is complete at its start and pays for </s> there.
      if (with_values && h == space.goal) {
        for (std::size_t m = 0; m < weighted.sequences(); ++m) {
          LmState end;
          values[features.sequence(m)] = weighted.model()
                                             .sequences()[m]
                                             .model.score(here.states[m], kEndSentence, end)
                                             .log_prob;
        }
      }
      graph.add_edge(here.score, {}, {}, kNoRow, {}, values);
      continue;
    }
    const bool complete = h == space.goal;
    for_each_way(here, [&](double score, const PhraseOption* option, std::uint32_t back,
                           SourceSpan span) {
      const Hypothesis& from = hypotheses[back];
      const double before =
          from.option == nullptr ? 0 : plain_score(from.score, from.coverage, from.last.end);
      // Complete hypotheses have nothing pending but what they have paid.
      const double after = complete ? score : plain_score(score, here.coverage, span.end);
      target.assign(1, -1);
      const Sentence words = option->target_words();
      target.insert(target.end(), words.begin(), words.end());
      if (with_values) edge_features.of(from, *option, span, complete, values);
      const Hypergraph::Node tail[] = {node_of[back]};
      Hyperedge& edge = graph.add_edge(after - before, tail, target, option->row, span, values);
      edge.provenance = option->provenance;
    });
  }
  graph.set_goal(node_of[space.goal]);
  return graph;
}

}  // namespace dragoman
