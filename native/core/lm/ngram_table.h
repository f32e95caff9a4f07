// The n-grams of one order as a hash table in buckets of one cache line.
//
// An n-gram w1..wk is found by the pair (node of its context w1..w(k-1), word wk). A node is a
// position in the table of its order (for single words: the word's id), so the 64-bit key is
// exact, no two n-grams are ever confused, and the words of every entry can be read back. Since
// a language-model state holds the nodes of all its contexts, the places of all orders to look
// at are known at once and the processor fetches them side by side.
//
// Every lookup stays inside the table and ends, whatever the bytes are: a model file is mapped
// without being read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "text/checksum.h"

namespace dragoman {

using LmNode = std::uint32_t;
inline constexpr LmNode kNoNode = 0xffffffff;

// Natural logarithms. What else must be known of an n-gram hides in the signs:
//   log_prob  is never positive, so its sign bit is free: it is set when some longer n-gram ends
//             with this one, i.e. when a longer context could change the probability;
//   backoff   is -0.0 (and no other number) when the n-gram is no context worth remembering.
struct ContextValue {
  float log_prob;
  float backoff;
};
// The longest n-grams are never contexts.
struct LongestValue {
  float log_prob;
};

struct NgramKey {
  LmNode context = kNoNode;
  std::uint32_t word = kNoNode;

  std::uint64_t packed() const { return std::uint64_t{context} << 32 | word; }
  static NgramKey unpack(std::uint64_t packed) {
    return {static_cast<LmNode>(packed >> 32), static_cast<std::uint32_t>(packed)};
  }
};

template <class Value, int kSlots>
struct alignas(64) NgramBucket {
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};

  std::uint64_t keys[kSlots];
  Value values[kSlots];
};
using ContextBucket = NgramBucket<ContextValue, 4>;
using LongestBucket = NgramBucket<LongestValue, 5>;
static_assert(sizeof(ContextBucket) == 64 && sizeof(LongestBucket) == 64);

// Where the search for `key` begins in a table of `buckets`.
inline std::size_t home_bucket(NgramKey key, std::size_t buckets) {
  const std::uint64_t hash = fold_multiply(key.packed() ^ 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93);
  return static_cast<std::size_t>((static_cast<unsigned __int128>(hash) * buckets) >> 64);
}

template <class Value, int kSlots>
class NgramTable {
 public:
  using Bucket = NgramBucket<Value, kSlots>;

  NgramTable() = default;
  explicit NgramTable(std::span<const Bucket> buckets) : buckets_(buckets) {}

  // Three quarters full: a miss then costs 1.3 cache lines on average.
  static std::size_t buckets_for(std::size_t ngrams) {
    return ngrams == 0 ? 0 : ngrams * 4 / (3 * kSlots) + 1;
  }

  LmNode find(NgramKey key) const {
    if (buckets_.empty()) return kNoNode;
    const std::uint64_t packed = key.packed();
    std::size_t at = home_bucket(key, buckets_.size());
    for (std::size_t probes = 0; probes < buckets_.size(); ++probes) {
      const Bucket& bucket = buckets_[at];
      for (int slot = 0; slot < kSlots; ++slot) {
        if (bucket.keys[slot] == packed) return static_cast<LmNode>(at * kSlots + slot);
      }
      // A bucket fills from the front, and overflows only when it is full.
      if (bucket.keys[kSlots - 1] == Bucket::kEmpty) return kNoNode;
      if (++at == buckets_.size()) at = 0;
    }
    return kNoNode;
  }

  void prefetch(NgramKey key) const {
    if (!buckets_.empty()) {
      __builtin_prefetch(buckets_.data() + home_bucket(key, buckets_.size()));
    }
  }

  const Value& value(LmNode node) const { return buckets_[node / kSlots].values[node % kSlots]; }
  // Of an empty place: a key with both halves kNoNode.
  NgramKey key(LmNode node) const {
    return NgramKey::unpack(buckets_[node / kSlots].keys[node % kSlots]);
  }
  std::size_t nodes() const { return buckets_.size() * kSlots; }
  std::span<const Bucket> buckets() const { return buckets_; }

 private:
  std::span<const Bucket> buckets_;
};
using ContextTable = NgramTable<ContextValue, 4>;
using LongestTable = NgramTable<LongestValue, 5>;

// Puts an n-gram that is not there yet into its place, or returns the place of the same key
// (`inserted` says which). There must be an empty slot.
template <class Value, int kSlots>
LmNode insert_ngram(std::span<NgramBucket<Value, kSlots>> buckets, NgramKey key, Value value,
                    bool& inserted) {
  const std::uint64_t packed = key.packed();
  std::size_t at = home_bucket(key, buckets.size());
  while (true) {
    auto& bucket = buckets[at];
    for (int slot = 0; slot < kSlots; ++slot) {
      inserted = bucket.keys[slot] == NgramBucket<Value, kSlots>::kEmpty;
      if (inserted) {
        bucket.keys[slot] = packed;
        bucket.values[slot] = value;
      }
      if (bucket.keys[slot] == packed) return static_cast<LmNode>(at * kSlots + slot);
    }
    if (++at == buckets.size()) at = 0;
  }
}

}  // namespace dragoman
