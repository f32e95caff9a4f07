#include "lm/arpa.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "lm/model_builder.h"
#include "text/error.h"
#include "text/parse_double.h"
#include "text/utf8.h"

namespace dragoman {
namespace {

// Rounding makes some toolkits write probabilities a hair above 1.
constexpr float kPositiveTolerance = 1e-4f;
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
constexpr std::size_t kWordsAtOnce = 16;  // first words of n-grams, between two looks at the size

bool is_separator(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view line) {
  while (!line.empty() && is_separator(line.back())) line.remove_suffix(1);
  while (!line.empty() && is_separator(line.front())) line.remove_prefix(1);
  return line;
}

// For messages: what stood there, cut when long.
std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 60;
  return '"' + std::string(text.substr(0, kMost)) + (text.size() > kMost ? "...\"" : "\"");
}

void append_number(std::string& out, double value) {
  char digits[32];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, static_cast<float>(value) + 0.0f).ptr;
  out.append(digits, end);
}

}  // namespace

ArpaReader::ArpaReader(std::string name) : name_(std::move(name)) {}

void ArpaReader::fail(const std::string& problem) const {
  throw InputError(name_ + ":" + std::to_string(line_) + ": " + problem);
}

void ArpaReader::add(std::string_view piece) {
  lines_.add(piece, [this](std::string_view line) { add_line(line); });
}

NgramList ArpaReader::finish() {
  lines_.finish([this](std::string_view line) { add_line(line); });
  if (part_ == Part::kPreamble) {
    throw InputError(name_ + ": no \\data\\ line; this is no ARPA file");
  }
  if (part_ != Part::kEnd) fail("the file ends before \\end\\; it was cut");
  return std::move(*list_);
}

void ArpaReader::add_line(std::string_view line) {
  ++line_;
  line = trimmed(line);
  switch (part_) {
    case Part::kPreamble:
      if (line == "\\data\\") part_ = Part::kCounts;
      return;
    case Part::kCounts:
      return add_header_line(line);
    case Part::kBetween:
      if (line.empty()) return;
      return add_section_line(line);
    case Part::kNgrams:
      if (line.empty()) return end_section();
      if (line.front() == '\\' && (line == "\\end\\" || line.ends_with("-grams:"))) {
        end_section();
        return add_section_line(line);
      }
      return add_ngram(line);
    case Part::kEnd:
      return;
  }
}

void ArpaReader::add_header_line(std::string_view line) {
  if (line.empty()) return;
  if (line.front() == '\\') {
    if (announced_.empty()) fail("no \"ngram 1=...\" line before the first section");
    list_ = std::make_unique<NgramList>(static_cast<int>(announced_.size()));
    return add_section_line(line);
  }
  std::uint64_t order = 0, count = 0;
  const auto equals = line.find('=');
  const auto parse = [](std::string_view text, std::uint64_t& value) {
    text = trimmed(text);
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    return result.ec == std::errc() && result.ptr == text.data() + text.size();
  };
  if (!line.starts_with("ngram") || equals == std::string_view::npos ||
      !parse(line.substr(5, equals - 5), order) || !parse(line.substr(equals + 1), count)) {
    fail("expected a line like \"ngram 1=5000\", found " + quoted(line));
  }
  if (order != announced_.size() + 1) {
    fail("expected the number of " + std::to_string(announced_.size() + 1) + "-grams, found " +
         quoted(line));
  }
  if (order > kMaxLmOrder) {
    fail("the order of a language model is at most " + std::to_string(kMaxLmOrder));
  }
  announced_.push_back(count);
}

void ArpaReader::add_section_line(std::string_view line) {
  if (line == "\\end\\") {
    if (section_ < list_->order()) {
      fail("\\end\\ before the section of " + std::to_string(section_ + 1) + "-grams");
    }
    part_ = Part::kEnd;
    return;
  }
  std::string expected = "\\end\\";
  if (section_ < list_->order()) {
    expected = "\\";
    expected += std::to_string(section_ + 1);
    expected += "-grams:";
  }
  if (line != expected) fail("expected " + expected + ", found " + quoted(line));
  ++section_;
  part_ = Part::kNgrams;
}

void ArpaReader::end_section() {
  const std::size_t index = static_cast<std::size_t>(section_ - 1);
  std::uint64_t found = list_->size(section_);
  if (section_ == 1) {
    // Reserved words have an id whether or not the file names them.
    for (const WordId word : {kUnknown, kBeginSentence, kEndSentence}) {
      if (found > 0 && !list_->has_word(word)) --found;
    }
  }
  if (found != announced_[index]) {
    fail("the header announces " + std::to_string(announced_[index]) + " " +
         std::to_string(section_) + "-grams, but there are " + std::to_string(found) +
         "; the file was cut or edited");
  }
  part_ = Part::kBetween;
}

float ArpaReader::number(std::string_view text, const char* what) const {
  double value = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  if (!parse_double(text, value) || std::isnan(value)) {
    fail(std::string("expected a ") + what + ", found " + quoted(text));
  }
  // Beyond any sensible logarithm; "-inf" stays what it is.
  if (std::isfinite(value)) value = std::clamp(value, -1e30, 1e30);
  return static_cast<float>(value * std::numbers::ln10);
}

void ArpaReader::add_ngram(std::string_view line) {
  if (!is_utf8(line)) fail("not UTF-8; convert the file first, e.g. with iconv");
  fields_.clear();
  for (const char* at = line.data(); at != line.data() + line.size();) {
    const char* const end = line.data() + line.size();
    while (at != end && is_separator(*at)) ++at;
    const char* const begin = at;
    while (at != end && !is_separator(*at)) ++at;
    if (at != begin) fields_.emplace_back(begin, static_cast<std::size_t>(at - begin));
  }
  const auto length = static_cast<std::size_t>(section_);
  if (fields_.size() != length + 1 && fields_.size() != length + 2) {
    fail("expected a probability, " + std::to_string(section_) +
         (section_ == 1 ? " word" : " words") + " and perhaps a back-off, found " + quoted(line));
  }
  float log_prob = number(fields_[0], "log-probability");
  if (log_prob > kPositiveTolerance) {
    fail("the log-probability " + std::string(fields_[0]) + " is positive");
  }
  log_prob = std::min(log_prob, 0.0f);
  float backoff = fields_.size() > length + 1 ? number(fields_.back(), "back-off") : 0;
  if (!std::isfinite(backoff)) {
    // SRILM writes -inf for contexts after which nothing may be backed off to.
    if (backoff > 0) fail("the back-off is infinite");
    backoff = kImpossible;
  }
  if (!std::isfinite(log_prob)) log_prob = kImpossible;
  if (section_ == 1) {
    const std::string_view word = fields_[1] == "<UNK>" ? "<unk>" : fields_[1];
    if (!list_->add_word(word, log_prob, backoff)) fail("the word " + quoted(word) + " again");
    return;
  }
  words_.clear();
  for (std::size_t i = 1; i <= length; ++i) {
    const std::string_view word = fields_[i] == "<UNK>" ? "<unk>" : fields_[i];
    const WordId id = list_->vocabulary().find(word);
    if (!list_->has_word(id) || (id == kUnknown && word != "<unk>")) {
      fail("the word " + quoted(word) + " is not among the 1-grams");
    }
    words_.push_back(static_cast<std::uint32_t>(id));
  }
  if (!list_->add(words_, log_prob, backoff)) fail("the same n-gram again: " + quoted(line));
}

ArpaWriter::ArpaWriter(const NgramModel& model) : model_(model) {}

bool ArpaWriter::next(std::string& piece) {
  piece.clear();
  if (order_ > model_.order()) return false;
  if (order_ == 0) {
    piece = "\\data\\\n";
    for (int order = 1; order <= model_.order(); ++order) {
      piece += "ngram " + std::to_string(order) + "=" +
               std::to_string(model_.counts()[static_cast<std::size_t>(order - 1)]) + "\n";
    }
    begin_section(piece);
  }
  const VisitNgram append = [&](std::span<const WordId> words, float log_prob, float backoff) {
    append_line(piece, words, log_prob, backoff);
  };
  bool more = true;
  while (more && piece.size() < kPieceBytes) more = walk_->advance(kWordsAtOnce, append);
  if (more) return true;
  if (order_ < model_.order()) {
    begin_section(piece);
  } else {
    ++order_;
    piece += "\n\\end\\\n";
  }
  return true;
}

void ArpaWriter::begin_section(std::string& piece) {
  ++order_;
  walk_ = std::make_unique<NgramWalk>(model_, order_);
  piece += "\n\\" + std::to_string(order_) + "-grams:\n";
}

void ArpaWriter::append_line(std::string& piece, std::span<const WordId> words, float log_prob,
                             float backoff) const {
  append_number(piece, log_prob / std::numbers::ln10);
  char separator = '\t';
  for (const WordId word : words) {
    piece += separator;
    piece += model_.vocabulary().word(word);
    separator = ' ';
  }
  if (order_ < model_.order()) {
    piece += '\t';
    append_number(piece, backoff / std::numbers::ln10);
  }
  piece += '\n';
}

}  // namespace dragoman
