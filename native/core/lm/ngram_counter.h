// Counts the n-grams of a text that may be larger than memory.
//
// Each word of the text, and each sentence end, gives one record: the word and the words before
// it, nearest first, back to <s> (then kUnknown, which no text contains). Records are sorted in
// blocks, equal ones summed, blocks merged; when they outgrow their memory, sorted runs go to
// unnamed files. The merged sequence is the same for any block size, memory and thread count.
//
// A text may also be counted in parts, by different processes. First each part's words are
// collected, put together in the order of the parts; then each part is counted with these words
// and put away; then one counter takes up all parts and merges them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lm/lm_vocabulary.h"
#include "lm/ngram_model.h"
#include "text/line_reader.h"

namespace dragoman {

struct CountOptions {
  int order = 5;                                  // 1 .. kMaxLmOrder
  std::uint64_t memory = std::uint64_t{1} << 30;  // bytes of records before they are spilled
  std::string spool = "/tmp";                     // where spilled runs go
  int threads = 1;
};

struct CountedNgram {
  std::array<std::uint32_t, kMaxLmOrder> words;  // last word first
  std::uint32_t count;
};

class NgramCounter {
 public:
  explicit NgramCounter(CountOptions options);
  ~NgramCounter();

  // Text arrives file by file in pieces cut anywhere; `name` appears in error messages.
  // In messages lines are counted from `lines_before` on.
  void begin_file(const std::string& name, std::uint64_t lines_before = 0);
  void add(std::string_view piece);
  void end_file();

  // The words seen so far, in their order, for other counters; words that are known already stay
  // what they are.
  void put_away_words(const std::string& path) const;
  void take_up_words(const std::string& path);
  // All that was counted here, sorted; and as if it had been counted here. Throws InputError for
  // what is no such file.
  void put_away(const std::string& path);
  void take_up(const std::string& path);

  // Merging: after begin_merge(), next() gives the n-grams in ascending order of
  // (last word, word before it, ...) until it returns false.
  void begin_merge();
  bool next(CountedNgram& ngram);

  const CountOptions& options() const { return options_; }
  LmVocabulary vocabulary() const { return vocabulary_.view(); }
  std::uint64_t tokens() const { return tokens_; }  // words, without sentence ends
  std::uint64_t sentences() const { return sentences_; }
  std::uint64_t skipped() const { return skipped_; }  // <s>, </s>, <unk> found in the text
  std::uint64_t spilled() const { return spilled_; }  // bytes written to files

 private:
  class Run;
  class Merger;

  void add_line(std::string_view line);
  void add_word(WordId word);
  [[noreturn]] void fail(const std::string& problem) const;
  [[noreturn]] void refuse_long_line() const;
  void check_tokens() const;
  void sort_blocks();
  void spill();
  std::vector<std::unique_ptr<Run>> all_runs();  // which this counter has no longer

  CountOptions options_;
  LmVocabularyBuilder vocabulary_;
  std::string file_name_;
  std::uint64_t line_ = 0;
  LineReader lines_;
  std::array<std::uint32_t, kMaxLmOrder> history_{};  // last word first
  std::vector<std::vector<std::uint32_t>> blocks_;    // unsorted records
  std::vector<std::unique_ptr<Run>> runs_;            // sorted, in memory
  std::vector<std::unique_ptr<Run>> spills_;          // sorted, in files
  std::vector<std::unique_ptr<Run>> taken_up_;        // sorted, in files of others
  std::uint64_t run_bytes_ = 0;
  std::unique_ptr<Merger> merger_;
  std::uint64_t tokens_ = 0;
  std::uint64_t sentences_ = 0;
  std::uint64_t skipped_ = 0;
  std::uint64_t spilled_ = 0;
};

}  // namespace dragoman
