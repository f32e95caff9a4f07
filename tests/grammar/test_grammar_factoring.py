"""Factored and unfactored grammars generate the same pairs with the same probabilities."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.scfg import SlowRule, inside

from dragoman.errors import InputError
from dragoman.grammar import Parser, factor, grammar_of, rank

NAMES = ("S", "A", "B")
SOURCE_WORDS = ("a", "b")
TARGET_WORDS = ("x", "y")


@st.composite
def side_words(draw, words, slots):
    """Words to put before, between and behind the nonterminals."""
    pieces = st.lists(st.sampled_from(words), max_size=1)
    return [draw(pieces) for _ in range(slots + 1)]


@st.composite
def rules(draw, name):
    """A rule of rank 1 to 5 with words anywhere; chains of unary rules only go down NAMES."""
    width = draw(st.integers(1, 5))
    children = draw(st.lists(st.sampled_from(NAMES), min_size=width, max_size=width))
    order = draw(st.permutations(range(width)))
    source_words = draw(side_words(SOURCE_WORDS, width))
    target_words = draw(side_words(TARGET_WORDS, width))
    bare = not any(source_words) and not any(target_words)
    if width == 1 and bare and NAMES.index(children[0]) <= NAMES.index(name):
        source_words[0] = ["a"]
    source, target = list(source_words[0]), list(target_words[0])
    for place in range(width):
        source += [(children[place], place), *source_words[place + 1]]
        target += [(children[order[place]], order[place]), *target_words[place + 1]]
    probability = draw(st.sampled_from([1.0, 0.5, 0.25]))
    return SlowRule(name, tuple(source), tuple(target), probability)


@st.composite
def grammars(draw):
    found = []
    for name in NAMES:
        found += draw(st.lists(rules(name), min_size=1 if name == "S" else 0, max_size=2))
        found.append(SlowRule(name, (draw(st.sampled_from(SOURCE_WORDS)),), ("x",), 0.5))
    if draw(st.booleans()):
        found.append(SlowRule("A", (), ("y",), 0.25))
    if draw(st.booleans()):
        found.append(SlowRule("B", ("b",), (), 0.25))
    return found


def sample(rules, chance, name, fuel):
    """A random pair that the grammar generates, or None when it grows too long."""
    if fuel <= 0:
        return None
    rule = chance.choice([rule for rule in rules if rule.left == name])
    yields = {}
    for symbol in rule.source:
        if not isinstance(symbol, str):
            yields[symbol[1]] = sample(rules, chance, symbol[0], fuel - 1)
            if yields[symbol[1]] is None:
                return None

    def side(symbols, which):
        words = []
        for symbol in symbols:
            words += [symbol] if isinstance(symbol, str) else yields[symbol[1]][which]
        return words

    return side(rule.source, 0), side(rule.target, 1)


def pairs_of(rules, seed):
    """Pairs to parse: some that are generated, some that may not be."""
    chance = random.Random(seed)
    found = []
    for _ in range(60):
        pair = sample(rules, chance, "S", 4)
        if pair and 0 < len(pair[0]) <= 6 and 0 < len(pair[1]) <= 6 and pair not in found:
            found.append(pair)
        if len(found) == 3:
            break
    found += [(source[::-1], target) for source, target in found[:1]]
    return found


@settings(max_examples=120, deadline=None)
@given(grammars(), st.integers(0, 1000))
def test_same_pairs_same_inside_probability(rules, seed):
    grammar = grammar_of("\n".join(rule.text() for rule in rules))
    factoring = factor(grammar)
    assert factoring.size_ratio <= 2
    assert factoring.grammar.rank <= grammar.rank
    assert factoring.grammar.rank == max(minimal_rank(rule) for rule in rules)
    parsers = [
        Parser(grammar, factored=False),
        Parser(grammar),
        Parser(factoring.grammar, factored=False),
    ]
    for source, target in pairs_of(rules, seed):
        expected = inside(rules, "S", source, target)
        results = [parser.parse(" ".join(source), " ".join(target)) for parser in parsers]
        for parser, result in zip(parsers, results, strict=True):
            assert result.generated == (expected > 0)
            if expected > 0:
                assert math.exp(result.log_inside) == pytest.approx(expected, rel=1e-9)
                assert result.log_best <= result.log_inside + 1e-12
                check_derivation(parser, result, source, target)
        assert results[0].log_best == pytest.approx(results[1].log_best)
        assert results[0].log_best == pytest.approx(results[2].log_best)


def minimal_rank(rule):
    order = [symbol[1] for symbol in rule.target if not isinstance(symbol, str)]
    return rank(order) if order else 0


def check_derivation(parser, result, source, target):
    """The best derivation spells the pair, and its rules multiply to its probability."""
    logs, words = 0.0, []
    for number, node in reversed(list(enumerate(result.derivation))):
        rule = parser.grammar[node.rule]
        logs += rule.log_probability
        assert len(node.children) == rule.rank
        for child in node.children:
            assert child > number
            inner = result.derivation[child]
            assert node.source[0] <= inner.source[0] <= inner.source[1] <= node.source[1]
            assert node.target[0] <= inner.target[0] <= inner.target[1] <= node.target[1]
        if not node.children:
            words.append((rule.text, source[slice(*node.source)], target[slice(*node.target)]))
    assert logs == pytest.approx(result.log_best)
    root = result.derivation[0]
    assert (root.source, root.target) == ((0, len(source)), (0, len(target)))
    for text, left, right in words:
        spelled = text.split(" -> ")[1]
        assert spelled == f"{' '.join(left) or chr(34) * 2} | {' '.join(right) or chr(34) * 2}"


def test_report_of_the_papers_rule():
    """Section 2: one rule of rank 8 becomes four of rank 2 and one of rank 4."""
    grammar = grammar_of(
        "X -> A[1] B[2] C[3] D[4] E[5] F[6] G[7] H[8] | "
        "B[2] A[1] C[3] D[4] G[7] E[5] H[8] F[6] | 0.3"
    )
    report = factor(grammar).report()
    assert report["rules"] == {"before": 1, "after": 5}
    assert report["ranks"]["after"] == [0, 0, 4, 0, 1]
    assert report["rank"] == {"before": 8, "after": 4}
    assert report["size"] == {"before": 16, "after": 24}
    assert report["size_ratio"] == 1.5
    assert report["fresh"] == 4


def test_formats_convert():
    text = "X -> X[1] a X[2] X[3] | X[3] b X[1] X[2] | 0.5\nX -> a | b\n"
    grammar = grammar_of(text)
    for name in ("hiero", "moses"):
        again = grammar_of(grammar.to_text(name), score="1")
        assert again.format == name
        assert again.to_text("rules") == text
    factored = factor(grammar_of(grammar.to_text("moses"), score="1")).grammar
    assert grammar_of(factored.to_text(), score="1").rank == 2


def test_many_rules():
    """A large grammar; bench/grammar.py takes a million rules."""
    lines = [f"X -> X[1] w{i} X[2] X[3] | X[3] X[1] v{i % 1000} X[2] | 0.5" for i in range(20_000)]
    grammar = grammar_of("\n".join([*lines, "X -> a | b"]) + "\n")
    factoring = factor(grammar)
    assert factoring.grammar.rank == 2
    assert len(factoring.grammar) == 40_001
    assert factoring.size_ratio <= 2


def test_unary_cycles_are_summed_or_refused():
    cycle = "S -> A[1] | A[1] | 0.5\nA -> S[1] | S[1] | {}\nA -> a | a | 0.5\n"
    result = Parser(grammar_of(cycle.format(0.5))).parse("a", "a")
    assert math.exp(result.log_inside) == pytest.approx(0.25 / (1 - 0.25))
    assert len(result.derivation) == 2
    endless = "S -> A[1] | A[1]\nA -> S[1] | S[1]\nA -> a | a\n"
    with pytest.raises(InputError, match="lines 1, 2 form a cycle"):
        Parser(grammar_of(endless))


def test_start_symbol():
    grammar = grammar_of("X -> X[1] X[2] X[3] | X[3] X[2] X[1]\nX -> a | a\nY -> b | b")
    assert grammar.start == "X"
    assert factor(grammar).grammar.start == "X"
    assert Parser(grammar, start="Y").parse("b", "b").generated
    with pytest.raises(InputError, match="no nonterminal Z"):
        Parser(grammar, start="Z").parse("b", "b")


def test_limits():
    grammar = grammar_of("S -> S[1] S[2] | S[2] S[1] | 0.5\nS -> a | a | 0.5")
    with pytest.raises(InputError, match="past 100 items"):
        Parser(grammar, max_items=100).parse("a " * 8, "a " * 8)
    with pytest.raises(InputError, match="at most 4094"):
        Parser(grammar).parse("a " * 5000, "a")


def test_rules_can_be_looked_at():
    grammar = grammar_of("# one\nS -> a A[1] | A[1] b | 0.5\nA -> c | d\n")
    rule = grammar[0]
    assert (rule.left, rule.rank, rule.line) == ("S", 1, 2)
    assert rule.text == "S -> a A[1] | A[1] b"
    assert [one.left for one in grammar] == ["S", "A"]
    assert grammar[-1].left == "A"
    with pytest.raises(IndexError):
        grammar[2]


def test_bytes_that_are_no_text_are_refused(write):
    from dragoman.grammar import read_grammar

    path = write("bad", b"S -> a | b\nS -> \xff | b\n")
    with pytest.raises(InputError, match=r"bad:2: invalid UTF-8: byte 0xff"):
        read_grammar(path)
