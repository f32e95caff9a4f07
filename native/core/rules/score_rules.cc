#include "rules/score_rules.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "text/error.h"

namespace dragoman {
namespace {

PhraseTableLayout layout_of(const RuleScoringOptions& options) {
  PhraseTableLayout layout = options.layout();
  layout.hierarchical = true;
  return layout;
}

// The words of a side, and where each of its symbols stands among them.
struct Words {
  std::vector<WordId> words;
  std::vector<std::uint8_t> places;

  void take(Sentence symbols) {
    words.clear();
    places.clear();
    for (const WordId symbol : symbols) {
      places.push_back(static_cast<std::uint8_t>(words.size()));
      if (!is_gap(symbol)) words.push_back(symbol);
    }
  }
};

}  // namespace

RuleScorer::RuleScorer(RuleCounter& counter, const LexicalTable& forward,
                       const LexicalTable& backward, const RuleScoringOptions& options)
    : TableScorer(counter, forward, backward, options, counter.resources().memory / 4,
                  layout_of(options)),
      partners_(counter.total().partners) {
  if (!(options.min_count >= 0)) throw InputError("min_count must not be negative");
  if (!(options.discount >= 0 && options.discount < 1)) {
    throw InputError("the discount of rules must lie between 0 and 1");
  }
}

double RuleScorer::log_probability(double count, const RuleTotal& given,
                                   const RuleTotal& wanted) const {
  const double kept = count - options_.discount * std::min(1.0, count);
  const double spread = options_.discount * given.partners * wanted.partners / partners_;
  return std::log((kept + spread) / given.count);
}

void RuleScorer::score_partition(std::size_t partition, LexicalScorer& lexical) {
  const RuleCounter::Partition counted = counter_.take(partition);
  const std::vector<RuleRow>& rows = counted.rows;
  struct Scored {
    PhraseScores scores;
    double estimate = 0;
    std::size_t row = 0;
  };
  std::vector<Scored> options;
  std::vector<WordId> source;
  std::vector<WordId> target;
  std::vector<PhraseLink> links;
  std::vector<PhraseLink> word_links;
  Words source_words;
  Words target_words;
  ScoredTable::Batch batch;
  for (std::size_t begin = 0; begin < rows.size();) {
    std::size_t end = begin + 1;
    while (end < rows.size() && rows[end].first_of_source == 0) ++end;
    RuleTotal source_total;
    for (std::size_t row = begin; row < end; ++row) source_total.add(rows[row].count);
    counter_.source_side(rows[begin], source);
    source_words.take(source);
    options.clear();
    for (std::size_t row = begin; row < end; ++row) {
      const double count = rows[row].count;
      if (rows[row].place.gaps() > 0 && count < options_.min_count) continue;
      counter_.target_side(rows[row], target);
      target_words.take(target);
      word_links.clear();
      if (options_.lexical_weights == LexicalWeighting::kLinks) {
        counter_.alignment(rows[row], links);
        for (const PhraseLink link : links) {
          word_links.push_back(
              {source_words.places[link.source], target_words.places[link.target]});
        }
      }
      const auto weights = lexical(source_words.words, target_words.words, word_links);
      Scored scored;
      const RuleTotal& target_total = counted.target_totals[row];
      scored.scores = {static_cast<float>(log_probability(count, source_total, target_total)),
                       static_cast<float>(log_probability(count, target_total, source_total)),
                       weights.forward, weights.backward};
      scored.estimate = options_.estimate(scored.scores);
      scored.row = row;
      options.push_back(scored);
    }
    // Rows come by target symbols, so equal estimates stay in that order.
    std::stable_sort(options.begin(), options.end(),
                     [](const Scored& a, const Scored& b) { return a.estimate > b.estimate; });
    if (options_.max_options > 0 && options.size() > options_.max_options) {
      options.resize(options_.max_options);
    }
    if (!options.empty()) batch.begin_source(source);
    for (const Scored& scored : options) {
      const RuleRow& row = rows[scored.row];
      counter_.target_side(row, target);
      counter_.alignment(row, links);
      OptionFields fields;
      fields.target = target;
      fields.alignment = links;
      fields.counts = {static_cast<float>(row.count), static_cast<float>(source_total.count),
                       static_cast<float>(counted.target_totals[scored.row].count)};
      fields.scores = scored.scores;
      batch.add_option(fields);
    }
    begin = end;
  }
  scored_.add(partition, batch);
}

}  // namespace dragoman
