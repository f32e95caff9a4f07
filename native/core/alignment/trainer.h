// Training both directions of an alignment model together on a corpus in memory or mapped.
//
// The two directions share one table of expected counts: a sweep computes the posteriors of both
// and counts what they agree on (Liang, Taskar & Klein 2006, "Alignment by Agreement"), the
// product under the HMM, and its square root under Model 1, whose flat first posteriors would
// otherwise vanish. From the counts c(s, t) the next sweep takes
//   p(t | s) = (c(s, t) - own + prior) / (c(s) - own + prior * target words)
// and likewise p(s | t), where `own` is what this very sentence pair added to the count: a word
// seen once cannot confirm its own first guess. This is mean-field inference with the parameters
// integrated out (CVB0; Asuncion et al. 2009), without the noise of a sampler.
//
// Counts are integers in units of 2^-fraction_bits, so that threads may add to them in any order
// and the result is the same for any number of threads.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "alignment/alignment_model.h"
#include "alignment/cooccurrence.h"
#include "alignment/examples.h"
#include "alignment/sentence_pair.h"
#include "corpus/parallel_text.h"

namespace dragoman {

// A corpus may be trained on in parts, each by a trainer of its own, wherever that is. Such a
// trainer is told how often each word occurs in the whole corpus; after each sweep, what its pairs
// have added (SweepCounts) is summed over all parts, and each gets the sums. They are integers,
// so the result is that of one trainer. Parts begin where blocks of pairs do.
struct WordCounts {
  std::vector<std::uint64_t> source, target;  // by word
};

// What the pairs of a sweep have added.
struct SweepCounts {
  std::vector<std::uint32_t> counts;  // by slot of the trainer
  std::vector<std::uint64_t> sums;    // of null words, fertilities and jumps; the same for all
};

// The same of all parts.
struct WholeSweep {
  std::span<const std::uint32_t> counts;  // of the trainer's slots
  std::span<const double> source_totals, target_totals;
  std::span<const std::uint64_t> sums;
};

// Counts of word pairs: source word s has the entries [row_starts[s], row_starts[s + 1]).
struct CountTable {
  std::span<const std::uint64_t> row_starts;
  std::span<const WordId> words;
  std::span<const std::uint32_t> counts;
};

class AlignTrainer {
 public:
  // The text, and the links of examples, must outlive the trainer.
  AlignTrainer(const ParallelText& text, const AlignmentParameters& parameters, int threads,
               const Examples& examples = {});
  // For a part of a corpus.
  AlignTrainer(const ParallelText& text, const AlignmentParameters& parameters, int threads,
               WordCounts whole);

  // One sweep over the corpus is sweep() on consecutive ranges of sentence pairs and then
  // finish_sweep().
  void sweep(Stage stage, std::size_t begin, std::size_t end, int threads);
  void finish_sweep(Stage stage);

  // Of a part: what its last sweep has added, and what all have; then the next may begin.
  SweepCounts added() const;
  void finish_sweep(Stage stage, const WholeSweep& whole);
  // What each cell added in the last sweep, for a trainer that goes on in another's place.
  std::span<const std::uint16_t> cells() const { return cells_; }
  void set_cells(std::span<const std::uint16_t> cells);
  CountTable table() const;
  int fraction_bits() const { return fraction_bits_; }

  // Links of the sentence pairs [begin, end), by the HMM, from the counts of the last sweep, and
  // of examples as they are known; offsets has end - begin + 1 entries.
  void align(std::size_t begin, std::size_t end, Symmetry symmetry, double threshold, int threads,
             std::vector<Link>& links, std::vector<std::uint64_t>& offsets) const;

  // What has been learnt, for other text. Pairs with counts below `min_count` are left out.
  AlignmentModel model(double min_count) const { return model(min_count, table()); }
  // The same with the word pairs of all parts.
  AlignmentModel model(double min_count, const CountTable& table) const;

  std::size_t pairs() const { return source_.size(); }
  std::uint64_t word_pairs() const { return cooccurrences_.size(); }
  std::uint64_t skipped() const { return cooccurrences_.skipped(); }

 private:
  using Fixed = std::uint32_t;  // a number in units of 2^-fraction_bits_
  AlignTrainer(const ParallelText& text, const AlignmentParameters& parameters, int threads,
               const Examples& examples, WordCounts whole);
  // What follows from the sums of a sweep, which are then 0 again.
  void renew(Stage stage);
  std::array<std::vector<std::uint64_t>*, 6> sums();
  bool fill(std::size_t pair, PairPosteriors& posteriors) const;
  void count(Stage stage, std::size_t pair, const PairPosteriors& posteriors);
  void count_fertilities(Sentence source, Sentence target, const PairPosteriors& posteriors,
                         std::uint32_t times);
  // How many pairs this one counts as.
  std::uint32_t times(std::size_t pair) const {
    return pair < examples_.size() ? examples_.weight : 1;
  }

  Sentences source_, target_;
  AlignmentParameters parameters_;
  Examples examples_;
  Cooccurrences cooccurrences_;
  std::size_t source_vocabulary_, target_vocabulary_;
  int fraction_bits_;
  std::vector<std::uint16_t> cells_;         // what each cell added in the last sweep
  std::vector<Fixed> counts_, next_counts_;  // by slot: last sweep, and the one under way
  std::vector<double> source_totals_, target_totals_;
  std::vector<float> source_null_, target_null_;  // p(word | null)
  std::vector<std::uint64_t> source_occurrences_, target_occurrences_;
  // Of the sweep under way; in units of 2^-kSumBits and, the jumps, of 2^-kJumpBits.
  std::vector<std::uint64_t> source_null_counts_, target_null_counts_;
  std::vector<std::uint64_t> source_fertility_counts_, target_fertility_counts_;
  std::vector<std::uint64_t> forward_jump_counts_, backward_jump_counts_;
};

}  // namespace dragoman
