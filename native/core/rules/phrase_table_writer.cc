#include "rules/phrase_table_writer.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include "text/error.h"

namespace dragoman {
namespace {

std::string directory_of(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

constexpr std::uint64_t kMostRows = std::numeric_limits<std::uint32_t>::max() - 1;

}  // namespace

// A section on its way, buffered.
class PhraseTableWriter::Spooled {
 public:
  explicit Spooled(const std::string& directory) : file_(directory) {}

  template <class T>
  void append(std::span<const T> items) {
    const auto bytes = std::as_bytes(items);
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    if (buffer_.size() >= kBuffer) flush();
  }
  template <class T>
  void append(const T& item) {
    append(std::span<const T>(&item, 1));
  }
  std::uint64_t size() const { return file_.size() + buffer_.size(); }

  // Calls use(bytes) for pieces of the whole, each a multiple of `unit` bytes long.
  template <class Use>
  void read_back(std::size_t unit, Use&& use) {
    flush();
    const std::size_t piece = kBuffer / unit * unit;
    std::vector<std::byte> room;
    for (std::uint64_t at = 0; at < file_.size();) {
      room.resize(std::min<std::uint64_t>(piece, file_.size() - at));
      file_.read(at, room);
      use(std::span<std::byte>(room));
      at += room.size();
    }
  }
  void write_section(BinaryWriter& writer) {
    writer.begin_section();
    read_back(
        1, [&](std::span<std::byte> bytes) { writer.append(std::span<const std::byte>(bytes)); });
  }

 private:
  void flush() {
    if (!buffer_.empty()) file_.append(buffer_);
    buffer_.clear();
  }

  static constexpr std::size_t kBuffer = 1 << 20;
  SpoolFile file_;
  std::vector<std::byte> buffer_;
};

// The nodes of one length. A node is written when the next of its level begins, because its
// options come after it; first_child counts within the next level until the end.
struct PhraseTableWriter::Level {
  explicit Level(const std::string& directory) : done(std::make_unique<Spooled>(directory)) {}
  std::unique_ptr<Spooled> done;
  PhraseTable::NodeRecord open;
  std::uint64_t nodes = 0;  // the open one included

  void begin(WordId word, std::uint64_t first_child) {
    if (nodes > 0) done->append(open);
    open = {word, static_cast<std::uint32_t>(first_child), 0, 0};
    ++nodes;
  }
};

PhraseTableWriter::PhraseTableWriter(const std::string& path, PhraseTableLayout layout)
    : path_(path), layout_(std::move(layout)) {
  if (layout_.sort_weights.empty()) layout_.sort_weights.assign(layout_.features.size(), 0.0);
  const std::size_t columns = layout_.score_columns() + layout_.reordering_columns();
  if (layout_.sort_weights.size() != layout_.features.size() ||
      (!layout_.codebooks.empty() && layout_.codebooks.size() != columns * PhraseTable::kCodes)) {
    throw std::logic_error("the layout contradicts itself");
  }
  const std::string directory = directory_of(path);
  for (auto* spool : {&options_, &target_words_, &counts_, &scores_, &reordering_,
                      &bilingual_tokens_, &bilingual_starts_}) {
    *spool = std::make_unique<Spooled>(directory);
  }
  levels_.emplace_back(directory);
  levels_[0].begin(0, 0);
  info_.source_words = layout_.source_words;
  info_.target_words = layout_.target_words;
  info_.bilingual_words = layout_.bilingual_words;
  info_.features = static_cast<std::uint32_t>(layout_.features.size());
  info_.reorderings = static_cast<std::uint32_t>(layout_.reorderings.size());
  info_.quantised = layout_.codebooks.empty() ? 0 : 1;
  info_.hierarchical = layout_.hierarchical ? 1 : 0;
}

PhraseTableWriter::~PhraseTableWriter() = default;

void PhraseTableWriter::begin_source(Sentence source) {
  if (source.empty() || source.size() > kLongestPhrase ||
      (info_.source_phrases > 0 && !words_before(source_, source))) {
    throw std::logic_error("source phrases must rise, and have 1 to 255 words");
  }
  const auto shared = std::mismatch(source.begin(), source.end(), source_.begin(), source_.end());
  const auto common = static_cast<std::size_t>(shared.first - source.begin());
  while (levels_.size() <= source.size()) levels_.emplace_back(directory_of(path_));
  for (std::size_t depth = common + 1; depth <= source.size(); ++depth) {
    const bool has_next = depth + 1 < levels_.size();
    levels_[depth].begin(source[depth - 1], has_next ? levels_[depth + 1].nodes : 0);
  }
  source_.assign(source.begin(), source.end());
  levels_[source.size()].open.first_option = static_cast<std::uint32_t>(info_.options);
  ++info_.source_phrases;
  info_.max_source_length =
      std::max(info_.max_source_length, static_cast<std::uint32_t>(source.size()));
}

void PhraseTableWriter::add_option(const OptionFields& fields) {
  if (source_.empty() || fields.target.empty() || fields.target.size() > kLongestPhrase ||
      fields.scores.size() != layout_.score_columns() ||
      fields.reordering.size() != layout_.reordering_columns() ||
      fields.bilingual.size() != (layout_.bilingual_words != 0 ? fields.target.size() : 0)) {
    throw std::logic_error("an option that does not fit the layout");
  }
  if (info_.options >= kMostRows || target_words_written_ + fields.target.size() > kMostRows) {
    throw InputError(path_ +
                     ": more than 2^32 phrase pairs or target words; filter the phrase "
                     "pairs (significance, shorter phrases)");
  }
  PhraseTable::OptionRecord record;
  record.target = static_cast<std::uint32_t>(target_words_written_);
  record.target_length = static_cast<std::uint8_t>(fields.target.size());
  record.alignment = intern_alignment(fields.alignment);
  record.alignment_size = static_cast<std::uint16_t>(fields.alignment.size());
  options_->append(record);
  target_words_->append(fields.target);
  counts_->append(fields.counts);
  write_columns(*scores_, fields.scores, 0);
  write_columns(*reordering_, fields.reordering, layout_.score_columns());
  if (layout_.bilingual_words != 0) {
    bilingual_starts_->append(static_cast<std::uint32_t>(target_words_written_));
    bilingual_tokens_->append(fields.bilingual);
  }
  target_words_written_ += fields.target.size();
  ++levels_[source_.size()].open.options;
  ++info_.options;
  info_.max_target_length =
      std::max(info_.max_target_length, static_cast<std::uint32_t>(fields.target.size()));
}

void PhraseTableWriter::write_columns(Spooled& spool, std::span<const float> values,
                                      std::size_t first_codebook) {
  if (layout_.codebooks.empty()) {
    spool.append(values);
    return;
  }
  for (std::size_t column = 0; column < values.size(); ++column) {
    const auto book =
        std::span(layout_.codebooks)
            .subspan((first_codebook + column) * PhraseTable::kCodes, PhraseTable::kCodes);
    const float value = values[column];
    auto above = std::lower_bound(book.begin(), book.end(), value);
    if (above == book.end() || (above != book.begin() && value - above[-1] <= *above - value)) {
      --above;
    }
    spool.append(static_cast<std::uint8_t>(above - book.begin()));
  }
}

std::uint32_t PhraseTableWriter::intern_alignment(std::span<const PhraseLink> alignment) {
  std::string key(reinterpret_cast<const char*>(alignment.data()), alignment.size_bytes());
  const auto [entry, fresh] =
      alignments_.try_emplace(std::move(key), static_cast<std::uint32_t>(links_.size()));
  if (fresh) links_.insert(links_.end(), alignment.begin(), alignment.end());
  return entry->second;
}

void PhraseTableWriter::finish() {
  BinaryWriter writer(path_, PhraseTable::kKind, PhraseTable::kVersion, PhraseTable::kSections);
  writer.section(std::span<const PhraseTableInfo>(&info_, 1));
  std::string names;
  for (const auto* list : {&layout_.features, &layout_.reorderings}) {
    for (const std::string& name : *list) names += name + "\n";
  }
  writer.section(std::span<const char>(names));
  writer.section(std::span<const double>(layout_.sort_weights));

  // A node's number is its place in the row of all levels, so first_child grows by the number
  // of nodes up to the end of its own level.
  std::uint64_t total = 1;
  for (const Level& level : levels_) total += level.nodes;
  if (total > kMostRows) throw InputError(path_ + ": more than 2^32 source phrases");
  writer.begin_section();
  std::uint64_t before = 0;
  for (Level& level : levels_) {
    before += level.nodes;
    level.done->append(level.open);
    level.done->read_back(sizeof(PhraseTable::NodeRecord), [&](std::span<std::byte> bytes) {
      const std::span<PhraseTable::NodeRecord> nodes(
          reinterpret_cast<PhraseTable::NodeRecord*>(bytes.data()),
          bytes.size() / sizeof(PhraseTable::NodeRecord));
      for (auto& node : nodes) node.first_child += static_cast<std::uint32_t>(before);
      writer.append(std::span<const PhraseTable::NodeRecord>(nodes));
    });
  }
  const PhraseTable::NodeRecord last{0, static_cast<std::uint32_t>(before), 0, 0};
  writer.append(std::span<const PhraseTable::NodeRecord>(&last, 1));

  options_->write_section(writer);
  target_words_->write_section(writer);
  writer.section(std::span<const PhraseLink>(links_));
  counts_->write_section(writer);
  scores_->write_section(writer);
  reordering_->write_section(writer);
  writer.section(std::span<const float>(layout_.codebooks));
  bilingual_tokens_->write_section(writer);
  bilingual_starts_->write_section(writer);
  writer.finish();
}

}  // namespace dragoman
