// Words and their ids.
//
// Ids 0, 1, 2 are <unk>, <s>, </s> and are not found by their spelling: a "<s>" that stands in
// a text is an ordinary word with an ordinary id. Ordinary words are numbered by falling count,
// then by bytes, so that frequent words lie together and the numbering does not depend on the
// order of sentences.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/binary_format.h"
#include "text/words.h"

namespace dragoman {

// Immutable; either mapped from a file or freshly built.
class Vocabulary {
 public:
  static Vocabulary open(const std::string& path);

  WordId find(std::string_view word) const;  // kUnknown when absent
  std::string_view word(WordId id) const;    // throws std::out_of_range
  std::uint64_t count(WordId id) const;      // how often it was seen when built
  std::size_t size() const { return counts_.size(); }
  void save(const std::string& path) const;

  // Appends the ids of the line's tokens.
  void encode(std::string_view line, std::vector<WordId>& ids) const;
  // The words of the ids, separated by single spaces.
  std::string decode(Sentence ids) const;

 private:
  friend class VocabularyBuilder;
  Vocabulary() = default;

  struct Owned {
    std::vector<std::uint64_t> starts;
    std::string characters;
    std::vector<std::uint64_t> counts;
    std::vector<std::uint32_t> slots;
  };
  std::shared_ptr<const void> keeper_;  // the mapped file, or what was built
  std::span<const std::uint64_t> starts_;
  std::string_view characters_;
  std::span<const std::uint64_t> counts_;
  std::span<const std::uint32_t> slots_;  // open addressing; 0 is empty, else the id
};

class VocabularyBuilder {
 public:
  // A provisional id, in order of first sight.
  WordId add(std::string_view word);

  struct Result;
  // The vocabulary, and the final id of each provisional one. Words seen fewer than
  // `min_count` times become <unk>. The builder is spent afterwards.
  Result finish(std::uint64_t min_count = 1);

 private:
  std::string_view word(WordId id) const;
  void grow();

  std::vector<std::uint64_t> starts_{0};
  std::string characters_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint32_t> slots_;  // provisional id + 1
};

struct VocabularyBuilder::Result {
  Vocabulary vocabulary;
  std::vector<WordId> final_ids;
};

}  // namespace dragoman
