#include "search/stack_graph.h"

#include <algorithm>
#include <array>

namespace dragoman {

// All ways to a hypothesis: its own, and those that recombination has given up.
template <class Visit>
void StackGraph::for_each_way(const Hypothesis& hypothesis, Visit&& visit) const {
  visit(hypothesis.score, hypothesis.option, hypothesis.back, hypothesis.last);
  for (std::uint32_t a = hypothesis.alternatives; a != kNone; a = space_.alternatives[a].next) {
    const Alternative& other = space_.alternatives[a];
    visit(other.score, other.option, other.back, other.last);
  }
}

// The score without what is still to be jumped, which the modified distortion holds.
double StackGraph::plain_score(double score, CoverageId coverage, std::uint32_t end) const {
  if (!space_.estimates_distortion) return score;
  return score +
         weighted_.distortion_weight() * pending_distortion(*space_.coverages, coverage, end);
}

Hypergraph StackGraph::make(bool with_values) {
  Hypergraph graph(weighted_.model().features().size());
  if (space_.goal == kNone) return graph;
  const auto& hypotheses = space_.hypotheses;
  std::vector<Hypergraph::Node> node_of(hypotheses.size(), kNone);
  node_of[space_.goal] = 0;  // for now: wanted
  std::size_t edges = 1;
  for (std::size_t h = hypotheses.size(); h-- > 1;) {
    if (node_of[h] == kNone) continue;
    for_each_way(hypotheses[h], [&](double, const PhraseOption*, std::uint32_t back, SourceSpan) {
      node_of[back] = 0;
      ++edges;
    });
  }
  graph.reserve(edges);
  extensions_.reserve(edges);
  std::vector<double> found(with_values ? graph.features() : 0);
  std::vector<float> values(found.size());
  const auto add_edge = [&](double score, std::span<const Hypergraph::Node> tails, Sentence target,
                            std::uint32_t row, const Extension& extension) -> Hyperedge& {
    if (with_values) {
      find_values(extension, found);
      std::transform(found.begin(), found.end(), values.begin(),
                     [](double value) { return static_cast<float>(value); });
    }
    extensions_.push_back(extension);
    return graph.add_edge(score, tails, target, row, extension.span, values);
  };
  std::vector<WordId> target;
  for (std::size_t h = 0; h < hypotheses.size(); ++h) {
    if (node_of[h] == kNone) continue;
    node_of[h] = graph.add_node();
    const Hypothesis& here = hypotheses[h];
    const bool complete = h == space_.goal;
    if (here.option == nullptr) {
      add_edge(here.score, {}, {}, kNoRow, {nullptr, kNone, {}, complete});
      continue;
    }
    for_each_way(
        here, [&](double score, const PhraseOption* option, std::uint32_t back, SourceSpan span) {
          const Hypothesis& from = hypotheses[back];
          const double before =
              from.option == nullptr ? 0 : plain_score(from.score, from.coverage, from.last.end);
          // Complete hypotheses have nothing pending but what they have paid.
          const double after = complete ? score : plain_score(score, here.coverage, span.end);
          target.assign(1, -1);
          const Sentence words = option->target_words();
          target.insert(target.end(), words.begin(), words.end());
          const Hypergraph::Node tail[] = {node_of[back]};
          add_edge(after - before, tail, target, option->row, {option, back, span, complete})
              .provenance = option->provenance;
        });
  }
  graph.set_goal(node_of[space_.goal]);
  return graph;
}

std::vector<double> StackGraph::features(std::span<const std::uint32_t> edges) {
  const std::size_t size = weighted_.model().features().size();
  std::vector<double> totals(size, 0.0);
  for (const std::uint32_t edge : edges) {
    Extension& extension = extensions_[edge];
    if (extension.values == kNone) {
      extension.values = static_cast<std::uint32_t>(values_.size() / size);
      values_.resize(values_.size() + size);
      find_values(extension, std::span(values_).last(size));
    }
    const double* const values = values_.data() + extension.values * size;
    for (std::size_t i = 0; i < size; ++i) totals[i] += values[i];
  }
  return totals;
}

void StackGraph::find_values(const Extension& extension, std::span<double> values) const {
  const TranslationModel& model = weighted_.model();
  const FeatureSet& features = model.features();
  std::fill(values.begin(), values.end(), 0.0);
  const PhraseOption* const option = extension.option;
  if (option == nullptr) {
    // An empty sentence is complete at its start and pays for </s> there.
    const Hypothesis& start = space_.hypotheses.front();
    for (std::size_t m = 0; extension.complete && m < model.sequences().size(); ++m) {
      LmState end;
      values[features.sequence(m)] =
          model.sequences()[m].model.score(start.states[m], kEndSentence, end).log_prob;
    }
    return;
  }
  const Hypothesis& from = space_.hypotheses[extension.from];
  const SourceSpan span = extension.span;
  if (option->row != kNoRow) {
    for (std::size_t column = 0; column < features.table_columns(); ++column) {
      values[column] = model.table().score(option->row, column);
    }
    if (const auto context = features.context()) {
      const auto found = sentence_.in_context(span.begin, span.end, option->row);
      values[*context] = found.words;
      values[*context + 1] = found.none;
    }
  } else {
    std::fill_n(values.begin(), features.table_columns(), option->provenance.log_prob);
    if (const auto counter = features.counter_of(option->provenance)) values[*counter] = 1;
  }
  values[features.words()] = option->words;
  values[features.phrases()] = 1;
  std::uint32_t distance = jump(from.last.end, span.begin);
  if (extension.complete) {
    distance += jump(span.end, static_cast<std::uint32_t>(sentence_.length()));
  }
  values[features.distortion()] = -static_cast<double>(distance);
  for (std::size_t m = 0; m < model.sequences().size(); ++m) {
    const NgramModel& lm = model.sequences()[m].model;
    LmState states[2] = {from.states[m], {}};
    std::size_t now = 0;
    const auto read = [&](WordId word) {
      values[features.sequence(m)] += lm.score(states[now], word, states[1 - now]).log_prob;
      now = 1 - now;
    };
    for (std::size_t i = 0; i < option->words; ++i) read(option->lm_words[m * option->words + i]);
    if (extension.complete) read(kEndSentence);
  }
  for (std::size_t r = 0; r < model.reorderings(); ++r) {
    add_reordering(extension, r, values.data() + features.reordering(r));
  }
}

void StackGraph::add_reordering(const Extension& extension, std::size_t model,
                                double* values) const {
  const CoverageSet& coverages = *space_.coverages;
  const PhraseOption& option = *extension.option;
  const Hypothesis& from = space_.hypotheses[extension.from];
  const SourceSpan span = extension.span;
  const TranslationModel& all = weighted_.model();
  const std::size_t n = sentence_.length();
  const bool blocks = all.reordering_kind(model) == ReorderingKind::kHierarchical;
  const auto pay = [&](const PhraseOption& who, ReorderingDirection direction,
                       Orientation orientation) {
    if (who.row == kNoRow) return;
    std::array<float, kScoresPerReordering> scores;
    all.table().reordering_scores(who.row, model, scores.data());
    const std::size_t column = reordering_column(direction, orientation);
    values[column] += static_cast<double>(scores[column]);
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
  if (extension.complete) {
    const SourceSpan end{static_cast<std::uint16_t>(n), static_cast<std::uint16_t>(n)};
    pay(option, ReorderingDirection::kForward,
        blocks ? forward_orientation(span, end, n, [](std::size_t) { return true; })
               : orientation_towards(span, end));
  }
}

}  // namespace dragoman
