#include "grammar/scfg.h"
#include "check.h"
#include "grammar/factor.h"
#include "grammar/notation.h"
#include "text/error.h"

using namespace dragoman;

namespace {

Grammar rules(const std::string& text) { return read_grammar(text, "toy", GrammarFormat::kRules); }

std::string again(const std::string& text, GrammarFormat format) {
  return write_grammar(read_grammar(text, "toy", format), format);
}

}  // namespace

TEST(the_notation_writes_what_it_reads) {
  const std::string text =
      "S -> NP[1] VP[2] | VP[2] , NP[1] | 0.25\n"
      "VP -> \"|\" \"A[1]\" \"\\\"\\\\\" # -> | x[y]\n"
      "NP -> \"\" | it | 1e-05\n";
  CHECK_EQUAL(again(text, GrammarFormat::kRules), text);
  CHECK_EQUAL(again("# a comment\n\n  S\t->  A[7] b A[3] | A[3]  A[7] | 0.50\r\nA -> a | a | 1",
                    GrammarFormat::kRules),
              "S -> A[1] b A[2] | A[2] A[1] | 0.50\nA -> a | a\n");
}

TEST(tables_write_what_they_read) {
  const std::string hiero =
      "[X] ||| [X,1] not [X,2] ||| nicht [X,2] [X,1] ||| 0.5 0.25\n"
      "[S] ||| [X,1] ||| [X,1] ||| Glue=1 F=0.5 ||| 0-0\n";
  CHECK_EQUAL(again(hiero, GrammarFormat::kHiero), hiero);
  const std::string moses =
      "[X][X] not [X][NP] [X] ||| nicht [X][NP] [X][X] [X] ||| 0.5 0.25 ||| 0-2 1-0 2-1 ||| 3 4\n"
      "<s> [X] ||| <s> [S] ||| 1\n";
  CHECK_EQUAL(again(moses, GrammarFormat::kMoses),
              "[X][X] not [X][NP] [X] ||| nicht [X][NP] [X][X] [X] ||| 0.5 0.25 ||| 0-2 1-0 2-1 "
              "||| 3 4\n<s> [X] ||| <s> [S] ||| 1\n");
  const auto read = read_grammar(moses, "toy", GrammarFormat::kMoses);
  CHECK(read.nonterminals.find("X::NP") >= 0);
  CHECK(read.nonterminals.find("X::S") >= 0);
  CHECK_EQUAL(write_grammar(read, GrammarFormat::kRules),
              "X -> X[1] not X::NP[2] | nicht X::NP[2] X[1]\nX::S -> <s> | <s>\n");
  CHECK_EQUAL(again("[X] ||| a [X,1] ||| [1] b |||\n", GrammarFormat::kHiero),
              "[X] ||| a [X,1] ||| [X,1] b |||\n");
}

TEST(formats_are_recognised) {
  CHECK(guess_format("# x ||| y\nS -> a | b\n") == GrammarFormat::kRules);
  CHECK(guess_format("[X] ||| a ||| b ||| 1\n") == GrammarFormat::kHiero);
  CHECK(guess_format("a [X] ||| b [X] ||| 1\n") == GrammarFormat::kMoses);
}

TEST(scores_of_tables_become_probabilities_on_request) {
  const auto moses =
      read_grammar("a [X] ||| b [X] ||| 0.5 0.25\n", "toy", GrammarFormat::kMoses, {.score = "2"});
  CHECK_NEAR(moses[0].log_weight, std::log(0.25), 1e-15);
  const auto cdec =
      read_grammar("[X] ||| a ||| b ||| P=2 Q=1\n", "toy", GrammarFormat::kHiero, {.score = "P"});
  CHECK_NEAR(cdec[0].log_weight, std::log(0.01), 1e-12);
  CHECK_THROWS(
      read_grammar("a [X] ||| b [X] ||| 2.718\n", "toy", GrammarFormat::kMoses, {.score = "1"}),
      InputError, "toy:1: the probability 2.718");
  CHECK_THROWS(
      read_grammar("a [X] ||| b [X] ||| 1\n", "toy", GrammarFormat::kMoses, {.score = "2"}),
      InputError, "no score 2");
}

TEST(bad_rules_are_refused_with_their_line) {
  CHECK_THROWS(rules("S -> a | b\nS -> A[1] A[1] | A[1]\n"), InputError,
               "toy:2: link 1 comes twice on the source side");
  CHECK_THROWS(rules("S -> A[1] | A[1] A[1]\n"), InputError, "twice on the target side");
  CHECK_THROWS(rules("S -> A[1] b | c\n"), InputError, "link 1 is missing on the target side");
  CHECK_THROWS(rules("S -> b | A[2] c\n"), InputError, "link 2 is missing on the source side");
  CHECK_THROWS(rules("S -> A[1] | B[1]\n"), InputError, "A::B");
  CHECK_THROWS(rules("S -> a | b | 0\n"), InputError, "leave out rules");
  CHECK_THROWS(rules("S -> a | b | 1.5\n"), InputError, "1.5 is not above 0 and at most 1");
  CHECK_THROWS(rules("S -> a | b | nan\n"), InputError, "not above 0");
  CHECK_THROWS(rules("S -> a | b | x\n"), InputError, "'x' is not a number");
  CHECK_THROWS(rules("S -> a | b | 0.5 0.5\n"), InputError, "one number");
  CHECK_THROWS(rules("S -> a b\n"), InputError, "found 0 separators");
  CHECK_THROWS(rules("S -> | b\n"), InputError, "source side is empty");
  CHECK_THROWS(rules("S a b | c\n"), InputError, "not a rule");
  CHECK_THROWS(rules("S[1] -> a | c\n"), InputError, "brackets");
  CHECK_THROWS(rules("S -> \"a | c\n"), InputError, "white space");
  CHECK_THROWS(rules("S -> \"a\n"), InputError, "no partner");
  CHECK_THROWS(rules("# nothing\n"), InputError, "no rule");
  const auto table = [](const std::string& text, GrammarFormat format) {
    return read_grammar(text, "toy", format);
  };
  CHECK_THROWS(table("[X] ||| a\n", GrammarFormat::kHiero), InputError, "found 2 fields");
  CHECK_THROWS(table("X ||| a ||| b\n", GrammarFormat::kHiero), InputError, "in brackets");
  CHECK_THROWS(table("[X] ||| ||| b\n", GrammarFormat::kHiero), InputError,
               "source side is empty");
  CHECK_THROWS(table("a ||| b [X] ||| 1\n", GrammarFormat::kMoses), InputError, "must end");
  CHECK_THROWS(table("[X][X] [X] ||| [X][X] [X] ||| 1\n", GrammarFormat::kMoses), InputError,
               "no link");
  CHECK_THROWS(table("[X][X] [X] ||| [X][X] [X] ||| 1 ||| 0-7\n", GrammarFormat::kMoses),
               InputError, "'0-7' is not a link");
  CHECK_THROWS(table("[X][X] [X] ||| a [X] ||| 1 ||| 0-0\n", GrammarFormat::kMoses), InputError,
               "joins a word and a nonterminal");
}

TEST(nonterminals_that_never_derive_are_named) {
  CHECK_THROWS(check_productive(rules("S -> A[1] | A[1]\n")), InputError, "toy:1: A has no rule");
  CHECK_THROWS(check_productive(rules("S -> a | b\nA -> b A[1] | A[1] b\n")), InputError,
               "toy:2: A never derives");
  check_productive(rules("S -> A[1] A[2] | A[2] A[1]\nA -> a | b\n"));
}

TEST(the_papers_rule_is_factored_as_in_the_paper) {
  // Section 2, with the left-branching form for the straight run X1.
  const auto factored =
      factor(rules("X -> A[1] B[2] C[3] D[4] E[5] F[6] G[7] H[8] | "
                   "B[2] A[1] C[3] D[4] G[7] E[5] H[8] F[6] | 0.3\n"));
  CHECK_EQUAL(factored.grammar.size(), 5u);
  const auto histogram = rank_histogram(factored.grammar);
  CHECK_EQUAL(histogram.rules[2], 4u);
  CHECK_EQUAL(histogram.rules[4], 1u);
  const Rule root = factored.grammar[0];
  CHECK_EQUAL(factored.origins[0], 0);
  CHECK_NEAR(root.log_weight, std::log(0.3), 1e-15);
  CHECK_EQUAL(factored.origins[4], -1);
  CHECK_EQUAL(factored.grammar[4].log_weight, 0.0);
  CHECK_EQUAL(factored.grammar.default_start(), root.lhs);
}

TEST(terminals_stay_between_their_neighbours) {
  const auto factored =
      factor(rules("X -> a A[1] b B[2] c C[3] d | e C[3] f A[1] g B[2] h | 0.5\n"));
  const std::string fresh(factored.grammar.nonterminals.name(factored.grammar[1].lhs));
  CHECK_EQUAL(write_grammar(factored.grammar, GrammarFormat::kRules),
              "X -> a " + fresh + "[1] c C[2] d | e C[2] f " + fresh + "[1] h | 0.5\n" + fresh +
                  " -> A[1] b B[2] | A[1] g B[2]\n");
}

TEST(equal_parts_are_shared_and_minimal_rules_untouched) {
  const std::string minimal =
      "X -> A[1] B[2] | B[2] A[1] | 0.125\n"
      "X -> A[1] B[2] C[3] D[4] | B[2] D[4] A[1] C[3] | 0.5\n"
      "A -> x y | z\n";
  CHECK_EQUAL(write_grammar(factor(rules(minimal)).grammar, GrammarFormat::kRules), minimal);
  const auto shared = factor(rules(
      "X -> A[1] B[2] C[3] | C[3] A[1] B[2] | 0.5\nY -> A[1] B[2] c D[3] | A[1] B[2] D[3]\n"));
  CHECK_EQUAL(shared.grammar.size(), 3u);
  // Factoring again changes nothing, and adding rules elsewhere does not rename.
  const auto text = write_grammar(shared.grammar, GrammarFormat::kRules);
  CHECK_EQUAL(write_grammar(factor(shared.grammar).grammar, GrammarFormat::kRules), text);
  const std::string name(shared.grammar.nonterminals.name(shared.grammar[1].lhs));
  const auto more =
      factor(rules("Z -> D[1] E[2] C[3] | C[3] D[1] E[2]\n"
                   "X -> A[1] B[2] C[3] | C[3] A[1] B[2] | 0.5\n"));
  CHECK(more.grammar.nonterminals.find(name) >= 0);
  // A grammar that has the fresh rule already shares it; one that uses the name otherwise keeps
  // it.
  const auto taken = factor(rules(text + "Z -> A[1] B[2] E[3] | E[3] A[1] B[2]\n"));
  CHECK_EQUAL(taken.grammar.size(), 4u);
  const auto other =
      factor(rules("X -> A[1] B[2] C[3] | C[3] A[1] B[2]\n" + name + " -> q | q\n"));
  CHECK(other.grammar.nonterminals.find(name + "'") >= 0);
}

TEST(tables_are_factored_with_neutral_scores) {
  const auto hiero = factor(
      read_grammar("[X] ||| [X,1] a [X,2] [X,3] ||| [X,3] [X,1] [X,2] ||| 0.5 0.25 ||| 1-1\n",
                   "toy", GrammarFormat::kHiero));
  const std::string name(hiero.grammar.nonterminals.name(1));
  CHECK_EQUAL(write_grammar(hiero.grammar, GrammarFormat::kHiero),
              "[X] ||| [" + name + ",1] [X,2] ||| [X,2] [" + name + ",1] ||| 0.5 0.25\n[" + name +
                  "] ||| [X,1] a [X,2] ||| [X,1] [X,2] ||| 1 1\n");
  CHECK_EQUAL(write_grammar(hiero.grammar, GrammarFormat::kMoses),
              "[" + name + "][" + name + "] [X][X] [X] ||| [X][X] [" + name + "][" + name +
                  "] [X] ||| 0.5 0.25 ||| 0-1 1-0\n[X][X] a [X][X] [" + name +
                  "] ||| [X][X] [X][X] [" + name + "] ||| 1 1 ||| 0-0 2-1\n");
}

TEST(fresh_rules_of_tables_of_logarithms_cost_nothing) {
  const auto fresh_scores = [](const std::string& scores, const std::string& others = "") {
    const auto factored = factor(read_grammar(
        "[X] ||| [X,1] [X,2] [X,3] ||| [X,3] [X,1] [X,2] ||| " + scores + "\n" + others, "toy",
        GrammarFormat::kHiero));
    return std::string(factored.grammar[1].scores);
  };
  CHECK_EQUAL(fresh_scores("-0.5 -1.25"), "0 0");                                // logarithms
  CHECK_EQUAL(fresh_scores("0.5 1.25 0"), "0 0 0");                              // costs
  CHECK_EQUAL(fresh_scores("0.5 0.25", "[X] ||| a ||| b ||| 2 0.25\n"), "0 0");  // seen elsewhere
  CHECK_EQUAL(fresh_scores("0.5 2.718"), "1 1");                                 // Moses' constant
  CHECK_EQUAL(fresh_scores("0.5 1e-7"), "1 1");
  CHECK_EQUAL(fresh_scores("P=0.5 Q=-2"), "");
}

TEST(rules_empty_on_both_sides_are_factored) {
  const auto grammar = rules("S -> A[1] X[2] B[3] | B[3] A[1] X[2]\nX -> \"\" | \"\" | 0.5\n");
  const auto factored = factor(grammar);
  CHECK_EQUAL(factored.grammar.size(), 3u);
  CHECK_EQUAL(write_rule(factored.grammar, factored.grammar[2]), "X -> \"\" | \"\"");
}

CHECK_MAIN()
