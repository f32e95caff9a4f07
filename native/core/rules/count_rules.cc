#include "rules/count_rules.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "parallel/parallel_for.h"
#include "parallel/per_worker.h"
#include "rules/aligned_text.h"
#include "rules/phrase_hash.h"
#include "text/error.h"

namespace dragoman {
namespace {

constexpr std::size_t kPairsPerBlock = 64;
constexpr std::uint64_t kInstancesPerPartition = 1 << 16;
// A guess at how many rules begin at a word; only the number of partitions depends on it.
constexpr std::uint64_t kRulesPerWord = 64;
constexpr unsigned kShareBits = 24;

// Fixed by the corpus alone.
Partitions partitions_for(const Sentences& source) {
  return {source.words() * kRulesPerWord, kInstancesPerPartition};
}

// Sequences of symbols in one array, and their order.
class SideSorter {
 public:
  void clear() {
    symbols_.clear();
    starts_.assign(1, 0);
  }
  // `write` puts the next sequence into the vector it is given.
  template <class Write>
  void add(Write&& write) {
    write(scratch_);
    symbols_.insert(symbols_.end(), scratch_.begin(), scratch_.end());
    starts_.push_back(static_cast<std::uint32_t>(symbols_.size()));
  }
  // The numbers of the sequences, by their symbols.
  const std::vector<std::uint32_t>& order() {
    order_.resize(starts_.size() - 1);
    std::iota(order_.begin(), order_.end(), 0u);
    std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return std::lexicographical_compare(at(a), at(a + 1), at(b), at(b + 1));
    });
    return order_;
  }

 private:
  const WordId* at(std::uint32_t number) const { return symbols_.data() + starts_[number]; }
  std::vector<WordId> scratch_;
  std::vector<WordId> symbols_;
  std::vector<std::uint32_t> starts_{0};
  std::vector<std::uint32_t> order_;
};

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

// Per worker.
struct RuleCounter::ExtractScratch {
  ExtractScratch(const RuleExtractionOptions& options, PartitionedSpool<Instance>& spool)
      : extractor(options), instances(spool) {}

  RuleExtractor extractor;
  std::vector<RuleInstance> found;
  std::vector<WordId> symbols;
  BatchedAppender<Instance> instances;
};

RuleCounter::RuleCounter(Sentences source, Sentences target, LinkSets links,
                         const RuleExtractionOptions& options, const WorkResources& resources)
    : source_(source),
      target_(target),
      links_(links),
      options_(options),
      resources_(resources),
      partitions_(partitions_for(source)),
      instances_(partitions_.count(), resources.memory / 2, resources.directory),
      rows_(partitions_.count(), resources.memory / 4, resources.directory),
      totals_(partitions_, resources.memory / 8, resources.directory) {
  check(options);
  check_equally_many(source, target, links);
  if (source.size() > std::uint32_t(-1)) throw InputError("more than 2^32 sentence pairs");
}

std::uint64_t RuleCounter::spilled_bytes() const {
  return instances_.spilled_bytes() + rows_.spilled_bytes() + totals_.spilled_bytes();
}

void RuleCounter::extract(std::size_t first_pair, std::size_t last_pair) {
  const std::size_t blocks = (last_pair - first_pair + kPairsPerBlock - 1) / kPairsPerBlock;
  PerWorker<ExtractScratch> scratch(resources_.threads);
  parallel_for(resources_.threads, blocks, [&](std::size_t block, int worker) {
    ExtractScratch& mine = scratch.of(worker, options_, instances_);
    const std::size_t begin = first_pair + block * kPairsPerBlock;
    const std::size_t end = std::min(last_pair, begin + kPairsPerBlock);
    for (std::size_t pair = begin; pair < end; ++pair) extract_pair(pair, mine);
  });
  scratch.for_each([](ExtractScratch& mine) { mine.instances.flush(); });
}

void RuleCounter::extract_pair(std::size_t pair, ExtractScratch& scratch) {
  const Sentence source = source_[pair];
  const Sentence target = target_[pair];
  try {
    scratch.extractor.extract(source.size(), target.size(), links_[pair], scratch.found);
  } catch (const InputError& problem) {
    throw InputError("sentence pair " + std::to_string(pair + 1) + ": " + problem.what());
  }
  for (const RuleInstance& rule : scratch.found) {
    Instance instance = pack(pair, rule);
    source_symbols(rule, source, scratch.symbols);
    instance.source_hash = hash_of(scratch.symbols);
    target_symbols(rule, target, scratch.symbols);
    instance.target_hash = hash_of(scratch.symbols);
    scratch.instances.append(partitions_.of(instance.source_hash), instance);
  }
}

void RuleCounter::aggregate(std::size_t first_partition, std::size_t last_partition) {
  parallel_for(resources_.threads, last_partition - first_partition,
               [&](std::size_t block, int) { aggregate_partition(first_partition + block); });
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
    statistics.with_gaps += row.place.gaps() > 0 ? 1 : 0;
    rows.push_back(row);
  }
  instances = {};

  // From the order of hashes to the order of symbols.
  groups.push_back(rows.size());
  SideSorter sources;
  for (std::size_t group = 0; group + 1 < groups.size(); ++group) {
    sources.add([&](std::vector<WordId>& symbols) { source_side(rows[groups[group]], symbols); });
  }
  std::vector<RuleRow> sorted;
  sorted.reserve(rows.size());
  SideSorter targets;
  for (const std::uint32_t group : sources.order()) {
    targets.clear();
    for (std::size_t row = groups[group]; row < groups[group + 1]; ++row) {
      targets.add([&](std::vector<WordId>& symbols) { target_side(rows[row], symbols); });
    }
    bool first = true;
    for (const std::uint32_t place : targets.order()) {
      RuleRow row = rows[groups[group] + place];
      row.first_of_source = first ? 1 : 0;
      first = false;
      sorted.push_back(row);
    }
  }
  rows_.append(partition, sorted);
  totals_.send<RuleRow>(partition, sorted);

  const std::lock_guard lock(statistics_mutex_);
  statistics_.instances += statistics.instances;
  statistics_.rules += statistics.rules;
  statistics_.with_gaps += statistics.with_gaps;
}

void RuleCounter::join(std::size_t first_partition, std::size_t last_partition) {
  parallel_for(resources_.threads, last_partition - first_partition, [&](std::size_t block, int) {
    totals_.join(first_partition + block, [](double& total, double count) { total += count; });
  });
}

RuleCounter::Partition RuleCounter::take(std::size_t partition) {
  std::vector<RuleRow> rows = rows_.take(partition);
  std::vector<double> totals = totals_.take(partition, rows.size());
  return {std::move(rows), std::move(totals)};
}

void RuleCounter::alignment(const RuleRow& row, std::vector<PhraseLink>& links) const {
  links.clear();
  const std::span<const Link> all = links_[row.sentence];
  const std::size_t begin = row.place.source_begin;
  const Link from{row.place.source_begin, 0};
  for (auto at = std::lower_bound(all.begin(), all.end(), from);
       at != all.end() && at->source < begin + row.place.source_length(); ++at) {
    const int source = source_place(row.place, at->source - begin);
    if (source < 0) continue;
    const int target = target_place(row.place, at->target - row.place.target_begin);
    links.push_back({static_cast<std::uint8_t>(source), static_cast<std::uint8_t>(target)});
  }
}

}  // namespace dragoman
