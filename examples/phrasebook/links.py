"""Gold word alignment: the author's glosses first, then the glossary.

A glossary line ``TAG english forms | french forms | japanese forms`` says which words
translate each other. Content words link wherever the glossary allows it. Function words
("the", "of", "に") are everywhere, so they link only next to what they belong to: a
French preposition or article to the English one before the word its noun is linked to,
a Japanese particle to the preposition before its noun's counterpart.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from notation import LANGUAGES, NotationError, Word

# Tags whose words link by position relative to a linked neighbour.
_BEFORE_NOUN = {"D", "P", "OF", "TO", "POS"}
_FREE = {"PRO", "AUX", "NEG", "CC", "SUB"}
_REACH = 4
_CASE_MARKS = {"、", "を", "に", "と"}
# An article or preposition does not reach its noun across these.
_BARRIERS = {"P", "OF", "TO", "CC", "SUB", "PRO", "AUX", "WH", "COM", "V"}
# After these, 's is a verb; after anything else it is the possessive.
_BEFORE_VERB_S = {"it", "he", "she", "that", "there", "what", "who", "where", "here", "let"}

Link = tuple[int, int]


@dataclass
class Glossary:
    """Which lines a word is on, and the tags it can have, by language."""

    line_tags: list[str] = field(default_factory=list)
    lines: dict[str, dict[str, list[int]]] = field(
        default_factory=lambda: {language: defaultdict(list) for language in LANGUAGES}
    )
    tags: dict[str, dict[str, list[str]]] = field(
        default_factory=lambda: {language: defaultdict(list) for language in LANGUAGES}
    )


def read_glossary(path: Path) -> Glossary:
    """``TAG en | fr | ja``, or ``TAG/JATAG en | fr | ja`` where the tags differ."""
    glossary = Glossary()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        tag, _, rest = line.strip().partition(" ")
        columns = rest.split("|")
        if len(columns) != 3:
            raise NotationError(f"{path.name}:{number}: expected TAG en | fr | ja")
        tag, _, japanese_tag = tag.partition("/")
        index = len(glossary.line_tags)
        glossary.line_tags.append(tag)
        for language, column in zip(LANGUAGES, columns, strict=True):
            own_tag = (japanese_tag or tag) if language == "ja" else tag
            for word in column.split():
                glossary.lines[language][word.lower()].append(index)
                known = glossary.tags[language][word.lower()]
                if own_tag not in known:
                    known.append(own_tag)
    return glossary


def _find(gloss: str, english: list[Word], scope: str) -> list[int]:
    name, _, ordinal = gloss.lower().rpartition(".")
    if not (name and ordinal.isdigit()):
        name, ordinal = gloss.lower(), ""
    places = [i for i, word in enumerate(english) if word.text.lower() == name]
    own = [i for i in places if english[i].scope == scope]
    places = own or places
    if ordinal:
        return places[int(ordinal) - 1 : int(ordinal)]
    if len(places) > 1:
        raise NotationError(f"{gloss!r} occurs {len(places)} times: write {gloss}.1, {gloss}.2")
    return places


def _glossed(english: list[Word], foreign: list[Word]) -> set[Link]:
    found: set[Link] = set()
    for j, word in enumerate(foreign):
        if not word.gloss:
            continue
        places = [i for gloss in word.gloss for i in _find(gloss, english, word.scope)]
        if not places:
            raise NotationError(f"{word.text!r} is glossed {'+'.join(word.gloss)!r}: no such word")
        found.update((i, j) for i in places)
    return found


def _english_keys(english: list[Word]) -> list[str]:
    """Spellings, with the possessive 's told apart from the verb: "of_'s"."""
    keys = [word.text.lower() for word in english]
    for i, key in enumerate(keys):
        if key == "'s" and (i == 0 or keys[i - 1] not in _BEFORE_VERB_S):
            keys[i] = "of_'s"
    return keys


def _keys(foreign: list[Word], language: str, known: dict[str, list[int]]) -> list[str]:
    """What to look up for each word: its spelling, or a more telling key if there is one.

    "が_、" is が before a comma, "y_a" is a after y, and both words of 私 の are "私_の".
    Case particles and commas only lend their neighbour a key, as in "を_し" for し.
    The frame of a French question, "est -ce que", has no counterpart: its key is empty.
    """
    texts = [word.text.lower() for word in foreign]
    keys = list(texts)
    for j, text in enumerate(texts):
        following = texts[j + 1] if j + 1 < len(texts) else ""
        before, after = f"{texts[j - 1] if j else ''}_{text}", f"{text}_{following}"
        if language == "ja" and after in known and text != "を":
            keys[j] = after
        elif before in known and text not in _CASE_MARKS:
            keys[j] = before
        if text == "il" and "y" in texts[j + 1 : j + 3]:
            keys[j] = "il_y"
        if texts[j : j + 2] == ["est", "-ce"] and texts[j + 2 : j + 3] in (["que"], ["qu'"]):
            keys[j] = texts[j + 1] = texts[j + 2] = ""
        elif not text:
            keys[j] = ""
    return keys


class _Linker:
    """Links of one sentence pair, filled in from sure to less sure."""

    def __init__(
        self, english: list[Word], foreign: list[Word], language: str, glossary: Glossary
    ) -> None:
        self.english, self.foreign, self.language = english, foreign, language
        self.glossary = glossary
        self.english_keys = _english_keys(english)
        self.keys = _keys(foreign, language, glossary.lines[language])
        self.links = _glossed(english, foreign)
        self.claims: dict[int, list[int]] = defaultdict(list)
        for i, j in self.links:
            self.claims[i].append(j)

    def open(self, i: int, j: int) -> bool:
        """A word the author linked is taken, unless by the neighbour ("plus petit")."""
        return all(abs(j - other) == 1 for other in self.claims[i])

    def candidates(self, j: int, tags: set[str] | None) -> dict[int, list[int]]:
        """English places for a word by glossary line; ``tags`` None means content."""
        glossary = self.glossary
        own = glossary.lines[self.language].get(self.keys[j], [])
        functional = _BEFORE_NOUN | _FREE
        found: dict[int, list[int]] = {}
        for line in own:
            tag = glossary.line_tags[line]
            if tag in functional if tags is None else tag not in tags:
                continue
            places = [
                i
                for i, word in enumerate(self.english)
                if line in glossary.lines["en"].get(self.english_keys[i], ())
                and self.open(i, j)
                and (tags is not None or word.scope == self.foreign[j].scope)
            ]
            if places:
                found[line] = places
        return found

    def tags(self, i: int) -> list[str]:
        return self.glossary.tags["en"].get(self.english_keys[i], [])

    def reaches(self, i: int, anchor: int, barriers: set[str]) -> bool:
        """Whether the English word at ``i`` stands before the anchor in the same phrase."""
        between = range(i + 1, anchor)
        return 0 < anchor - i <= _REACH and not any(
            set(self.tags(k)[:1]) & barriers for k in between
        )

    def verb_after(self, j: int) -> int | None:
        """The English place of the verb that follows, pronouns before it skipped."""
        for other in range(j + 1, min(j + _REACH, len(self.foreign))):
            for i in sorted(i for i, k in self.links if k == other):
                if "V" in self.tags(i):
                    return i
                if "PRO" not in self.tags(i):
                    return None
        return None

    def link_content(self) -> None:
        """Pairs words with the same candidates in order."""
        together: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for j, word in enumerate(self.foreign):
            if word.gloss is None:
                found = self.candidates(j, None)
                if places := sorted({i for line in found.values() for i in line}):
                    together[tuple(places)].append(j)
        for shared, js in together.items():
            places = list(shared)
            spelt = {self.english_keys[i] for i in places}
            if len(places) == 1:
                self.links.update((places[0], j) for j in js)
            elif len(js) == 1 and len(spelt) == len(places):
                # Different words on one line make a compound: "town hall", "wake … up".
                self.links.update((i, js[0]) for i in places if i - places[0] <= _REACH)
            else:
                self.links.update(zip(places, js, strict=False))

    def anchor(self, j: int, forward: bool) -> int | None:
        """The English place of the nearest linked word after (or before) ``j``."""
        steps = range(1, _REACH + 1)
        for other in (j + step if forward else j - step for step in steps):
            places = [i for i, k in self.links if k == other]
            if places:
                return min(places)
        return None

    def link_free(self) -> None:
        """Pronouns, auxiliaries, conjunctions: to the candidate nearest the anchor."""
        added: set[Link] = set()
        for j, word in enumerate(self.foreign):
            if word.gloss is not None:
                continue
            for line, places in self.candidates(j, _FREE).items():
                forward = self.language == "fr" or self.glossary.line_tags[line] == "PRO"
                anchor = self.anchor(j, forward)
                if anchor is None:
                    anchor = self.anchor(j, not forward)
                if anchor is None and len(places) > 1:
                    continue
                target = anchor if anchor is not None else places[0]
                added.add((min(places, key=lambda i: abs(i - target)), j))
        self.links |= added

    def link_before_noun(self) -> None:
        """Articles and prepositions: at most one of each, just before the anchor."""
        added: set[Link] = set()
        for j, word in enumerate(self.foreign):
            if word.gloss is not None:
                continue
            best: dict[bool, int] = {}
            for line, places in self.candidates(j, _BEFORE_NOUN).items():
                tag = self.glossary.line_tags[line]
                # Japanese particles follow their noun; everything else precedes it.
                anchor = self.anchor(j, forward=self.language == "fr" or tag == "D")
                if anchor is None:
                    continue
                if tag == "POS":
                    # The owner comes first in English and Japanese, last in French.
                    near = [i for i in places if 0 < i - anchor <= 2]
                elif tag == "TO":
                    near = [i for i in places if i < (self.verb_after(j) or 0) <= i + 2]
                else:
                    barriers = _BARRIERS | {"D"} if tag == "D" else _BARRIERS
                    near = [i for i in places if self.reaches(i, anchor, barriers)]
                for i in near:
                    kind = tag == "D"
                    if kind not in best or abs(i - anchor) < abs(best[kind] - anchor):
                        best[kind] = i
            added.update((i, j) for i in best.values())
        self.links |= added


def link(english: list[Word], foreign: list[Word], language: str, glossary: Glossary) -> set[Link]:
    """The gold links between an English side and its French or Japanese side."""
    linker = _Linker(english, foreign, language, glossary)
    linker.link_content()
    linker.link_free()
    linker.link_before_noun()
    return linker.links
