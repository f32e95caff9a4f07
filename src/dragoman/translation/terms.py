"""Terminology: words, and how they are to be translated."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product
from pathlib import Path
from typing import Any, TypeAlias

from dragoman._core import GivenTranslation
from dragoman.errors import InputError, UsageError
from dragoman.text.case import capitalised
from dragoman.text.form import TextForm
from dragoman.translation.demands import MarkedLine
from dragoman.unknown.forms import NO_FORMS, Forms

# Of words that may be forms of several terms, so many readings are tried.
_MOST_FORMS = 100


@dataclass(frozen=True)
class Terms:
    """A terminology: source phrases and how to translate them."""

    entries: dict[tuple[str, ...], tuple[tuple[str, float | None], ...]]
    longest: int
    forms: Forms = NO_FORMS  # of the words of the source

    @classmethod
    def of(
        cls,
        entries: Iterable[tuple[str, str, float | None]],
        form: TextForm,
        forms: Forms = NO_FORMS,
    ) -> Terms:
        """From sources, targets, and probabilities where they are suggestions."""
        found: dict[tuple[str, ...], tuple[tuple[str, float | None], ...]] = {}
        for source, target, probability in entries:
            if probability is not None and not _is_probability(probability):
                raise InputError(
                    f"{source!r}: a probability lies between 0 and 1, not {probability!r}"
                )
            key = tuple(form.prepare_term(source))
            if key:
                entry = (form.prepare_target(target), probability)
                found[key] = (*found.get(key, ()), entry)
        # In another case they are meant as well, unless there is an entry of its own.
        for key in list(found):
            found.setdefault(tuple(word.lower() for word in key), found[key])
        return cls(found, max((len(source) for source in found), default=0), forms)

    @classmethod
    def read(cls, path: Path, form: TextForm, forms: Forms = NO_FORMS) -> Terms:
        """Read a glossary: TSV, CSV or TBX (see dragoman.translation.glossary)."""
        from dragoman.translation.glossary import read_glossary

        config = form.config
        languages = config.source_language, config.target_language
        return cls.of(read_glossary(path, languages), form, forms)

    @classmethod
    def given(cls, terms: TermsLike, form: TextForm, forms: Forms = NO_FORMS) -> Terms:
        """From any of the ways to write terms down."""
        if isinstance(terms, Terms):
            return terms
        if isinstance(terms, str | Path):
            return cls.read(Path(terms), form, forms)
        if not isinstance(terms, Iterable):
            raise UsageError(f"terms must be a mapping, pairs or a file, not {terms!r}")
        entries: Iterable[Any] = terms.items() if isinstance(terms, Mapping) else terms
        found: list[tuple[str, str, float | None]] = []
        for entry in entries:
            pair = isinstance(entry, tuple | list) and len(entry) in (2, 3)
            if not pair or not all(isinstance(side, str) for side in entry[:2]):
                raise UsageError(f"a term is a source and a target, not {entry!r}")
            found.append((entry[0], entry[1], entry[2] if len(entry) == 3 else None))
        return cls.of(found, form, forms)

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
                found = self._find(marked, begin, end)
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

    def _find(
        self, marked: MarkedLine, begin: int, end: int
    ) -> tuple[tuple[str, float | None], ...] | None:
        """The entry of some words; one that is written otherwise gives its case up for theirs."""
        written = marked.source.written or marked.tokens
        exact = self.entries.get(tuple(written[begin:end]))
        if exact:
            return exact
        small = [word.lower() for word in written[begin:end]]
        found = self.entries.get(tuple(small))
        if not found and self.forms.others:
            found = self._of_forms(written[begin:end])
            if found:
                return found
            found = self._of_forms(small)
        if found and all(map(_in_capitals, written[begin:end])):
            return tuple((target.upper(), probability) for target, probability in found)
        # At the beginning of a sentence a capital says nothing about the word.
        if found and begin > 0 and written[begin] != written[begin].lower():
            return tuple((capitalised(target), probability) for target, probability in found)
        return found or self.entries.get(tuple(marked.tokens[begin:end]))

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(word for source in self.entries for word in source)

    def _of_forms(self, words: Sequence[str]) -> tuple[tuple[str, float | None], ...] | None:
        """The entry of which these are other forms, the one with most of them as they are."""
        choices = [
            [one for one in (word, *self.forms.of(word)) if one in self._words] for word in words
        ]
        tried = islice(product(*choices), _MOST_FORMS)
        return next((self.entries[key] for key in tried if key in self.entries), None)


def _in_capitals(word: str) -> bool:
    return len(word) > 1 and word.isupper()


def _is_probability(value: object) -> bool:
    return isinstance(value, int | float) and 0 < value <= 1


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


# Words and how to translate them: pairs, triples with a probability, which makes it a
# suggestion, a mapping, or a file of such lines.
TermsLike: TypeAlias = Mapping[str, str] | Iterable[Sequence[Any]] | str | Path | Terms
