// Is a phrase pair more than chance? Fisher's exact test as Johnson, Martin, Foster & Kuhn
// (2007), "Improving translation quality by discarding most of the phrasetable", use it.
#pragma once

#include <cstdint>
#include <vector>

#include "corpus/parallel_text.h"
#include "rules/phrase_table.h"

namespace dragoman {

// -ln of the probability that phrases that stand in `source` and `target` of `pairs` sentence
// pairs stand together in at least `both` of them by chance. A pair that occurs once, of phrases
// that occur once, has ln(pairs).
double negative_log_p_value(std::uint64_t both, std::uint64_t source, std::uint64_t target,
                            std::uint64_t pairs);

// That value for each row of the table, from the sentence pairs in which its phrases occur,
// linked or not.
std::vector<float> significances(const PhraseTable& table, const ParallelText& text, int threads);

}  // namespace dragoman
