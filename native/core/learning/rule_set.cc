#include "learning/rule_set.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "corpus/sentences.h"
#include "rules/phrase_table.h"
#include "text/binary_format.h"
#include "text/checksum.h"
#include "text/error.h"

namespace dragoman {

namespace {

constexpr std::string_view kKind = "ruleset";
constexpr std::uint32_t kVersion = 1;
enum Section : std::uint32_t {
  kParameters,
  kSourceWords,
  kSourceStarts,
  kTargetWords,
  kTargetStarts,
  kRules,
  kCounts,  // of each rule by fold
  kSections
};

std::uint64_t hash_phrase(Sentence phrase) {
  std::uint64_t hash = 0x9e3779b97f4a7c15 + phrase.size();
  for (const WordId word : phrase) {
    hash = fold_multiply(hash ^ static_cast<std::uint32_t>(word), 0xd6e8feb86659fd93);
  }
  return hash;
}

}  // namespace

PhraseIndex::PhraseIndex() { clear(); }

void PhraseIndex::clear() {
  words_.clear();
  starts_.assign(1, 0);
  slots_.assign(1024, 0);
  intern({});
}

std::size_t PhraseIndex::place_of(Sentence phrase) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash_phrase(phrase) & mask;
  while (slots_[at] != 0 && !same_words(words(slots_[at] - 1), phrase)) {
    at = (at + 1) & mask;
  }
  return at;
}

PhraseId PhraseIndex::find(Sentence phrase) const {
  const std::uint32_t slot = slots_[place_of(phrase)];
  return slot == 0 ? kNoPhrase : slot - 1;
}

PhraseId PhraseIndex::intern(Sentence phrase) {
  const std::size_t at = place_of(phrase);
  if (slots_[at] != 0) return slots_[at] - 1;
  const auto id = static_cast<PhraseId>(size());
  words_.insert(words_.end(), phrase.begin(), phrase.end());
  starts_.push_back(words_.size());
  slots_[at] = id + 1;
  if (size() * 2 >= slots_.size()) grow();
  return id;
}

void PhraseIndex::grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (PhraseId id = 0; id < size(); ++id) slots_[place_of(words(id))] = id + 1;
}

RuleSet::RuleSet(double k, std::size_t folds) : k_(k), folds_(std::max<std::size_t>(1, folds)) {
  if (!(k > 0) || !std::isfinite(k)) {
    throw InputError("k of the rule probabilities must be above zero, not " + std::to_string(k));
  }
  clear();
}

void RuleSet::clear() {
  sources_.clear();
  targets_.clear();
  source_counts_.reset(folds_);
  source_counts_.resize(1);
  target_counts_.reset(folds_);
  target_counts_.resize(1);
  rules_.clear();
  counts_.reset(folds_);
  slots_.assign(1024, 0);
}

std::size_t RuleSet::place_of(PhraseId source, PhraseId target) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = fold_multiply((std::uint64_t{source} << 32 | target) + 0x9e3779b97f4a7c15,
                                 0xd6e8feb86659fd93) &
                   mask;
  while (slots_[at] != 0) {
    const Rule& there = rules_[slots_[at] - 1];
    if (there.source == source && there.target == target) break;
    at = (at + 1) & mask;
  }
  return at;
}

RuleSet::Rule& RuleSet::add(Sentence source, Sentence target, double count, std::size_t fold) {
  const PhraseId source_id = sources_.intern(source);
  const PhraseId target_id = targets_.intern(target);
  source_counts_.resize(sources_.size());
  target_counts_.resize(targets_.size());
  source_counts_.add(source_id, fold, count);
  target_counts_.add(target_id, fold, count);
  const std::size_t at = place_of(source_id, target_id);
  if (slots_[at] == 0) {
    rules_.push_back({source_id, target_id, 0});
    counts_.resize(rules_.size());
    slots_[at] = static_cast<std::uint32_t>(rules_.size());
    if (rules_.size() * 2 >= slots_.size()) grow();
    counts_.add(rules_.size() - 1, fold, count);
    return rules_.back();
  }
  counts_.add(slots_[at] - 1, fold, count);
  return rules_[slots_[at] - 1];
}

void RuleSet::grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    slots_[place_of(rules_[i].source, rules_[i].target)] = static_cast<std::uint32_t>(i + 1);
  }
}

void RuleSet::add_all(const RuleSet& other) {
  if (other.folds_ != folds_) throw InputError("rules of different numbers of folds");
  for (std::size_t place = 0; place < other.rules_.size(); ++place) {
    const Rule& rule = other.rules_[place];
    for (std::size_t fold = 0; fold < folds_; ++fold) {
      const double count = other.counts_.of(place, fold);
      if (count > 0) {
        add(other.sources_.words(rule.source), other.targets_.words(rule.target), count, fold);
      }
    }
  }
}

void RuleSet::add_up() {
  const FoldCounts counts = counts_;
  source_counts_.clear_counts();
  target_counts_.clear_counts();
  counts_.clear_counts();
  for (std::size_t place = 0; place < rules_.size(); ++place) {
    for (std::size_t fold = 0; fold < folds_; ++fold) {
      const double count = counts.of(place, fold);
      source_counts_.add(rules_[place].source, fold, count);
      target_counts_.add(rules_[place].target, fold, count);
      counts_.add(place, fold, count);
    }
  }
}

const RuleSet::Rule* RuleSet::find(PhraseId source, PhraseId target) const {
  if (source == kNoPhrase || target == kNoPhrase) return nullptr;
  const std::uint32_t slot = slots_[place_of(source, target)];
  return slot == 0 ? nullptr : &rules_[slot - 1];
}

double RuleSet::given(double count, std::size_t words) const {
  return count + std::pow(k_, static_cast<double>(std::max<std::size_t>(1, words)) - 1);
}

RuleSet::LogProbabilities RuleSet::probabilities(const Rule& rule, std::size_t without) const {
  const double joint = count(rule, without);
  const auto log_of = [joint](double given) {
    return static_cast<float>(std::log(std::max(kUnseenRule, joint / given)));
  };
  return {log_of(given(source_count(rule.source, without), sources_.words(rule.source).size())),
          log_of(given(target_count(rule.target, without), targets_.words(rule.target).size()))};
}

void RuleSet::save(const std::string& path) const {
  BinaryWriter writer(path, kKind, kVersion, kSections);
  const double parameters[] = {k_, static_cast<double>(folds_)};
  writer.section(std::span<const double>(parameters));
  writer.section(sources_.all_words());
  writer.section(sources_.starts());
  writer.section(targets_.all_words());
  writer.section(targets_.starts());
  writer.section(std::span<const Rule>(rules_));
  writer.section(counts_.by_fold());
  writer.finish();
}

RuleSet RuleSet::open(const std::string& path) {
  const BinaryFile file(path, kKind, kVersion, kSections);
  const auto parameters = file.section<double>(kParameters);
  if (parameters.size() != 2 || !(parameters[1] >= 1 && parameters[1] <= 1000)) {
    throw InputError(path + ": damaged: no parameters");
  }
  const auto folds = static_cast<std::size_t>(parameters[1]);
  if (!(parameters[0] > 0) || !std::isfinite(parameters[0])) {
    throw InputError(path + ": damaged: no parameters");
  }
  RuleSet set(parameters[0], folds);
  const auto phrases = [&](Section words, Section starts) {
    try {
      const Sentences found(file.section<WordId>(words), file.section<std::uint64_t>(starts));
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i].size() > kLongestPhrase) throw std::invalid_argument("a phrase too long");
      }
      return found;
    } catch (const std::invalid_argument& problem) {
      throw InputError(path + ": damaged: " + problem.what());
    }
  };
  const Sentences sources = phrases(kSourceWords, kSourceStarts);
  const Sentences targets = phrases(kTargetWords, kTargetStarts);
  // In their old order, so that phrases get their old numbers back.
  for (std::size_t i = 0; i < sources.size(); ++i) set.sources_.intern(sources[i]);
  for (std::size_t i = 0; i < targets.size(); ++i) set.targets_.intern(targets[i]);
  const auto rules = file.section<Rule>(kRules);
  const auto counts = file.section<double>(kCounts);
  if (counts.size() != rules.size() * folds ||
      !std::all_of(counts.begin(), counts.end(),
                   [](double count) { return count >= -1e30 && count <= 1e30; })) {
    throw InputError(path + ": damaged: counts");
  }
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const Rule& rule = rules[i];
    if (rule.source >= sources.size() || rule.target >= targets.size() ||
        !std::isfinite(rule.sparse)) {
      throw InputError(path + ": damaged: a rule of phrases that are not there");
    }
    for (std::size_t fold = 0; fold < folds; ++fold) {
      set.add(sources[rule.source], targets[rule.target], counts[i * folds + fold], fold).sparse =
          rule.sparse;
    }
  }
  return set;
}

}  // namespace dragoman
