// A phrase table from a phrase table: options sorted anew under tuned weights, thinned out, with
// added or other columns, counts or bilingual tokens, or in bytes instead of floats.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rules/phrase_table.h"
#include "rules/phrase_table_writer.h"

namespace dragoman {

struct RewriteOptions {
  // One for each feature, the added ones included; empty: keep the order.
  std::vector<double> sort_weights;
  // More score columns, e.g. the language model's estimate of each target phrase: one span per
  // name, with a value for each row of the old table. A name the table has already is replaced.
  std::vector<std::string> column_names;
  std::vector<std::span<const float>> columns;
  // For each row of the old table, 0 to leave it out; empty: keep all.
  std::span<const std::uint8_t> keep;
  // Keep only so many options of a source phrase, the best under the weights; 0: all.
  std::uint32_t limit = 0;
  // Store scores in 8 bits: the values of each column are cut into 256 bins of equal population,
  // each of which stands for its mean.
  bool quantise = false;
  // For each target word of each row of the old table, in their order, a token of a vocabulary of
  // `bilingual_words`; empty: keep what the table has.
  std::span<const WordId> bilingual;
  std::uint32_t bilingual_words = 0;
  // For each row of the old table, the scores of all its reordering models, and three counts (of
  // the pair, the source, the target); empty: keep what the table has.
  std::span<const float> reordering;
  std::span<const float> counts;
};

class TableRewriter {
 public:
  // Throws InputError when options and table contradict each other. Spans and table must live
  // longer; `path` must not be the table's own.
  TableRewriter(const PhraseTable& table, const std::string& path, const RewriteOptions& options);

  // Does a part of the work; true when all is done and the file is written.
  bool run();
  std::uint64_t options() const { return writer_->options(); }

 private:
  void rewrite(Sentence source, OptionRange range);
  void read_scores(std::uint32_t row, std::vector<float>& values) const;
  void read_reordering(std::uint32_t row, std::vector<float>& values) const;
  std::vector<float> make_codebooks() const;

  const PhraseTable& table_;
  RewriteOptions options_;
  // For each column of the new table: its number in the old one, or -1 - its number among the
  // added ones.
  std::vector<int> origins_;
  std::vector<std::uint64_t> bilingual_starts_;
  std::unique_ptr<PhraseTableWriter> writer_;
  std::uint32_t next_first_word_ = 0;
};

}  // namespace dragoman
