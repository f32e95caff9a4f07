#include "search/chart_graph.h"

#include <algorithm>
#include <utility>

namespace dragoman {

namespace {

// A rule's target side, or what glue and the ends of the sentence put in its place.
void target_of(const ChartEdge& edge, std::vector<WordId>& target) {
  target.clear();
  if (edge.rule == nullptr) {
    for (std::size_t tail = 0; tail < edge.tail_count(); ++tail) {
      target.push_back(-1 - static_cast<WordId>(tail));
    }
    return;
  }
  for (const WordId symbol : edge.rule->target_symbols()) {
    target.push_back(is_gap(symbol) ? -1 - static_cast<WordId>(gap_number(symbol)) : symbol);
  }
}

SourceSpan span_of(const ChartEdge& edge) {
  return edge.rule != nullptr ? edge.span : SourceSpan{};
}

void values_of(const WeightedModel& weighted, const ChartSpace& space, const ChartEdge& edge,
               std::vector<float>& values) {
  const TranslationModel& model = weighted.model();
  const FeatureSet& features = model.features();
  values.assign(features.size(), 0.0f);
  const RuleOption* rule = edge.rule;
  if (rule != nullptr) {
    if (rule->row != kNoRow) {
      model.table().scores(rule->row, values.data());
    } else {
      std::fill_n(values.begin(), features.table_columns(), rule->provenance.log_prob);
      if (const auto counter = features.counter_of(rule->provenance)) values[*counter] = 1;
    }
    values[features.words()] = rule->words;
    values[features.phrases()] = 1;
  } else if (edge.tail_count() == 2 && edge.tails[0] != 0) {
    values[features.glue()] = 1;
  }
  for (std::size_t m = 0; m < model.sequences().size(); ++m) {
    LmBoundary scratch;
    LmJoiner joiner(model.sequences()[m].model, scratch);
    const auto tail = [&](std::size_t number) {
      space.join(joiner, m, space.halves(edge.tails[number])[m]);
    };
    if (rule == nullptr) {
      for (std::size_t number = 0; number < edge.tail_count(); ++number) tail(number);
      if (edge.tail_count() == 1) joiner.word(kEndSentence);
    } else {
      for (std::size_t at = 0; at < rule->symbols; ++at) {
        const WordId symbol = rule->lm_symbols[m * rule->symbols + at];
        symbol >= 0 ? joiner.word(symbol) : tail(static_cast<std::size_t>(-1 - symbol));
      }
    }
    values[features.sequence(m)] = static_cast<float>(joiner.log_prob());
  }
}

}  // namespace

Hypergraph make_hypergraph(const WeightedModel& weighted, const ChartSpace& space,
                           bool with_values) {
  const FeatureSet& features = weighted.model().features();
  Hypergraph graph(features.size());
  if (space.goal() == kNone) return graph;
  std::vector<Hypergraph::Node> node_of(space.nodes(), kNone);
  node_of[space.goal()] = 0;  // for now: wanted
  for (std::uint32_t n = space.goal() + 1; n-- > 0;) {
    if (node_of[n] == kNone) continue;
    space.for_each_edge(n, [&node_of](const ChartEdge& edge) {
      for (std::size_t tail = 0; tail < edge.tail_count(); ++tail) node_of[edge.tails[tail]] = 0;
    });
  }
  std::vector<float> values(with_values ? features.size() : 0);
  std::vector<WordId> target;
  std::vector<Hypergraph::Node> tails;
  for (std::uint32_t n = 0; n <= space.goal(); ++n) {
    if (node_of[n] == kNone) continue;
    node_of[n] = graph.add_node();
    space.for_each_edge(n, [&](const ChartEdge& edge) {
      double score = edge.score;
      tails.clear();
      for (std::size_t tail = 0; tail < edge.tail_count(); ++tail) {
        score -= space.best(edge.tails[tail]).score;
        tails.push_back(node_of[edge.tails[tail]]);
      }
      target_of(edge, target);
      if (with_values) values_of(weighted, space, edge, values);
      Hyperedge& added =
          graph.add_edge(score, tails, target, edge.rule != nullptr ? edge.rule->row : kNoRow,
                         span_of(edge), values);
      if (edge.rule != nullptr) added.provenance = edge.rule->provenance;
    });
  }
  graph.set_goal(node_of[space.goal()]);
  return graph;
}

RuleDerivation best_derivation(const ChartSpace& space) {
  RuleDerivation derivation;
  if (space.goal() == kNone) return derivation;
  // From the goal, last tail first; then turned around.
  std::vector<std::uint32_t> nodes{space.goal()};
  while (!nodes.empty()) {
    const ChartEdge& edge = space.best(nodes.back());
    nodes.pop_back();
    RuleStep& step = derivation.emplace_back();
    step.source = span_of(edge);
    step.tails = static_cast<std::uint16_t>(edge.tail_count());
    target_of(edge, step.target);
    if (edge.rule != nullptr) {
      step.row = edge.rule->row;
      step.provenance = edge.rule->provenance;
    }
    for (std::size_t tail = 0; tail < step.tails; ++tail) nodes.push_back(edge.tails[tail]);
  }
  std::reverse(derivation.begin(), derivation.end());
  return derivation;
}

RuleDerivation derivation_of(const Hypergraph& graph, std::span<const std::uint32_t> edges) {
  RuleDerivation derivation;
  for (const std::uint32_t index : edges) {
    const Hyperedge& edge = graph.edge(index);
    const Sentence target = graph.target(edge);
    derivation.push_back(
        {edge.source, edge.rule, {target.begin(), target.end()}, edge.tails, edge.provenance});
  }
  return derivation;
}

RuleTree tree_of(std::span<const RuleStep> derivation) {
  RuleTree tree;
  tree.places.resize(derivation.size());
  std::vector<std::uint32_t> lengths(derivation.size());
  std::vector<std::uint32_t> open;
  for (std::size_t at = 0; at < derivation.size(); ++at) {
    const RuleStep& step = derivation[at];
    tree.places[at].tails.assign(open.end() - step.tails, open.end());
    open.resize(open.size() - step.tails);
    open.push_back(static_cast<std::uint32_t>(at));
    for (const WordId word : step.target) {
      lengths[at] +=
          word >= 0 ? 1 : lengths[tree.places[at].tails[static_cast<std::size_t>(-1 - word)]];
    }
  }
  if (derivation.empty()) return tree;
  tree.target.resize(lengths.back());
  for (std::size_t at = derivation.size(); at-- > 0;) {
    RulePlace& place = tree.places[at];
    std::uint32_t position = place.target_begin;
    for (const WordId word : derivation[at].target) {
      if (word >= 0) {
        tree.target[position++] = word;
      } else {
        const std::uint32_t tail = place.tails[static_cast<std::size_t>(-1 - word)];
        tree.places[tail].target_begin = position;
        position += lengths[tail];
      }
    }
    place.target_end = position;
  }
  return tree;
}

std::vector<double> derivation_features(const TranslationModel& model,
                                        const ChartSentence& sentence,
                                        std::span<const RuleStep> derivation) {
  const FeatureSet& features = model.features();
  std::vector<double> values(features.size(), 0.0);
  std::size_t parts = 0;
  for (const RuleStep& step : derivation) {
    parts += !step.applies_rule() && step.tails == 2 ? 1 : 0;
    if (!step.applies_rule()) continue;
    for (std::size_t column = 0; column < features.table_columns(); ++column) {
      values[column] += static_cast<double>(
          step.row != kNoRow ? model.table().score(step.row, column) : step.provenance.log_prob);
    }
    values[features.words()] += static_cast<double>(std::count_if(
        step.target.begin(), step.target.end(), [](WordId word) { return word >= 0; }));
    values[features.phrases()] += 1;
    if (const auto counter = features.counter_of(step.provenance)) values[*counter] += 1;
  }
  values[features.glue()] = parts == 0 ? 0 : static_cast<double>(parts - 1);
  const std::vector<WordId> target = tree_of(derivation).target;
  for (std::size_t m = 0; m < model.sequences().size(); ++m) {
    const NgramModel& lm = model.sequences()[m].model;
    LmState state = lm.begin_state();
    const auto read = [&](WordId word) {
      LmState next;
      values[features.sequence(m)] += static_cast<double>(lm.score(state, word, next).log_prob);
      state = next;
    };
    for (const WordId word : target) read(lm.vocabulary().find(sentence.target().word(word)));
    read(kEndSentence);
  }
  return values;
}

}  // namespace dragoman
