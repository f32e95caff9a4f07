// What a search looked like: its stacks, and what survived in them, as people want to see it
// drawn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/sentence_options.h"
#include "search/stack.h"

namespace dragoman {

struct PicturedHypothesis {
  std::uint32_t covered = 0;   // its stack
  std::uint32_t back = kNone;  // the place of the one it extends; kNone at the start
  double total = 0;            // what stacks are sorted and pruned by
  SourceSpan source;
  std::string target;    // of the last phrase
  std::string coverage;  // "1" for each covered source word, "0" for the others
  bool best = false;     // on the way to the translation chosen
};

struct SearchPicture {
  std::vector<SearchStats> stacks;             // by number of covered words
  std::vector<PicturedHypothesis> hypotheses;  // by stack, best first
};

SearchPicture picture_of(const SentenceOptions& sentence, const SearchSpace& space);

}  // namespace dragoman
