#include "rules/score_phrases.h"

#include <algorithm>
#include <cmath>

#include "parallel/parallel_for.h"
#include "parallel/per_worker.h"
#include "text/error.h"

namespace dragoman {
namespace {

PhraseTableLayout layout(const PhraseCounter& counter, const ScoringOptions& options) {
  PhraseTableLayout layout;
  layout.features.assign(kPhraseFeatures.begin(), kPhraseFeatures.end());
  for (const ReorderingKind kind : counter.reordering_kinds()) {
    layout.reorderings.emplace_back(kReorderingNames[static_cast<std::size_t>(kind)]);
  }
  layout.sort_weights.assign(options.sort_weights.begin(), options.sort_weights.end());
  layout.source_words = options.source_words;
  layout.target_words = options.target_words;
  return layout;
}

}  // namespace

PhraseScorer::PhraseScorer(PhraseCounter& counter, const LexicalTable& forward,
                           const LexicalTable& backward, const ScoringOptions& options)
    : counter_(counter),
      forward_(forward),
      backward_(backward),
      options_(options),
      scored_(counter.partitions(), counter.resources().memory / 3, counter.resources().directory,
              layout(counter, options)) {
  if (!(options.reordering_smoothing > 0)) {
    throw InputError("the smoothing of orientations must be above 0, or unseen ones have no log");
  }
}

void PhraseScorer::score(std::size_t first_partition, std::size_t last_partition) {
  const int threads = counter_.resources().threads;
  PerWorker<LexicalScorer> lexical(threads);
  parallel_for(threads, last_partition - first_partition, [&](std::size_t block, int worker) {
    score_partition(first_partition + block,
                    lexical.of(worker, forward_, backward_, options_.weighting));
  });
}

void PhraseScorer::score_partition(std::size_t partition, LexicalScorer& lexical) {
  const PhraseCounter::Partition counted = counter_.take(partition);
  const SmoothingModel& smoothing = counter_.smoothing();
  const std::size_t columns = counter_.reordering_kinds().size() * kScoresPerReordering;
  constexpr std::size_t kFeatures = kPhraseFeatures.size();

  struct Scored {
    std::array<float, kFeatures> scores;
    double estimate;
    std::size_t row;
    std::uint32_t first_link;
    std::uint32_t links;
  };
  std::vector<Scored> options;
  std::vector<PhraseLink> links;
  std::vector<PhraseLink> all_links;
  std::vector<float> reordering(columns);
  ScoredTable::Batch batch;
  const std::vector<PhraseRow>& rows = counted.rows;
  for (std::size_t begin = 0; begin < rows.size();) {
    std::size_t end = begin + 1;
    while (end < rows.size() && rows[end].first_of_source == 0) ++end;
    SideTotal source_total;
    source_total.partners = static_cast<double>(end - begin);
    for (std::size_t row = begin; row < end; ++row) {
      source_total.count += rows[row].count;
      source_total.discounted += smoothing.discounted(rows[row].count);
    }
    const Sentence source = counter_.source_phrase(rows[begin]);
    options.clear();
    all_links.clear();
    for (std::size_t row = begin; row < end; ++row) {
      const TargetTotal& total = counted.totals[row];
      const SideTotal target_total{static_cast<double>(total.count),
                                   static_cast<double>(total.partners), total.discounted};
      counter_.alignment(rows[row], links);
      const auto weights = lexical(source, counter_.target_phrase(rows[row]), links);
      const std::uint32_t count = rows[row].count;
      Scored scored;
      scored.scores = {
          static_cast<float>(std::log(smoothing.probability(count, source_total, target_total))),
          static_cast<float>(std::log(smoothing.probability(count, target_total, source_total))),
          weights.forward, weights.backward};
      scored.estimate = 0;
      for (std::size_t feature = 0; feature < kFeatures; ++feature) {
        scored.estimate +=
            options_.sort_weights[feature] * static_cast<double>(scored.scores[feature]);
      }
      scored.row = row;
      scored.first_link = static_cast<std::uint32_t>(all_links.size());
      scored.links = static_cast<std::uint32_t>(links.size());
      all_links.insert(all_links.end(), links.begin(), links.end());
      options.push_back(scored);
    }
    // Rows come by target words, so equal estimates stay in that order.
    std::stable_sort(options.begin(), options.end(),
                     [](const Scored& a, const Scored& b) { return a.estimate > b.estimate; });

    batch.begin_source(source);
    for (const Scored& scored : options) {
      const double total = rows[scored.row].count + kOrientations * options_.reordering_smoothing;
      for (std::size_t column = 0; column < columns; ++column) {
        const double count =
            counted.orientations[scored.row * columns + column] + options_.reordering_smoothing;
        reordering[column] = static_cast<float>(std::log(count / total));
      }
      OptionFields fields;
      fields.target = counter_.target_phrase(rows[scored.row]);
      fields.alignment = std::span(all_links).subspan(scored.first_link, scored.links);
      fields.counts = {static_cast<float>(rows[scored.row].count),
                       static_cast<float>(source_total.count),
                       static_cast<float>(counted.totals[scored.row].count)};
      fields.scores = scored.scores;
      fields.reordering = reordering;
      batch.add_option(fields);
    }
    begin = end;
  }
  scored_.add(partition, batch);
}

}  // namespace dragoman
