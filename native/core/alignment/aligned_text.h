// A parallel text with the links between its words.
#pragma once

#include <string>

#include "alignment/links.h"
#include "corpus/parallel_text.h"
#include "text/error.h"

namespace dragoman {

// A view, as its parts are.
struct AlignedText : ParallelText {
  LinkSets links;

  AlignedText() = default;
  // Throws InputError unless there are links for each sentence pair.
  AlignedText(const ParallelText& text, const LinkSets& of_pairs)
      : ParallelText(text), links(of_pairs) {
    if (links.size() == size()) return;
    throw InputError(std::to_string(size()) + " sentence pairs but " +
                     std::to_string(links.size()) + " lines of links; they must be equally many");
  }
};

}  // namespace dragoman
