// Translations of words that the table does not know, or hardly: offered by sources that look at a
// word's parts, its relatives, its spelling, its sound (dragoman.unknown).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "text/words.h"

namespace dragoman {

// Where what is not in the table is from.
struct Provenance {
  float log_prob = 0;  // the value of each column of the table
  // The source that offers it, by its place among the features of sources.
  std::int8_t source = kNoSource;
  bool unknown = false;  // a copied word, or one that was dropped

  static constexpr std::int8_t kNoSource = -1;
  bool operator==(const Provenance&) const = default;
};

struct OfferedTranslation {
  std::uint32_t place = 0;  // of the source word
  std::string target;       // tokens separated by white space
  Provenance provenance;
  // Ids of the table's bilingual tokens, one for each target word; none: they are unknown.
  std::vector<WordId> bilingual;
};

}  // namespace dragoman
