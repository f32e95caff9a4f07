// What a network learns from: each target word with all that it is told about its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "alignment/aligned_text.h"
#include "neural/network.h"

namespace dragoman {

// Of every `step`-th sentence pair a row for each target word and one for the sentence's end: the
// inputs of a network of that shape, then the word. Throws InputError for links that point outside
// their pair.
std::vector<std::uint16_t> network_examples(const AlignedText& text, const NetworkShape& shape,
                                            std::size_t step);

// The word that stands so far from the beginning of a sentence; its ends go on for ever.
WordId word_at(Sentence words, std::ptrdiff_t place);

}  // namespace dragoman
