#include "text/bitext.h"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>

#include <vector>

#include "text/error.h"
#include "text/tokens.h"

namespace dragoman {
namespace {

constexpr std::string_view kKind = "bitext";
constexpr std::uint32_t kVersion = 1;
enum Section : std::uint32_t { kSourceIds, kSourceOffsets, kTargetIds, kTargetOffsets, kSections };

constexpr std::size_t kBufferWords = 1 << 16;

// A temporary file without a name: it is gone with its last user, however that ends.
std::FILE* open_spool(const std::string& directory) {
  std::string name = directory + "/spool-XXXXXX";
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) throw_io_error("cannot write a temporary file in " + directory, errno);
  ::unlink(name.c_str());
  std::FILE* file = ::fdopen(descriptor, "wb+");
  if (file == nullptr) {
    const int failure = errno;
    ::close(descriptor);
    throw_io_error("cannot write a temporary file in " + directory, failure);
  }
  return file;
}

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
}

// One side on its way: provisional ids in the spool, sentence ends in memory.
class BitextBuilder::Side {
 public:
  explicit Side(const std::string& spool) : spool_(spool), file_(open_spool(spool)) {}
  ~Side() { std::fclose(file_); }
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

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
    if (std::fseek(file_, 0, SEEK_SET) != 0) throw_io_error("cannot read " + spool_, errno);
    buffer_.resize(kBufferWords);
    while (const std::size_t count =
               std::fread(buffer_.data(), sizeof(WordId), kBufferWords, file_)) {
      for (std::size_t i = 0; i < count; ++i) {
        buffer_[i] = final_ids[static_cast<std::size_t>(buffer_[i])];
      }
      writer.append(std::span<const WordId>(buffer_.data(), count));
    }
    if (std::ferror(file_) != 0) throw_io_error("cannot read back from " + spool_, errno);
    writer.section(std::span<const std::uint64_t>(offsets_));
  }

 private:
  void flush() {
    const std::size_t count = std::fwrite(buffer_.data(), sizeof(WordId), buffer_.size(), file_);
    if (count != buffer_.size() || std::fflush(file_) != 0) {
      throw_io_error("cannot write a temporary file in " + spool_, errno);
    }
    written_ += buffer_.size();
    buffer_.clear();
  }

  std::string spool_;
  std::FILE* file_;
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
