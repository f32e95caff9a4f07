#include "learning/joint_trainer.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "learning/violation.h"
#include "parallel/parallel_for.h"
#include "parallel/per_worker.h"
#include "search/posteriors.h"
#include "search/stack.h"
#include "text/error.h"

namespace dragoman {

namespace {

constexpr std::size_t kPairsPerBlock = 16;

}  // namespace

// Forced decoding on one thread.
struct JointTrainer::Worker {
  Worker(std::size_t max_length, const ForcedOptions& options)
      : phrases(max_length), search(max_length, options) {}

  const ForcedSpace& run(const JointTrainer& trainer, std::size_t pair,
                         const ForcedWeights& weights,
                         const PairPhrases::Knowledge& knowledge = {}) {
    phrases.fill(trainer.source_[pair], trainer.target_[pair], trainer.rules_, trainer.forward_,
                 trainer.backward_, knowledge);
    return search.run(phrases, weights);
  }

  PairPhrases phrases;
  ForcedSearch search;
};

JointTrainer::JointTrainer(const ParallelText& text, const LexicalTable& forward,
                           const LexicalTable& backward, const JointOptions& options)
    : source_(text.source),
      target_(text.target),
      forward_(forward),
      backward_(backward),
      options_(options),
      rules_(options.k, options.folds),
      counting_(options.k, options.folds) {
  if (options.max_length == 0 || options.max_length > 255) {
    throw InputError("the longest phrase must have 1 to 255 words, not " +
                     std::to_string(options.max_length));
  }
  if (options.folds == 0 || options.folds > 1000) {
    throw InputError("there must be 1 to 1000 folds, not " + std::to_string(options.folds));
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (std::max(source_[i].size(), target_[i].size()) > 1000) {
      throw InputError("pair " + std::to_string(i + 1) +
                       " has more than 1000 words on a side; cut it into segments first");
    }
  }
}

std::size_t JointTrainer::proper_rules() const {
  const std::span<const RuleSet::Rule> rules = rules_.rules();
  return static_cast<std::size_t>(
      std::count_if(rules.begin(), rules.end(), [](const RuleSet::Rule& rule) {
        return rule.source != kNullPhrase && rule.target != kNullPhrase;
      }));
}

FoundRules JointTrainer::find(std::size_t begin, std::size_t end, const ForcedWeights& weights,
                              double scale, double min_posterior, int threads) const {
  const std::size_t size = end - begin;
  std::vector<FoundRules> blocks((size + kPairsPerBlock - 1) / kPairsPerBlock);
  PerWorker<Worker> workers(std::max(1, threads));
  parallel_for(threads, blocks.size(), [&](std::size_t number, int thread) {
    Worker& worker = workers.of(thread, options_.max_length, options_.forced);
    FoundRules& block = blocks[number];
    std::vector<PlacedRule> placed;
    const std::size_t first = begin + number * kPairsPerBlock;
    for (std::size_t pair = first; pair < std::min(end, first + kPairsPerBlock); ++pair) {
      ++block.counts.pairs;
      if (!has_words(pair)) {
        ++block.counts.empty;
        continue;
      }
      const ForcedSpace& space = worker.run(*this, pair, weights);
      block.counts.evaluated += space.evaluated;
      if (!space.reached()) continue;
      ++block.counts.reachable;
      block.counts.score += space.hypotheses[space.best.back()].score;
      const Hypergraph graph =
          forced_graph(space, worker.search.coverages(), weights, source_[pair].size(), placed);
      const Posteriors found = posteriors(graph, scale);
      for (std::size_t e = 0; e < graph.edges(); ++e) {
        if (placed[e] == PlacedRule{}) continue;
        const double posterior = std::exp(found.edges[e]);
        if (posterior < min_posterior) continue;
        block.add(static_cast<std::uint32_t>(pair), placed[e], posterior);
      }
    }
  });
  FoundRules all;
  for (FoundRules& block : blocks) {
    all.append(block);
    block = {};
  }
  return all;
}

void JointTrainer::add(const FoundRules& found) {
  for (std::size_t i = 0; i < found.pairs.size(); ++i) {
    const std::size_t pair = found.pairs[i];
    const PlacedRule& rule = found.rules[i];
    if (pair >= source_.size() || rule.source_begin > rule.source_end ||
        rule.source_end > source_[pair].size() || rule.target_begin > rule.target_end ||
        rule.target_end > target_[pair].size()) {
      throw InputError("rules of another text: there is no such place in sentence pair " +
                       std::to_string(pair + 1));
    }
    counting_.add(source_[pair].subspan(rule.source_begin, rule.source_words()),
                  target_[pair].subspan(rule.target_begin, rule.target_words()),
                  found.posteriors[i], fold_of(pair));
  }
}

void JointTrainer::finish_counting(bool unite) {
  if (unite) counting_.add_all(rules_);
  for (const RuleSet::Rule& old : rules_.rules()) {
    if (old.sparse == 0) continue;
    RuleSet::Rule* rule =
        counting_.find(counting_.sources().find(rules_.sources().words(old.source)),
                       counting_.targets().find(rules_.targets().words(old.target)));
    if (rule != nullptr) rule->sparse = old.sparse;
  }
  counting_.add_up();
  std::swap(rules_, counting_);
  counting_.clear();
  sparse_updates_.clear();
}

Lessons JointTrainer::learn(std::span<const std::uint32_t> pairs, double least_count,
                            std::shared_ptr<const TranslationModel> model,
                            std::span<const double> weights, const SearchOptions& options,
                            int threads) {
  check_joint_model(*model);
  for (const std::uint32_t pair : pairs) {
    if (pair >= source_.size()) throw InputError("no sentence pair " + std::to_string(pair));
    if (fold_of(pair) != fold_of(pairs.front())) {
      throw InputError("sentence pairs of different folds in one batch");
    }
  }
  const WeightedModel weighted(model, weights);
  const ForcedWeights own_weights = forced_weights(model->features(), weights);
  const std::size_t without =
      options_.folds > 1 && !pairs.empty() ? fold_of(pairs.front()) : kNoFold;
  ForcedOptions forced_options = options_.forced;
  forced_options.null_rules = false;
  struct RealWorker {
    RealWorker(std::size_t max_length, const ForcedOptions& forced_options,
               const WeightedModel& weighted, const SearchOptions& options)
        : forced(max_length, forced_options),
          builder(weighted, options.ttable_limit, options.ttable_threshold),
          search(weighted, options) {}
    Worker forced;
    OptionBuilder builder;
    StackSearch search;
  };
  PerWorker<RealWorker> workers(std::max(1, threads));
  struct Outcome {
    bool reachable = false;
    Violation violation;
  };
  std::vector<Outcome> outcomes(pairs.size());
  parallel_for(threads, pairs.size(), [&](std::size_t number, int thread) {
    RealWorker& worker =
        workers.of(thread, options_.max_length, forced_options, weighted, options);
    const std::size_t pair = pairs[number];
    if (!has_words(pair)) return;
    const ForcedSpace& forced =
        worker.forced.run(*this, pair, own_weights, {without, least_count});
    outcomes[number].reachable = forced.reached();
    if (!forced.reached()) return;
    std::string line;
    for (const WordId word : source_[pair]) {
      if (!line.empty()) line += ' ';
      line += model->source().word(word);
    }
    const SentenceOptions sentence(line, {}, worker.builder,
                                   options.unknown == UnknownWords::kDrop);
    const SearchSpace& real = worker.search.run(sentence, false);
    outcomes[number].violation =
        max_violation(weighted, worker.forced.phrases, forced, sentence, real);
  });
  Lessons lessons;
  lessons.difference.assign(model->features().size(), 0.0);
  if (sparse_updates_.empty()) sparse_updates_.assign(rules_.size(), 0.0);
  const auto move_rule = [this](Sentence source, Sentence target, double amount) {
    const RuleSet::Rule* rule =
        rules_.find(rules_.sources().find(source), rules_.targets().find(target));
    if (rule != nullptr) {
      sparse_updates_[static_cast<std::size_t>(rule - rules_.rules().data())] += amount;
    }
  };
  for (std::size_t number = 0; number < pairs.size(); ++number) {
    const Outcome& outcome = outcomes[number];
    ++lessons.pairs;
    lessons.reachable += outcome.reachable;
    lessons.correct += outcome.violation.correct;
    if (!outcome.violation.found) continue;
    const Violation& violation = outcome.violation;
    ++lessons.violations;
    lessons.violation += violation.size;
    for (std::size_t i = 0; i < lessons.difference.size(); ++i) {
      lessons.difference[i] += violation.difference[i];
    }
    const Sentence source = source_[pairs[number]];
    const Sentence target = target_[pairs[number]];
    for (const PlacedRule& rule : violation.wanted) {
      if (rule.source_words() == 0 || rule.target_words() == 0) continue;
      move_rule(source.subspan(rule.source_begin, rule.source_words()),
                target.subspan(rule.target_begin, rule.target_words()), 1);
    }
    for (const UsedRule& rule : violation.used) {
      move_rule(source.subspan(rule.source.begin, rule.source.end - rule.source.begin),
                rule.target, -1);
    }
  }
  return lessons;
}

void JointTrainer::finish_learning(double sparse_rate) {
  if (sparse_rate != 0) {
    for (std::size_t i = 0; i < sparse_updates_.size(); ++i) {
      const RuleSet::Rule& rule = rules_.rules()[i];
      rules_.find(rule.source, rule.target)->sparse += sparse_rate * sparse_updates_[i];
    }
  }
  sparse_updates_.clear();
}

std::vector<ForcedRule> JointTrainer::derivations(std::size_t pair, const ForcedWeights& weights,
                                                  double scale) const {
  if (pair >= source_.size()) throw InputError("no sentence pair " + std::to_string(pair));
  std::vector<ForcedRule> rules;
  if (!has_words(pair)) return rules;
  Worker worker(options_.max_length, options_.forced);
  const ForcedSpace& space = worker.run(*this, pair, weights);
  std::vector<PlacedRule> placed;
  const Hypergraph graph =
      forced_graph(space, worker.search.coverages(), weights, source_[pair].size(), placed);
  const Posteriors found = posteriors(graph, scale);
  for (std::size_t e = 0; e < graph.edges(); ++e) {
    const Hyperedge& edge = graph.edge(e);
    if (edge.tails == 0) continue;
    rules.push_back({edge.head, graph.tails(edge)[0], placed[e], edge.score, found.edges[e]});
  }
  return rules;
}

std::vector<PlacedRule> JointTrainer::best_derivation(std::size_t pair,
                                                      const ForcedWeights& weights) const {
  if (pair >= source_.size()) throw InputError("no sentence pair " + std::to_string(pair));
  if (!has_words(pair)) return {};
  Worker worker(options_.max_length, options_.forced);
  const ForcedSpace& space = worker.run(*this, pair, weights);
  if (!space.reached()) return {};
  return forced_derivation(space, space.best.back());
}

}  // namespace dragoman
