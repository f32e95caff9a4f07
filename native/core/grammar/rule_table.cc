// Rule tables with fields between |||.
//
// Hiero (Chiang 2005), cdec, Joshua:  [LEFT] ||| source ||| target ||| scores ||| alignment
//   with nonterminals [NAME,k], on the target side also [k]; scores are numbers or NAME=number.
// Moses:  source [LEFT] ||| target [LEFT] ||| scores ||| alignment ||| counts ...
//   with nonterminals [SOURCE-NAME][TARGET-NAME] on both sides, linked by the alignment. Names
//   that differ between the sides make the pair SOURCE::TARGET, one nonterminal.
#include <charconv>
#include <cmath>
#include <optional>

#include "grammar/rule_reader.h"
#include "text/error.h"
#include "text/parse_double.h"
#include "text/tokens.h"

namespace dragoman {

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for_each_token(text, [&](std::string_view token) { words.push_back(token); });
  return words;
}

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool bracketed(std::string_view token) {
  return token.size() > 2 && token.front() == '[' && token.back() == ']';
}

// [NAME,k] or, without a name, [k].
struct HieroSymbol {
  std::string_view name;
  std::string_view link;
};

std::optional<HieroSymbol> hiero_symbol(std::string_view token, Side side) {
  if (!bracketed(token)) return std::nullopt;
  const auto inside = token.substr(1, token.size() - 2);
  const auto comma = inside.rfind(',');
  if (comma == std::string_view::npos) {
    if (side == Side::kSource || !all_digits(inside)) return std::nullopt;
    return HieroSymbol{{}, inside};
  }
  const HieroSymbol symbol{inside.substr(0, comma), inside.substr(comma + 1)};
  if (symbol.name.empty() || !all_digits(symbol.link)) return std::nullopt;
  return symbol;
}

// [A][B] as A, or A::B when they differ.
std::optional<std::string> moses_symbol(std::string_view token) {
  if (!bracketed(token)) return std::nullopt;
  const auto middle = token.find("][");
  if (middle == std::string_view::npos || middle < 2 || middle + 3 >= token.size()) {
    return std::nullopt;
  }
  const auto first = token.substr(1, middle - 1);
  const auto second = token.substr(middle + 2, token.size() - middle - 3);
  if (first == second) return std::string(first);
  return std::string(first) + "::" + std::string(second);
}

void read_hiero(RuleReader& reader, std::span<const std::string_view> fields) {
  if (!bracketed(fields[0])) {
    reader.refuse("the first field must be the left-hand side in brackets, e.g. [X]");
  }
  reader.left(fields[0].substr(1, fields[0].size() - 2));
  for (const auto side : {Side::kSource, Side::kTarget}) {
    for_each_token(fields[side == Side::kSource ? 1 : 2], [&](std::string_view token) {
      if (const auto symbol = hiero_symbol(token, side)) {
        reader.nonterminal(side, symbol->name, symbol->link);
      } else {
        reader.terminal(side, token);
      }
    });
  }
}

std::string moses_left(RuleReader& reader, std::vector<std::string_view>& words,
                       const char* side) {
  if (words.empty() || !bracketed(words.back()) || moses_symbol(words.back())) {
    reader.refuse(std::string("the ") + side +
                  " side must end with its left-hand side in brackets, e.g. [X]");
  }
  const std::string name(words.back().substr(1, words.back().size() - 2));
  words.pop_back();
  return name;
}

void read_moses(RuleReader& reader, std::span<const std::string_view> fields) {
  auto source = words_of(fields[0]);
  auto target = words_of(fields[1]);
  const auto left_source = moses_left(reader, source, "source");
  const auto left_target = moses_left(reader, target, "target");
  reader.left(left_source == left_target ? left_source : left_source + "::" + left_target);

  // Target position -> link, given as the source position it is aligned to.
  std::vector<std::string> partner(target.size());
  std::vector<std::optional<std::string>> names(target.size());
  for (std::size_t t = 0; t < target.size(); ++t) names[t] = moses_symbol(target[t]);
  if (fields.size() > 3) {
    for_each_token(fields[3], [&](std::string_view link) {
      const auto dash = link.find('-');
      std::size_t s = 0;
      std::size_t t = 0;
      const auto bad = [&] {
        reader.refuse("'" + std::string(link) + "' is not a link between two positions");
      };
      if (dash == std::string_view::npos || !all_digits(link.substr(0, dash)) ||
          !all_digits(link.substr(dash + 1))) {
        bad();
      }
      std::from_chars(link.data(), link.data() + dash, s);
      std::from_chars(link.data() + dash + 1, link.data() + link.size(), t);
      if (s >= source.size() || t >= target.size()) bad();
      const auto source_symbol = moses_symbol(source[s]);
      if (source_symbol.has_value() != names[t].has_value()) {
        reader.refuse("link " + std::string(link) + " joins a word and a nonterminal");
      }
      if (!source_symbol) return;
      if (!partner[t].empty()) {
        reader.refuse("target nonterminal " + std::to_string(t) + " is linked twice");
      }
      partner[t] = std::to_string(s);
    });
  }
  for (std::size_t s = 0; s < source.size(); ++s) {
    if (const auto name = moses_symbol(source[s])) {
      reader.nonterminal(Side::kSource, *name, std::to_string(s));
    } else {
      reader.terminal(Side::kSource, source[s]);
    }
  }
  for (std::size_t t = 0; t < target.size(); ++t) {
    if (!names[t]) {
      reader.terminal(Side::kTarget, target[t]);
    } else if (partner[t].empty()) {
      reader.refuse("nonterminal " + std::string(target[t]) +
                    " on the target side has no link in the alignment field");
    } else {
      reader.nonterminal(Side::kTarget, *names[t], partner[t]);
    }
  }
}

double chosen_score(RuleReader& reader, std::string_view scores, const std::string& wanted) {
  const auto words = words_of(scores);
  if (all_digits(wanted)) {
    std::size_t column = 0;
    std::from_chars(wanted.data(), wanted.data() + wanted.size(), column);
    if (column < 1 || column > words.size()) {
      reader.refuse("there is no score " + wanted + ", only " + std::to_string(words.size()));
    }
    return read_log_probability(words[column - 1], reader.place());
  }
  for (const auto word : words) {
    const auto equals = word.find('=');
    if (equals == std::string_view::npos || word.substr(0, equals) != wanted) continue;
    const auto number = word.substr(equals + 1);
    double value = 0;
    if (!parse_double(number, value) || !(value >= 0) || std::isinf(value)) {
      reader.refuse("feature " + std::string(word) +
                    " is not -log10 of a probability, which is 0 or more");
    }
    return -value * std::log(10.0);
  }
  return 0;  // cdec leaves out features that are 0
}

// Fresh and converted rules: what the links between nonterminals look like as an alignment.
std::string links_of(const Rule& rule) {
  std::vector<std::size_t> places;
  for (std::size_t s = 0; s < rule.source.size(); ++s) {
    if (!is_terminal(rule.source[s])) places.push_back(s);
  }
  std::vector<std::size_t> partner(places.size());
  for (std::size_t t = 0; t < rule.target.size(); ++t) {
    if (!is_terminal(rule.target[t])) partner[static_cast<std::size_t>(~rule.target[t])] = t;
  }
  std::string out;
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (k > 0) out += ' ';
    out += std::to_string(places[k]);
    out += '-';
    out += std::to_string(partner[k]);
  }
  return out;
}

struct NamePair {
  std::string_view source;
  std::string_view target;
};

NamePair pair_of(std::string_view name) {
  const auto middle = name.find("::");
  if (middle == std::string_view::npos || middle == 0 || middle + 2 == name.size()) {
    return {name, name};
  }
  return {name.substr(0, middle), name.substr(middle + 2)};
}

void append_symbol(std::string& out, std::string_view name, std::size_t link,
                   GrammarFormat format) {
  out += '[';
  if (format == GrammarFormat::kHiero) {
    out += name;
    out += ',';
    out += std::to_string(link + 1);
  } else {
    const auto pair = pair_of(name);
    out += pair.source;
    out += "][";
    out += pair.target;
  }
  out += "] ";
}

void append_word(std::string& out, const Grammar& grammar, const Rule& rule, SymbolId id,
                 Side side, GrammarFormat format) {
  const auto word = grammar.terminals.name(id);
  const bool clash =
      word == "|||" ||
      (format == GrammarFormat::kHiero ? hiero_symbol(word, side).has_value() : bracketed(word));
  if (clash) {
    throw InputError(grammar.place(rule) + ": the terminal " + std::string(word) +
                     " would be read as something else in this format");
  }
  out += word;
  out += ' ';
}

}  // namespace

void read_table_line(RuleReader& reader, std::string_view line, GrammarFormat format,
                     const ReadOptions& options) {
  constexpr std::string_view kBars = "|||";
  std::vector<std::string_view> fields;
  for (auto text = line;;) {
    const auto end = text.find(kBars);
    fields.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + kBars.size());
  }
  const bool hiero = format == GrammarFormat::kHiero;
  const std::size_t sides = hiero ? 3 : 2;
  if (fields.size() < sides) {
    reader.refuse("found " + std::to_string(fields.size()) + " fields between |||, expected " +
                  (hiero ? "[LEFT] ||| source ||| target ||| scores"
                         : "source [LEFT] ||| target [LEFT] ||| scores ||| alignment"));
  }
  if (hiero) {
    read_hiero(reader, fields);
    if (fields[1].empty() || fields[2].empty()) {
      reader.refuse(std::string("the ") + (fields[1].empty() ? "source" : "target") +
                    " side is empty");
    }
  } else {
    read_moses(reader, fields);
    if (words_of(fields[0]).size() < 2 || words_of(fields[1]).size() < 2) {
      reader.refuse("a side is empty");
    }
  }
  const auto field = [&](std::size_t i) {
    return i < fields.size() ? fields[i] : std::string_view();
  };
  std::string_view rest;
  if (fields.size() > sides + 2) {
    rest = std::string_view(
        fields[sides + 2].data(),
        static_cast<std::size_t>(line.data() + line.size() - fields[sides + 2].data()));
  }
  reader.scores(field(sides), field(sides + 1), trimmed(rest));
  if (!options.score.empty()) {
    reader.log_weight(chosen_score(reader, field(sides), options.score));
  }
  reader.finish();
}

void append_table_line(std::string& out, const Grammar& grammar, const Rule& rule,
                       GrammarFormat format) {
  if (rule.source.empty() || rule.target.empty()) {
    throw InputError(grammar.place(rule) + ": rule tables have no empty sides");
  }
  const auto left = grammar.nonterminals.name(rule.lhs);
  std::vector<std::string_view> names;
  if (format == GrammarFormat::kHiero) {
    out += '[';
    out += left;
    out += "] ||| ";
  }
  for (const auto symbol : rule.source) {
    if (is_terminal(symbol)) {
      append_word(out, grammar, rule, symbol, Side::kSource, format);
    } else {
      append_symbol(out, grammar.nonterminals.name(~symbol), names.size(), format);
      names.push_back(grammar.nonterminals.name(~symbol));
    }
  }
  const auto pair = pair_of(left);
  if (format == GrammarFormat::kMoses) out.append("[").append(pair.source).append("] ");
  out += "||| ";
  for (const auto symbol : rule.target) {
    if (is_terminal(symbol)) {
      append_word(out, grammar, rule, symbol, Side::kTarget, format);
    } else {
      const auto link = static_cast<std::size_t>(~symbol);
      append_symbol(out, names[link], link, format);
    }
  }
  if (format == GrammarFormat::kMoses) out.append("[").append(pair.target).append("] ");
  out += "|||";
  const auto add_field = [&](std::string_view text) {
    if (!text.empty()) out += ' ';
    out += text;
  };
  add_field(rule.scores);
  const std::string links = rule.alignment.empty() && format == GrammarFormat::kMoses
                                ? links_of(rule)
                                : std::string(rule.alignment);
  if (links.empty() && rule.rest.empty()) return;
  out += " |||";
  add_field(links);
  if (rule.rest.empty()) return;
  out += " |||";
  add_field(rule.rest);
}

}  // namespace dragoman
