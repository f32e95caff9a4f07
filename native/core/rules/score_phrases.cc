#include "rules/score_phrases.h"

#include <algorithm>
#include <cmath>

#include "text/error.h"

namespace dragoman {
namespace {

PhraseTableLayout layout_of(const PhraseCounter& counter, const ScoringOptions& options) {
  PhraseTableLayout layout = options.layout();
  for (const ReorderingKind kind : counter.reordering_kinds()) {
    layout.reorderings.emplace_back(kReorderingNames[static_cast<std::size_t>(kind)]);
  }
  return layout;
}

}  // namespace

PhraseScorer::PhraseScorer(PhraseCounter& counter, const LexicalTable& forward,
                           const LexicalTable& backward, const ScoringOptions& options)
    : TableScorer(counter, forward, backward, options, counter.resources().memory / 3,
                  layout_of(counter, options)) {
  if (!(options.reordering_smoothing > 0)) {
    throw InputError("the smoothing of orientations must be above 0, or unseen ones have no log");
  }
  counter.smoothing();  // made before threads ask for it
}

void PhraseScorer::score_partition(std::size_t partition, LexicalScorer& lexical) {
  const PhraseCounter::Partition counted = counter_.take(partition);
  const SmoothingModel& smoothing = counter_.smoothing();
  const std::size_t columns = counter_.reordering_kinds().size() * kScoresPerReordering;
  struct Scored {
    PhraseScores scores;
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
      scored.estimate = options_.estimate(scored.scores);
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
