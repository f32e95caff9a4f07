"""Spacing against counting everything anew (tests/reference/spacing.py)."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from tests.reference.spacing import Counted, keys

from dragoman.errors import ModelError
from dragoman.text.spacing import Spacing, SpacingLearner, likeliest, unspaced

TOKENS = ["a", "la", "l'", "7", "(", ")", "«", "»", ",", ":", '"', "'", "”", "東", "の", "@-@"]
TOKENS += ["⟨url⟩", "⟨url2⟩", "⟨tag⟩", "été", "…", "-"]
GAPS = ["", " ", "\u00a0"]


def lines(chance: random.Random, tokens: list[str]) -> list[tuple[list[str], list[str]]]:
    """Gaps depend on what meets, mostly."""
    favourite = {(a, b): chance.choice(GAPS) for a in tokens for b in tokens}
    found = []
    for _ in range(40):
        line = chance.choices(tokens, k=chance.randint(1, 8))
        gaps = [
            favourite[pair] if chance.random() < 0.9 else chance.choice(GAPS)
            for pair in pairwise(line)
        ]
        found.append((line, gaps))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_shares_are_those_of_counting_everything_anew(seed: int) -> None:
    chance = random.Random(seed)
    tokens = chance.sample(TOKENS, 9)
    if seed == 0:  # every pair the same: levels above say nothing new
        tokens = ["a", "la", ",", "("]
    text = lines(chance, tokens)
    learner, pairs = SpacingLearner(), []
    for line, gaps in text:
        learner.update(line, gaps)
        named = keys(line)
        pairs += list(zip(named, named[1:], gaps, strict=False))
    spacing, counted = learner.finish(), Counted(pairs)
    asked = [chance.choices([*tokens, "new", "9", "[", "東"], k=6) for _ in range(25)]
    for line in asked:
        named = keys(line)
        for found, left, right in zip(spacing.shares(line), named, named[1:], strict=False):
            expected = counted.shares(left, right)
            assert {gap: p for gap, p in found.items() if p} == pytest.approx(
                {gap: p for gap, p in expected.items() if p}
            ), (left, right)
            assert sum(found.values()) == pytest.approx(1)
        gaps = [
            max(shares, key=lambda gap: (round(shares[gap], 12), gap))
            for shares in spacing.shares(line)
        ]
        assert spacing.gaps(line) == gaps


def test_what_is_forgotten_was_never_learnt() -> None:
    chance = random.Random(9)
    first, second, both = SpacingLearner(), SpacingLearner(), SpacingLearner()
    one, two = lines(chance, TOKENS[:8]), lines(chance, TOKENS[:8])
    for line, gaps in one:
        first.update(line, gaps)
        both.update(line, gaps)
    for line, gaps in two:
        second.update(line, gaps)
        both.update(line, gaps)
    alone = SpacingLearner()
    for line, gaps in one:
        alone.update(line, gaps)
    first.add(second)
    assert first.finish().to_json() == both.finish().to_json()
    first.add(second, -1)
    assert first.finish().to_json() == alone.finish().to_json()


def test_of_equals_the_greater_gap() -> None:
    assert likeliest({"": 0.5, " ": 0.5}) == " "
    assert likeliest({"": 0.6, " ": 0.4}) == ""


@pytest.mark.parametrize(
    "character", "กༀ\u1000\u109fក⺀ㆿ㐀䶿一鿿豈ｦﾝ\U00020000\U0003ffff\u0fff\u17ff\ufaff"
)
def test_scripts_without_spaces(character: str) -> None:
    assert unspaced(character)


@pytest.mark.parametrize(
    "character",
    "a\u0dff\u10a0\u177f\u1800\u2e7f\u3200\u33ff\u4dc0\ua000\uf8ff\ufb00･ﾞ\U0001ffff\U00040000",
)
def test_scripts_with_spaces(character: str) -> None:
    assert not unspaced(character)


@pytest.mark.parametrize(
    "value", [None, [], {"pair": 3}, {"pair": {"a": 3}}, {"pair": {"a": {"": "x"}}}]
)
def test_damage_is_said(value: object) -> None:
    with pytest.raises(ModelError, match="spacing of the target text is damaged"):
        Spacing.from_json(value)
