// Synchronous context-free grammars: rules that rewrite a pair of linked nonterminals on the
// source and target side at once.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace dragoman {

using SymbolId = std::int32_t;

// Names and their ids, in the order of first appearance.
class SymbolTable {
 public:
  SymbolId add(std::string_view name);
  SymbolId find(std::string_view name) const;  // -1 when it is not there
  std::string_view name(SymbolId id) const { return names_[static_cast<std::size_t>(id)]; }
  std::size_t size() const { return names_.size(); }

 private:
  std::deque<std::string> names_;  // a deque: the views in ids_ stay where they are
  std::unordered_map<std::string_view, SymbolId> ids_;
};

// A right-hand side is a row of numbers: a terminal is its id; a nonterminal is ~id on the source
// side, and on the target side ~k for the partner of the k-th source nonterminal, which makes
// missing and double links impossible to write down.
inline bool is_terminal(SymbolId symbol) { return symbol >= 0; }

struct Rule {
  SymbolId lhs = 0;
  std::span<const SymbolId> source;
  std::span<const SymbolId> target;
  double log_weight = 0;
  std::uint32_t line = 0;  // where it was read, from 1; 0 for made rules
  // As they were read, so that an untouched rule is written as it was: probability or scores,
  // word alignment and whatever a table has behind them.
  std::string_view scores;
  std::string_view alignment;
  std::string_view rest;
};

class Grammar {
 public:
  SymbolTable nonterminals;
  SymbolTable terminals;

  void add(const Rule& rule);  // copies what the views show
  std::size_t size() const { return records_.size(); }
  Rule operator[](std::size_t index) const;

  // The file it came from, for messages.
  std::string origin = "grammar";
  std::string place(const Rule& rule) const;  // origin:line

  // S if there is a rule for it, else what the first rule rewrites; -1 without rules.
  SymbolId default_start() const;

 private:
  struct Record {
    SymbolId lhs;
    std::uint32_t line;
    std::uint64_t symbols;  // source, then target, from here on in symbols_
    std::uint32_t source_size;
    std::uint32_t target_size;
    double log_weight;
    std::uint64_t text;  // scores, alignment and rest from here on in text_
    std::uint32_t scores_size;
    std::uint32_t alignment_size;
    std::uint32_t rest_size;
  };
  std::vector<Record> records_;
  std::vector<SymbolId> symbols_;
  std::string text_;
};

// The number of nonterminals on each side.
std::size_t rule_rank(const Rule& rule);

// For each source nonterminal its place among the target's: the permutation of the rule.
std::vector<std::int32_t> rule_permutation(const Rule& rule);

// Throws InputError, with lines, if a nonterminal that some rule uses or rewrites can never
// become a pair of strings.
void check_productive(const Grammar& grammar);

struct RankHistogram {
  std::vector<std::uint64_t> rules;  // [r]: rules of rank r
  std::uint64_t symbols = 0;         // right-hand side symbols of both sides: the size |G|
};
RankHistogram rank_histogram(const Grammar& grammar);

}  // namespace dragoman
