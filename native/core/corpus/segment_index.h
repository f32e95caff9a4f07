// A translation memory on disk: segments and their translations as people wrote them, found by
// the words of their source, the same ones or nearly.
//
// How near two segments are is counted as translators' tools count it: words to insert, delete or
// replace, as a share of the words of the longer one.
//
// Segments are numbered by rising length of their sources. Which may be near enough is known
// without looking at most: of n words at most k may be wrong, so at least one of any k + 1 is in
// the other segment as well, and the k + 1 rarest are in few (prefix filtering; Chaudhuri, Ganti
// and Kaushik 2006). Those that have enough of these words, and of some more where that is cheap,
// are compared word by word, 64 words at once (Myers 1999).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/binary_format.h"
#include "text/spool_file.h"
#include "text/vocabulary.h"

namespace dragoman {

// A segment that is like what was asked for.
struct SegmentMatch {
  std::uint32_t segment = 0;
  std::uint32_t edits = 0;   // words to insert, delete or replace
  std::uint32_t length = 0;  // of the longer source, in words

  double similarity() const {
    return length == 0 ? 1.0 : 1.0 - static_cast<double>(edits) / static_cast<double>(length);
  }
};

class SegmentIndex {
 public:
  SegmentIndex(const std::string& path, const std::string& vocabulary_path);

  std::size_t size() const { return counts_.size(); }
  std::string_view source(std::uint32_t segment) const { return text(2 * checked(segment)); }
  std::string_view target(std::uint32_t segment) const { return text(2 * checked(segment) + 1); }
  // How often the pair was seen, and when last: pairs are numbered as they came.
  std::uint32_t count(std::uint32_t segment) const { return counts_[checked(segment)]; }
  std::uint32_t last_seen(std::uint32_t segment) const { return last_seen_[checked(segment)]; }

  // At most `most` segments whose sources are at least so similar to these words, nearest first,
  // then by falling count, then latest first. `least` lies above 0.
  std::vector<SegmentMatch> search(std::string_view words, double least, std::size_t most) const;

 private:
  std::uint32_t checked(std::uint32_t segment) const;
  std::string_view text(std::size_t part) const {
    return characters_.substr(text_starts_[part], text_starts_[part + 1] - text_starts_[part]);
  }
  Sentence words_of(std::size_t segment) const {
    return words_.subspan(word_starts_[segment],
                          word_starts_[segment + 1] - word_starts_[segment]);
  }
  std::span<const std::uint32_t> segments_with(WordId word) const {
    const auto at = static_cast<std::size_t>(word);
    return segments_.subspan(segment_starts_[at], segment_starts_[at + 1] - segment_starts_[at]);
  }
  // The first segment with at least so many words.
  std::uint32_t first_of_length(std::size_t length) const;
  std::vector<std::uint32_t> candidates(Sentence query, double least) const;
  void check() const;

  BinaryFile file_;
  Vocabulary vocabulary_;
  std::span<const std::uint64_t> word_starts_;
  std::span<const WordId> words_;
  std::span<const std::uint64_t> text_starts_;  // of source and target by turns
  std::string_view characters_;
  std::span<const std::uint32_t> counts_;
  std::span<const std::uint32_t> last_seen_;
  std::span<const std::uint64_t> segment_starts_;  // by word
  std::span<const std::uint32_t> segments_;
};

// Takes pairs in their order and writes an index and its vocabulary. Texts wait in an unnamed file
// in the `spool` directory; memory holds the ids of words and 64 bytes a pair.
class SegmentIndexBuilder {
 public:
  explicit SegmentIndexBuilder(const std::string& spool) : texts_(spool) {}

  // `words`: what the source is found by, separated by spaces.
  void add(std::string_view words, std::string_view source, std::string_view target);
  std::size_t size() const { return pairs_.size(); }
  // Pairs of the same texts become one; the builder is spent afterwards.
  void finish(const std::string& path, const std::string& vocabulary_path);

 private:
  struct Pair {
    std::uint64_t key[2] = {};  // of both texts: those with the same are the same
    std::uint64_t first_word = 0;
    std::uint64_t first_byte = 0;
    std::uint32_t words = 0;
    std::uint32_t source_bytes = 0;
    std::uint32_t target_bytes = 0;
    std::uint32_t count = 1;
    std::uint32_t last_seen = 0;
  };
  void merge();
  void write_texts(BinaryWriter& writer) const;
  void write_segments(BinaryWriter& writer, std::size_t vocabulary) const;

  SpoolFile texts_;
  VocabularyBuilder vocabulary_;
  std::vector<WordId> words_;
  std::vector<Pair> pairs_;
  std::string buffer_;
};

}  // namespace dragoman
