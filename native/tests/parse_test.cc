#include "grammar/parse.h"
#include "check.h"
#include "grammar/factor.h"
#include "grammar/notation.h"
#include "text/error.h"

using namespace dragoman;

namespace {

Grammar rules(const std::string& text) { return read_grammar(text, "toy", GrammarFormat::kRules); }

ParseResult parsed(const Grammar& grammar, const std::string& source, const std::string& target,
                   const ParseOptions& options = {}) {
  const SynchronousParser parser(grammar);
  return parser.parse(grammar.default_start(), encode_terminals(grammar, source),
                      encode_terminals(grammar, target), options);
}

double inside(const Grammar& grammar, const std::string& source, const std::string& target) {
  const auto result = parsed(grammar, source, target);
  return result.generated ? std::exp(result.log_inside) : 0;
}

}  // namespace

TEST(words_and_rules_multiply) {
  const auto grammar = rules(
      "S -> A[1] B[2] | B[2] A[1] | 0.5\n"
      "A -> a | x | 0.25\nA -> a | z | 0.125\nB -> b c | y | 0.5\n");
  CHECK_NEAR(inside(grammar, "a b c", "y x"), 0.5 * 0.25 * 0.5, 1e-15);
  CHECK_NEAR(inside(grammar, "a b c", "y z"), 0.5 * 0.125 * 0.5, 1e-15);
  CHECK(!parsed(grammar, "a b c", "x y").generated);
  CHECK(!parsed(grammar, "a b", "y x").generated);
  CHECK(!parsed(grammar, "a b c d", "y x").generated);
  CHECK(!parsed(grammar, "", "").generated);
  CHECK(!parsed(grammar, "unknown", "y x").generated);
}

TEST(all_derivations_are_summed_and_the_best_is_kept) {
  // Five bracketings of four words by one binary rule (Catalan number 5).
  const auto grammar = rules("S -> S[1] S[2] | S[1] S[2] | 0.5\nS -> a | a | 0.5\n");
  const auto result = parsed(grammar, "a a a a", "a a a a");
  CHECK_NEAR(std::exp(result.log_inside), 5 * std::pow(0.5, 7), 1e-15);
  CHECK_NEAR(std::exp(result.log_best), std::pow(0.5, 7), 1e-15);
  CHECK_EQUAL(result.derivation.size(), 7u);
  CHECK_EQUAL(result.derivation[0].source_end, 4);
  for (const auto& node : result.derivation) {
    CHECK_EQUAL(node.children.size(), rule_rank(grammar[node.rule]));
  }
}

TEST(any_rank_with_terminals_anywhere) {
  const auto grammar = rules(
      "S -> p A[1] q B[2] C[3] r D[4] s | t C[3] A[1] u D[4] B[2] v | 0.5\n"
      "A -> a | a\nB -> b | b\nC -> c | c\nD -> d | d\n");
  CHECK_NEAR(inside(grammar, "p a q b c r d s", "t c a u d b v"), 0.5, 1e-15);
  CHECK(!parsed(grammar, "p a q b c r d s", "t a c u d b v").generated);
  const auto factored =
      factor(rules("S -> A[1] x B[2] C[3] D[4] E[5] | y E[5] B[2] A[1] D[4] w C[3]\n"
                   "A -> a | a\nB -> b | b\nC -> c | c\nD -> d | d\nE -> e | e\n"));
  CHECK_NEAR(inside(factored.grammar, "a x b c d e", "y e b a d w c"), 1, 1e-15);
}

TEST(empty_sides_insert_and_delete) {
  const auto grammar = rules(
      "S -> S[1] W[2] | S[1] W[2] | 0.5\nS -> W[1] | W[1] | 0.5\n"
      "W -> a | a | 0.5\nW -> \"\" | i | 0.25\nW -> d | \"\" | 0.25\n");
  // Of the orders of two W only the one fits.
  CHECK_NEAR(inside(grammar, "d a", "a"), 0.5 * 0.5 * 0.25 * 0.5, 1e-15);
  // The deleted and the inserted word may come in either order.
  CHECK_NEAR(inside(grammar, "d", "i"), 2 * 0.5 * 0.5 * 0.25 * 0.25, 1e-15);
}

TEST(unary_chains_and_cycles_have_closed_sums) {
  const auto chain = rules("S -> A[1] | A[1] | 0.5\nA -> B[1] | B[1] | 0.5\nB -> b | b | 0.5\n");
  CHECK_NEAR(inside(chain, "b", "b"), 0.125, 1e-15);
  const auto cycle = rules(
      "S -> A[1] | A[1] | 0.5\nA -> S[1] | S[1] | 0.5\nA -> a | a | 0.5\nS -> S[1] | S[1] | "
      "0.25\n");
  // s = 0.25 s + 0.5 a, a = 0.5 s + 0.5: s = 0.5
  const auto result = parsed(cycle, "a", "a");
  CHECK_NEAR(std::exp(result.log_inside), 0.5, 1e-12);
  CHECK_NEAR(std::exp(result.log_best), 0.25, 1e-15);
  CHECK_EQUAL(result.derivation.size(), 2u);
  CHECK_THROWS(parsed(rules("S -> A[1] | A[1]\nA -> S[1] | S[1]\nA -> a | a\n"), "a", "a"),
               InputError, "lines 1, 2 form a cycle");
}

TEST(unaries_work_within_longer_pairs) {
  const auto grammar = rules(
      "S -> X[1] X[2] | X[2] X[1]\nX -> Y[1] | Y[1] | 0.5\nX -> a | a | 0.5\n"
      "Y -> X[1] | X[1] | 0.5\nY -> a | a | 0.5\n");
  // x = 0.5 y + 0.5, y = 0.5 x + 0.5: x = 1
  CHECK_NEAR(inside(grammar, "a a", "a a"), 1, 1e-12);
}

TEST(a_cycle_adds_items_for_rules_further_on_in_it) {
  // Only one of the three is there when a pair of spans is closed; the other two are made
  // together, while the list of items grows.
  for (const std::string lexical : {"A", "B", "C"}) {
    const auto grammar = rules(
        "A -> B[1] | B[1] | 0.5\nB -> C[1] | C[1] | 0.5\nC -> A[1] | A[1] | 0.5\n"
        "A -> A[1] A[2] | A[1] A[2] | 0.5\n" +
        lexical + " -> a | a | 0.25\n");
    std::string words = "a";
    for (int length = 1; length <= 5; ++length, words += " a") {
      const auto result = parsed(grammar, words, words);
      CHECK(result.generated);
      const double chain = lexical == "A" ? 1 : lexical == "B" ? 0.5 : 0.25;
      CHECK_NEAR(result.log_best, length * std::log(0.25 * chain) + (length - 1) * std::log(0.5),
                 1e-12);
    }
  }
}

TEST(charts_are_bounded_and_can_be_stopped) {
  const auto grammar = rules("S -> S[1] S[2] | S[2] S[1] | 0.5\nS -> a | a | 0.5\n");
  CHECK_THROWS(parsed(grammar, "a a a a a a", "a a a a a a", {.max_items = 50, .tick = {}}),
               InputError, "past 50 items");
  struct Stop {};
  bool stopped = false;
  try {
    parsed(grammar, "a a a", "a a a", {.max_items = 1000, .tick = [] { throw Stop(); }});
  } catch (const Stop&) {
    stopped = true;
  }
  CHECK(stopped);
  CHECK_THROWS(SynchronousParser(grammar).parse(0, std::vector<SymbolId>(5000, 0),
                                                std::vector<SymbolId>(1)),
               InputError, "at most 4094");
}

CHECK_MAIN()
