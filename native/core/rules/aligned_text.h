// A bitext with links.
#pragma once

#include "align/links.h"
#include "text/sentences.h"

namespace dragoman {

// Throws InputError when the three differ in their number of sentence pairs.
void check_equally_many(const Sentences& source, const Sentences& target, const LinkSets& links);

}  // namespace dragoman
