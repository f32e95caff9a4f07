#include "rules/scored_table.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <string_view>
#include <utility>

namespace dragoman {
namespace {

// A scored source phrase in 32-bit words:
//   size of what follows, number of options, source length, source words,
//   per option: target length, number of links, three counts, scores, reordering scores,
//               target words, links (source * 256 + target).
constexpr std::size_t kFixedOptionWords = 5;

constexpr std::string_view kKind = "scores";
constexpr std::uint32_t kVersion = 1;

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

}  // namespace

void ScoredTable::Batch::close() {
  if (open_) words_[begun_] = static_cast<std::uint32_t>(words_.size() - begun_ - 1);
  open_ = false;
}

void ScoredTable::Batch::begin_source(Sentence source) {
  close();
  open_ = true;
  begun_ = words_.size();
  words_.push_back(0);
  words_.push_back(0);
  words_.push_back(static_cast<std::uint32_t>(source.size()));
  words_.insert(words_.end(), source.begin(), source.end());
}

void ScoredTable::Batch::add_option(const OptionFields& fields) {
  ++words_[begun_ + 1];
  words_.push_back(static_cast<std::uint32_t>(fields.target.size()));
  words_.push_back(static_cast<std::uint32_t>(fields.alignment.size()));
  words_.push_back(bits(fields.counts.joint));
  words_.push_back(bits(fields.counts.source));
  words_.push_back(bits(fields.counts.target));
  for (const float score : fields.scores) words_.push_back(bits(score));
  for (const float score : fields.reordering) words_.push_back(bits(score));
  words_.insert(words_.end(), fields.target.begin(), fields.target.end());
  for (const PhraseLink link : fields.alignment) {
    words_.push_back(link.source * 256u + link.target);
  }
}

// Takes the partitions' source phrases, each sorted, into one sorted stream.
class ScoredTable::Merge {
 public:
  Merge(const PartitionedSpool<std::uint32_t>& spool, const PhraseTableLayout& layout,
        const std::string& path)
      : features_(layout.score_columns()),
        columns_(layout.reordering_columns()),
        writer_(path, layout) {
    heads_.reserve(spool.partitions());
    for (std::size_t partition = 0; partition < spool.partitions(); ++partition) {
      heads_.push_back({{spool, partition}, {}});
      if (advance(partition)) queue_.push_back(partition);
    }
    std::make_heap(queue_.begin(), queue_.end(), later());
  }

  std::uint64_t written() const { return writer_.options(); }

  bool run(std::size_t most_phrases) {
    for (std::size_t done = 0; done < most_phrases && !queue_.empty(); ++done) {
      std::pop_heap(queue_.begin(), queue_.end(), later());
      const std::size_t partition = queue_.back();
      copy(heads_[partition].phrase);
      if (advance(partition)) {
        std::push_heap(queue_.begin(), queue_.end(), later());
      } else {
        queue_.pop_back();
      }
    }
    if (!queue_.empty()) return false;
    writer_.finish();
    return true;
  }

 private:
  struct Head {
    PartitionedSpool<std::uint32_t>::Reader reader;
    std::vector<std::uint32_t> phrase;  // without its size
  };

  static Sentence source_of(const std::vector<std::uint32_t>& phrase) {
    return {reinterpret_cast<const WordId*>(phrase.data() + 2), phrase[1]};
  }
  // Whether a partition's source phrase comes after another's; a heap's top is then the first.
  struct Later {
    const std::vector<Head>& heads;
    bool operator()(std::size_t a, std::size_t b) const {
      const Sentence x = source_of(heads[a].phrase);
      const Sentence y = source_of(heads[b].phrase);
      return std::lexicographical_compare(y.begin(), y.end(), x.begin(), x.end());
    }
  };
  Later later() const { return Later{heads_}; }

  bool advance(std::size_t partition) {
    Head& head = heads_[partition];
    if (head.reader.at_end()) return false;
    const std::uint32_t size = head.reader.next(1)[0];
    const auto words = head.reader.next(size);
    head.phrase.assign(words.begin(), words.end());
    return true;
  }
  void copy(const std::vector<std::uint32_t>& phrase) {
    writer_.begin_source(source_of(phrase));
    const std::uint32_t* at = phrase.data() + 2 + phrase[1];
    for (std::uint32_t option = 0; option < phrase[0]; ++option) {
      const std::uint32_t target_length = at[0];
      const std::uint32_t link_count = at[1];
      OptionFields fields;
      fields.counts = {std::bit_cast<float>(at[2]), std::bit_cast<float>(at[3]),
                       std::bit_cast<float>(at[4])};
      at += kFixedOptionWords;
      values_.resize(features_ + columns_);
      for (float& value : values_) value = std::bit_cast<float>(*at++);
      fields.scores = std::span(values_).first(features_);
      fields.reordering = std::span(values_).subspan(features_);
      fields.target = {reinterpret_cast<const WordId*>(at), target_length};
      at += target_length;
      links_.clear();
      for (std::uint32_t link = 0; link < link_count; ++link) {
        links_.push_back(
            {static_cast<std::uint8_t>(at[link] >> 8), static_cast<std::uint8_t>(at[link])});
      }
      at += link_count;
      fields.alignment = links_;
      writer_.add_option(fields);
    }
  }

  std::size_t features_;
  std::size_t columns_;
  PhraseTableWriter writer_;
  std::vector<Head> heads_;
  std::vector<std::size_t> queue_;
  std::vector<float> values_;
  std::vector<PhraseLink> links_;
};

ScoredTable::ScoredTable(std::size_t partitions, std::uint64_t memory,
                         const std::string& directory, PhraseTableLayout layout)
    : layout_(std::move(layout)), spool_(partitions, memory, directory) {}

ScoredTable::~ScoredTable() = default;

void ScoredTable::add(std::size_t partition, Batch& batch) {
  batch.close();
  spool_.append(partition, batch.words_);
  batch.words_.clear();
}

void ScoredTable::put_away(const std::string& path) const {
  BinaryWriter writer(path, kKind, kVersion, PartitionedSpool<std::uint32_t>::kSections);
  spool_.put_away(writer);
  writer.finish();
}

void ScoredTable::take_up(const std::string& path) {
  spool_.take_up(
      std::make_shared<const BinaryFile>(
          path, kKind, kVersion, PartitionedSpool<std::uint32_t>::kSections, Verify::kHeader),
      0);
}

bool ScoredTable::write(const std::string& path) {
  constexpr std::size_t kPhrasesPerCall = 1 << 18;
  if (!merge_) merge_ = std::make_unique<Merge>(spool_, layout_, path);
  const bool done = merge_->run(kPhrasesPerCall);
  written_ = merge_->written();
  if (done) merge_.reset();
  return done;
}

}  // namespace dragoman
