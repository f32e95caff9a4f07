#include "learning/found_rules.h"

#include <algorithm>
#include <string_view>

#include "text/binary_format.h"
#include "text/error.h"

namespace dragoman {

namespace {

constexpr std::string_view kFoundKind = "foundrul";
constexpr std::uint32_t kFoundVersion = 1;
enum FoundSection : std::uint32_t {
  kFoundNumbers,
  kFoundScore,
  kFoundPairs,
  kFoundRules,
  kFoundPosteriors,
  kFoundSections
};

template <class T>
void extend(std::vector<T>& items, const std::vector<T>& more) {
  items.insert(items.end(), more.begin(), more.end());
}

template <class T>
std::vector<T> copied(std::span<const T> items) {
  return {items.begin(), items.end()};
}

}  // namespace

void FoundRules::add(std::uint32_t pair, const PlacedRule& rule, double posterior) {
  pairs.push_back(pair);
  rules.push_back(rule);
  posteriors.push_back(posterior);
}

void FoundRules::append(const FoundRules& other) {
  counts.pairs += other.counts.pairs;
  counts.reachable += other.counts.reachable;
  counts.empty += other.counts.empty;
  counts.score += other.counts.score;
  counts.evaluated += other.counts.evaluated;
  extend(pairs, other.pairs);
  extend(rules, other.rules);
  extend(posteriors, other.posteriors);
}

void FoundRules::save(const std::string& path) const {
  BinaryWriter writer(path, kFoundKind, kFoundVersion, kFoundSections);
  const std::uint64_t numbers[] = {counts.pairs, counts.reachable, counts.empty, counts.evaluated};
  writer.section(std::span<const std::uint64_t>(numbers));
  writer.section(std::span(&counts.score, 1));
  writer.section(std::span<const std::uint32_t>(pairs));
  writer.section(std::span<const PlacedRule>(rules));
  writer.section(std::span<const double>(posteriors));
  writer.finish();
}

FoundRules FoundRules::open(const std::string& path) {
  const BinaryFile file(path, kFoundKind, kFoundVersion, kFoundSections);
  const auto numbers = file.section<std::uint64_t>(kFoundNumbers);
  const auto score = file.section<double>(kFoundScore);
  FoundRules found;
  found.pairs = copied(file.section<std::uint32_t>(kFoundPairs));
  found.rules = copied(file.section<PlacedRule>(kFoundRules));
  found.posteriors = copied(file.section<double>(kFoundPosteriors));
  if (numbers.size() != 4 || score.size() != 1 || found.rules.size() != found.pairs.size() ||
      found.posteriors.size() != found.pairs.size() ||
      !std::all_of(found.posteriors.begin(), found.posteriors.end(),
                   [](double posterior) { return posterior >= 0 && posterior <= 2; })) {
    throw InputError(path + ": damaged: rules that were found");
  }
  found.counts = {numbers[0], numbers[1], numbers[2], score[0], numbers[3]};
  return found;
}

}  // namespace dragoman
