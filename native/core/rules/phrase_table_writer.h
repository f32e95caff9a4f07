// Writes a phrase table source phrase by source phrase, in memory that does not grow with it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "rules/phrase_table.h"
#include "rules/spool.h"

namespace dragoman {

// What a table will hold; fixed before its first row.
struct PhraseTableLayout {
  std::vector<std::string> features;
  std::vector<std::string> reorderings;
  std::uint32_t source_words = 0;
  std::uint32_t target_words = 0;
  std::uint32_t bilingual_words = 0;  // 0: no bilingual tokens
  bool hierarchical = false;          // rules with gaps, not phrases
  std::vector<double> sort_weights;   // one per feature, or none
  // Rising values, 256 per score column and then per reordering column; empty: no quantisation.
  std::vector<float> codebooks;

  std::size_t score_columns() const { return features.size(); }
  std::size_t reordering_columns() const { return reorderings.size() * kScoresPerReordering; }
};

// One row; `reordering` holds the models' columns one after another.
struct OptionFields {
  Sentence target;
  std::span<const PhraseLink> alignment;
  PhraseCounts counts;
  std::span<const float> scores;
  std::span<const float> reordering;
  Sentence bilingual;
};

class PhraseTableWriter {
 public:
  // Nothing appears at `path` before finish(); temporary files lie in its directory.
  PhraseTableWriter(const std::string& path, PhraseTableLayout layout);
  ~PhraseTableWriter();

  // Source phrases come by rising word ids, a phrase before its continuations; the options of
  // each in the order in which the decoder shall see them.
  void begin_source(Sentence source);
  void add_option(const OptionFields& fields);
  void finish();

  std::uint64_t options() const { return info_.options; }

 private:
  class Spooled;
  struct Level;

  void write_columns(Spooled& spool, std::span<const float> values, std::size_t first_codebook);
  std::uint32_t intern_alignment(std::span<const PhraseLink> alignment);

  std::string path_;
  PhraseTableLayout layout_;
  PhraseTableInfo info_;
  std::vector<WordId> source_;  // the phrase under way
  std::vector<Level> levels_;
  std::unique_ptr<Spooled> options_;
  std::unique_ptr<Spooled> target_words_;
  std::unique_ptr<Spooled> counts_;
  std::unique_ptr<Spooled> scores_;
  std::unique_ptr<Spooled> reordering_;
  std::unique_ptr<Spooled> bilingual_tokens_;
  std::unique_ptr<Spooled> bilingual_starts_;
  std::uint64_t target_words_written_ = 0;
  // Phrase pairs share few internal alignments, so each is kept once.
  std::vector<PhraseLink> links_;
  std::unordered_map<std::string, std::uint32_t> alignments_;
};

}  // namespace dragoman
