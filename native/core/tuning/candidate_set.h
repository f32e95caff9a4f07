// Which candidates of n-best lists have been seen before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

namespace dragoman {

// A candidate is a sentence, a text and its feature values; of each, 128 bits of hash are kept.
class CandidateSet {
 public:
  using Key = std::array<std::uint64_t, 2>;

  // Takes lists one after the other, sizes[i] candidates of sentence i, and returns the rows of
  // those that are new, in order. Throws InputError when sizes, texts and values do not belong
  // together.
  std::vector<std::int64_t> add(std::span<const std::int64_t> sizes,
                                std::span<const std::string> texts,
                                std::span<const double> features);
  // Of the candidates that the last call found new, in order.
  const std::vector<Key>& latest() const { return latest_; }
  // Takes up what `latest` has given to somebody who kept it.
  void restore(std::span<const std::uint64_t> keys);

 private:
  struct Hash {
    std::size_t operator()(const Key& key) const { return key[0]; }
  };
  std::unordered_set<Key, Hash> seen_;
  std::vector<Key> latest_;
};

}  // namespace dragoman
