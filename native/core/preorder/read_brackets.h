// Trees in brackets, one a line: (S (NP (NN cats)) (VP (VBP sleep))).
#pragma once

#include <string>
#include <string_view>

#include "preorder/tree.h"

namespace dragoman {

// Adds the tree of one line.
//
// Empty lines and brackets without words, "()", "(())", are empty trees: a parser that failed.
// Of a chain of single parts the lowest label stays, down to a word its tag. Empty elements (tag
// -NONE-) are left out. -LRB- and the like stay as they are written. InputError, with `name` and
// `line`, for anything else.
void read_brackets(std::string_view text, const std::string& name, std::size_t line,
                   Binarisation binarisation, HeadSide head_side, Trees& trees);

}  // namespace dragoman
