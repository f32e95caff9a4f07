"""The way of a sentence through a model, step by step.

A sentence goes one way, whoever asks: what must not be translated is held back, the rest is
normalised and cut into tokens (``Source``, ``TextForm``); terms, corrections and markup are laid
upon it (``Demands``); the tokens are put in the order the model was trained on
(``ModelPreordering``); a search translates them (``Search``); and the translation is written as
people write, with what was held. A batch is the single call, many times.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from dragoman._core import DecodeResult, GivenTranslation, PhraseTranslation
from dragoman.errors import UsageError
from dragoman.layout import CONFIDENCE
from dragoman.model.bundle import Bundle
from dragoman.model.directory import ModelDirectory
from dragoman.search.choice import make_search
from dragoman.search.engine import Search
from dragoman.search.options import AnyOptions
from dragoman.search.result import Totals
from dragoman.text.form import TextForm
from dragoman.text.items import item_kind
from dragoman.text.protect import Protection
from dragoman.translation.demands import (
    NO_DEMANDS,
    Demands,
    MarkedLine,
    mark_line,
    parse_markup,
)
from dragoman.translation.result import PLAIN, Found, Prepared, Translation, Wants
from dragoman.translation.source import CutPassage, Passage, Source
from dragoman.translation.written import write_dictated, write_out

if TYPE_CHECKING:
    from dragoman.translation.confidence import Confidence
    from dragoman.translation.consensus import Consensus
    from dragoman.translation.memory import Match
    from dragoman.translation.preordering import ModelPreordering

# Searches with options of their own that are kept; each remembers phrases it has seen.
KEPT_SEARCHES = 4


class Pipeline:
    """A model with all that comes before and after its search; the steps are for those who put
    batches together themselves."""

    def __init__(
        self,
        directory: ModelDirectory,
        bundle: Bundle,
        options: AnyOptions,
        form: TextForm,
        preordering: ModelPreordering | None = None,
        *,
        threads: int = 1,
    ) -> None:
        self.directory, self.bundle, self.options = directory, bundle, options
        self.form, self.preordering, self.threads = form, preordering, threads
        self._searches: OrderedDict[AnyOptions, Search] = OrderedDict()
        self._choosing = threading.Lock()
        self.consensus: Consensus | None = None  # with other models, this being the first
        self.search_with(options)  # whoever opens a model hears at once what is wrong

    @cached_property
    def features(self) -> list[str]:
        """The names of what its translations are scored by."""
        return self.bundle.features if self.consensus is None else self.consensus.features

    @property
    def preorderings(self) -> list[ModelPreordering]:
        """What orders the words, of each model that has such."""
        members = self.consensus.members if self.consensus is not None else (self,)
        return [member.preordering for member in members if member.preordering is not None]

    def check_trees(self) -> None:
        """Raise ModelError when the model needs trees and there will be none."""
        for preordering in self.preorderings:
            preordering.check_trees()

    @cached_property
    def languages(self) -> tuple[str, str]:
        """Codes of the source and the target language; empty when the model does not say."""
        return self.directory.languages

    @cached_property
    def confidence(self) -> Confidence | None:
        """How sure its translations are; None for a model that has not learnt to say so."""
        if not self.directory.has(CONFIDENCE):
            return None
        from dragoman.translation.confidence import Confidence

        return Confidence.load(self.directory.sound_file(CONFIDENCE))

    def cut(self, passage: Passage, demands: Demands = NO_DEMANDS) -> CutPassage:
        """A passage in sentences; where markup is obeyed, in lines, lest it be cut through."""
        protection = self._protection(markup=demands.markup)
        memory = demands.memory
        if memory is None:
            return passage.cut(self.languages[0], protection, whole_lines=demands.markup)
        return passage.cut(
            self.languages[0], protection, whole_lines=demands.markup, whole=memory.knows
        )

    def offers(self, passage: Passage, demands: Demands) -> list[Match]:
        """What the translation memory has for a passage that is one segment, best first."""
        if demands.memory is None:
            return []
        cut = passage.cut(self.languages[0], self._protection(markup=False), whole_lines=True)
        return demands.memory.matches(cut.sentences[0]) if len(cut.sentences) == 1 else []

    def source_of(self, line: str, *, markup: bool = False) -> Source:
        """A line that is one sentence."""
        return Source.of_line(line, self._protection(markup=markup))

    def _protection(self, *, markup: bool) -> Protection | None:
        """What finds the pieces to hold; lines with markup are taken apart first."""
        return self.form.protection if self.form.holds and not markup else None

    def prepare(self, source: Source, demands: Demands = NO_DEMANDS) -> Prepared:
        """A sentence as the search takes it, with what is demanded of it."""
        if self.form.unsaid:
            raise UsageError(
                f"{self.directory}: the model was imported and does not say how its text is cut "
                "into words; give tokens (--tokenised), or import it again with --tokeniser"
            )
        mark = parse_markup if demands.markup else mark_line
        line = mark(source.text, source.held, self.form)
        if demands.terms is not None:
            demands.terms.apply(line)
        dictated = None
        if demands.corrections is not None:
            dictated = demands.corrections.apply(line)
        return self.remember(Prepared(source, line, dictated), demands)

    def remember(self, prepared: Prepared, demands: Demands) -> Prepared:
        """A prepared sentence with what the translation memory has for it; the same segment is
        translated as it was, unless somebody has said otherwise of it or some of its words."""
        if demands.memory is None or not prepared.line.tokens:
            return prepared
        offers = demands.memory.matches(prepared.source)
        line = prepared.line
        taken = offers and offers[0].exact and not (prepared.dictated or line.demanded)
        if not taken:
            return replace(prepared, offers=tuple(offers))
        if not (line.given or line.zones or line.walls or line.source.tags):
            # Told as one phrase, so that whoever asks why gets a true answer.
            text = demands.memory.text_of(prepared.source)
            _, target = self.form.prepare_pair(text, offers[0].target)
            line.given.append(GivenTranslation(0, len(line.tokens), target))
        return replace(prepared, offers=tuple(offers), remembered=offers[0])

    def search(
        self,
        sentences: Sequence[Prepared],
        wants: Wants = PLAIN,
        *,
        references: Sequence[str] | None = None,
        totals: Totals | None = None,
    ) -> list[DecodeResult]:
        """Put prepared sentences in the model's order and search; `references`, in tokens: only
        for derivations of these."""
        if wants.confidence and self.consensus is not None:
            raise UsageError("a consensus of models does not say how sure it is: ask one of them")
        if self.consensus is None:
            return self.search_alone(sentences, wants, references=references, totals=totals)
        if references is not None:
            raise UsageError(
                "a consensus of models cannot be forced to a reference: ask one model"
            )
        return self.consensus.search(sentences, wants, totals)

    def search_alone(
        self,
        sentences: Sequence[Prepared],
        wants: Wants = PLAIN,
        *,
        references: Sequence[str] | None = None,
        totals: Totals | None = None,
    ) -> list[DecodeResult]:
        """The same with this model only, whatever others it agrees with."""
        lines = [sentence.line for sentence in sentences]
        if self.preordering is not None:
            lines = self.preordering.apply(lines, self.threads)
        found = self._decode(lines, wants, references, totals)
        if references is not None:
            return found
        # A model that has lost or doubled an item is told where each belongs.
        failed = [
            index
            for index, (line, result) in enumerate(zip(lines, found, strict=True))
            if line.source.items and not _items_are_kept(line, result)
        ]
        if failed:
            forced = [lines[index].with_items_forced() for index in failed]
            again = self._decode(forced, wants, None, None)
            for index, result in zip(failed, again, strict=True):
                found[index] = result
        return found

    def _decode(
        self,
        lines: Sequence[MarkedLine],
        wants: Wants,
        references: Sequence[str] | None,
        totals: Totals | None,
    ) -> list[DecodeResult]:
        demands = [line.demands for line in lines]
        found = self.search_with(wants.options or self.options).decode(
            [line.text for line in lines],
            demands=demands if any(demands) else None,
            references=references,
            nbest=wants.nbest,
            distinct=wants.distinct,
            graph=wants.graph or wants.confidence,
            graph_values=wants.graph and wants.graph_values,
            features=wants.features,
            picture=wants.picture,
            totals=totals,
        )
        return list(found)

    def finish(
        self, prepared: Prepared, result: DecodeResult, options: AnyOptions | None = None
    ) -> Found:
        """A sentence's translations as people write them."""
        options = options or self.options
        if result.error or not result.found:
            problem = result.error or "no translation found"
            return Found(prepared, result, Translation("", prepared, problem=problem))

        features = self.features
        remembered = prepared.remembered
        said = prepared.dictated or (remembered.target if remembered else None)

        def sure() -> list[float]:
            found = self.confidence if result.graph is not None else None
            return found.of_words(result) if found is not None else []

        def written(
            entry: PhraseTranslation, dictated: str | None = None, *, best: bool = False
        ) -> Translation:
            seen = prepared.as_seen_by(entry.member)
            if dictated:
                text = write_dictated(seen, dictated)
            else:
                text = write_out(self.form, seen, entry, options)
            return Translation(text, seen, entry, features, sure=sure if best else list)

        return Found(
            prepared,
            result,
            written(result.best, said, best=True),
            tuple(written(entry) for entry in result.nbest),
        )

    def search_with(self, options: AnyOptions) -> Search:
        """The search with these options; the last few are kept."""
        with self._choosing:
            found = self._searches.pop(options, None)
            if found is None:
                found = make_search(self.bundle, options, threads=self.threads)
            self._searches[options] = found
            while len(self._searches) > KEPT_SEARCHES:
                self._searches.popitem(last=False)
            return found

    def find(
        self, sources: Sequence[Source], demands: Demands = NO_DEMANDS, wants: Wants = PLAIN
    ) -> list[Found]:
        """All there is to know about sentences, in their order."""
        prepared = [self.prepare(source, demands) for source in sources]
        results = self.search(prepared, wants)
        return [
            self.finish(one, result, wants.options)
            for one, result in zip(prepared, results, strict=True)
        ]


def _items_are_kept(line: MarkedLine, result: DecodeResult) -> bool:
    """Whether every translation has each held item of a line once."""
    if result.error or not result.found:
        return True
    wanted = sorted(line.source.items)
    return all(
        sorted(token for token in entry.target.split() if item_kind(token)) == wanted
        for entry in (result.best, *result.nbest)
    )
