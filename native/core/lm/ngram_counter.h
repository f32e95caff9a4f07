// Counts the n-grams of a text that may be larger than memory.
//
// Each word of the text, and each sentence end, gives one record: the word and the words before
// it, nearest first, back to <s> (then kUnknown, which no text contains). Records are sorted in
// blocks, equal ones summed, blocks merged; when they outgrow their memory, sorted runs go to
// unnamed files. The merged sequence is the same for any block size, memory and thread count.
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
  void begin_file(const std::string& name);
  void add(std::string_view piece);
  void end_file();

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
  void sort_blocks();
  void spill();

  CountOptions options_;
  LmVocabularyBuilder vocabulary_;
  std::string file_name_;
  std::uint64_t line_ = 0;
  LineReader lines_;
  std::array<std::uint32_t, kMaxLmOrder> history_{};  // last word first
  std::vector<std::vector<std::uint32_t>> blocks_;    // unsorted records
  std::vector<std::unique_ptr<Run>> runs_;            // sorted, in memory
  std::vector<std::unique_ptr<Run>> spills_;          // sorted, in files
  std::uint64_t run_bytes_ = 0;
  std::unique_ptr<Merger> merger_;
  std::uint64_t tokens_ = 0;
  std::uint64_t sentences_ = 0;
  std::uint64_t skipped_ = 0;
  std::uint64_t spilled_ = 0;
};

}  // namespace dragoman
