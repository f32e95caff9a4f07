// ARPA files, the text form in which toolkits exchange language models (log10).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lm/ngram_list.h"
#include "lm/ngram_model.h"
#include "lm/ngram_walk.h"
#include "text/line_reader.h"

namespace dragoman {

// Reads an ARPA file that arrives in pieces cut anywhere. Tolerant where toolkits differ: text
// before \data\, spaces or tabs, back-offs left out (SRILM), on the longest n-grams, or with
// <UNK> for <unk>. Everything else that is odd is an InputError naming file and line.
class ArpaReader {
 public:
  explicit ArpaReader(std::string name);  // appears in messages

  void add(std::string_view piece);
  NgramList finish();

 private:
  void add_line(std::string_view line);
  void add_header_line(std::string_view line);
  void add_section_line(std::string_view line);
  void add_ngram(std::string_view line);
  void end_section();
  float number(std::string_view text, const char* what) const;
  [[noreturn]] void fail(const std::string& problem) const;

  enum class Part { kPreamble, kCounts, kBetween, kNgrams, kEnd };
  std::string name_;
  std::uint64_t line_ = 0;
  LineReader lines_;
  Part part_ = Part::kPreamble;
  std::vector<std::uint64_t> announced_;
  int section_ = 0;
  std::unique_ptr<NgramList> list_;
  std::vector<std::string_view> fields_;
  std::vector<std::uint32_t> words_;
};

// Writes a model as ARPA, piece by piece; n-grams are sorted by the ids of their words.
class ArpaWriter {
 public:
  explicit ArpaWriter(const NgramModel& model);  // must outlive the writer

  // Replaces `piece` by the next part of the file; false when there is none.
  bool next(std::string& piece);

 private:
  void begin_section(std::string& piece);
  void append_line(std::string& piece, std::span<const WordId> words, float log_prob,
                   float backoff) const;

  const NgramModel& model_;
  int order_ = 0;
  std::unique_ptr<NgramWalk> walk_;  // over the order's n-grams
};

}  // namespace dragoman
