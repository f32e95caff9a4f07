// The number of words to insert, delete or replace until one sentence is another.
#pragma once

#include <cstdint>
#include <vector>

#include "text/words.h"

namespace dragoman {

// One sentence, to be compared with many (Myers 1999, in the form of Hyyro 2003 for sentences of
// any length: a column of the matrix of distances is kept as bits, 64 rows at a time).
class WordEdits {
 public:
  explicit WordEdits(Sentence sentence);

  std::uint32_t distance(Sentence other) const;

 private:
  struct Slot {
    WordId word = -1;
    std::uint32_t row = 0;  // of masks_, in blocks
  };
  const std::uint64_t* places_of(WordId word) const;

  std::size_t length_;
  std::size_t blocks_;
  std::vector<Slot> slots_;           // open addressing; a power of two
  std::vector<std::uint64_t> masks_;  // where each word stands; the first row is for all others
  // The differences of neighbours in a column: +1 and -1.
  mutable std::vector<std::uint64_t> rising_;
  mutable std::vector<std::uint64_t> falling_;
};

}  // namespace dragoman
