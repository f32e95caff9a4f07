#include "rules/count_phrases.h"

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include "rules/phrase_hash.h"
#include "text/error.h"

namespace dragoman {
namespace {

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

}  // namespace

PhraseCounter::PhraseCounter(const AlignedText& text, const ExtractionOptions& options,
                             Smoothing smoothing, const WorkResources& resources)
    // At most three of the stages hold records at a time.
    : PairCounter(text, options, resources, partitions_for(text.source, options), {3, 6, 6}),
      wanted_smoothing_(smoothing),
      orientations_(partitions(), resources.memory / 6, resources.directory) {
  if (!options.times.empty() && options.times.size() != text.size()) {
    throw InputError(std::to_string(options.times.size()) + " counts for " +
                     std::to_string(text.size()) + " sentence pairs");
  }
  if (std::find(options.times.begin(), options.times.end(), 0u) != options.times.end()) {
    throw InputError("every sentence pair must count at least once");
  }
  for (std::size_t kind = 0; kind < kReorderingKinds; ++kind) {
    if (options.reordering[kind]) kinds_.push_back(static_cast<ReorderingKind>(kind));
  }
}

void PhraseCounter::add_instances(std::size_t pair, Worker& worker) {
  const std::size_t limit = options_.max_length;
  const auto& [source_hashes, target_hashes] = worker.room;
  hash_phrases(text_.source[pair], limit, worker.room.source_hashes);
  hash_phrases(text_.target[pair], limit, worker.room.target_hashes);
  for (const PhraseInstance& place : worker.found) {
    Instance instance;
    instance.source_hash = source_hashes[place.source_begin * limit + place.source_length - 1];
    instance.target_hash = target_hashes[place.target_begin * limit + place.target_length - 1];
    instance.sentence = static_cast<std::uint32_t>(pair);
    instance.place = place;
    // All links of the source words of a consistent pair lie inside it.
    for (const Link link :
         links_from(text_.links[pair], place.source_begin, place.source_length)) {
      const std::size_t i = link.source - place.source_begin;
      const std::size_t j = link.target - place.target_begin;
      if (limit <= kMatrixLength) {
        instance.alignment |= std::uint64_t{1} << (i * kMatrixLength + j);
      } else {
        instance.alignment = extend_hash(instance.alignment, static_cast<WordId>(i * 256 + j));
      }
    }
    worker.instances.append(partitions_.of(instance.source_hash), instance);
  }
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
    std::uint64_t best_count = 0;
    std::uint64_t row_count = 0;
    while (end < instances.size() && instances[end].source_hash == head.source_hash &&
           instances[end].target_hash == head.target_hash) {
      const std::size_t run_begin = end;
      const Instance& first = instances[run_begin];
      std::uint64_t count = 0;
      while (end < instances.size() && instances[end].source_hash == head.source_hash &&
             instances[end].target_hash == head.target_hash &&
             instances[end].alignment == first.alignment) {
        const std::uint32_t times =
            options_.times.empty() ? 1 : options_.times[instances[end].sentence];
        count += times;
        for (std::size_t model = 0; model < kinds_.size(); ++model) {
          for (const auto direction :
               {ReorderingDirection::kBackward, ReorderingDirection::kForward}) {
            const auto orientation = instances[end].place.orientation(kinds_[model], direction);
            orientations[first_count + model * kScoresPerReordering +
                         reordering_column(direction, orientation)] += times;
          }
        }
        ++end;
      }
      row_count += count;
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
    row.count = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(row_count, std::numeric_limits<std::uint32_t>::max()));
    if (new_source) groups.push_back(rows.size());
    rows.push_back(row);
    statistics.instances += row.count;
    ++statistics.pairs;
    ++statistics.with_count[row.count];
    begin = end;
  }

  std::vector<PhraseRow> sorted_rows;
  OrientationCounts sorted_orientations;
  sorted_rows.reserve(rows.size());
  sorted_orientations.reserve(orientations.size());
  const auto copy = [](Sentence phrase, std::vector<WordId>& words) {
    words.assign(phrase.begin(), phrase.end());
  };
  for_each_by_words(
      std::move(groups), rows.size(),
      [&](std::size_t row, std::vector<WordId>& words) { copy(source_phrase(rows[row]), words); },
      [&](std::size_t row, std::vector<WordId>& words) { copy(target_phrase(rows[row]), words); },
      [&](std::size_t row, bool first) {
        sorted_rows.push_back(rows[row]);
        sorted_rows.back().first_of_source = first ? 1 : 0;
        const auto counts = orientations.begin() + static_cast<std::ptrdiff_t>(row * columns);
        sorted_orientations.insert(sorted_orientations.end(), counts,
                                   counts + static_cast<std::ptrdiff_t>(columns));
      });
  orientations_.append(partition, sorted_orientations);
  close_partition(partition, sorted_rows);

  const std::lock_guard lock(statistics_mutex_);
  own_statistics_.add(statistics);
  statistics_.add(statistics);
}

void PhraseCounter::put_away_more(BinaryWriter& writer) const {
  std::vector<std::uint64_t> numbers{own_statistics_.instances, own_statistics_.pairs};
  for (const auto& [count, pairs] : own_statistics_.with_count) {
    numbers.insert(numbers.end(), {count, pairs});
  }
  writer.section(std::span<const std::uint64_t>(numbers));
  orientations_.put_away(writer);
}

void PhraseCounter::take_up_more(const std::shared_ptr<const BinaryFile>& file,
                                 std::uint32_t section) {
  const auto numbers = file->section<std::uint64_t>(section);
  CountStatistics statistics;
  if (numbers.size() >= 2) {
    statistics.instances = numbers[0];
    statistics.pairs = numbers[1];
  }
  for (std::size_t at = 2; at + 1 < numbers.size(); at += 2) {
    statistics.with_count[static_cast<std::uint32_t>(numbers[at])] = numbers[at + 1];
  }
  statistics_.add(statistics);
  orientations_.take_up(file, section + 1);
}

const SmoothingModel& PhraseCounter::smoothing() {
  if (!smoothing_) smoothing_ = std::make_unique<SmoothingModel>(wanted_smoothing_, statistics_);
  return *smoothing_;
}

void PhraseCounter::join_partition(std::size_t partition) {
  const SmoothingModel& model = *smoothing_;
  totals_.join(partition, [&model](TargetTotal& total, std::uint32_t count) {
    total.count += count;
    ++total.partners;
    total.discounted += model.discounted(count);
  });
}

PhraseCounter::Partition PhraseCounter::take(std::size_t partition) {
  std::vector<PhraseRow> rows = rows_.take(partition);
  std::vector<TargetTotal> totals = totals_.take(partition, rows.size());
  return {std::move(rows), std::move(totals), orientations_.take(partition)};
}

void PhraseCounter::alignment(const PhraseRow& row, std::vector<PhraseLink>& links) const {
  links.clear();
  for (const Link link :
       links_from(text_.links[row.sentence], row.source_begin, row.source_length)) {
    links.push_back({static_cast<std::uint8_t>(link.source - row.source_begin),
                     static_cast<std::uint8_t>(link.target - row.target_begin)});
  }
}

}  // namespace dragoman
