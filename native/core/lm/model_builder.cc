#include "lm/model_builder.h"

#include <limits>
#include <stdexcept>

#include "lm/model_layout.h"
#include "text/error.h"

namespace dragoman {
namespace {

template <class Bucket>
Column<Bucket> empty_buckets(std::size_t buckets, const Storage& storage) {
  Bucket empty{};
  std::fill(std::begin(empty.keys), std::end(empty.keys), Bucket::kEmpty);
  Column<Bucket> column(storage);
  column.resize(buckets, empty);
  return column;
}

template <class Bucket>
std::span<Bucket> writable(Column<Bucket>& column) {
  return {column.data(), column.size()};
}

ContextTable table_of(const Column<ContextBucket>& column) {
  return ContextTable(static_cast<std::span<const ContextBucket>>(column));
}

LongestTable table_of(const Column<LongestBucket>& column) {
  return LongestTable(static_cast<std::span<const LongestBucket>>(column));
}

}  // namespace

ContextValue stored_value(float log_prob, float backoff, bool extends_left, bool extends_right) {
  const float size = std::fabs(log_prob);
  if (backoff == 0) backoff = extends_right ? 0.0f : -0.0f;
  return {extends_left ? -size : size, backoff};
}

ModelBuilder::ModelBuilder(int order, std::size_t words, Storage storage)
    : order_(order),
      storage_(std::move(storage)),
      counts_(static_cast<std::size_t>(order)),
      unigrams_(storage_) {
  if (order < 1 || order > kMaxLmOrder) throw std::invalid_argument("order out of range");
  unigrams_.resize(words, stored_value(0, 0, false, false));
  counts_[0] = words;
}

void ModelBuilder::begin_order(int order, std::size_t ngrams) {
  if (order != begun_ + 1 || order > order_) throw std::logic_error("orders come one by one");
  begun_ = order;
  const bool longest = order == order_;
  const std::size_t buckets =
      longest ? LongestTable::buckets_for(ngrams) : ContextTable::buckets_for(ngrams);
  if (buckets > std::numeric_limits<LmNode>::max() / 5) {
    throw InputError("too many n-grams of order " + std::to_string(order) + ": " +
                     std::to_string(ngrams) + "; prune the model or lower its order");
  }
  if (longest) {
    longest_ = empty_buckets<LongestBucket>(buckets, storage_);
  } else {
    contexts_[static_cast<std::size_t>(order - 2)] =
        empty_buckets<ContextBucket>(buckets, storage_);
  }
}

LmNode ModelBuilder::add(NgramKey key, ContextValue value, bool& inserted) {
  auto& count = counts_[static_cast<std::size_t>(begun_ - 1)];
  LmNode node = kNoNode;
  if (begun_ == order_) {
    node = insert_ngram(writable(longest_), key, LongestValue{value.log_prob}, inserted);
  } else {
    node = insert_ngram(writable(contexts_[static_cast<std::size_t>(begun_ - 2)]), key, value,
                        inserted);
  }
  if (inserted) ++count;
  return node;
}

void ModelBuilder::prefetch(NgramKey key) const {
  if (begun_ == order_) {
    table_of(longest_).prefetch(key);
  } else {
    table_of(contexts_[static_cast<std::size_t>(begun_ - 2)]).prefetch(key);
  }
}

ContextValue& ModelBuilder::value(int order, LmNode node) {
  if (order == 1) return unigrams_[node];
  return contexts_[static_cast<std::size_t>(order - 2)][node / 4].values[node % 4];
}

LmNode ModelBuilder::find(std::span<const std::uint32_t> words) const {
  LmNode node = words[0];
  for (std::size_t k = 1; k < words.size() && node != kNoNode; ++k) {
    const NgramKey key{node, words[k]};
    node = static_cast<int>(k) + 1 == order_ ? table_of(longest_).find(key)
                                             : table_of(contexts_[k - 1]).find(key);
  }
  return node;
}

void ModelBuilder::write(const std::string& path, const LmVocabulary& vocabulary) const {
  if (vocabulary.size() != unigrams_.size()) throw std::logic_error("a value for every word");
  BinaryWriter writer(path, kLmKind, kLmVersion, kLmSections);
  writer.section(std::span<const std::uint64_t>(counts_));
  writer.section(vocabulary.starts());
  writer.section(std::span<const char>(vocabulary.characters()));
  writer.section(vocabulary.slots());
  writer.section(static_cast<std::span<const ContextValue>>(unigrams_));
  writer.section(static_cast<std::span<const LongestBucket>>(longest_));
  for (const auto& table : contexts_) {
    writer.section(static_cast<std::span<const ContextBucket>>(table));
  }
  writer.finish();
}

}  // namespace dragoman
