// Synchronous parsing: is a pair of strings generated, with what probability, and how best?
//
// Bottom-up dynamic programming with continuous spans on the source side (section 1 of Gildea,
// Satta & Zhang 2006): a rule takes its nonterminals from left to right on the source side while
// their target spans may lie apart, as fragments. For a rule of rank k that is O(N^(k+4)) time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grammar/scfg.h"

namespace dragoman {

struct ParseOptions {
  std::uint64_t max_items = 30'000'000;  // about 100 bytes each
  // Called now and then, and may throw to stop the parse.
  std::function<void()> tick;
};

struct DerivationNode {
  std::uint32_t rule = 0;  // in the grammar that was parsed with
  std::int32_t source_begin = 0;
  std::int32_t source_end = 0;
  std::int32_t target_begin = 0;
  std::int32_t target_end = 0;
  std::vector<std::uint32_t> children;  // in source order
};

struct ParseResult {
  bool generated = false;
  double log_inside = 0;  // log of the sum over all derivations; only if generated
  double log_best = 0;
  std::vector<DerivationNode> derivation;  // the best one, in pre-order: the root comes first
  // How much work it was.
  std::uint64_t items = 0;
  std::uint64_t combinations = 0;
};

class SynchronousParser {
 public:
  // Keeps a reference to the grammar. InputError when unary rules form a cycle that adds up to
  // an infinite probability.
  explicit SynchronousParser(const Grammar& grammar);
  ~SynchronousParser();

  // Tokens by the grammar's terminal ids; -1 for words it does not know.
  ParseResult parse(SymbolId start, std::span<const SymbolId> source,
                    std::span<const SymbolId> target, const ParseOptions& options = {}) const;

  const Grammar& grammar() const { return grammar_; }

 private:
  struct Compiled;
  const Grammar& grammar_;
  std::unique_ptr<const Compiled> compiled_;
};

// The terminal ids of a line of tokens.
std::vector<SymbolId> encode_terminals(const Grammar& grammar, std::string_view line);

}  // namespace dragoman
