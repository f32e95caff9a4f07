// Grammars as text: the notation of this toolkit and the rule tables of Hiero, cdec, Joshua and
// Moses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "grammar/scfg.h"

namespace dragoman {

enum class GrammarFormat : std::uint8_t {
  kRules = 0,  // VP -> V[1] NP[2] not | NP[2] nicht V[1] | 0.25
  kHiero = 1,  // [X] ||| [X,1] not ||| nicht [X,1] ||| 0.25 0.5
  kMoses = 2,  // [X][X] not [X] ||| nicht [X][X] [X] ||| 0.25 0.5 ||| 0-1
};

struct ReadOptions {
  // Which score of a table is the rule's probability: a number counts columns from 1, a name is a
  // cdec feature holding -log10 of it. Empty: table rules weigh 1. Not used for kRules.
  std::string score;
};

// What the first line that is a rule looks like.
GrammarFormat guess_format(std::string_view text);

// `origin` names the text in messages. InputError names the line and what is wrong with it.
Grammar read_grammar(std::string_view text, const std::string& origin, GrammarFormat format,
                     const ReadOptions& options = {});

std::string write_grammar(const Grammar& grammar, GrammarFormat format);

// One rule without its probability in the notation of this toolkit.
std::string write_rule(const Grammar& grammar, const Rule& rule);

// A probability in (0, 1] as written, or InputError("PLACE: ...").
double read_log_probability(std::string_view text, const std::string& place);

// A number as the shortest text that reads back the same.
std::string shortest(double value);

}  // namespace dragoman
