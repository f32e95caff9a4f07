// From a rule set to an ordinary phrase table.
#include <algorithm>
#include <numeric>

#include "learning/joint_trainer.h"
#include "rules/lexical_weight.h"
#include "rules/phrase_table_writer.h"
#include "rules/score_phrases.h"

namespace dragoman {

namespace {

// A rule that only the fold left out has seen is none.
constexpr double kLeastCount = 1e-9;
// The weight of the rules' own weights: they are weights already.
constexpr double kSparseSortWeight = 1.0;

// Every target word with its best partner, unless the empty word explains it better.
std::vector<PhraseLink> best_links(const LexicalTable& forward, Sentence source, Sentence target) {
  std::vector<PhraseLink> links;
  for (std::size_t j = 0; j < target.size(); ++j) {
    float best = forward.prob(kNullWord, target[j]);
    std::size_t partner = source.size();
    for (std::size_t i = 0; i < source.size(); ++i) {
      const float probability = forward.prob(source[i], target[j]);
      if (probability <= best) continue;
      best = probability;
      partner = i;
    }
    if (partner < source.size()) {
      links.push_back({static_cast<std::uint8_t>(partner), static_cast<std::uint8_t>(j)});
    }
  }
  std::sort(links.begin(), links.end());
  return links;
}

}  // namespace

std::uint64_t JointTrainer::write_table(const std::string& path,
                                        const RuleTableOptions& options) const {
  PhraseTableLayout layout;
  layout.features.assign(kPhraseFeatures.begin(), kPhraseFeatures.end());
  const ScoringOptions defaults;
  layout.sort_weights.assign(defaults.sort_weights.begin(), defaults.sort_weights.end());
  if (options.sparse) {
    layout.features.emplace_back("sparse");
    layout.sort_weights.push_back(kSparseSortWeight);
  }
  layout.source_words = options.source_words;
  layout.target_words = options.target_words;
  const std::vector<double> sort_weights = layout.sort_weights;
  PhraseTableWriter writer(path, std::move(layout));

  std::vector<const RuleSet::Rule*> kept;
  for (const RuleSet::Rule& rule : rules_.rules()) {
    if (rule.source != kNullPhrase && rule.target != kNullPhrase &&
        rules_.count(rule, options.without) >= std::max(options.min_count, kLeastCount)) {
      kept.push_back(&rule);
    }
  }
  // Places of the source phrases in the order in which a table has them.
  std::vector<PhraseId> order(rules_.sources().size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [this](PhraseId a, PhraseId b) {
    return words_before(rules_.sources().words(a), rules_.sources().words(b));
  });
  std::vector<std::uint32_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<std::uint32_t>(i);
  std::stable_sort(kept.begin(), kept.end(),
                   [&place](const RuleSet::Rule* a, const RuleSet::Rule* b) {
                     return place[a->source] < place[b->source];
                   });

  struct Option {
    double estimate = 0;
    const RuleSet::Rule* rule = nullptr;
    std::array<float, kRuleValues> scores{};
  };
  std::vector<Option> choices;
  LexicalScorer lexical(forward_, backward_, LexicalWeighting::kViterbi);
  const PhraseIndex& targets = rules_.targets();
  for (std::size_t begin = 0; begin < kept.size();) {
    std::size_t end = begin;
    while (end < kept.size() && kept[end]->source == kept[begin]->source) ++end;
    const Sentence source = rules_.sources().words(kept[begin]->source);
    choices.clear();
    for (; begin < end; ++begin) {
      Option option;
      option.rule = kept[begin];
      const auto probabilities = rules_.probabilities(*option.rule, options.without);
      const auto weights = lexical(source, targets.words(option.rule->target), {});
      option.scores = {probabilities.forward, probabilities.backward, weights.forward,
                       weights.backward, static_cast<float>(option.rule->sparse)};
      for (std::size_t i = 0; i < sort_weights.size(); ++i) {
        option.estimate += sort_weights[i] * static_cast<double>(option.scores[i]);
      }
      choices.push_back(option);
    }
    std::sort(choices.begin(), choices.end(), [&targets](const Option& a, const Option& b) {
      if (a.estimate != b.estimate) return a.estimate > b.estimate;
      return words_before(targets.words(a.rule->target), targets.words(b.rule->target));
    });
    if (options.limit > 0 && choices.size() > options.limit) choices.resize(options.limit);
    writer.begin_source(source);
    for (const Option& option : choices) {
      const Sentence target = targets.words(option.rule->target);
      const std::vector<PhraseLink> links = best_links(forward_, source, target);
      OptionFields fields;
      fields.target = target;
      fields.alignment = links;
      fields.counts = {
          static_cast<float>(rules_.count(*option.rule, options.without)),
          static_cast<float>(rules_.source_count(option.rule->source, options.without)),
          static_cast<float>(rules_.target_count(option.rule->target, options.without))};
      fields.scores = std::span(option.scores).first(sort_weights.size());
      writer.add_option(fields);
    }
  }
  writer.finish();
  return writer.options();
}

}  // namespace dragoman
