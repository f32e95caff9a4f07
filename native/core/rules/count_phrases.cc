#include "rules/count_phrases.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "parallel/parallel_for.h"
#include "parallel/per_worker.h"
#include "rules/aligned_text.h"
#include "rules/phrase_hash.h"
#include "text/error.h"

namespace dragoman {
namespace {

constexpr std::size_t kPairsPerBlock = 256;
// Records of a partition are sorted together, best inside a processor's cache.
constexpr std::uint64_t kInstancesPerPartition = 1 << 14;
// Internal alignments up to this length fit into a matrix of 64 bits.
constexpr std::size_t kMatrixLength = 8;

// Fixed by the corpus alone. A word begins about as many phrase pairs as the length allows.
Partitions partitions_for(const Sentences& source, const ExtractionOptions& options) {
  const std::uint64_t instances = source.words() * std::min<std::uint64_t>(options.max_length, 7);
  return {instances, kInstancesPerPartition};
}

// hashes[begin * limit + length - 1] for all phrases up to `limit` words.
void hash_phrases(Sentence sentence, std::size_t limit, std::vector<std::uint64_t>& hashes) {
  hashes.resize(sentence.size() * limit);
  for (std::size_t begin = 0; begin < sentence.size(); ++begin) {
    std::uint64_t hash = kHashSeed;
    const std::size_t longest = std::min(limit, sentence.size() - begin);
    for (std::size_t length = 1; length <= longest; ++length) {
      hash = extend_hash(hash, sentence[begin + length - 1]);
      hashes[begin * limit + length - 1] = hash;
    }
  }
}

// All links of the source words of a consistent pair lie inside it.
template <class Visit>
void for_each_inner_link(std::span<const Link> links, std::size_t source_begin,
                         std::size_t source_length, std::size_t target_begin, Visit&& visit) {
  const Link from{static_cast<std::uint16_t>(source_begin), 0};
  for (auto at = std::lower_bound(links.begin(), links.end(), from);
       at != links.end() && at->source < source_begin + source_length; ++at) {
    visit(at->source - source_begin, at->target - target_begin);
  }
}

}  // namespace

// Per worker.
struct PhraseCounter::ExtractScratch {
  ExtractScratch(const ExtractionOptions& options, PartitionedSpool<Instance>& spool)
      : extractor(options), instances(spool) {}

  PhraseExtractor extractor;
  std::vector<PhraseInstance> found;
  std::vector<std::uint64_t> source_hashes;
  std::vector<std::uint64_t> target_hashes;
  BatchedAppender<Instance> instances;
};

PhraseCounter::PhraseCounter(Sentences source, Sentences target, LinkSets links,
                             const ExtractionOptions& options, Smoothing smoothing,
                             const WorkResources& resources)
    : source_(source),
      target_(target),
      links_(links),
      options_(options),
      wanted_smoothing_(smoothing),
      resources_(resources),
      partitions_(partitions_for(source, options)),
      // At most three of the stages hold records at a time.
      instances_(partitions_.count(), resources.memory / 3, resources.directory),
      rows_(partitions_.count(), resources.memory / 6, resources.directory),
      orientations_(partitions_.count(), resources.memory / 6, resources.directory),
      totals_(partitions_, resources.memory / 6, resources.directory) {
  check(options);
  check_equally_many(source, target, links);
  if (source.size() > std::uint32_t(-1)) throw InputError("more than 2^32 sentence pairs");
  for (std::size_t kind = 0; kind < kReorderingKinds; ++kind) {
    if (options.reordering[kind]) kinds_.push_back(static_cast<ReorderingKind>(kind));
  }
}

void PhraseCounter::extract(std::size_t first_pair, std::size_t last_pair) {
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

void PhraseCounter::extract_pair(std::size_t pair, ExtractScratch& scratch) {
  const Sentence source = source_[pair];
  const Sentence target = target_[pair];
  const std::span<const Link> links = links_[pair];
  try {
    scratch.extractor.extract(source.size(), target.size(), links, scratch.found);
  } catch (const InputError& problem) {
    throw InputError("sentence pair " + std::to_string(pair + 1) + ": " + problem.what());
  }
  const std::size_t limit = options_.max_length;
  hash_phrases(source, limit, scratch.source_hashes);
  hash_phrases(target, limit, scratch.target_hashes);
  for (const PhraseInstance& place : scratch.found) {
    Instance instance;
    instance.source_hash =
        scratch.source_hashes[place.source_begin * limit + place.source_length - 1];
    instance.target_hash =
        scratch.target_hashes[place.target_begin * limit + place.target_length - 1];
    instance.sentence = static_cast<std::uint32_t>(pair);
    instance.place = place;
    std::uint64_t code = 0;
    for_each_inner_link(links, place.source_begin, place.source_length, place.target_begin,
                        [&](std::size_t i, std::size_t j) {
                          if (limit <= kMatrixLength) {
                            code |= std::uint64_t{1} << (i * kMatrixLength + j);
                          } else {
                            code = extend_hash(code, static_cast<WordId>(i * 256 + j));
                          }
                        });
    instance.alignment = code;
    scratch.instances.append(partitions_.of(instance.source_hash), instance);
  }
}

void PhraseCounter::aggregate(std::size_t first_partition, std::size_t last_partition) {
  parallel_for(resources_.threads, last_partition - first_partition,
               [&](std::size_t block, int) { aggregate_partition(first_partition + block); });
}

void PhraseCounter::aggregate_partition(std::size_t partition) {
  std::vector<Instance> instances = instances_.take(partition);
  const auto place_of = [](const Instance& instance) {
    return std::tuple(instance.sentence, instance.place.source_begin, instance.place.target_begin);
  };
  std::sort(instances.begin(), instances.end(), [&](const Instance& a, const Instance& b) {
    if (a.source_hash != b.source_hash) return a.source_hash < b.source_hash;
    if (a.target_hash != b.target_hash) return a.target_hash < b.target_hash;
    if (a.alignment != b.alignment) return a.alignment < b.alignment;
    return place_of(a) < place_of(b);
  });

  const std::size_t columns = kinds_.size() * kScoresPerReordering;
  std::vector<PhraseRow> rows;
  OrientationCounts orientations;
  // Where each source phrase's rows begin.
  std::vector<std::size_t> groups;
  CountStatistics statistics;
  for (std::size_t begin = 0; begin < instances.size();) {
    const Instance& head = instances[begin];
    const bool new_source = begin == 0 || instances[begin - 1].source_hash != head.source_hash;
    const std::size_t first_count = orientations.size();
    orientations.resize(first_count + columns);
    std::size_t end = begin;
    const Instance* best = nullptr;
    std::size_t best_count = 0;
    while (end < instances.size() && instances[end].source_hash == head.source_hash &&
           instances[end].target_hash == head.target_hash) {
      const std::size_t run_begin = end;
      const Instance& first = instances[run_begin];
      while (end < instances.size() && instances[end].source_hash == head.source_hash &&
             instances[end].target_hash == head.target_hash &&
             instances[end].alignment == first.alignment) {
        for (std::size_t model = 0; model < kinds_.size(); ++model) {
          for (const auto direction :
               {ReorderingDirection::kBackward, ReorderingDirection::kForward}) {
            const auto orientation = instances[end].place.orientation(kinds_[model], direction);
            ++orientations[first_count + model * kScoresPerReordering +
                           reordering_column(direction, orientation)];
          }
        }
        ++end;
      }
      const std::size_t count = end - run_begin;
      if (count > best_count || (count == best_count && place_of(first) < place_of(*best))) {
        best = &first;
        best_count = count;
      }
    }
    PhraseRow row;
    row.target_hash = head.target_hash;
    row.sentence = best->sentence;
    row.source_begin = best->place.source_begin;
    row.target_begin = best->place.target_begin;
    row.source_length = best->place.source_length;
    row.target_length = best->place.target_length;
    row.count = static_cast<std::uint32_t>(end - begin);
    if (new_source) groups.push_back(rows.size());
    rows.push_back(row);
    statistics.instances += row.count;
    ++statistics.pairs;
    ++statistics.with_count[row.count];
    begin = end;
  }

  // From the order of hashes to the order of words.
  std::vector<std::uint32_t> order(rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  std::vector<std::size_t> group_order(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) group_order[i] = i;
  groups.push_back(rows.size());
  std::sort(group_order.begin(), group_order.end(), [&](std::size_t a, std::size_t b) {
    return words_before(source_phrase(rows[groups[a]]), source_phrase(rows[groups[b]]));
  });
  std::vector<PhraseRow> sorted_rows;
  OrientationCounts sorted_orientations;
  sorted_rows.reserve(rows.size());
  sorted_orientations.reserve(orientations.size());
  for (const std::size_t group : group_order) {
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(groups[group]);
    const auto last = order.begin() + static_cast<std::ptrdiff_t>(groups[group + 1]);
    std::sort(first, last, [&](std::uint32_t a, std::uint32_t b) {
      return words_before(target_phrase(rows[a]), target_phrase(rows[b]));
    });
    for (auto at = first; at != last; ++at) {
      PhraseRow row = rows[*at];
      row.first_of_source = at == first ? 1 : 0;
      sorted_rows.push_back(row);
      sorted_orientations.insert(
          sorted_orientations.end(),
          orientations.begin() + static_cast<std::ptrdiff_t>(*at * columns),
          orientations.begin() + static_cast<std::ptrdiff_t>((*at + 1) * columns));
    }
  }
  rows_.append(partition, sorted_rows);
  orientations_.append(partition, sorted_orientations);
  totals_.send<PhraseRow>(partition, sorted_rows);

  const std::lock_guard lock(statistics_mutex_);
  statistics_.add(statistics);
}

const SmoothingModel& PhraseCounter::smoothing() {
  if (!smoothing_) smoothing_ = std::make_unique<SmoothingModel>(wanted_smoothing_, statistics_);
  return *smoothing_;
}

void PhraseCounter::join(std::size_t first_partition, std::size_t last_partition) {
  const SmoothingModel& model = smoothing();
  parallel_for(resources_.threads, last_partition - first_partition, [&](std::size_t block, int) {
    totals_.join(first_partition + block, [&](TargetTotal& total, std::uint32_t count) {
      total.count += count;
      ++total.partners;
      total.discounted += model.discounted(count);
    });
  });
}

PhraseCounter::Partition PhraseCounter::take(std::size_t partition) {
  std::vector<PhraseRow> rows = rows_.take(partition);
  std::vector<TargetTotal> totals = totals_.take(partition, rows.size());
  return {std::move(rows), std::move(totals), orientations_.take(partition)};
}

void PhraseCounter::alignment(const PhraseRow& row, std::vector<PhraseLink>& links) const {
  links.clear();
  for_each_inner_link(
      links_[row.sentence], row.source_begin, row.source_length, row.target_begin,
      [&](std::size_t i, std::size_t j) {
        links.push_back({static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j)});
      });
}

std::uint64_t PhraseCounter::spilled_bytes() const {
  return instances_.spilled_bytes() + rows_.spilled_bytes() + orientations_.spilled_bytes() +
         totals_.spilled_bytes();
}

}  // namespace dragoman
