#include "corpus/bitext.h"

#include <algorithm>
#include <vector>

#include "text/error.h"
#include "text/spool_file.h"
#include "text/tokens.h"

namespace dragoman {
namespace {

constexpr std::string_view kKind = "bitext";
constexpr std::uint32_t kVersion = 1;
enum Section : std::uint32_t { kSourceIds, kSourceOffsets, kTargetIds, kTargetOffsets, kSections };

constexpr std::size_t kBufferWords = 1 << 16;

}  // namespace

Bitext::Bitext(const std::string& path) : file_(path, kKind, kVersion, kSections) {
  try {
    source_ =
        Sentences(file_.section<WordId>(kSourceIds), file_.section<std::uint64_t>(kSourceOffsets));
    target_ =
        Sentences(file_.section<WordId>(kTargetIds), file_.section<std::uint64_t>(kTargetOffsets));
  } catch (const std::invalid_argument& problem) {
    throw InputError(path + ": " + problem.what());
  }
  if (source_.size() != target_.size()) {
    throw InputError(path + ": the two sides have different numbers of sentences");
  }
  for (const Sentences& side : {source_, target_}) {
    if (std::any_of(side.ids().begin(), side.ids().end(), [](WordId id) { return id < 0; })) {
      throw InputError(path + ": damaged: a word without a number");
    }
  }
}

// One side on its way: provisional ids in the spool, sentence ends in memory.
class BitextBuilder::Side {
 public:
  explicit Side(const std::string& spool) : file_(spool) {}

  void add(std::string_view line) {
    for_each_token(line, [&](std::string_view token) { buffer_.push_back(builder_.add(token)); });
    if (buffer_.size() >= kBufferWords) flush();
    offsets_.push_back(written_ + buffer_.size());
  }

  void finish(BinaryWriter& writer, const std::string& vocabulary_path) {
    flush();
    const auto [vocabulary, final_ids] = builder_.finish();
    vocabulary.save(vocabulary_path);
    writer.begin_section();
    for (std::uint64_t begin = 0; begin < written_; begin += buffer_.size()) {
      buffer_.resize(std::min<std::uint64_t>(kBufferWords, written_ - begin));
      file_.read(begin * sizeof(WordId), std::as_writable_bytes(std::span(buffer_)));
      for (WordId& word : buffer_) word = final_ids[static_cast<std::size_t>(word)];
      writer.append(std::span<const WordId>(buffer_));
    }
    writer.section(std::span<const std::uint64_t>(offsets_));
  }

 private:
  void flush() {
    file_.append(std::as_bytes(std::span(buffer_)));
    written_ += buffer_.size();
    buffer_.clear();
  }

  SpoolFile file_;
  VocabularyBuilder builder_;
  std::vector<WordId> buffer_;
  std::vector<std::uint64_t> offsets_{0};
  std::uint64_t written_ = 0;
};

BitextBuilder::BitextBuilder(const std::string& spool)
    : source_(std::make_unique<Side>(spool)), target_(std::make_unique<Side>(spool)) {}

BitextBuilder::~BitextBuilder() = default;

void BitextBuilder::add(std::string_view source, std::string_view target) {
  source_->add(source);
  target_->add(target);
  ++pairs_;
}

void BitextBuilder::finish(const std::string& bitext_path,
                           const std::string& source_vocabulary_path,
                           const std::string& target_vocabulary_path) {
  BinaryWriter writer(bitext_path, kKind, kVersion, kSections);
  source_->finish(writer, source_vocabulary_path);
  target_->finish(writer, target_vocabulary_path);
  writer.finish();
}

}  // namespace dragoman
