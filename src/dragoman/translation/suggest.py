"""Suggestions while somebody types a translation.

The search graph of a sentence holds thousands of translations. What was typed is looked for among
their beginnings, though the model may have said it otherwise (``PrefixSearch``), and the best way
to go on from there is the suggestion.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman._core import Completion, DecodeResult, PrefixSearch
from dragoman.errors import InputError
from dragoman.text.form import TextForm
from dragoman.text.protect import without_codes
from dragoman.translation.config import SuggestOptions
from dragoman.translation.result import Prepared, Wants
from dragoman.translation.written import written_pieces

# What it costs, in edits, that a word stands for one that was typed: in another case; and as
# another form of it, with the same beginning of at least so many letters and so large a part.
_OTHER_CASE = 0.02
_OTHER_FORM = 0.5
_STEM_LETTERS = 4
_STEM_SHARE = 0.6
# Each word that was typed is compared with each word of the graph.
MOST_TYPED = 2000

# What must be asked of a search.
SUGGESTING = Wants(graph=True, graph_values=False)


@dataclass(frozen=True)
class Suggestion:
    """How to go on with a translation."""

    pieces: tuple[str, ...]  # word by word, with the white space before them
    score: float  # the model's, of the whole translation, less what was typed otherwise

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self.pieces)


class KeptSuggesters:
    """The sentences that were asked about last, since typing asks about one again and again."""

    def __init__(self, most: int = 8) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, Suggester] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, key: Hashable) -> Suggester | None:
        """The one that was kept under a key, if it still is."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: Hashable, suggester: Suggester) -> Suggester:
        """Keep one; those that were asked about least lately go."""
        with self._lock:
            self._kept[key] = suggester
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return suggester


class Suggester:
    """One sentence whose translation is being typed; safe to use from several threads."""

    def __init__(self, form: TextForm, prepared: Prepared, result: DecodeResult) -> None:
        """`result` comes with a graph."""
        if result.error or result.graph is None or not result.found:
            raise InputError(result.error or "no translation found")
        self._form, self._prepared = form, prepared
        self._search = PrefixSearch(result.graph)
        self._asking = threading.Lock()
        self._words = self._search.words
        self._lower = [word.lower() for word in self._words]
        self._same: defaultdict[str, list[int]] = defaultdict(list)
        self._stems: defaultdict[str, list[int]] = defaultdict(list)
        for number, word in enumerate(self._lower):
            self._same[word].append(number)
            self._stems[word[:_STEM_LETTERS]].append(number)

    def suggest(self, prefix: str, options: SuggestOptions, most: int = 1) -> list[Suggestion]:
        """The best ways to go on with what was typed, best first."""
        typed = self._typed(prefix)
        if len(typed) > MOST_TYPED:
            raise InputError(
                f"{len(typed):,} words have been typed; behind more than {MOST_TYPED:,} nothing "
                "is suggested"
            )
        # Behind a space or a symbol a new word begins; else the last one may not be finished.
        open_word = bool(typed) and prefix[-1:].isalnum()
        costs = np.ones((len(typed), len(self._words)), np.float32)
        for row, word in zip(costs, typed, strict=True):
            self._price(row, word)
        if open_word:
            self._price_beginning(costs[-1], typed[-1])
        with self._asking:
            found = self._search.complete(
                costs.ravel(), edit_cost=options.suggest_edit_cost, most=most
            )
        suggestions: dict[str, Suggestion] = {}
        for completion in found:
            one = self._suggestion(prefix, typed, completion, open_word=open_word)
            suggestions.setdefault(one.text, one)
        return list(suggestions.values())

    def _typed(self, prefix: str) -> list[str]:
        """What was typed, in tokens; items of the source by their names."""
        source, line = self._prepared.source, self._prepared.line.source
        text = without_codes(prefix)
        names: dict[str, str] = {}
        if self._form.classed:
            for name, code in line.items.items():
                if source.held[code].text in text:
                    text = text.replace(source.held[code].text, code, 1)
                    names[code] = name
        return self._form.typed_target(text, names)

    def _price(self, row: NDArray[np.float32], word: str) -> None:
        lower = word.lower()
        for number in self._stems.get(lower[:_STEM_LETTERS], ()):
            other = self._lower[number]
            shared = next(
                (k for k, (a, b) in enumerate(zip(lower, other, strict=False)) if a != b),
                min(len(lower), len(other)),
            )
            if shared >= max(_STEM_LETTERS, _STEM_SHARE * max(len(lower), len(other))):
                row[number] = _OTHER_FORM
        for number in self._same.get(lower, ()):
            row[number] = 0.0 if self._words[number] == word else _OTHER_CASE

    def _price_beginning(self, row: NDArray[np.float32], typed: str) -> None:
        lower = typed.lower()
        for number, word in enumerate(self._lower):
            if word.startswith(lower):
                exact = self._words[number].startswith(typed)
                row[number] = 0.0 if exact else _OTHER_CASE

    def _suggestion(
        self, prefix: str, typed: list[str], completion: Completion, *, open_word: bool
    ) -> Suggestion:
        rest = list(completion.words)
        begun = ""
        if open_word and completion.last.lower().startswith(typed[-1].lower()):
            begun = completion.last[len(typed[-1]) :]
        pieces = written_pieces(self._form, self._prepared, [*typed, *rest])[len(typed) :]
        if begun:
            pieces = [begun, *pieces]
        elif pieces and (not prefix or prefix[-1].isspace()):
            pieces[0] = pieces[0].lstrip()
        return Suggestion(tuple(piece for piece in pieces if piece), completion.score)
