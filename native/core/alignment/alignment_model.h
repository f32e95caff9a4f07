// A trained aligner: aligns text it was not trained on. Immutable, mapped from a file.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "alignment/lexical_table.h"
#include "alignment/sentence_pair.h"
#include "corpus/parallel_text.h"

namespace dragoman {

class AlignmentModel {
 public:
  struct Contents {
    // Counts of word pairs, by source word; target words rise within a row.
    std::vector<std::uint64_t> row_starts;
    std::vector<WordId> words;
    std::vector<float> counts;
    std::vector<double> source_totals, target_totals;
    std::vector<float> source_null, target_null;  // p(word | null)
  };
  AlignmentModel(Contents contents, const AlignmentParameters& parameters);
  static AlignmentModel open(const std::string& path);
  void save(const std::string& path) const;

  // Words the model does not know, such as <unk>, have no counts: they follow their neighbours.
  void align(const ParallelText& text, Symmetry symmetry, double threshold, int threads,
             std::vector<Link>& links, std::vector<std::uint64_t>& offsets) const;

  // p(target | source) or p(source | target) as the aligner sees it, without the prior.
  LexicalTable lexical_table(Direction direction) const;
  const AlignmentParameters& parameters() const { return parameters_; }
  std::uint64_t word_pairs() const { return words_.size(); }

 private:
  AlignmentModel() = default;
  void fill(Sentence source, Sentence target, PairPosteriors& posteriors) const;
  float count(WordId source, WordId target) const;

  std::shared_ptr<const void> keeper_;  // the mapped file, or what was trained
  std::span<const std::uint64_t> row_starts_;
  std::span<const WordId> words_;
  std::span<const float> counts_;
  std::span<const double> source_totals_, target_totals_;
  std::span<const float> source_null_, target_null_;
  AlignmentParameters parameters_;
};

// Appends to `links` those of the sentence pairs [begin, end), computed in parallel;
// `posteriors_of` returns false for a pair without links.
void align_blocks(std::size_t begin, std::size_t end, Symmetry symmetry, double threshold,
                  int threads,
                  const std::function<bool(std::size_t pair, PairPosteriors&)>& posteriors_of,
                  std::vector<Link>& links, std::vector<std::uint64_t>& offsets);

}  // namespace dragoman
