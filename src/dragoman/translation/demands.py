"""What the user demands of a line, and markup in the text.

With markup switched on, a line may hold

``<t term="TARGET">words</t>``
    translate the words so; with ``prob="0.5"`` the translation competes with the model's own
    (the probability is the value of each phrase-table feature).
``<zone>words</zone>``
    translate these together, nothing else in between.
``<wall/>``
    everything before it comes before everything behind it.
any other tag
    goes into the translation as it is, with the words that it encloses; one that encloses
    nothing is a wall: what stood before it stays before it.

``&lt; &gt; &amp; &quot;`` stand for the characters themselves.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from html import unescape
from typing import TYPE_CHECKING

from dragoman._core import Demands as LineDemands
from dragoman._core import GivenTranslation
from dragoman.errors import InputError
from dragoman.text.form import SourceLine, TextForm
from dragoman.text.items import item_kind
from dragoman.text.protect import HeldPieces, without_codes

if TYPE_CHECKING:
    from dragoman.translation.corrections import Corrections
    from dragoman.translation.memory import MemoryUse
    from dragoman.translation.terms import Terms

_TAG = re.compile(r"<(/?)([A-Za-z_][\w.:-]*)((?:\s[^<>]*?)?)(/?)>")
_ATTRIBUTE = re.compile(r"""\s*([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")


@dataclass(frozen=True)
class Demands:
    """What a user demands of every sentence."""

    terms: Terms | None = None
    corrections: Corrections | None = None  # what the model was taught
    markup: bool = False  # obey <t>, <zone> and <wall/> in the text
    memory: MemoryUse | None = None  # what was translated before


NO_DEMANDS = Demands()


@dataclass
class MarkedLine:
    """A line without its markup."""

    tokens: list[str] = field(default_factory=list)
    given: list[GivenTranslation] = field(default_factory=list)
    zones: list[tuple[int, int]] = field(default_factory=list)
    walls: list[int] = field(default_factory=list)
    # Of a preordered model: the k-th word that the decoder saw is word order[k] of the line.
    order: Sequence[int] | None = None
    # Of a consensus: the order of each of its models.
    orders: list[Sequence[int] | None] = field(default_factory=list)
    source: SourceLine = field(default_factory=SourceLine)  # as it was written

    @property
    def text(self) -> str:
        return " ".join(self.tokens)

    @property
    def demands(self) -> LineDemands | None:
        """What the decoder is asked for; None when that is nothing."""
        if not (self.given or self.zones or self.walls):
            return None
        return LineDemands(self.given, self.zones, self.walls)

    @property
    def demanded(self) -> bool:
        """Whether somebody has said how words of it are to be translated."""
        return any(given.exclusive and not item_kind(given.target) for given in self.given)

    def with_items_forced(self) -> MarkedLine:
        """The same with every held item as its own translation."""
        places = [place for place, token in enumerate(self.tokens) if item_kind(token)]
        taken = {
            place
            for given in self.given
            if given.exclusive
            for place in range(given.begin, given.end)
        }
        forced = [
            GivenTranslation(place, place + 1, self.tokens[place])
            for place in places
            if place not in taken
        ]
        return replace(self, given=[*self.given, *forced])


def mark_line(text: str, held: HeldPieces, form: TextForm) -> MarkedLine:
    """A line, in which private characters stand for what is held, as tokens."""
    line = form.source_line(text, held)
    marked = MarkedLine(line.tokens, source=line)
    marked.zones += sorted({(t.begin, t.end) for t in line.tags if t.end > t.begin + 1})
    if line.items and not form.classed:
        marked = marked.with_items_forced()
        _add_walls(marked, held)
    return marked


def _add_walls(marked: MarkedLine, held: HeldPieces) -> None:
    """Nothing moves across a tag that encloses nothing."""
    items = marked.source.items
    for place, token in enumerate(marked.tokens):
        if token in items and held[items[token]].kind == "tag":
            marked.walls += [place, place + 1]


def parse_markup(line: str, held: HeldPieces, form: TextForm) -> MarkedLine:
    """Take a line with markup apart; other tags than ours are held.

    Raises InputError for markup that is not closed, crosses, or contradicts itself.
    """
    line = without_codes(line)
    plain = ""  # the line with a private character for each tag
    own: dict[str, re.Match[str]] = {}  # the characters of our markup
    at = 0

    def add_text(text: str) -> None:
        nonlocal plain
        if "<" in text or ">" in text:
            raise InputError("a < or > that is no markup; write &lt; or &gt;")
        text = without_codes(unescape(text))
        text = held.hold(text, form.protection)[0] if form.holds else text
        plain += text

    for match in _TAG.finditer(line):
        add_text(line[at : match.start()])
        at = match.end()
        if held.full:
            raise InputError("too many tags in one line")
        ours = match[2] in ("t", "zone", "wall")
        code = held.add(match.group(), kind="markup" if ours else "tag")
        if ours:
            own[code] = match
        plain += code
    add_text(line[at:])
    held.note_spaces(plain.strip())
    marked = mark_line(plain, held, form)
    if form.classed:
        _add_walls(marked, held)
    _obey(marked, own, form.prepare_target)
    return marked


def _obey(
    marked: MarkedLine, own: dict[str, re.Match[str]], prepare_target: Callable[[str], str]
) -> None:
    """Lay upon a line what our markup in it says."""
    opened: list[tuple[str, int, str, float | None]] = []  # name, begin, term, probability
    for place, code in marked.source.markup:
        closing, name, attributes, empty = own[code].groups()
        if name == "wall":
            if closing or not empty:
                raise InputError("a wall is written <wall/>")
            marked.walls.append(place)
        elif closing:
            if not opened or opened[-1][0] != name:
                raise InputError(f"</{name}> closes nothing, or crosses another tag")
            _close(marked, place, *opened.pop(), prepare_target)
        elif empty:
            raise InputError(f"<{name}/> holds no words")
        else:
            term, probability = _attributes(name, attributes)
            opened.append((name, place, term, probability))
    if opened:
        raise InputError(f"<{opened[-1][0]}> is not closed")


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
    end: int,
    name: str,
    begin: int,
    term: str,
    probability: float | None,
    prepare_target: Callable[[str], str],
) -> None:
    if begin == end:
        raise InputError(f"<{name}> holds no words")
    if name == "zone":
        marked.zones.append((begin, end))
        return
    log_prob = 0.0 if probability is None else math.log(probability)
    marked.given.append(
        GivenTranslation(begin, end, prepare_target(term), log_prob, probability is None)
    )
