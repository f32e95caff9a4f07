#include "lm/ngram_counter.h"

#include <algorithm>
#include <span>
#include <utility>

#include "parallel/parallel_for.h"
#include "text/binary_format.h"
#include "text/error.h"
#include "text/spool_file.h"
#include "text/tokens.h"
#include "text/utf8.h"

namespace dragoman {
namespace {

// Small enough to be sorted inside a processor's second-level cache, and fixed, so that
// the thread count does not enter.
constexpr std::size_t kBlockRecords = std::size_t{1} << 16;
constexpr std::size_t kFileBuffer = std::size_t{1} << 20;  // bytes read from a spilled run at once
constexpr std::size_t kMaxSpills = 64;                     // open files; more are merged into one
// A longer line is no sentence; most likely the file has no line ends at all.
constexpr std::size_t kMaxLineBytes = std::size_t{1} << 19;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::string_view kWordsKind = "lmwords";
constexpr std::string_view kCountsKind = "lmcounts";
constexpr std::uint32_t kPartVersion = 1;
constexpr std::uint32_t kWordsSections = 2;
constexpr std::uint32_t kCountsSections = 2;
// Counts are 32-bit numbers with one bit to spare.
constexpr std::uint64_t kMaxTokens = (std::uint64_t{1} << 31) - 2;

// Sorts records of `order` words and sums equal ones, whose number goes to `counts`.
template <std::size_t kOrder>
void sort_and_sum(std::vector<std::uint32_t>& words, std::vector<std::uint32_t>& counts) {
  using Record = std::array<std::uint32_t, kOrder>;
  static_assert(sizeof(Record) == kOrder * sizeof(std::uint32_t));
  auto* const begin = reinterpret_cast<Record*>(words.data());
  auto* const end = begin + words.size() / kOrder;
  std::sort(begin, end, [](const Record& a, const Record& b) {
    for (std::size_t i = 0; i + 1 < kOrder; ++i) {
      if (a[i] != b[i]) return a[i] < b[i];
    }
    return a[kOrder - 1] < b[kOrder - 1];
  });
  Record* out = begin;
  for (Record* at = begin; at != end;) {
    Record* next = at + 1;
    while (next != end && *next == *at) ++next;
    *out++ = *at;
    counts.push_back(static_cast<std::uint32_t>(next - at));
    at = next;
  }
  words.resize(static_cast<std::size_t>(out - begin) * kOrder);
  words.shrink_to_fit();
}

template <std::size_t... kOrders>
void sort_and_sum(int order, std::vector<std::uint32_t>& words, std::vector<std::uint32_t>& counts,
                  std::index_sequence<kOrders...>) {
  (void)((order == static_cast<int>(kOrders + 1) &&
          (sort_and_sum<kOrders + 1>(words, counts), true)) ||
         ...);
}

// The first two words as one number: decides nearly all comparisons.
std::uint64_t prefix_of(const std::uint32_t* words, int order) {
  return std::uint64_t{words[0]} << 32 | (order > 1 ? words[1] : 0);
}

}  // namespace

// A sorted sequence of counted records, in memory, in a file, or in that of another counter.
class NgramCounter::Run {
 public:
  // In memory.
  Run(int order, std::vector<std::uint32_t> words, std::vector<std::uint32_t> counts)
      : order_(order), words_(std::move(words)), counts_(std::move(counts)) {}
  // In a file, to be appended to.
  Run(int order, const std::string& spool)
      : order_(order), file_(std::make_unique<SpoolFile>(spool)) {}

  // In what another counter has put away.
  Run(int order, std::shared_ptr<const BinaryFile> taken_up)
      : order_(order),
        taken_up_(std::move(taken_up)),
        mapped_(taken_up_->section<std::uint32_t>(1)) {}

  std::size_t bytes() const {
    return (words_.capacity() + counts_.capacity()) * sizeof(std::uint32_t);
  }

  void append(const CountedNgram& ngram) {
    words_.insert(words_.end(), ngram.words.begin(), ngram.words.begin() + order_);
    words_.push_back(ngram.count);
    if (words_.size() * sizeof(std::uint32_t) >= kFileBuffer) flush();
  }
  std::uint64_t finish() {
    flush();
    words_.shrink_to_fit();
    return file_->size();
  }

  // Reading: the current record, until advance() returns false. Begins before the first one.
  bool advance() {
    if (file_ == nullptr && taken_up_ == nullptr) {
      if (started_) ++at_;
      started_ = true;
      return at_ < counts_.size();
    }
    const std::size_t width = static_cast<std::size_t>(order_) + 1;
    at_ += started_ ? width : 0;
    started_ = true;
    if (taken_up_ != nullptr) return at_ < mapped_.size();
    if (at_ < words_.size()) return true;
    const std::uint64_t left = (file_->size() - read_) / sizeof(std::uint32_t);
    words_.resize(
        std::min<std::uint64_t>(kFileBuffer / sizeof(std::uint32_t) / width * width, left));
    file_->read(read_, std::as_writable_bytes(std::span(words_)));
    read_ += words_.size() * sizeof(std::uint32_t);
    at_ = 0;
    return !words_.empty();
  }
  const std::uint32_t* words() const {
    if (taken_up_ != nullptr) return mapped_.data() + at_;
    return words_.data() + (file_ == nullptr ? at_ * static_cast<std::size_t>(order_) : at_);
  }
  std::uint32_t count() const {
    if (file_ == nullptr && taken_up_ == nullptr) return counts_[at_];
    return words()[order_];
  }

 private:
  void flush() {
    file_->append(std::as_bytes(std::span(words_)));
    words_.clear();
  }

  int order_;
  std::vector<std::uint32_t> words_;   // in a file: a window, with counts between
  std::vector<std::uint32_t> counts_;  // in memory only
  std::unique_ptr<SpoolFile> file_;
  std::shared_ptr<const BinaryFile> taken_up_;
  std::span<const std::uint32_t> mapped_;  // of it; counts between
  std::uint64_t read_ = 0;                 // bytes of the file
  std::size_t at_ = 0;
  bool started_ = false;
};

// A heap over the heads of the runs.
class NgramCounter::Merger {
 public:
  Merger(int order, std::vector<std::unique_ptr<Run>> runs) : order_(order) {
    for (auto& run : runs) {
      if (!run->advance()) continue;
      heads_.push_back({prefix_of(run->words(), order), run.get()});
      runs_.push_back(std::move(run));
    }
    std::make_heap(heads_.begin(), heads_.end(), Later{order_});
  }

  bool next(CountedNgram& ngram) {
    if (heads_.empty()) return false;
    const std::uint32_t* first = heads_.front().run->words();
    std::copy_n(first, order_, ngram.words.begin());
    ngram.count = 0;
    while (!heads_.empty() && std::equal(ngram.words.begin(), ngram.words.begin() + order_,
                                         heads_.front().run->words())) {
      ngram.count += heads_.front().run->count();
      advance_front();
    }
    return true;
  }

 private:
  struct Head {
    std::uint64_t prefix;
    Run* run;
  };
  struct Later {
    int order;
    bool operator()(const Head& a, const Head& b) const {
      if (a.prefix != b.prefix) return a.prefix > b.prefix;
      const std::uint32_t* words_a = a.run->words();
      const std::uint32_t* words_b = b.run->words();
      for (int i = 2; i < order; ++i) {
        if (words_a[i] != words_b[i]) return words_a[i] > words_b[i];
      }
      return false;
    }
  };

  // Moves the front run on and lets its new head sink to its place.
  void advance_front() {
    Head head = heads_.front();
    const Later later{order_};
    if (!head.run->advance()) {
      std::pop_heap(heads_.begin(), heads_.end(), later);
      heads_.pop_back();
      return;
    }
    head.prefix = prefix_of(head.run->words(), order_);
    std::size_t at = 0;
    while (true) {
      std::size_t child = 2 * at + 1;
      if (child >= heads_.size()) break;
      if (child + 1 < heads_.size() && later(heads_[child], heads_[child + 1])) ++child;
      if (!later(head, heads_[child])) break;
      heads_[at] = heads_[child];
      at = child;
    }
    heads_[at] = head;
  }

  int order_;
  std::vector<std::unique_ptr<Run>> runs_;
  std::vector<Head> heads_;
};

NgramCounter::NgramCounter(CountOptions options) : options_(std::move(options)) {
  if (options_.order < 1 || options_.order > kMaxLmOrder) {
    throw InputError("the order of a language model is 1 to " + std::to_string(kMaxLmOrder) +
                     ", not " + std::to_string(options_.order));
  }
  blocks_.emplace_back();
}

NgramCounter::~NgramCounter() = default;

void NgramCounter::begin_file(const std::string& name, std::uint64_t lines_before) {
  file_name_ = name;
  line_ = lines_before;
  lines_.clear();
}

void NgramCounter::add(std::string_view piece) {
  lines_.add(piece, [this](std::string_view line) { add_line(line); });
  if (lines_.pending() > kMaxLineBytes) {
    ++line_;
    refuse_long_line();
  }
}

void NgramCounter::end_file() {
  lines_.finish([this](std::string_view line) { add_line(line); });
}

void NgramCounter::fail(const std::string& problem) const {
  throw InputError(file_name_ + ":" + std::to_string(line_) + ": " + problem);
}

void NgramCounter::refuse_long_line() const {
  fail("longer than " + std::to_string(kMaxLineBytes) + " bytes; expected one sentence a line");
}

void NgramCounter::add_line(std::string_view line) {
  ++line_;
  if (line_ == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  if (line.size() > kMaxLineBytes) refuse_long_line();
  if (!is_utf8(line)) fail("not UTF-8; convert the text first, e.g. with iconv");
  if (line.find('\0') != std::string_view::npos) {
    fail("a NUL byte; is this a text file, and in UTF-8?");
  }
  history_.fill(kUnknown);
  history_[0] = kBeginSentence;
  for_each_token(line, [&](std::string_view token) {
    const WordId word = vocabulary_.add(token);
    if (word < kReserved) {
      ++skipped_;
      return;
    }
    ++tokens_;
    add_word(word);
  });
  add_word(kEndSentence);
  ++sentences_;
  check_tokens();
}

void NgramCounter::check_tokens() const {
  if (tokens_ + sentences_ > kMaxTokens) {
    fail("more than 2,147,483,646 tokens; estimate from a part of the text");
  }
}

void NgramCounter::add_word(WordId word) {
  const int order = options_.order;
  std::copy_backward(history_.begin(), history_.begin() + (order - 1), history_.begin() + order);
  history_[0] = static_cast<std::uint32_t>(word);
  std::vector<std::uint32_t>& block = blocks_.back();
  block.insert(block.end(), history_.begin(), history_.begin() + order);
  if (block.size() < kBlockRecords * static_cast<std::size_t>(order)) return;
  if (blocks_.size() == static_cast<std::size_t>(options_.threads)) sort_blocks();
  blocks_.emplace_back();
  blocks_.back().reserve(kBlockRecords * static_cast<std::size_t>(order));
}

void NgramCounter::sort_blocks() {
  std::vector<std::vector<std::uint32_t>> counts(blocks_.size());
  parallel_for(options_.threads, blocks_.size(), [&](std::size_t i, int) {
    sort_and_sum(options_.order, blocks_[i], counts[i], std::make_index_sequence<kMaxLmOrder>());
  });
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    runs_.push_back(
        std::make_unique<Run>(options_.order, std::move(blocks_[i]), std::move(counts[i])));
    run_bytes_ += runs_.back()->bytes();
  }
  blocks_.clear();
  if (run_bytes_ > options_.memory) spill();
}

void NgramCounter::spill() {
  if (spills_.size() == kMaxSpills) {
    for (auto& file : spills_) runs_.push_back(std::move(file));
    spills_.clear();
  }
  auto file = std::make_unique<Run>(options_.order, options_.spool);
  Merger merger(options_.order, std::exchange(runs_, {}));
  CountedNgram ngram;
  while (merger.next(ngram)) file->append(ngram);
  spilled_ += file->finish();
  spills_.push_back(std::move(file));
  run_bytes_ = 0;
}

std::vector<std::unique_ptr<NgramCounter::Run>> NgramCounter::all_runs() {
  sort_blocks();
  std::vector<std::unique_ptr<Run>> runs = std::exchange(taken_up_, {});
  for (auto* more : {&spills_, &runs_}) {
    for (auto& run : *more) runs.push_back(std::move(run));
    more->clear();
  }
  return runs;
}

void NgramCounter::put_away_words(const std::string& path) const {
  const LmVocabulary words = vocabulary_.view();
  BinaryWriter writer(path, kWordsKind, kPartVersion, kWordsSections);
  writer.section(words.starts());
  writer.section(std::span<const char>(words.characters()));
  writer.finish();
}

void NgramCounter::take_up_words(const std::string& path) {
  const BinaryFile file(path, kWordsKind, kPartVersion, kWordsSections);
  const auto starts = file.section<std::uint64_t>(0);
  const auto characters = file.section<char>(1);
  for (std::size_t word = 0; word + 1 < starts.size(); ++word) {
    if (starts[word] > starts[word + 1] || starts[word + 1] > characters.size()) {
      throw InputError(path + ": damaged");
    }
    vocabulary_.add(std::string_view(characters.data(), characters.size())
                        .substr(starts[word], starts[word + 1] - starts[word]));
  }
}

void NgramCounter::put_away(const std::string& path) {
  BinaryWriter writer(path, kCountsKind, kPartVersion, kCountsSections);
  const std::array<std::uint64_t, 4> facts = {static_cast<std::uint64_t>(options_.order), tokens_,
                                              sentences_, skipped_};
  writer.section(std::span<const std::uint64_t>(facts));
  writer.begin_section();
  Merger merger(options_.order, all_runs());
  std::vector<std::uint32_t> buffer;
  const auto flush = [&] {
    writer.append(std::span<const std::uint32_t>(buffer));
    buffer.clear();
  };
  for (CountedNgram ngram; merger.next(ngram);) {
    buffer.insert(buffer.end(), ngram.words.begin(), ngram.words.begin() + options_.order);
    buffer.push_back(ngram.count);
    if (buffer.size() * sizeof(std::uint32_t) >= kFileBuffer) flush();
  }
  flush();
  writer.finish();
}

void NgramCounter::take_up(const std::string& path) {
  auto file = std::make_shared<const BinaryFile>(path, kCountsKind, kPartVersion, kCountsSections,
                                                 Verify::kHeader);
  const auto facts = file->section<std::uint64_t>(0);
  const auto width = static_cast<std::size_t>(options_.order) + 1;
  if (facts.size() != 4 || facts[0] != static_cast<std::uint64_t>(options_.order) ||
      file->section<std::uint32_t>(1).size() % width != 0) {
    throw InputError(path + ": not from this work, or damaged");
  }
  tokens_ += facts[1];
  sentences_ += facts[2];
  skipped_ += facts[3];
  check_tokens();
  taken_up_.push_back(std::make_unique<Run>(options_.order, std::move(file)));
}

void NgramCounter::begin_merge() {
  std::vector<std::unique_ptr<Run>> runs = all_runs();
  merger_ = std::make_unique<Merger>(options_.order, std::move(runs));
}

bool NgramCounter::next(CountedNgram& ngram) {
  if (!merger_) throw std::logic_error("next before begin_merge");
  return merger_->next(ngram);
}

}  // namespace dragoman
