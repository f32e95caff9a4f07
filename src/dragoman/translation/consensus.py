"""Several models that translate together: each lists its translations, and they agree on one.

The first model reads and writes the text; every model orders words, searches and lists for
itself. So models of any kind go together, as long as their text is cut into the same tokens.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman._core import DecodeResult, NetworkJudge, Vocabulary
from dragoman.errors import InputError, ModelError, UsageError
from dragoman.files import sha256
from dragoman.layout import (
    CONSENSUS,
    NETWORK,
    SOURCE_PIECES,
    SOURCE_VOCABULARY,
    TARGET_PIECES,
    TARGET_VOCABULARY,
)
from dragoman.model.directory import ModelDirectory
from dragoman.search.consensus import LIST_SIZE, Agreement, Opinion
from dragoman.search.options import AnyOptions
from dragoman.search.result import Totals
from dragoman.translation.result import Prepared, Wants

if TYPE_CHECKING:
    from dragoman.translation.translator import Translator


class Consensus:
    """Models and how they agree; the first is the one that was asked. A network may have a say."""

    def __init__(
        self,
        members: Sequence[Translator],
        agreement: Agreement,
        network: NetworkJudge | None = None,
    ) -> None:
        if len(members) != len(agreement.members):
            raise ModelError(
                f"{members[0].directory.file(CONSENSUS)}: is of {len(agreement.members)} models, "
                f"but there are {len(members)}; train again"
            )
        self.members, self.agreement, self.network = tuple(members), agreement, network

    @property
    def features(self) -> list[str]:
        """The names of what its translations are scored by."""
        return self.agreement.features

    def twin(self, first: Translator) -> Consensus:
        """The same of models with searches of their own."""
        others = [member.twin(threads=first.threads) for member in self.members[1:]]
        return Consensus([first, *others], self.agreement, self.network)

    def search(
        self, sentences: Sequence[Prepared], wants: Wants, totals: Totals | None
    ) -> list[DecodeResult]:
        """What all models together make of prepared sentences."""
        if wants.graph or wants.picture:
            raise UsageError(
                "a consensus of models has no single search to look into: ask one of its models"
            )
        begun = time.perf_counter()
        size = max(self.agreement.list_size, wants.nbest)
        found = []
        for sentence in sentences:
            sentence.line.orders = []
        for member in self.members:
            # Each orders the words for itself.
            own = [replace(one, line=replace(one.line)) for one in sentences]
            asked = Wants(self._options(member, wants.options), nbest=size, distinct=True)
            found.append(member.search_alone(own, asked))
            for sentence, seen in zip(sentences, own, strict=True):
                sentence.line.orders.append(seen.line.order)
        opinion = self._opinion(sentences) if self.network is not None else None
        results = self.agreement.choose(found, wants.nbest, self.members[0].threads, opinion)
        if totals is not None:
            totals.seconds += time.perf_counter() - begun
            for result in results:
                totals.add(result)
        return results

    def _opinion(self, sentences: Sequence[Prepared]) -> Opinion:
        """What the network must know of sentences that all models have seen."""
        assert self.network is not None
        orders = [
            [list(order) if order is not None else None for order in sentence.line.orders]
            for sentence in sentences
        ]
        return Opinion(self.network, [sentence.line.text for sentence in sentences], orders)

    def _options(self, member: Translator, asked: AnyOptions | None) -> AnyOptions | None:
        """What is asked of the first model is asked of all of its kind; of others, what becomes
        of unknown words."""
        if asked is None:
            return None
        if type(asked) is type(member.options):
            return asked
        return replace(member.options, unknown=asked.unknown)


def open_consensus(
    first: Translator,
    others: Sequence[str | Path | ModelDirectory],
    *,
    mbr: int,
    tokenised: bool,
    trees: str | Path | None,
    verify: bool,
) -> Consensus:
    """The consensus of a model with those it was tuned with, or with any others.

    `mbr`: translations that each model lists; 0: as tuned, or the default.
    """
    given = [one for other in others for one in _with_members(ModelDirectory.open(other))]
    directories = [*map(ModelDirectory.open, first.directory.members), *given]
    for directory in directories:
        check_alike(first.directory, directory, tokenised=tokenised)
    everyone = [first.directory, *directories]
    if trees is not None and not any(one.orders_along_trees for one in everyone):
        raise UsageError(f"{first.directory}: a model without preordering needs no --trees")
    members = [
        type(first).open(
            directory,
            tokenised=tokenised,
            threads=first.threads,
            trees=trees if directory.orders_along_trees else None,
            alone=True,
            verify=verify,
        )
        for directory in directories
    ]
    if given or not directories:
        agreement = Agreement.untuned(names_of(everyone), mbr or LIST_SIZE)
    else:
        agreement = Agreement.load(first.directory.sound_file(CONSENSUS))
        agreement = replace(agreement, list_size=mbr or agreement.list_size)
    network = _network(first.directory) if agreement.network else None
    return Consensus([first, *members], agreement, network)


def _network(directory: ModelDirectory) -> NetworkJudge:
    """The network of a model, with the model's words."""
    if not directory.has(NETWORK):
        raise ModelError(f"{directory.file(NETWORK)}: the model has no network; train it again")
    vocabularies = (
        Vocabulary.open(str(directory.file(name)))
        for name in (SOURCE_VOCABULARY, TARGET_VOCABULARY)
    )
    try:
        return NetworkJudge(str(directory.file(NETWORK)), *vocabularies)
    except InputError as problem:
        raise ModelError(str(problem)) from problem


def _with_members(directory: ModelDirectory) -> tuple[ModelDirectory, ...]:
    return (directory, *directory.members)


def check_alike(first: ModelDirectory, other: ModelDirectory, *, tokenised: bool) -> None:
    """Raise ModelError unless two models translate between the same languages, and read and
    write the same tokens; with `tokenised`, tokens are what they are given."""
    for side, ours, theirs in zip(
        ("source", "target"), first.languages, other.languages, strict=True
    ):
        if ours and theirs and ours != theirs:
            raise ModelError(
                f"{other}: its {side} language is {theirs}, that of {first} is {ours}; models "
                "of one consensus translate between the same languages"
            )
    if tokenised:
        return
    told, also_told = _tokens_of(first), _tokens_of(other)
    for what in {**told, **also_told}:
        if told.get(what) != also_told.get(what):
            raise ModelError(
                f"{other}: {what} is {also_told.get(what, 'unknown')}, that of {first} is "
                f"{told.get(what, 'unknown')}; models of one consensus must cut text into the "
                "same tokens: train them alike, or give tokens (--tokenised)"
            )


def _tokens_of(directory: ModelDirectory) -> dict[str, str]:
    """All that decides which tokens a text becomes, in words."""
    text = directory.text
    if text is None:
        return {"its text": "tokens"}
    told = {
        "its source tokeniser": text.tokeniser_of("source"),
        "its target tokeniser": text.tokeniser_of("target"),
        "its truecasing": "on" if text.truecases else "off",
        "its way with held items": "their kinds" if text.item_kinds else "unseen",
    }
    for side, name in (("source", SOURCE_PIECES), ("target", TARGET_PIECES)):
        if directory.has(name):
            told[f"its segmentation of the {side}"] = f"that of {sha256(directory.file(name))[:8]}"
    return told


def names_of(directories: Sequence[ModelDirectory]) -> list[str]:
    """A name for each model, none twice."""
    names: list[str] = []
    for directory in directories:
        name = directory.path.resolve().name or "model"
        while name in names:
            name += "'"
        names.append(name)
    return names
