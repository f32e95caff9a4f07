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

class AlignTrainer {
 public:
  // The text, and the links of examples, must outlive the trainer.
  AlignTrainer(const ParallelText& text, const AlignmentParameters& parameters, int threads,
               const Examples& examples = {});

  // One sweep over the corpus is sweep() on consecutive ranges of sentence pairs and then
  // finish_sweep().
  void sweep(Stage stage, std::size_t begin, std::size_t end, int threads);
  void finish_sweep(Stage stage);

  // Links of the sentence pairs [begin, end), by the HMM, from the counts of the last sweep, and
  // of examples as they are known; offsets has end - begin + 1 entries.
  void align(std::size_t begin, std::size_t end, Symmetry symmetry, double threshold, int threads,
             std::vector<Link>& links, std::vector<std::uint64_t>& offsets) const;

  // What has been learnt, for other text. Pairs with counts below `min_count` are left out.
  AlignmentModel model(double min_count) const;

  std::size_t pairs() const { return source_.size(); }
  std::uint64_t word_pairs() const { return cooccurrences_.size(); }
  std::uint64_t skipped() const { return cooccurrences_.skipped(); }

 private:
  using Fixed = std::uint32_t;  // a number in units of 2^-fraction_bits_
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
