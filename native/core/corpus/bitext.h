// A parallel corpus of word ids on disk.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "corpus/sentences.h"
#include "text/binary_format.h"
#include "text/vocabulary.h"

namespace dragoman {

// A mapped bitext: both sides have the same number of sentences.
class Bitext {
 public:
  explicit Bitext(const std::string& path);

  Sentences source() const { return source_; }
  Sentences target() const { return target_; }

 private:
  BinaryFile file_;
  Sentences source_;
  Sentences target_;
};

// Takes sentence pairs in any number of pieces and writes a bitext and its two vocabularies.
// Ids wait in unnamed files in the `spool` directory, so memory holds the vocabularies only.
class BitextBuilder {
 public:
  explicit BitextBuilder(const std::string& spool);
  ~BitextBuilder();

  void add(std::string_view source, std::string_view target);
  std::uint64_t size() const { return pairs_; }
  // Writes the three files; the builder is spent afterwards.
  void finish(const std::string& bitext_path, const std::string& source_vocabulary_path,
              const std::string& target_vocabulary_path);

 private:
  class Side;
  std::unique_ptr<Side> source_;
  std::unique_ptr<Side> target_;
  std::uint64_t pairs_ = 0;
};

}  // namespace dragoman
