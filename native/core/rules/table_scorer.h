// From counts (pair_counter.h) to a table, partition by partition: what phrases and rules share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "alignment/lexical_table.h"
#include "parallel/parallel_for.h"
#include "parallel/per_worker.h"
#include "rules/lexical_weight.h"
#include "rules/scored_table.h"

namespace dragoman {

// The columns of a table made from counts, in this order.
inline constexpr std::array<const char*, 4> kPhraseFeatures = {"tm.fwd", "tm.bwd", "lex.fwd",
                                                               "lex.bwd"};
using PhraseScores = std::array<float, kPhraseFeatures.size()>;

struct TableScoring {
  LexicalWeighting lexical_weights = LexicalWeighting::kViterbi;
  // Of the features, for the first order of the options; re-sorting after tuning is cheap.
  std::array<double, kPhraseFeatures.size()> sort_weights = {0.2, 0.2, 0.2, 0.2};
  std::uint32_t source_words = 0;  // vocabulary sizes
  std::uint32_t target_words = 0;

  PhraseTableLayout layout() const {
    PhraseTableLayout layout;
    layout.features.assign(kPhraseFeatures.begin(), kPhraseFeatures.end());
    layout.sort_weights.assign(sort_weights.begin(), sort_weights.end());
    layout.source_words = source_words;
    layout.target_words = target_words;
    return layout;
  }
  double estimate(const PhraseScores& scores) const {
    double sum = 0;
    for (std::size_t feature = 0; feature < scores.size(); ++feature) {
      sum += sort_weights[feature] * static_cast<double>(scores[feature]);
    }
    return sum;
  }
};

// `Options` are a TableScoring.
template <class Counter, class Options>
class TableScorer {
 public:
  TableScorer(const TableScorer&) = delete;
  TableScorer& operator=(const TableScorer&) = delete;
  virtual ~TableScorer() = default;

  void score(std::size_t first_partition, std::size_t last_partition) {
    const int threads = counter_.resources().threads;
    PerWorker<LexicalScorer> lexical(threads);
    parallel_for(threads, last_partition - first_partition, [&](std::size_t block, int worker) {
      score_partition(first_partition + block,
                      lexical.of(worker, forward_, backward_, options_.lexical_weights));
    });
  }

  // What was scored here goes to a file; what others have put away is as if scored here.
  void put_away(const std::string& path) const { scored_.put_away(path); }
  void take_up(const std::string& path) { scored_.take_up(path); }

  // After all partitions are scored: merges them by source side into the file.
  // Returns true when done, false when there is more: call again.
  bool write(const std::string& path) { return scored_.write(path); }

  std::uint64_t written() const { return scored_.written(); }  // options so far
  std::uint64_t spilled_bytes() const { return scored_.spilled_bytes(); }

 protected:
  // After counter.join(). Everything given must live longer.
  TableScorer(Counter& counter, const LexicalTable& forward, const LexicalTable& backward,
              const Options& options, std::uint64_t memory, const PhraseTableLayout& layout)
      : counter_(counter),
        options_(options),
        scored_(counter.partitions(), memory, counter.resources().directory, layout),
        forward_(forward),
        backward_(backward) {}

  virtual void score_partition(std::size_t partition, LexicalScorer& lexical) = 0;

  Counter& counter_;
  Options options_;
  ScoredTable scored_;

 private:
  const LexicalTable& forward_;
  const LexicalTable& backward_;
};

}  // namespace dragoman
