"""What the user demands of a line: markup in the text, terminology.

With markup switched on, a line may hold

``<t term="TARGET">words</t>``
    translate the words so; with ``prob="0.5"`` the translation competes with the model's own
    (the probability is the value of each phrase-table feature).
``<zone>words</zone>``
    translate these together, nothing else in between.
``<wall/>``
    everything before it comes before everything behind it.
any other tag
    goes into the translation as it is, and is a wall: what stood before it stays before it.

``&lt; &gt; &amp; &quot;`` stand for the characters themselves.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path

from dragoman._core import Demands, GivenTranslation
from dragoman.errors import FileError, InputError

_TAG = re.compile(r"<(/?)([A-Za-z_][\w.:-]*)((?:\s[^<>]*?)?)(/?)>")
_ATTRIBUTE = re.compile(r"""\s*([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
# Tags travel as single tokens made of private characters, which no tokeniser takes apart.
_FIRST_TAG = 0xF0000
_MAX_TAGS = 0xFFFD


@dataclass
class MarkedLine:
    """A line without its markup."""

    tokens: list[str] = field(default_factory=list)
    given: list[GivenTranslation] = field(default_factory=list)
    zones: list[tuple[int, int]] = field(default_factory=list)
    walls: list[int] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)  # those that pass through
    # Of a preordered model: the k-th word that the decoder saw is word order[k] of the line.
    order: Sequence[int] | None = None

    @property
    def text(self) -> str:
        return " ".join(self.tokens)

    @property
    def demands(self) -> Demands | None:
        """What the decoder is asked for; None when that is nothing."""
        if not (self.given or self.zones or self.walls):
            return None
        return Demands(self.given, self.zones, self.walls)

    def add_fixed(self, token: str, *, wall: bool) -> None:
        """Add a token that is its own translation; nothing moves across it if it is a wall."""
        place = len(self.tokens)
        self.given.append(GivenTranslation(place, place + 1, token))
        if wall:
            self.walls += [place, place + 1]
        self.tokens.append(token)

    def restore_tags(self, target: str) -> str:
        """The translation with the tags instead of what stood for them."""
        for number, tag in enumerate(self.tags):
            target = target.replace(chr(_FIRST_TAG + number), tag)
        return target


def parse(
    line: str,
    prepare: Callable[[str], str],
    prepare_target: Callable[[str], str] | None = None,
) -> MarkedLine:
    """Take a line with markup apart; `prepare` turns text into tokens.

    Raises InputError for markup that is not closed, crosses, or contradicts itself.
    """
    marked = MarkedLine()
    opened: list[tuple[str, int, str, float | None]] = []  # name, begin, term, probability
    at = 0
    for match in _TAG.finditer(line):
        _add_text(marked, line[at : match.start()], prepare)
        at = match.end()
        closing, name, attributes, empty = match.groups()
        if name not in ("t", "zone", "wall"):
            _pass_through(marked, match.group())
        elif name == "wall":
            if closing or not empty:
                raise InputError("a wall is written <wall/>")
            marked.walls.append(len(marked.tokens))
        elif closing:
            if not opened or opened[-1][0] != name:
                raise InputError(f"</{name}> closes nothing, or crosses another tag")
            _close(marked, *opened.pop(), prepare_target or prepare)
        elif empty:
            raise InputError(f"<{name}/> holds no words")
        else:
            term, probability = _attributes(name, attributes)
            opened.append((name, len(marked.tokens), term, probability))
    _add_text(marked, line[at:], prepare)
    if opened:
        raise InputError(f"<{opened[-1][0]}> is not closed")
    return marked


def _add_text(marked: MarkedLine, text: str, prepare: Callable[[str], str]) -> None:
    if "<" in text or ">" in text:
        raise InputError("a < or > that is no markup; write &lt; or &gt;")
    marked.tokens += prepare(unescape(text)).split()


def _pass_through(marked: MarkedLine, tag: str) -> None:
    if len(marked.tags) == _MAX_TAGS:
        raise InputError("too many tags in one line")
    marked.tags.append(tag)
    marked.add_fixed(chr(_FIRST_TAG + len(marked.tags) - 1), wall=True)


def _attributes(name: str, text: str) -> tuple[str, float | None]:
    found: dict[str, str] = {}
    at = 0
    while match := _ATTRIBUTE.match(text, at):
        found[match[1]] = unescape(match[2] if match[2] is not None else match[3])
        at = match.end()
    if text[at:].strip():
        raise InputError(f"<{name}>: cannot read {text[at:].strip()!r}")
    strangers = set(found) - ({"term", "prob"} if name == "t" else set())
    if strangers:
        raise InputError(f"<{name}>: unknown attribute {sorted(strangers)[0]!r}")
    if name == "t" and "term" not in found:
        raise InputError('<t> needs a term: <t term="translation">words</t>')
    probability = None
    if "prob" in found:
        try:
            probability = float(found["prob"])
        except ValueError:
            probability = math.nan
        if not 0 < probability <= 1:
            raise InputError(f"<t>: prob must lie between 0 and 1, not {found['prob']!r}")
    return found.get("term", ""), probability


def _close(
    marked: MarkedLine,
    name: str,
    begin: int,
    term: str,
    probability: float | None,
    prepare_target: Callable[[str], str],
) -> None:
    end = len(marked.tokens)
    if begin == end:
        raise InputError(f"<{name}> holds no words")
    if name == "zone":
        marked.zones.append((begin, end))
        return
    log_prob = 0.0 if probability is None else math.log(probability)
    marked.given.append(
        GivenTranslation(begin, end, prepare_target(term), log_prob, probability is None)
    )


@dataclass(frozen=True)
class Terms:
    """A terminology: source phrases and how to translate them."""

    entries: dict[tuple[str, ...], tuple[tuple[str, float | None], ...]]
    longest: int

    @classmethod
    def of(cls, entries: Iterable[tuple[str, str, float | None]]) -> Terms:
        """From tokenised sources and targets, and probabilities where they are suggestions."""
        found: dict[tuple[str, ...], tuple[tuple[str, float | None], ...]] = {}
        for source, target, probability in entries:
            key = tuple(source.split())
            if key:
                found[key] = (*found.get(key, ()), (target, probability))
        return cls(found, max((len(source) for source in found), default=0))

    @classmethod
    def parse(
        cls,
        lines: Sequence[str],
        prepare_source: Callable[[str], str],
        prepare_target: Callable[[str], str],
        name: str = "terms",
    ) -> Terms:
        """Lines of source, tab, target, and perhaps tab and a probability (then it is a
        suggestion); empty lines and lines beginning with # are skipped."""
        entries: dict[tuple[str, ...], tuple[tuple[str, float | None], ...]] = {}
        for number, line in enumerate(lines, 1):
            if not line.strip() or line.startswith("#"):
                continue
            columns = line.rstrip("\r\n").split("\t")
            if len(columns) not in (2, 3):
                raise InputError.at(name, number, "expected source, tab, target, perhaps a number")
            source = tuple(prepare_source(columns[0]).split())
            if not source:
                raise InputError.at(name, number, "the source term is empty")
            probability = None
            if len(columns) == 3:
                try:
                    probability = float(columns[2])
                except ValueError:
                    probability = math.nan
                if not 0 < probability <= 1:
                    raise InputError.at(
                        name, number, f"a probability lies between 0 and 1, not {columns[2]!r}"
                    )
            entry = (prepare_target(columns[1]), probability)
            entries[source] = (*entries.get(source, ()), entry)
        return cls(entries, max((len(source) for source in entries), default=0))

    def apply(self, marked: MarkedLine) -> None:
        """Add the terms found in the line, longest first from the left, where the line itself
        says nothing."""
        taken = [False] * len(marked.tokens)
        for given in marked.given:
            if given.exclusive:
                taken[given.begin : given.end] = [True] * (given.end - given.begin)
        begin = 0
        while begin < len(marked.tokens):
            for end in range(min(len(marked.tokens), begin + self.longest), begin, -1):
                found = self.entries.get(tuple(marked.tokens[begin:end]))
                if found and not any(taken[begin:end]) and not _crosses(begin, end, marked):
                    marked.given += [
                        GivenTranslation(
                            begin, end, target, 0.0 if p is None else math.log(p), p is None
                        )
                        for target, p in found
                    ]
                    begin = end - 1
                    break
            begin += 1


def load_terms(
    path: Path, prepare_source: Callable[[str], str], prepare_target: Callable[[str], str]
) -> Terms:
    """Read a terminology file; see Terms.parse."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as problem:
        raise FileError.of(problem, path) from problem
    except UnicodeDecodeError as problem:
        raise InputError.at(path, None, "not UTF-8") from problem
    return Terms.parse(lines, prepare_source, prepare_target, str(path))


def _crosses(begin: int, end: int, marked: MarkedLine) -> bool:
    """Whether a term there would contradict a wall or a zone."""
    if any(begin < wall < end for wall in marked.walls):
        return True
    return any(
        begin < zone_end
        and zone_begin < end
        and not (zone_begin <= begin and end <= zone_end)
        and not (begin <= zone_begin and zone_end <= end)
        for zone_begin, zone_end in marked.zones
    )
