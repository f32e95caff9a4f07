// Phrase tables row by row, for those who count anew how their phrase pairs are used.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alignment/links.h"
#include "rules/phrase_table.h"

namespace dragoman {

inline constexpr std::uint32_t kNoSuchRow = 0xffffffff;

// Everything by row.
struct RowFacts {
  std::vector<std::uint32_t> sources;  // which source phrase, numbered from 0 in their order
  std::vector<std::uint32_t> targets;  // which target phrase, numbered as they first come
  std::vector<std::uint8_t> source_lengths;
  std::vector<float> counts;  // three each: of the pair, the source, the target
};
RowFacts row_facts(const PhraseTable& table);

// For each row of `table`, the row of `other` with the same phrases, or kNoSuchRow. The two must
// have the same vocabularies.
std::vector<std::uint32_t> match_rows(const PhraseTable& table, const PhraseTable& other);

// One phrase pair of a derivation.
struct StepSpan {
  std::uint16_t source_begin = 0;
  std::uint16_t source_end = 0;
  std::uint16_t target_words = 0;
};
static_assert(sizeof(StepSpan) == 6);

// The target sides of derivations, and the links that the phrase pairs have inside. Words that
// come from no row are kUnknown, linked to the first word of their source.
struct DerivedText {
  std::vector<WordId> ids;
  std::vector<std::uint64_t> offsets{0};
  std::vector<Link> links;
  std::vector<std::uint64_t> link_offsets{0};
};
// `steps` are the numbers of steps of the derivations. Throws InputError when they and the rows
// do not fit the table.
DerivedText derived_text(const PhraseTable& table, std::span<const std::uint32_t> steps,
                         std::span<const StepSpan> spans, std::span<const std::uint32_t> rows);

}  // namespace dragoman
