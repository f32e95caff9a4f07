// Bilingual tokens (Niehues et al. 2011): a target word together with the source words it is
// linked to. An n-gram model over them sees source context beyond phrase boundaries.
//
// All links of a phrase pair's words lie inside it, so that its tokens are those the sentence
// has there, and a decoder scores them as it appends the phrase.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "alignment/aligned_text.h"
#include "rules/phrase_table.h"
#include "text/vocabulary.h"

namespace dragoman {

// Between the target word and each of its source words, which come in the order of the sentence:
// "not|ne|pas"; a word without links keeps the mark: "do|".
inline constexpr char kBilingualMark = '|';

// The tokens of sentence pairs [first, last), one per target word, separated by spaces: a text
// for a language model. Throws InputError for links that point outside their pair.
std::vector<std::string> bilingual_lines(const AlignedText& text, const Vocabulary& source_words,
                                         const Vocabulary& target_words, std::size_t first,
                                         std::size_t last);

// The tokens of all phrase pairs of a table: different spellings, and for each target word of
// each row, in their order, the number of its spelling.
struct BilingualPhrases {
  std::vector<std::string> spellings;
  std::vector<std::uint32_t> tokens;
};
BilingualPhrases bilingual_phrases(const PhraseTable& table, const Vocabulary& source_words,
                                   const Vocabulary& target_words);

}  // namespace dragoman
