"""Grammars as text: Dragoman's notation, and the rule tables of Hiero, cdec, Joshua and Moses.

One rule a line::

    # LEFT -> source side | target side | probability
    VP -> V[1] NP[2] not | NP[2] nicht V[1] | 0.25

``NAME[k]`` is a nonterminal, linked to the one with the same name and number on the other side;
every other token is a terminal. A terminal that would be read otherwise (``|``, ``NAME[k]``, a
leading quotation mark) stands in quotation marks, with ``\\"`` and ``\\\\`` inside. A side that is
empty on purpose is ``""``. Without a probability a rule has 1. ``#`` begins a comment line.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from dragoman import _core
from dragoman.corpus.read.lines import open_bytes
from dragoman.files import written_whole

GrammarFormat = Literal["rules", "hiero", "moses"]
FORMATS: tuple[GrammarFormat, ...] = ("rules", "hiero", "moses")
STANDARD_STREAM = Path("-")


@dataclass(frozen=True)
class RuleInfo:
    """One rule, for looking at."""

    left: str
    text: str  # in Dragoman's notation, without the probability
    log_probability: float
    rank: int
    line: int  # where it was read, from 1; 0 for made rules


class Grammar:
    """A synchronous grammar; immutable, held natively."""

    def __init__(self, native: _core.SynchronousGrammar, format: GrammarFormat = "rules") -> None:
        self.native = native
        self.format = format

    def __len__(self) -> int:
        return len(self.native)

    def __getitem__(self, index: int) -> RuleInfo:
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(f"rule {index} of {len(self)}")
        rule = self.native.rule(index)
        return RuleInfo(rule.left, rule.text, rule.log_probability, rule.rank, rule.line)

    def __iter__(self) -> Iterator[RuleInfo]:
        return (self[index] for index in range(len(self)))

    @property
    def start(self) -> str:
        """S if a rule rewrites it, else what the first rule rewrites."""
        return self.native.start

    @property
    def rank(self) -> int:
        """The largest number of nonterminals on one side of a rule."""
        return len(self.native.rank_histogram()[0]) - 1

    def rank_histogram(self) -> list[int]:
        """How many rules have rank 0, 1, 2, ..."""
        return self.native.rank_histogram()[0]

    def size(self) -> int:
        """The number of symbols on the right-hand sides of all rules, both sides counted."""
        return self.native.rank_histogram()[1]

    def check_productive(self) -> None:
        """InputError, with its line, for a nonterminal that never derives a pair of strings."""
        self.native.check_productive()

    def to_text(self, format: GrammarFormat | None = None) -> str:
        """All rules, one a line, in the format given or the one they were read in."""
        return self.native.write(format or self.format).decode("utf-8")

    def write(self, path: Path, format: GrammarFormat | None = None) -> None:
        """Write all rules to a file, or to standard output for "-"."""
        data = self.native.write(format or self.format)
        if path == STANDARD_STREAM:
            sys.stdout.buffer.write(data)
            return
        with written_whole(path) as temporary:
            temporary.write_bytes(data)


def grammar_of(
    text: str,
    format: GrammarFormat | Literal["auto"] = "auto",
    *,
    score: str = "",
    origin: str = "grammar",
) -> Grammar:
    """The grammar that the text writes down; see :func:`read_grammar`."""
    return _from_bytes(text.encode("utf-8"), format, score, origin)


def read_grammar(
    path: Path,
    format: GrammarFormat | Literal["auto"] = "auto",
    *,
    score: str = "",
) -> Grammar:
    """Read a grammar, compressed or not; "-" is standard input.

    Rules of tables have probability 1 unless `score` says which of their scores it is: a column,
    counted from 1, or a named cdec feature that holds -log10 of it.
    """
    if path == STANDARD_STREAM:
        return _from_bytes(sys.stdin.buffer.read(), format, score, "standard input")
    with open_bytes(path) as file:
        data = file.read()
    return _from_bytes(data, format, score, str(path))


def _from_bytes(data: bytes, format: str, score: str, origin: str) -> Grammar:
    from dragoman.errors import InputError

    try:
        data.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise InputError.at(
            origin, line, f"invalid UTF-8: byte 0x{data[problem.start]:02x}; convert the file"
        ) from problem
    data = data.removeprefix(b"\xef\xbb\xbf")
    known: GrammarFormat
    if format == "auto":
        guessed = _core.SynchronousGrammar.guess_format(data)
        known = next(name for name in FORMATS if name == guessed)
    else:
        known = next(name for name in FORMATS if name == format)
    return Grammar(_core.SynchronousGrammar.read(data, origin, known, score), known)
