// Sentence pairs linked by hand, from which training learns what is to count as a link.
//
// Does を translate *the*, or nothing? Text without links cannot tell: it is a convention. With
// examples in the corpus, training keeps to their links instead of guessing them (Callison-Burch,
// Talbot & Osborne 2004, "Statistical Machine Translation with Word- and Sentence-Aligned Parallel
// Corpora"), and counts each of them as `weight` pairs.
#pragma once

#include <cstdint>

#include "alignment/links.h"
#include "corpus/sentences.h"

namespace dragoman {

// Of the first pairs of a corpus. A word without any link has none; a possible link, which must
// not be a sure one too, is for the model to decide.
struct Examples {
  LinkSets sure, possible;
  std::uint32_t weight = 1;

  std::size_t size() const { return sure.size(); }
  // Throws InputError if there are more examples than pairs, or links outside of their sentences.
  void require_fit(const Sentences& source, const Sentences& target) const;
};

}  // namespace dragoman
