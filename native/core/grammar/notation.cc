// The notation of this toolkit, one rule a line:
//
//   LEFT -> source side | target side | probability
//
// A nonterminal with its link is NAME[k], on both sides with the same name and number; every
// other token is a terminal. A terminal that would be read otherwise (|, NAME[k], something that
// begins with a quotation mark) is written in quotation marks, with \" and \\ inside. A side that
// is empty on purpose is "". The probability may be left out; it is 1 then. Lines that begin with
// # are comments.
#include "grammar/notation.h"

#include <charconv>
#include <cmath>
#include <vector>

#include "grammar/rule_reader.h"
#include "text/error.h"
#include "text/parse_double.h"
#include "text/tokens.h"

namespace dragoman {

namespace {

struct Token {
  std::string text;
  bool quoted = false;
};

[[noreturn]] void refuse(const std::string& place, const std::string& problem) {
  throw InputError(place + ": " + problem);
}

std::vector<Token> tokens_of(std::string_view line, const std::string& place) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && is_space(line[at])) ++at;
    if (at == line.size()) return tokens;
    Token token;
    if (line[at] != '"') {
      const auto begin = at;
      while (at < line.size() && !is_space(line[at])) ++at;
      token.text = line.substr(begin, at - begin);
    } else {
      token.quoted = true;
      for (++at; at < line.size() && line[at] != '"'; ++at) {
        if (is_space(line[at])) refuse(place, "a quoted token must not contain white space");
        if (line[at] == '\\' && at + 1 < line.size()) ++at;
        token.text += line[at];
      }
      if (at == line.size()) {
        refuse(place,
               "a quotation mark has no partner; a token that begins with one is written "
               "\"\\\"...\"");
      }
      ++at;
      if (at < line.size() && !is_space(line[at])) {
        refuse(place, "after a quoted token there must be a space");
      }
    }
    tokens.push_back(std::move(token));
  }
}

// NAME[k]: whether the token is one, and its parts.
bool split_nonterminal(std::string_view token, std::string_view& name, std::string_view& link) {
  if (token.size() < 4 || token.back() != ']') return false;
  const auto open = token.rfind('[');
  if (open == std::string_view::npos || open == 0) return false;
  link = token.substr(open + 1, token.size() - open - 2);
  if (link.empty() || link.find_first_not_of("0123456789") != std::string_view::npos) return false;
  name = token.substr(0, open);
  return true;
}

// Whether the notation can write the name of a nonterminal; tables allow more.
bool plain_name(std::string_view name) {
  return !name.empty() && name.front() != '#' && name.front() != '"' && name != "|" &&
         name.find_first_of("[] \t") == std::string_view::npos;
}

bool needs_quotes(std::string_view token) {
  std::string_view name;
  std::string_view link;
  return token.empty() || token == "|" || token.front() == '"' ||
         split_nonterminal(token, name, link);
}

void append_quoted(std::string& out, std::string_view token) {
  if (!needs_quotes(token)) {
    out += token;
    return;
  }
  out += '"';
  for (const char c : token) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

void read_side(RuleReader& reader, Side side, std::span<const Token> tokens) {
  if (tokens.empty()) {
    refuse(reader.place(), std::string("the ") + (side == Side::kSource ? "source" : "target") +
                               " side is empty; write \"\" if that is meant");
  }
  for (const auto& token : tokens) {
    std::string_view name;
    std::string_view link;
    if (token.quoted && token.text.empty()) {
      if (tokens.size() > 1) refuse(reader.place(), "\"\" stands for an empty side, alone");
    } else if (!token.quoted && split_nonterminal(token.text, name, link)) {
      reader.nonterminal(side, name, link);
    } else {
      reader.terminal(side, token.text);
    }
  }
}

void read_rule(RuleReader& reader, std::string_view line) {
  const auto tokens = tokens_of(line, reader.place());
  const auto is_mark = [&](std::size_t i, std::string_view mark) {
    return !tokens[i].quoted && tokens[i].text == mark;
  };
  if (tokens.size() < 2 || !is_mark(1, "->")) {
    refuse(reader.place(),
           "not a rule; expected: LEFT -> source side | target side | probability");
  }
  if (tokens[0].quoted || is_mark(0, "|")) {
    refuse(reader.place(), "the left-hand side must be a nonterminal");
  }
  if (!plain_name(tokens[0].text)) {
    refuse(reader.place(), "the left-hand side " + tokens[0].text +
                               " has brackets in its name; links belong to the right of ->");
  }
  std::vector<std::size_t> bars;
  for (std::size_t i = 2; i < tokens.size(); ++i) {
    if (is_mark(i, "|")) bars.push_back(i);
  }
  if (bars.empty() || bars.size() > 2) {
    refuse(reader.place(), "found " + std::to_string(bars.size()) +
                               " separators |, expected one or two: LEFT -> source side | target "
                               "side | probability (a terminal | is written \"|\")");
  }
  const std::span all(tokens);
  const auto target_end = bars.size() == 2 ? bars[1] : tokens.size();
  reader.left(tokens[0].text);
  read_side(reader, Side::kSource, all.subspan(2, bars[0] - 2));
  read_side(reader, Side::kTarget, all.subspan(bars[0] + 1, target_end - bars[0] - 1));
  if (bars.size() == 2) {
    if (target_end + 2 != tokens.size() || tokens.back().quoted) {
      refuse(reader.place(), "after the second | there must be one number, the probability");
    }
    reader.probability(tokens.back().text);
  } else {
    reader.scores("1", {}, {});  // what a table of the same rules would say
  }
  reader.finish();
}

}  // namespace

double read_log_probability(std::string_view text, const std::string& place) {
  double value = 0;
  if (!parse_double(text, value)) {
    throw InputError(place + ": '" + std::string(text) + "' is not a number");
  }
  if (!(value > 0) || value > 1) {
    throw InputError(place + ": the probability " + std::string(text) +
                     " is not above 0 and at most 1" +
                     (value == 0 ? "; leave out rules that can never be used" : ""));
  }
  return std::log(value);
}

std::string shortest(double value) {
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, result.ptr};
}

GrammarFormat guess_format(std::string_view text) {
  GrammarFormat format = GrammarFormat::kRules;
  bool known = false;
  for_each_line(text, [&](std::string_view line, std::uint32_t) {
    const auto begin = line.find_first_not_of(" \t");
    if (known || begin == std::string_view::npos || line[begin] == '#') return;
    const auto bars = line.find("|||");
    known = true;
    if (bars == std::string_view::npos) return;
    // Hiero tables begin with the left-hand side alone, Moses' with the source side.
    std::size_t tokens = 0;
    bool bracketed = false;
    for_each_token(line.substr(0, bars), [&](std::string_view token) {
      ++tokens;
      bracketed = token.front() == '[' && token.back() == ']';
    });
    format = tokens == 1 && bracketed ? GrammarFormat::kHiero : GrammarFormat::kMoses;
  });
  return format;
}

Grammar read_grammar(std::string_view text, const std::string& origin, GrammarFormat format,
                     const ReadOptions& options) {
  Grammar grammar;
  grammar.origin = origin;
  RuleReader reader(grammar);
  for_each_line(text, [&](std::string_view line, std::uint32_t number) {
    const auto begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return;
    // In tables # is a word like any other.
    if (format == GrammarFormat::kRules && line[begin] == '#') return;
    reader.begin(number);
    if (format == GrammarFormat::kRules) {
      read_rule(reader, line);
    } else {
      read_table_line(reader, line, format, options);
    }
  });
  if (grammar.size() == 0) throw InputError(origin + ": no rule in it");
  return grammar;
}

std::string write_rule(const Grammar& grammar, const Rule& rule) {
  std::string out;
  out += grammar.nonterminals.name(rule.lhs);
  out += " -> ";
  std::vector<SymbolId> names;
  const auto add_nonterminal = [&](SymbolId name, std::size_t link) {
    out += grammar.nonterminals.name(name);
    out += '[';
    out += std::to_string(link + 1);
    out += ']';
  };
  for (const auto symbol : rule.source) {
    if (is_terminal(symbol)) {
      append_quoted(out, grammar.terminals.name(symbol));
    } else {
      add_nonterminal(~symbol, names.size());
      names.push_back(~symbol);
    }
    out += ' ';
  }
  out += rule.source.empty() ? "\"\" |" : "|";
  for (const auto symbol : rule.target) {
    out += ' ';
    if (is_terminal(symbol)) {
      append_quoted(out, grammar.terminals.name(symbol));
    } else {
      const auto link = static_cast<std::size_t>(~symbol);
      add_nonterminal(names[link], link);
    }
  }
  if (rule.target.empty()) out += " \"\"";
  return out;
}

std::string write_grammar(const Grammar& grammar, GrammarFormat format) {
  for (std::size_t id = 0; id < grammar.nonterminals.size(); ++id) {
    const std::string name(grammar.nonterminals.name(static_cast<SymbolId>(id)));
    if (format == GrammarFormat::kRules ? plain_name(name)
                                        : name.find_first_of("[] ") == std::string::npos) {
      continue;
    }
    throw InputError(grammar.origin + ": the nonterminal " + name +
                     " cannot be written in this format");
  }
  std::string out;
  for (std::size_t i = 0; i < grammar.size(); ++i) {
    const Rule rule = grammar[i];
    if (format == GrammarFormat::kRules) {
      out += write_rule(grammar, rule);
      // What was read as a probability is written as it was.
      if (rule.log_weight != 0) {
        double value = 0;
        const bool verbatim =
            parse_double(rule.scores, value) && std::log(value) == rule.log_weight;
        out += " | ";
        out += verbatim ? std::string(rule.scores) : shortest(std::exp(rule.log_weight));
      }
    } else {
      append_table_line(out, grammar, rule, format);
    }
    out += '\n';
  }
  return out;
}

}  // namespace dragoman
