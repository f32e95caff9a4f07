// Two texts of which each sentence is the translation of the other's: what is learnt from.
#pragma once

#include <string>

#include "corpus/sentences.h"
#include "text/error.h"

namespace dragoman {

// A view, as Sentences is.
struct ParallelText {
  Sentences source;
  Sentences target;

  ParallelText() = default;
  // Throws InputError unless the sides have equally many sentences.
  ParallelText(const Sentences& source_side, const Sentences& target_side)
      : source(source_side), target(target_side) {
    if (source.size() == target.size()) return;
    throw InputError("the two sides have different numbers of sentences: " +
                     std::to_string(source.size()) + " and " + std::to_string(target.size()));
  }

  std::size_t size() const { return source.size(); }
};

}  // namespace dragoman
