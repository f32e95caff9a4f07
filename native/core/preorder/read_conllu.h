// Dependency parses in CoNLL-U, as binary constituent trees.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "preorder/tree.h"

namespace dragoman {

// Adds the trees of some lines, each sentence closed by an empty line (or the last line).
//
// A word and what depends on it are a constituent, built outwards from the word: at each step the
// nearest dependent on the left or on the right joins, the one whose relation binds more closely
// (auxiliaries, compounds; then arguments and modifiers; then case markers, subordinators and
// conjunctions; then punctuation), on a tie the right one. So a Japanese verb takes its
// auxiliaries before its objects, and a particle takes the whole noun phrase. The label is the
// head's part of speech, a slash, the relation that joined. Dependents of a gap are lifted to
// their head's head until the tree is projective (Nivre & Nilsson 2005).
//
// With kLeft or kRight the dependents join in that order instead. Words of multiword tokens are
// the words of the tree; empty nodes are skipped. InputError with `name` and the line, counted
// from `first_line`.
void read_conllu(std::span<const std::string_view> lines, const std::string& name,
                 std::size_t first_line, Binarisation binarisation, Trees& trees);

}  // namespace dragoman
