// The words a language model knows, numbered in the order in which they were first seen.
//
// Ids 0, 1, 2 are <unk>, <s>, </s>, as everywhere; unlike in text/vocabulary.h they are found by
// their spelling, because ARPA files name them so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/words.h"

namespace dragoman {

inline constexpr std::size_t kWordPadding = 16;

// A view of words and their hash table; the arrays belong to a model file or a builder.
class LmVocabulary {
 public:
  LmVocabulary() = default;
  // Throws InputError naming `path` when the arrays contradict each other.
  LmVocabulary(std::span<const std::uint64_t> starts, std::string_view characters,
               std::span<const std::uint64_t> slots, const std::string& path);

  WordId find(std::string_view word) const;  // kUnknown when absent
  // The same for many words, behind the begin of each of which kWordPadding bytes can be read,
  // whatever they are.
  void find_padded(std::span<const std::string_view> words, WordId* ids) const;
  std::string_view word(WordId id) const;  // throws std::out_of_range
  std::size_t size() const { return starts_.size() - 1; }

  std::span<const std::uint64_t> starts() const { return starts_; }
  std::string_view characters() const { return characters_; }
  std::span<const std::uint64_t> slots() const { return slots_; }

 private:
  friend class LmVocabularyBuilder;
  static constexpr std::uint64_t kNoWords[1] = {0};
  std::span<const std::uint64_t> starts_ = kNoWords;  // size() + 1 entries
  std::string_view characters_;
  // Open addressing, a power of two; 0 is empty, else the high half of the word's hash (spares
  // most comparisons of letters) and its id + 1.
  std::span<const std::uint64_t> slots_;
};

class LmVocabularyBuilder {
 public:
  LmVocabularyBuilder();  // begins with <unk>, <s>, </s>

  WordId add(std::string_view word);  // the id, new or old
  std::size_t size() const { return starts_.size() - 1; }
  // Valid until the next add().
  LmVocabulary view() const;

 private:
  void grow();

  std::vector<std::uint64_t> starts_{0};
  std::string characters_;
  std::vector<std::uint64_t> slots_;
};

}  // namespace dragoman
