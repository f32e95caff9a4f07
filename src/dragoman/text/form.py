"""Raw text to the tokens a model was trained on, and translations back to text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dragoman import layout
from dragoman.errors import UsageError
from dragoman.text.case import Pattern, lowered, pattern_of, usual_case
from dragoman.text.config import Side, TextConfig
from dragoman.text.items import item_kind
from dragoman.text.normalise import normalise
from dragoman.text.protect import (
    KINDS,
    OLD_KINDS,
    HeldPieces,
    ItemNames,
    Protection,
    enclosing_tags,
    hold_pair,
    without_codes,
)
from dragoman.text.spacing import likeliest
from dragoman.text.tokenise import (
    LEARNING,
    Cut,
    Tokeniser,
    joined_word,
    make_tokeniser,
    spelt,
    whole_words,
)
from dragoman.text.truecase import Truecaser
from dragoman.text.writing import Marks, Writing

if TYPE_CHECKING:
    from dragoman._core import Vocabulary


def form_files(config: TextConfig) -> tuple[str, ...]:
    """The files of a model (dragoman.layout) that its text form reads."""
    names = [layout.SOURCE_VOCABULARY] if classed(config) else []
    if learns_writing(config):
        names.append(layout.WRITING)
    if config.truecases:
        names += [layout.SOURCE_TRUECASE, layout.TARGET_TRUECASE]
    return (*names, *learnt_files(config).values())


def learnt_files(config: TextConfig) -> dict[Side, str]:
    """Where what the tokenisers of each side have learnt lies, if they learn."""
    names: dict[Side, str] = {"source": layout.SOURCE_PIECES, "target": layout.TARGET_PIECES}
    return {side: name for side, name in names.items() if config.tokeniser_of(side) in LEARNING}


def classed(config: TextConfig) -> bool:
    """Whether the model's text has items by their names; else they are held by force."""
    names = (config.tokeniser_of("source"), config.tokeniser_of("target"))
    return config.item_kinds and config.raw and "moses" not in names


def learns_writing(config: TextConfig) -> bool:
    """Whether training learns how translations are written; the source may come as tokens."""
    spaced = config.tokeniser_of("target") not in ("whitespace", "char", "moses")
    return classed(config) or (config.item_kinds and spaced)


def learns_apostrophes(config: TextConfig, side: Side) -> bool:
    """Whether training learns how one side has its apostrophes; text that comes as tokens, or is
    taken letter by letter, keeps them."""
    return learns_writing(config) and config.tokeniser_of(side) not in (
        "whitespace",
        "char",
        "moses",
    )


@dataclass(frozen=True)
class Tag:
    """An element of markup around some tokens: the characters of its two tags."""

    begin: int
    end: int
    opening: str
    closing: str


@dataclass
class SourceLine:
    """A line to translate, in tokens."""

    tokens: list[str] = field(default_factory=list)  # as the model has them
    written: list[str] = field(default_factory=list)  # the same as they were written
    gaps: list[str] = field(default_factory=lambda: [""])
    pattern: Pattern = "plain"  # of its capitals
    items: dict[str, str] = field(default_factory=dict)  # names to characters of held pieces
    tags: list[Tag] = field(default_factory=list)
    # Before which tokens characters of the user's own markup stood (see demands).
    markup: list[tuple[int, str]] = field(default_factory=list)


NO_NAMES: Mapping[str, str] = {}


class TextForm:
    """How a model's text is written; the same at training and at use."""

    def __init__(
        self,
        config: TextConfig,
        files: Mapping[str, Path] | None = None,
        marks: Marks | None = None,
    ) -> None:
        """`files` are those that `form_files` names; a side that is not read needs none. `marks`
        are those that training has found, as long as there is no file of how text is written."""
        self.config = config
        self.unsaid = False  # whether nobody has said how the text is cut into tokens
        self._files = files or {}
        self._marks = marks

    def __getstate__(self) -> dict[str, Any]:
        """To other processes it travels without what it has opened."""
        files = {name: path.absolute() for name, path in self._files.items()}
        own = {"config": self.config, "unsaid": self.unsaid, "_marks": self._marks}
        return {**own, "_files": files}

    @classmethod
    def tokenised(cls) -> TextForm:
        """For text whose tokens are already separated by spaces."""
        return cls(TextConfig(tokeniser="whitespace"))

    @classmethod
    def nobody_said(cls) -> TextForm:
        """For a model of which nobody knows how its text was cut into tokens."""
        form = cls.tokenised()
        form.unsaid = True
        return form

    def protecting(self, patterns: Sequence[str]) -> TextForm:
        """The same, holding what these regular expressions match as well."""
        if not self.holds:
            raise UsageError(
                "text that comes as tokens is taken token by token: nothing in it is protected"
            )
        protect = (*self.config.protect, *patterns)
        return TextForm(replace(self.config, protect=protect), self._files, self._marks)

    @cached_property
    def source_tokeniser(self) -> Tokeniser:
        """Cuts the text to translate."""
        return self._tokeniser("source")

    @cached_property
    def target_tokeniser(self) -> Tokeniser:
        """Puts translations together."""
        return self._tokeniser("target")

    def _tokeniser(self, side: Side) -> Tokeniser:
        name = learnt_files(self.config).get(side, "")
        config = self.config
        return make_tokeniser(
            config.tokeniser_of(side), config.language_of(side), self._files.get(name)
        )

    @cached_property
    def holds(self) -> bool:
        """Whether what must not be translated is held back; text that comes as tokens is taken
        token by token."""
        return self.config.raw

    @cached_property
    def truecases(self) -> bool:
        """Whether sentence beginnings are truecased."""
        return self.config.truecases

    @cached_property
    def classed(self) -> bool:
        """Whether the model knows held items by their kinds."""
        return classed(self.config)

    @cached_property
    def writing(self) -> Writing:
        """How translations are written."""
        path = self._files.get(layout.WRITING)
        return Writing.load(path) if path is not None else Writing()

    @cached_property
    def marks(self) -> Marks:
        """Accelerators and apostrophes."""
        return self._marks if self._marks is not None else self.writing.marks

    @cached_property
    def protection(self) -> Protection:
        """Finds what is not to be translated."""
        kinds = KINDS if self.classed else OLD_KINDS
        return Protection(self.config.protect, self.marks.accelerators, kinds)

    # The source side.

    def source_line(self, text: str, held: HeldPieces) -> SourceLine:
        """A line, in which private characters stand for what is held, as tokens."""
        if held and not self.holds:
            text = held.apart(text)
        cut = self._cut_source(text)
        if self._cuts_words and pattern_of(self._words(cut.tokens)) == "upper":
            # Pieces of words in capitals are others than those that the model knows.
            cut = self._cut_source(text.lower())
            cut = Cut([token.upper() for token in cut.tokens], cut.gaps)
        codes = [token for token in cut.tokens if token in held]
        if not codes:
            tokens, pattern = self._cased(cut.tokens)
            return SourceLine(tokens, cut.tokens, cut.gaps, pattern)
        ends: dict[str, tuple[str, str]] = {}
        if self.classed:
            ends = {code: pair for pair in enclosing_tags(codes, held) for code in pair}
        line, names = SourceLine(gaps=[]), ItemNames()
        opened: dict[str, int] = {}
        gap = ""
        for token, before in zip(cut.tokens, cut.gaps, strict=False):
            gap = max(gap, before, key=len)
            if token in ends:
                first, last = ends[token]
                if token == first:
                    opened[first] = len(line.tokens)
                else:
                    line.tags.append(Tag(opened[first], len(line.tokens), first, last))
                continue
            if token in held and held[token].kind == "markup":
                line.markup.append((len(line.tokens), token))
                continue
            name = token
            if token in held:
                name = names.name(held[token].kind)
                line.items[name] = token
            line.tokens.append(name)
            line.gaps.append(gap)
            gap = ""
        line.gaps.append("")
        line.written = line.tokens
        line.tokens, line.pattern = self._cased(line.tokens)
        return line

    def _cased(self, tokens: list[str]) -> tuple[list[str], Pattern]:
        """Tokens in the case, and with the apostrophes, in which the model knows them, and what
        their capitals said."""
        tokens = self.marks.source.usual_in(tokens)
        if not self.truecases:
            return tokens, "plain"
        caser = self._source_truecaser
        count = self._count
        if not self.classed or count is None:
            return (caser.truecase(tokens) if caser is not None else tokens), "start"
        pattern = pattern_of(self._words(tokens))
        if pattern == "upper":
            return lowered(tokens, count), pattern
        cased = caser.truecase(tokens) if caser is not None else tokens
        return [usual_case(token, count) for token in cased], pattern

    @cached_property
    def _cuts_words(self) -> bool:
        return self.truecases and self.config.tokeniser_of("source") == "subword"

    @staticmethod
    def _words(tokens: Sequence[str]) -> list[str]:
        """Tokens with the pieces of words put together."""
        return [joined_word(tokens[begin:end]) for begin, end in whole_words(tokens)]

    def prepare_source(self, text: str) -> str:
        """Tokens of a line to translate."""
        held = HeldPieces()
        if self.holds:
            text, _ = held.hold(without_codes(text), self.protection, message=self.classed)
        return " ".join(self.source_line(text, held).tokens)

    def prepare_term(self, text: str) -> list[str]:
        """Tokens of words inside a line."""
        return self.marks.source.usual_in(self._cut_source(text).tokens)

    def _cut_source(self, text: str, names: Mapping[str, str] = NO_NAMES) -> Cut:
        cut = self.source_tokeniser.cut(self.marks.source.joined(normalise(text)))
        return cut.for_model(names) if self.classed else cut

    def _cut_target(self, text: str, names: Mapping[str, str] = NO_NAMES) -> Cut:
        cut = self._cut_side("target", normalise(text))
        return cut.for_model(names) if self.classed else cut

    def _cut_side(self, side: Side, text: str) -> Cut:
        """A normalised line in words whose apostrophes have their usual form."""
        if side == "source":
            marks, tokeniser = self.marks.source, self.source_tokeniser
        else:
            marks, tokeniser = self.marks.target, self.target_tokeniser
        cut = tokeniser.cut(marks.joined(text))
        return Cut(marks.usual_in(cut.tokens), cut.gaps)

    # The target side.

    def prepare_target(self, text: str) -> str:
        """Tokens of a translation somebody gave."""
        return " ".join(self._cut_target(text).tokens)

    def typed_target(self, text: str, names: Mapping[str, str] = NO_NAMES) -> list[str]:
        """Tokens of the beginning of a translation; `names` are those of the characters that
        stand for items."""
        return self._cut_target(text, names).tokens

    def prepare_pair(self, source: str, target: str) -> tuple[str, str]:
        """Tokens of a line to translate, and of its translation as the target side of the
        training text would have it."""
        if not self.classed:
            return self.prepare_source(source), self.prepare_reference(target)
        here, there, names = hold_pair(
            without_codes(source), without_codes(target), self.protection, everything=True
        )
        first, second = self._cut_source(here, names), self._cut_target(there, names)
        return " ".join(self._cased(first.tokens)[0]), self._truecased(second)

    def prepare_reference(self, text: str) -> str:
        """Tokens of a line of the target language as training text has them."""
        names: dict[str, str] = {}
        if self.classed:
            _, text, names = hold_pair(text, without_codes(text), self.protection)
        return self._truecased(self._cut_target(text, names))

    def _truecased(self, cut: Cut) -> str:
        """Tokens of a line of the target language, the first word as it is written elsewhere."""
        caser = self._target_truecaser
        return " ".join(caser.truecase(cut.tokens) if caser is not None else cut.tokens)

    def cut_pair(self, source: str, target: str, names: Mapping[str, str]) -> tuple[Cut, Cut]:
        """A pair of normalised lines of the training text in tokens, before truecasing."""
        source_cut = self._cut_side("source", source)
        target_cut = self._cut_side("target", target)
        if not self.classed:
            return source_cut, target_cut
        return source_cut.for_model(names), target_cut.for_model(names)

    def joined(self, tokens: Sequence[str]) -> str:
        """Tokens of a translation as text, for those that know nothing of its source."""
        return self.spaced(self._words(tokens))

    def spaced(self, words: Sequence[str]) -> str:
        """Words with what stands between them."""
        join = self.target_tokeniser.join
        if join is not None:
            return join(words)
        parts = [spelt(word) for word in words[:1]]
        for gap, word in zip(self.gaps(words, {}), words[1:], strict=True):
            parts += [gap, spelt(word)]
        return "".join(parts)

    def gaps(self, words: Sequence[str], seen: Mapping[tuple[str, str], str]) -> list[str]:
        """What stands between the words of a translation; `seen`: what stood between them in the
        source, or beside a symbol, "" being the other word."""
        found = []
        shares = self.writing.spacing.shares(words)
        for (left, right), here in zip(pairwise(words), shares, strict=True):
            # Where the training text does not agree with itself, what was left as it is (AT&T,
            # Ctrl+A), or at least the symbol, knows better.
            pairs = ((left, right), ("", right), (left, ""))
            there = next((seen[pair] for pair in pairs if pair in seen), None)
            usual = there is not None and here.get(there, 0.0) >= LEAST_SHARE
            found.append(there if there is not None and usual else likeliest(here))
        for place, symbol in enumerate(words[1:-1]):
            # One that has a space on both sides (and / or) keeps both.
            if seen.get(("", symbol)) == seen.get((symbol, "")) == " ":
                both = slice(place, place + 2)
                least = min(here.get(" ", 0.0) for here in shares[both])
                if " " in found[both] and least >= LEAST_SHARE / 2:
                    found[both] = [" ", " "]
        return found

    @cached_property
    def _count(self) -> Callable[[str], int] | None:
        path = self._files.get(layout.SOURCE_VOCABULARY)
        if path is None:
            return None
        from dragoman._core import Vocabulary

        vocabulary: Vocabulary = Vocabulary.open(str(path))

        def count(word: str) -> int:
            found = vocabulary.find(word)
            return max(1, vocabulary.count(found)) if found else 0

        return count

    @cached_property
    def _source_truecaser(self) -> Truecaser | None:
        return self._truecaser(layout.SOURCE_TRUECASE)

    @cached_property
    def _target_truecaser(self) -> Truecaser | None:
        return self._truecaser(layout.TARGET_TRUECASE)

    def _truecaser(self, name: str) -> Truecaser | None:
        path = self._files.get(name)
        if not self.truecases or path is None:
            return None
        return Truecaser.load(path, classed=self.classed)


# What stands between two words of the source must be so common between those of the translation.
LEAST_SHARE = 0.1


def begins_with_item(tokens: Sequence[str]) -> bool:
    """Whether a held item stands before the first word."""
    for token in tokens:
        if item_kind(token):
            return True
        if any(character.isalpha() for character in token):
            return False
    return False
