"""Names and loans, letter by letter: katakana to Latin, Philosophie to philosophy.

Word pairs that look like transliterations are mined from the table without any being given
(Sajjad, Fraser & Schmid 2012): letters that go together are learnt from all pairs by EM, pairs
that they do not explain better than chance are left, and the rest teaches again. What remains
trains a phrase model of letters with the parts that train one of words, which then spells new
words (Durrani et al. 2014).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman._core import word_kind
from dragoman.alignment.aligner import bitext_of
from dragoman.alignment.aligner import train as train_aligner
from dragoman.rules.table import PhraseTable
from dragoman.unknown.copying import KINDS, RARE
from dragoman.unknown.known import RESERVED, KnownWords
from dragoman.unknown.sound import LONGEST, SHORTEST
from dragoman.unknown.word_model_training import train_word_model

# Candidates: translations at least so probable, of words of so many letters.
LEAST_PROBABILITY = 0.25
MOST_PAIRS = 12_000
# Rounds of EM on all candidates, then on those kept; nats a letter must be explained better.
ROUNDS = 4
SIFTINGS = 3
LEAST_GAIN = 1.0
# With fewer pairs there is nothing to learn.
FEWEST_PAIRS = 100
# Letters stand where their partners stand, give or take this part of the word.
SLACK = 0.25
LONGEST_PHRASE = 4
LETTERS_ORDER = 6
MOST_WORDS = 50_000

Pair = tuple[str, str]


def candidates(known: KnownWords) -> Iterator[Pair]:
    """Rare words with a translation of one word."""
    for word, number in reversed(known.ids.items()):
        if not SHORTEST <= len(word) <= LONGEST or not word.isalpha():
            continue
        for target, probability in known.meanings(number):
            fits = probability >= LEAST_PROBABILITY and target.isalpha()
            if fits and 3 <= len(target) <= LONGEST and target != word:
                yield word, target


def mine(pairs: Sequence[Pair]) -> list[Pair]:
    """Those of the pairs that look like transliterations."""
    kept = list(pairs)
    for sifting in range(SIFTINGS):
        if len(kept) < FEWEST_PAIRS:
            return []
        gains = _gains(kept)
        least = LEAST_GAIN * (sifting + 1) / SIFTINGS
        kept = [pair for pair, gain in zip(kept, gains, strict=True) if gain >= least]
    return kept if len(kept) >= FEWEST_PAIRS else []


def _gains(pairs: Sequence[Pair]) -> list[float]:
    """How much better the letters of each target are explained by those of its source than by
    their frequency: IBM Model 1 of letters, which look for partners near their own place."""
    sources = _numbers(source for source, _ in pairs)
    targets = _numbers(target for _, target in pairs)
    said = np.array([targets[letter] for _, target in pairs for letter in target])
    owner = np.repeat(np.arange(len(pairs)), [len(target) for _, target in pairs])
    # For each letter of each target, those of its source that may be its partners.
    partners: list[NDArray[np.int64]] = []
    places: list[NDArray[np.int64]] = []
    begin = 0
    for source, target in pairs:
        spelt, (near, place) = (
            np.array([sources[c] for c in source]),
            _band(len(source), len(target)),
        )
        partners.append(spelt[near])
        places.append(place + begin)
        begin += len(target)
    partner, at = np.concatenate(partners), np.concatenate(places)
    cell = partner * len(targets) + said[at]
    frequency = np.bincount(said, minlength=len(targets))
    chance = np.log(frequency / frequency.sum())
    table = np.full(len(sources) * len(targets), 1.0 / len(targets))
    for _ in range(ROUNDS):
        share = table[cell]
        share /= np.bincount(at, share)[at]
        # A little of the frequency, lest letters seen once be sure of their partner.
        counts = np.tile(0.5 * np.exp(chance), len(sources))
        counts += np.bincount(cell, share, minlength=len(counts))
        rows = counts.reshape(len(sources), len(targets))
        table = (rows / rows.sum(axis=1, keepdims=True)).ravel()
    inside = np.log(np.bincount(at, table[cell]) / np.bincount(at)) - chance[said]
    gains: list[float] = (np.bincount(owner, inside) / np.bincount(owner)).tolist()
    return gains


def _numbers(words: Iterator[str]) -> dict[str, int]:
    return {letter: number for number, letter in enumerate(sorted({c for w in words for c in w}))}


@cache
def _band(source: int, target: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The places of letters of a source and a target so long that may be partners."""
    apart = (np.arange(source)[:, None] + 0.5) / source - (np.arange(target) + 0.5) / target
    near, place = np.nonzero(np.abs(apart) <= SLACK + 0.5 / min(source, target))
    return near, place


def shares(known: KnownWords, pairs: Sequence[Pair]) -> list[float]:
    """Of the rare words of each kind, how many are spelt anew."""
    mined = {source for source, _ in pairs}
    rates = [[0, 0] for _ in range(KINDS)]
    for word, number in known.ids.items():
        if known.lexicon.count(number) <= RARE:
            rate = rates[word_kind(word)]
            rate[0] += word in mined
            rate[1] += 1
    return [round(right / (tried + 1), 4) for right, tried in rates]


def target_words(table: PhraseTable) -> list[str]:
    """Words of the target language, the most frequent ones."""
    vocabulary = table.target_vocabulary
    words = (vocabulary.word(n) for n in range(RESERVED, min(len(vocabulary), MOST_WORDS)))
    return [word for word in words if word.isalpha() and len(word) > SHORTEST]


def train_letters(
    pairs: Sequence[Pair], words: Sequence[str], files: Sequence[Path], threads: int
) -> None:
    """Write a phrase model of letters: table, vocabularies, language model. `words` are such as
    the target language has."""
    text = bitext_of(*([" ".join(pair[side]) for pair in pairs] for side in (0, 1)))
    train_word_model(
        text,
        train_aligner(text, threads=threads).links,
        (" ".join(word) for word in words),
        files,
        longest=LONGEST_PHRASE,
        order=LETTERS_ORDER,
        threads=threads,
    )
