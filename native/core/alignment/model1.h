// IBM Model 1 by the book (Brown et al. 1993): sparse EM with a null word, one direction, no
// prior and no agreement. Its tables score phrase pairs (Moore & Quirk 2007); the aligner has a
// Model 1 of its own (trainer.h).
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "alignment/cooccurrence.h"
#include "alignment/lexical_table.h"
#include "corpus/parallel_text.h"

namespace dragoman {

class Model1Trainer {
 public:
  // Learns p(target | source, or null), or p(source | target, or null). The text must outlive the
  // trainer. Which word pair each cell holds is noted if that takes no more than `memory` bytes,
  // else found anew in each sweep.
  Model1Trainer(const ParallelText& text, Direction direction, int threads,
                std::uint64_t memory = std::numeric_limits<std::uint64_t>::max());

  // One iteration of EM is sweep() on consecutive ranges of pairs and then finish_sweep(),
  // which returns the log-likelihood of the words before the update (up to a constant).
  void sweep(std::size_t begin, std::size_t end, int threads);
  double finish_sweep();

  std::size_t pairs() const { return given_.size(); }

  // Entries below `min_probability` are left out; rows are not normalised again.
  LexicalTable table(double min_probability) const;

 private:
  Sentences given_, words_;
  Cooccurrences cooccurrences_;
  std::vector<float> probabilities_;       // by slot
  std::vector<float> null_probabilities_;  // by word
  // Expected counts of the sweep under way in units of 2^-kBits: integers, so that the order of
  // additions, and with it the number of threads, does not matter.
  std::vector<std::uint64_t> counts_, null_counts_;
  std::vector<double> log_likelihoods_;  // by block of the ranges swept
};

}  // namespace dragoman
