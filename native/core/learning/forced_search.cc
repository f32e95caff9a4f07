#include "learning/forced_search.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "search/stack.h"
#include "text/checksum.h"

namespace dragoman {

namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

std::uint64_t key_of(CoverageId coverage, std::uint16_t produced, std::uint16_t last_end) {
  return std::uint64_t{coverage} << 32 | std::uint64_t{produced} << 16 | last_end;
}

std::uint64_t scrambled(std::uint64_t key) {
  return fold_multiply(key + 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93);
}

std::uint32_t phrases_for(std::size_t words, std::size_t max_length) {
  return static_cast<std::uint32_t>((words + max_length - 1) / max_length);
}

}  // namespace

ForcedSearch::ForcedSearch(std::size_t max_length, const ForcedOptions& options)
    : max_length_(max_length), options_(options) {
  if (options_.beam == 0) options_.beam = std::numeric_limits<std::uint32_t>::max();
}

double ForcedSearch::score_of(const PlacedRule& rule) const {
  if (rule.source_words() == 0) return insertions_[rule.target_begin];
  if (rule.target_words() == 0) return deletions_[rule.source_begin];
  return scores_[(rule.source_begin * max_length_ + rule.source_words() - 1) * target_length_ *
                     max_length_ +
                 rule.target_begin * max_length_ + rule.target_words() - 1];
}

void ForcedSearch::score_phrases() {
  const auto weighted = [this](const RuleValues& values, double score) {
    for (std::size_t i = 0; i < kRuleValues; ++i) {
      score += weights_.values[i] * static_cast<double>(values[i]);
    }
    return score;
  };
  const std::size_t spans = target_length_ * max_length_;
  scores_.assign(length_ * max_length_ * spans, kImpossible);
  deletions_.resize(length_);
  insertions_.resize(target_length_);
  PlacedRule rule;
  for (std::size_t i = 0; i < length_; ++i) {
    rule.source_begin = static_cast<std::uint16_t>(i);
    for (std::size_t s = 1; s <= std::min(max_length_, length_ - i); ++s) {
      rule.source_end = static_cast<std::uint16_t>(i + s);
      double* row = scores_.data() + (i * max_length_ + s - 1) * spans;
      for (std::size_t j = 0; j < target_length_; ++j) {
        rule.target_begin = static_cast<std::uint16_t>(j);
        for (std::size_t t = 1; t <= std::min(max_length_, target_length_ - j); ++t) {
          rule.target_end = static_cast<std::uint16_t>(j + t);
          if (phrases_->usable(rule)) {
            row[j * max_length_ + t - 1] = weighted(phrases_->values(rule), weights_.phrases);
          }
        }
      }
    }
    rule.source_end = static_cast<std::uint16_t>(i + 1);
    rule.target_begin = rule.target_end = 0;
    deletions_[i] = weighted(phrases_->values(rule), weights_.null_rules);
  }
  rule.source_begin = rule.source_end = 0;
  for (std::size_t j = 0; j < target_length_; ++j) {
    rule.target_begin = static_cast<std::uint16_t>(j);
    rule.target_end = static_cast<std::uint16_t>(j + 1);
    insertions_[j] = weighted(phrases_->values(rule), weights_.null_rules);
  }
}

// What is left of the source, wherever its words may go, and what is left of the target, wherever
// its words may come from. Neither is below what the rest will really score, so the smaller is
// the better estimate of the two.
void ForcedSearch::estimate_future() {
  const std::size_t spans = target_length_ * max_length_;
  std::vector<double> of_source(length_ * max_length_, kImpossible);
  std::vector<double> of_target(spans, kImpossible);
  for (std::size_t s = 0; s < of_source.size(); ++s) {
    for (std::size_t t = 0; t < spans; ++t) {
      const double score = scores_[s * spans + t];
      of_source[s] = std::max(of_source[s], score);
      of_target[t] = std::max(of_target[t], score);
    }
  }
  if (options_.null_rules) {
    for (std::size_t i = 0; i < length_; ++i) {
      of_source[i * max_length_] = std::max(of_source[i * max_length_], deletions_[i]);
    }
    for (std::size_t j = 0; j < target_length_; ++j) {
      of_target[j * max_length_] = std::max(of_target[j * max_length_], insertions_[j]);
    }
  }
  source_future_.assign((length_ + 1) * (length_ + 1), kImpossible);
  for (std::size_t begin = 0; begin <= length_; ++begin) {
    double* run = source_future_.data() + begin * (length_ + 1);
    run[begin] = 0;
    for (std::size_t end = begin + 1; end <= length_; ++end) {
      for (std::size_t words = 1; words <= std::min(max_length_, end - begin); ++words) {
        run[end] = std::max(run[end],
                            run[end - words] + of_source[(end - words) * max_length_ + words - 1]);
      }
    }
  }
  target_future_.assign(target_length_ + 1, 0);
  for (std::size_t j = target_length_; j-- > 0;) {
    double best = kImpossible;
    for (std::size_t words = 1; words <= std::min(max_length_, target_length_ - j); ++words) {
      best = std::max(best, of_target[j * max_length_ + words - 1] + target_future_[j + words]);
    }
    target_future_[j] = best;
  }
  // One side knows nothing of the other's null rules, which may be worth having.
  insertable_ = 0;
  double deletable = 0;
  if (options_.null_rules) {
    for (const double score : insertions_) insertable_ += std::max(0.0, score);
    for (const double score : deletions_) deletable += std::max(0.0, score);
  }
  for (double& future : target_future_) future += deletable;
  inserted_.assign(target_length_ + 1, 0);
  for (std::size_t j = target_length_; j-- > 0;) {
    inserted_[j] = insertions_[j] + inserted_[j + 1];
  }
}

const ForcedSearch::CoverageFacts& ForcedSearch::facts(CoverageId coverage) {
  if (facts_.size() <= coverage) facts_.resize(coverages_->size());
  CoverageFacts& found = facts_[coverage];
  if (!found.known) {
    found.known = true;
    found.future = insertable_;
    coverages_->for_each_gap(coverage, [this, &found](std::size_t begin, std::size_t end) {
      found.future += run_future(begin, end);
      found.least_phrases += phrases_for(end - begin, max_length_);
      ++found.gaps;
    });
  }
  return found;
}

// Whether the words left on both sides can still become phrase pairs; null rules need no partner.
bool ForcedSearch::can_end(const CoverageFacts& facts, std::size_t uncovered,
                           std::size_t unproduced) const {
  if (options_.null_rules) return true;
  return facts.least_phrases <= unproduced && phrases_for(unproduced, max_length_) <= uncovered;
}

std::uint32_t* ForcedSearch::slot_of(std::uint64_t key) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = scrambled(key) & mask;
  while (slots_[at] != 0 && keys_[slots_[at] - 1] != key) at = (at + 1) & mask;
  return &slots_[at];
}

const ForcedSpace& ForcedSearch::run(const PairPhrases& phrases, const ForcedWeights& weights) {
  phrases_ = &phrases;
  weights_ = weights;
  length_ = phrases.source().size();
  target_length_ = phrases.target().size();
  score_phrases();
  estimate_future();
  const std::size_t reach =
      options_.distortion_limit == kNoLimit ? length_ : std::size_t{options_.distortion_limit} + 1;
  coverages_ = std::make_unique<CoverageSet>(length_, reach);
  facts_.clear();
  space_.hypotheses.assign(1, {});
  space_.edges.clear();
  space_.best.assign(length_ + 1, kNobody);
  space_.goals.clear();
  space_.evaluated = 0;
  keys_.assign(1, key_of(CoverageSet::kEmpty, 0, 0));
  slots_.assign(1024, 0);
  *slot_of(keys_.front()) = 1;
  stacks_.resize(std::max(stacks_.size(), length_ + 1));
  bounds_.resize(stacks_.size());
  for (auto& stack : stacks_) stack.clear();
  for (auto& bound : bounds_) bound.clear();
  stacks_[0].push_back(0);
  for (std::size_t covered = 0; covered <= length_; ++covered) close_stack(covered);
  return space_;
}

// Falling totals; equals in an order that has nothing to do with how they were found, so that
// weights of zero choose at random (paper 003, footnote 1) and yet always the same.
bool ForcedSearch::better(std::uint32_t a, std::uint32_t b) const {
  const double one = space_.hypotheses[a].total;
  const double other = space_.hypotheses[b].total;
  if (one != other) return one > other;
  return scrambled(keys_[a]) < scrambled(keys_[b]);
}

void ForcedSearch::keep_best(std::vector<std::uint32_t>& stack) const {
  const auto order = [this](std::uint32_t a, std::uint32_t b) { return better(a, b); };
  if (stack.size() > options_.beam) {
    std::nth_element(stack.begin(), stack.begin() + (options_.beam - 1), stack.end(), order);
    stack.resize(options_.beam);
  }
  std::sort(stack.begin(), stack.end(), order);
}

void ForcedSearch::close_stack(std::size_t covered) {
  auto& stack = stacks_[covered];
  keep_best(stack);
  if (options_.null_rules) insert_words(stack);
  if (covered < length_) {
    keep_best(stack);
    if (!stack.empty()) space_.best[covered] = stack.front();
    for (const std::uint32_t index : stack) expand(index);  // into later stacks
    return;
  }
  for (const std::uint32_t index : stack) {
    if (space_.hypotheses[index].produced == target_length_) space_.goals.push_back(index);
  }
  keep_best(space_.goals);  // by their totals, which hold the last jump
  if (!space_.goals.empty()) space_.best[length_] = space_.goals.front();
}

// Insertions lead from fewer target words to more within one stack.
void ForcedSearch::insert_words(std::vector<std::uint32_t>& kept) {
  std::vector<std::uint32_t> waiting = kept;
  const auto fewer_words_last = [this](std::uint32_t a, std::uint32_t b) {
    const auto& one = space_.hypotheses[a];
    const auto& other = space_.hypotheses[b];
    return one.produced != other.produced ? one.produced > other.produced : a > b;
  };
  std::sort(waiting.begin(), waiting.end(), fewer_words_last);
  std::vector<std::uint32_t> grown = kept;
  while (!waiting.empty()) {
    const std::uint32_t index = waiting.back();
    waiting.pop_back();
    const ForcedHypothesis from = space_.hypotheses[index];
    if (from.produced == target_length_) continue;
    const PlacedRule rule{0, 0, from.produced, static_cast<std::uint16_t>(from.produced + 1)};
    const std::uint32_t to = add(index, rule, from.coverage, insertions_[from.produced]);
    if (to == kNobody || std::find(grown.begin(), grown.end(), to) != grown.end()) continue;
    grown.push_back(to);
    waiting.insert(std::upper_bound(waiting.begin(), waiting.end(), to, fewer_words_last), to);
  }
  kept = std::move(grown);
}

void ForcedSearch::expand(std::uint32_t index) {
  const ForcedHypothesis from = space_.hypotheses[index];
  const std::uint32_t first = coverages_->first(from.coverage);
  const std::uint32_t limit = options_.distortion_limit;
  std::size_t last_begin = length_;
  if (limit != kNoLimit)
    last_begin = std::min<std::size_t>(length_, std::size_t{first} + limit + 1);
  for (std::size_t begin = first; begin < last_begin; ++begin) {
    if (coverages_->is_covered(from.coverage, begin) ||
        !jump_allowed(from.last_end, static_cast<std::uint32_t>(begin), limit)) {
      continue;
    }
    const double jumped =
        -weights_.distortion * jump(from.last_end, static_cast<std::uint32_t>(begin));
    for (std::size_t end = begin + 1; end <= std::min(length_, begin + max_length_); ++end) {
      if (coverages_->is_covered(from.coverage, end - 1)) break;
      if (!return_allowed(first, static_cast<std::uint32_t>(begin),
                          static_cast<std::uint32_t>(end), limit)) {
        break;
      }
      const CoverageId coverage = coverages_->with(from.coverage, begin, end);
      if (options_.gap_limit != kNoLimit && facts(coverage).gaps > options_.gap_limit) continue;
      PlacedRule rule{static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end),
                      from.produced, from.produced};
      const std::size_t shortest = options_.null_rules && end == begin + 1 ? 0 : 1;
      for (std::size_t words = shortest;
           words <= std::min<std::size_t>(max_length_, target_length_ - from.produced); ++words) {
        rule.target_end = static_cast<std::uint16_t>(from.produced + words);
        const double score = score_of(rule);
        if (score > kImpossible) add(index, rule, coverage, jumped + score);
      }
    }
  }
}

std::uint32_t ForcedSearch::add(std::uint32_t from_index, const PlacedRule& rule,
                                CoverageId coverage, double increment) {
  ++space_.evaluated;
  const ForcedHypothesis& from = space_.hypotheses[from_index];
  ForcedHypothesis to;
  to.coverage = coverage;
  to.produced = rule.target_end;
  to.last_end = rule.source_words() == 0 ? from.last_end : rule.source_end;
  to.score = from.score + increment;
  const std::uint64_t key = key_of(to.coverage, to.produced, to.last_end);
  std::uint32_t* slot = slot_of(key);
  std::uint32_t index = *slot - 1;  // kNobody when it is empty
  if (*slot == 0 || to.score > space_.hypotheses[index].score) {
    const std::size_t covered = coverages_->covered(coverage);
    const std::size_t unproduced = target_length_ - to.produced;
    const CoverageFacts& known = facts(coverage);
    if (!can_end(known, length_ - covered, unproduced) || known.future == kImpossible ||
        target_future_[to.produced] == kImpossible) {
      return kNobody;
    }
    // Behind the last source word all that is left are insertions.
    const bool exact = covered == length_;
    if (exact && unproduced > 0 && !options_.null_rules) return kNobody;
    to.total =
        to.score +
        (exact ? inserted_[to.produced] : std::min(known.future, target_future_[to.produced])) -
        weights_.distortion * pending_distortion(*coverages_, coverage, to.last_end);
    if (*slot == 0) {
      auto& bound = bounds_[covered];
      if (bound.size() >= options_.beam && !(exact && rule.source_words() == 0)) {
        if (to.total < bound.front()) return kNobody;
        std::pop_heap(bound.begin(), bound.end(), std::greater<>());
        bound.pop_back();
      }
      bound.push_back(to.total);
      std::push_heap(bound.begin(), bound.end(), std::greater<>());
      index = static_cast<std::uint32_t>(space_.hypotheses.size());
      *slot = index + 1;
      keys_.push_back(key);
      space_.hypotheses.push_back(to);
      if (rule.source_words() > 0) stacks_[covered].push_back(index);
      if (keys_.size() * 2 >= slots_.size()) {
        slots_.assign(slots_.size() * 2, 0);
        for (std::size_t i = 0; i < keys_.size(); ++i) {
          *slot_of(keys_[i]) = static_cast<std::uint32_t>(i + 1);
        }
      }
    }
  }
  ForcedHypothesis& there = space_.hypotheses[index];
  const auto edge = static_cast<std::uint32_t>(space_.edges.size());
  space_.edges.push_back({increment, from_index, there.first, rule});
  there.first = edge;
  if (there.best == kNobody || to.score > there.score) {
    there.best = edge;
    there.score = to.score;
    there.total = to.total;
  }
  return index;
}

Hypergraph forced_graph(const ForcedSpace& space, const CoverageSet& coverages,
                        const ForcedWeights& weights, std::size_t source_words,
                        std::vector<PlacedRule>& rules) {
  Hypergraph graph;
  rules.clear();
  if (!space.reached()) return graph;
  const auto& hypotheses = space.hypotheses;
  std::vector<std::uint32_t> wanted = space.goals;
  std::vector<bool> seen(hypotheses.size(), false);
  for (const std::uint32_t goal : wanted) seen[goal] = true;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    for (auto e = hypotheses[wanted[i]].first; e != kNobody; e = space.edges[e].next) {
      const std::uint32_t from = space.edges[e].from;
      if (!seen[from]) wanted.push_back(from);
      seen[from] = true;
    }
  }
  // Insertions lead to more target words, everything else to more source words.
  std::sort(wanted.begin(), wanted.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto one = coverages.covered(hypotheses[a].coverage);
    const auto other = coverages.covered(hypotheses[b].coverage);
    if (one != other) return one < other;
    if (hypotheses[a].produced != hypotheses[b].produced) {
      return hypotheses[a].produced < hypotheses[b].produced;
    }
    return a < b;
  });
  std::vector<Hypergraph::Node> node_of(hypotheses.size(), kNobody);
  for (const std::uint32_t index : wanted) {
    node_of[index] = graph.add_node();
    if (index == 0) {
      graph.add_edge(0, {}, {}, kNoRow, {}, {});
      rules.emplace_back();
    }
    for (auto e = hypotheses[index].first; e != kNobody; e = space.edges[e].next) {
      const ForcedEdge& edge = space.edges[e];
      const Hypergraph::Node tail[] = {node_of[edge.from]};
      graph.add_edge(edge.score, tail, {}, kNoRow, {edge.rule.source_begin, edge.rule.source_end},
                     {});
      rules.push_back(edge.rule);
    }
  }
  const auto end = static_cast<std::uint32_t>(source_words);
  const Hypergraph::Node goal = graph.add_node();
  for (const std::uint32_t index : space.goals) {
    const Hypergraph::Node tail[] = {node_of[index]};
    graph.add_edge(-weights.distortion * jump(hypotheses[index].last_end, end), tail, {}, kNoRow,
                   {}, {});
    rules.emplace_back();
  }
  graph.set_goal(goal);
  return graph;
}

std::vector<PlacedRule> forced_derivation(const ForcedSpace& space, std::uint32_t hypothesis) {
  std::vector<PlacedRule> rules;
  for (auto e = space.hypotheses[hypothesis].best; e != kNobody;
       e = space.hypotheses[space.edges[e].from].best) {
    rules.push_back(space.edges[e].rule);
  }
  std::reverse(rules.begin(), rules.end());
  return rules;
}

}  // namespace dragoman
