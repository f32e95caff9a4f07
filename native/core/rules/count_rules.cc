#include "rules/count_rules.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "rules/phrase_hash.h"
#include "text/error.h"

namespace dragoman {
namespace {

constexpr std::uint64_t kRulesPerPartition = 1 << 16;
// A guess at how many rules begin at a word; only the number of partitions depends on it.
constexpr std::uint64_t kRulesPerWord = 64;
constexpr unsigned kShareBits = 24;

// Fixed by the corpus alone.
Partitions partitions_for(const Sentences& source) {
  return {source.words() * kRulesPerWord, kRulesPerPartition};
}

}  // namespace

RuleCounter::Instance RuleCounter::pack(std::size_t sentence, const RuleInstance& rule) {
  Instance instance;
  instance.where = static_cast<std::uint64_t>(sentence) << 32 |
                   static_cast<std::uint64_t>(rule.source_begin) << 16 | rule.target_begin;
  // No phrase pair of this size has more rules than the bits can tell, unless hardly a word has
  // links and edges may be loose; then one in 2^24 is as good as none.
  instance.what = rule.shape << kShareBits |
                  std::min<std::uint64_t>(rule.share, (std::uint64_t{1} << kShareBits) - 1);
  return instance;
}

RuleInstance RuleCounter::unpack(const Instance& instance) {
  RuleInstance rule;
  rule.source_begin = static_cast<std::uint16_t>(instance.where >> 16);
  rule.target_begin = static_cast<std::uint16_t>(instance.where);
  rule.shape = instance.what >> kShareBits;
  rule.share = static_cast<std::uint32_t>(instance.what & ((std::uint64_t{1} << kShareBits) - 1));
  return rule;
}

RuleCounter::RuleCounter(const AlignedText& text, const RuleExtractionOptions& options,
                         const WorkResources& resources)
    : PairCounter(text, options, resources, partitions_for(text.source), {2, 4, 8}),
      own_(partitions()),
      all_(partitions()) {}

void RuleCounter::add_instances(std::size_t pair, Worker& worker) {
  std::vector<WordId>& symbols = worker.room.symbols;
  for (const RuleInstance& rule : worker.found) {
    Instance instance = pack(pair, rule);
    source_symbols(rule, text_.source[pair], symbols);
    instance.source_hash = hash_of(symbols);
    target_symbols(rule, text_.target[pair], symbols);
    instance.target_hash = hash_of(symbols);
    worker.instances.append(partitions_.of(instance.source_hash), instance);
  }
}

void RuleCounter::aggregate_partition(std::size_t partition) {
  std::vector<Instance> instances = instances_.take(partition);
  std::sort(instances.begin(), instances.end(), [](const Instance& a, const Instance& b) {
    return std::tie(a.source_hash, a.target_hash, a.where, a.what) <
           std::tie(b.source_hash, b.target_hash, b.where, b.what);
  });
  RuleStatistics statistics;
  statistics.instances = instances.size();
  std::vector<RuleRow> rows;
  std::vector<std::size_t> groups;  // where each source side's rows begin
  for (std::size_t begin = 0; begin < instances.size();) {
    const Instance& head = instances[begin];
    if (begin == 0 || instances[begin - 1].source_hash != head.source_hash) {
      groups.push_back(rows.size());
    }
    RuleRow row;
    row.target_hash = head.target_hash;
    row.sentence = static_cast<std::uint32_t>(head.where >> 32);
    row.place = unpack(head);
    for (; begin < instances.size() && instances[begin].source_hash == head.source_hash &&
           instances[begin].target_hash == head.target_hash;
         ++begin) {
      row.count += 1.0 / unpack(instances[begin]).share;
    }
    ++statistics.rules;
    own_[partition].add(row.count);
    statistics.with_gaps += row.place.gaps() > 0 ? 1 : 0;
    rows.push_back(row);
  }
  instances = {};

  std::vector<RuleRow> sorted;
  sorted.reserve(rows.size());
  for_each_by_words(
      std::move(groups), rows.size(),
      [&](std::size_t row, std::vector<WordId>& symbols) { source_side(rows[row], symbols); },
      [&](std::size_t row, std::vector<WordId>& symbols) { target_side(rows[row], symbols); },
      [&](std::size_t row, bool first) {
        sorted.push_back(rows[row]);
        sorted.back().first_of_source = first ? 1 : 0;
      });
  close_partition(partition, sorted);

  all_[partition] = own_[partition];
  const std::lock_guard lock(statistics_mutex_);
  own_statistics_.add(statistics);
  statistics_.add(statistics);
}

void RuleCounter::put_away_more(BinaryWriter& writer) const {
  writer.section(std::span<const RuleStatistics>(&own_statistics_, 1));
  writer.section(std::span<const RuleTotal>(own_));
}

void RuleCounter::take_up_more(const std::shared_ptr<const BinaryFile>& file,
                               std::uint32_t section) {
  const auto statistics = file->section<RuleStatistics>(section);
  const auto totals = file->section<RuleTotal>(section + 1);
  if (statistics.size() != 1 || totals.size() != all_.size()) {
    throw InputError(file->path() + ": not from this work, or damaged");
  }
  statistics_.add(statistics[0]);
  for (std::size_t partition = 0; partition < all_.size(); ++partition) {
    // Each partition is counted by one process alone.
    if (totals[partition].partners > 0) all_[partition] = totals[partition];
  }
}

void RuleCounter::join_partition(std::size_t partition) {
  totals_.join(partition, [](RuleTotal& total, double count) { total.add(count); });
}

RuleCounter::Partition RuleCounter::take(std::size_t partition) {
  std::vector<RuleRow> rows = rows_.take(partition);
  std::vector<RuleTotal> totals = totals_.take(partition, rows.size());
  return {std::move(rows), std::move(totals)};
}

RuleTotal RuleCounter::total() const {
  RuleTotal sum;
  for (const RuleTotal& one : all_) {
    sum.count += one.count;
    sum.partners += one.partners;
  }
  return sum;
}

void RuleCounter::alignment(const RuleRow& row, std::vector<PhraseLink>& links) const {
  links.clear();
  const std::size_t begin = row.place.source_begin;
  for (const Link link : links_from(text_.links[row.sentence], begin, row.place.source_length())) {
    const int source = source_place(row.place, link.source - begin);
    if (source < 0) continue;
    const int target = target_place(row.place, link.target - row.place.target_begin);
    links.push_back({static_cast<std::uint8_t>(source), static_cast<std::uint8_t>(target)});
  }
}

}  // namespace dragoman
