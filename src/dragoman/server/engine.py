"""A model that is being served: its translator behind two lanes, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from dragoman._core import DecodeResult, GivenTranslation
from dragoman.errors import InputError, ModelError, UsageError
from dragoman.layout import CORPUS_REPORT, MEMORY, REPORT, TUNING_HISTORY
from dragoman.search.choice import changed_options
from dragoman.search.options import AnyOptions, SearchName, SearchOptions, plain
from dragoman.server.lane import Job, Lane
from dragoman.server.limits import Limits
from dragoman.server.schema import Forced, SearchSettings, Term
from dragoman.text.languages import UNKNOWN
from dragoman.translation.config import MatchesName
from dragoman.translation.demands import Demands
from dragoman.translation.explain import check_explicable
from dragoman.translation.result import Found, Prepared, Wants
from dragoman.translation.source import Source
from dragoman.translation.story import Storyteller, picture, told_nbest
from dragoman.translation.suggest import SUGGESTING, KeptSuggesters, Suggester
from dragoman.translation.translator import Translator


class ConflictError(InputError):
    """What is demanded of a sentence contradicts itself, or the sentence."""


@dataclass(frozen=True)
class Asked:
    """What a request wants of its sentences."""

    terms: Sequence[Term] = ()
    settings: SearchSettings | None = None
    nbest: int = 0
    alignment: bool = False
    trace: bool = False
    markup: bool = False
    memory: MatchesName = "off"
    confidence: bool = False


@dataclass(frozen=True)
class Answer:
    """A sentence translated, and what else was asked for, as the wire has it."""

    text: str
    nbest: tuple[str, ...]
    details: dict[str, Any]


class ServedModel:
    """One model directory behind two lanes: one for plain translation, which may use all
    threads, and one for everything that is asked of single sentences."""

    def __init__(
        self,
        directory: Path,
        name: str,
        *,
        threads: int,
        limits: Limits,
        on_batch: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.name, self.limits = name, limits
        self._threads, self._on_batch = threads, on_batch
        # The lane has the threads: each decodes sentences of its own.
        self.translator = Translator.open(directory, threads=1)
        self.translator.check_trees()
        self.directory = self.translator.directory
        self.table = self.directory.phrase_table()
        source, target = self.directory.languages
        self.source, self.target = source or UNKNOWN, target or UNKNOWN
        self._storyteller = Storyteller(self.translator.bundle, self.table)
        self._plain = Lane(self.translator.search, limits, on_batch, decoders=threads)
        self._suggesters = KeptSuggesters(limits.typed_sentences)
        special = self.translator.twin(threads=1)

        def decode(sentences: Sequence[Prepared], wants: Wants) -> list[DecodeResult]:
            # A consensus of models has no graph, but the first of them has.
            search = special.search_alone if wants == SUGGESTING else special.search
            return search(sentences, wants)

        self._special = Lane(decode, limits, on_batch)

    def opened_anew(self) -> ServedModel:
        """The model as its directory has it now, read whole and tried; this one goes on serving
        until it is closed."""
        fresh = ServedModel(
            self.directory.given,
            self.name,
            threads=self._threads,
            limits=self.limits,
            on_batch=self._on_batch,
        )
        try:
            fresh.translator.translate_lines(["a"])
        except BaseException:
            fresh.close()
            raise
        return fresh

    @property
    def waiting(self) -> int:
        """Sentences in the queues."""
        return self._plain.waiting + self._special.waiting

    def close(self) -> None:
        """Finish everything that was accepted."""
        self._plain.close()
        self._special.close()

    def known(self, text: str) -> float:
        """Which part of the words of a text the model has seen."""
        tokens = self.translator.form.prepare_source(text[:2000]).split()
        vocabulary = self.table.source_vocabulary
        return sum(vocabulary.find(token) > 0 for token in tokens) / len(tokens) if tokens else 0.0

    def demands(self, asked: Asked) -> Demands:
        """What a request demands of every sentence."""
        terms = [(term.source, term.target, term.probability) for term in asked.terms]
        try:
            return self.translator.demands(
                terms=terms or None, corrections=True, markup=asked.markup, memory=asked.memory
            )
        except ModelError as problem:  # it keeps no memory
            raise InputError(str(problem)) from problem

    # What can be asked. Each answer comes through a future.

    def translate(
        self, sources: Sequence[Source], demands: Demands, asked: Asked
    ) -> Future[list[Answer]]:
        """All sentences, in order."""
        options = self.with_settings(asked.settings)
        special = bool(
            asked.nbest or asked.trace or asked.confidence or options != self.translator.options
        )
        if asked.trace:
            self._check_explicable()
        self._check(sources, special)

        def prepare(index: int) -> Prepared:
            prepared = self.translator.prepare(sources[index], demands)
            self._check_length(prepared, special)
            return prepared

        def finish(_: int, prepared: Prepared, result: DecodeResult) -> Answer:
            found = self._found(prepared, result, options)
            texts = tuple(entry.text for entry in found.nbest)
            return Answer(found.best.text, texts, self._details(found, asked))

        wants = Wants(
            options,
            asked.nbest,
            distinct=True,
            features=special,
            graph=asked.trace,
            confidence=asked.confidence,
        )
        lane = self._special if special else self._plain
        return lane.submit(Job(wants, sources, prepare, finish))

    def inspect(
        self,
        sources: Sequence[Source],
        demands: Demands,
        asked: Asked,
        forced: Sequence[Forced] = (),
    ) -> Future[list[dict[str, Any]]]:
        """Every sentence, explained."""
        self._check_explicable()
        self._check(sources, special=True)
        options = self.with_settings(asked.settings)

        def prepare(index: int) -> Prepared:
            source = sources[index]
            orders = [order for order in forced if order.sentence == index]
            later = replace(demands, corrections=None, memory=None)
            prepared = self.translator.prepare(source, later)
            self._check_length(prepared, special=True)
            # What is forced by hand goes before what was taught.
            for order in orders:
                self._force(prepared, order)
            taught = demands.corrections
            dictated = taught.apply(prepared.line) if taught is not None else None
            return self.translator.remember(replace(prepared, dictated=dictated), demands)

        def finish(_: int, prepared: Prepared, result: DecodeResult) -> dict[str, Any]:
            return self._storyteller.tell(self._found(prepared, result, options))

        wants = Wants(options, asked.nbest, distinct=True, features=True, graph=True)
        return self._special.submit(Job(wants, sources, prepare, finish))

    def kept_suggester(self, source: Source, terms: Sequence[Term]) -> Suggester | None:
        """What goes on with translations of a sentence, if it was asked about lately."""
        return self._suggesters.find(self._typing(source, terms))

    def suggester(self, source: Source, terms: Sequence[Term]) -> Future[list[Suggester]]:
        """The same for a sentence that is to be searched first."""
        self._check([source], special=True)
        demands = self.demands(Asked(terms))
        key = self._typing(source, terms)

        def prepare(_: int) -> Prepared:
            prepared = self.translator.prepare(source, demands)
            self._check_length(prepared, special=True)
            return prepared

        def finish(_: int, prepared: Prepared, result: DecodeResult) -> Suggester:
            found = Suggester(self.translator.form, prepared, result)
            return self._suggesters.keep(key, found)

        return self._special.submit(Job(SUGGESTING, [source], prepare, finish))

    def _typing(self, source: Source, terms: Sequence[Term]) -> Hashable:
        """What a sentence is asked about under; what was taught since makes it another."""
        said = tuple((term.source, term.target, term.probability) for term in terms)
        return source.spelt, said, self.translator.corrections.stamp()

    def search(
        self, source: Source, name: SearchName, settings: SearchSettings | None
    ) -> Future[list[dict[str, Any]]]:
        """One sentence searched in one way, with its stacks."""
        self._check_explicable()
        self._check([source], special=True)
        base = self.with_settings(settings)
        assert isinstance(base, SearchOptions)
        options = replace(base, search=name)

        def prepare(_: int) -> Prepared:
            prepared = self.translator.prepare(source)
            self._check_length(prepared, special=True)
            return prepared

        def finish(_: int, prepared: Prepared, result: DecodeResult) -> dict[str, Any]:
            if result.error:
                raise InputError(result.error)
            # The stacks are the decoder's: so are their words.
            tokens, order = prepared.line.tokens, prepared.line.order
            best = self.translator.finish(prepared, result, options).best
            return {
                "tokens": tokens if order is None else [tokens[place] for place in order],
                "search": name,
                "target": None if best.problem else best.text,
                "score": None if best.problem else best.score,
                **picture(result),
            }

        wants = Wants(options, picture=True)
        return self._special.submit(Job(wants, [source], prepare, finish))

    def with_settings(self, settings: SearchSettings | None) -> AnyOptions:
        """The model's options, changed as asked."""
        if settings is None:
            return self.translator.options
        try:
            return changed_options(self.translator.options, settings.chosen())
        except UsageError as problem:
            raise InputError(str(problem)) from problem

    def _check_explicable(self) -> None:
        try:
            check_explicable(self.translator)
        except ModelError as problem:
            raise InputError(str(problem)) from problem

    def _found(self, prepared: Prepared, result: DecodeResult, options: AnyOptions) -> Found:
        found = self.translator.finish(prepared, result, options)
        if result.error:
            raise ConflictError(result.error)
        if not result.found:
            raise ConflictError("no translation found: what is demanded cannot be had together")
        return found

    def _details(self, found: Found, asked: Asked) -> dict[str, Any]:
        if asked.trace:
            told = self._storyteller.tell(found)
            return told if asked.nbest else {k: v for k, v in told.items() if k != "nbest"}
        details: dict[str, Any] = {"source": found.best.source, "target": found.best.text}
        if asked.alignment:
            details["source_tokens"] = found.best.source_words
            details["target_tokens"] = found.best.words
            details["alignment"] = [list(link) for link in found.best.alignment]
        if asked.nbest:
            details["nbest"] = told_nbest(found)
        if asked.confidence:
            details |= found.best.told_confidence()
        if asked.memory != "off":
            details["matches"] = [match.told() for match in found.prepared.offers]
        return details

    def describe(self) -> dict[str, Any]:
        """All about the model."""
        bundle, options = self.translator.bundle, self.translator.options
        stages = self.directory.manifest.stages
        return self.summary() | {
            "source_words": len(self.table.source_vocabulary),
            "target_words": len(self.table.target_vocabulary),
            "features": bundle.features,
            "weights": bundle.named_weights(),
            "search": {name: plain(value) for name, value in asdict(options).items()},
            "files": self.directory.sizes(),
            "stages": {name: record.parameters for name, record in stages.items()},
            "corpus": self.directory.story(CORPUS_REPORT),
            "tuning": self.directory.story(TUNING_HISTORY),
            "report": self.directory.has(REPORT),
            "corrections": len(self.translator.corrections.entries()),
        }

    def summary(self) -> dict[str, Any]:
        """What a list of models shows."""
        bundle = self.translator.bundle
        return {
            "name": self.name,
            "source": self.source,
            "target": self.target,
            "kind": self._kind(),
            "tuned": bundle.tuned,
            "phrases": len(self.table),
            "memory": self.directory.has(*MEMORY),
        }

    def _kind(self) -> str:
        if self.translator.consensus is not None:
            return "consensus"
        return "hierarchical" if self.translator.bundle.hierarchical else "phrases"

    def _check(self, sources: Sequence[Source], special: bool) -> None:
        most = self.limits.special_sentences if special else self.limits.sentences
        if len(sources) > most:
            raise InputError(f"{len(sources)} sentences; this request may have at most {most}")

    def _check_length(self, prepared: Prepared, special: bool) -> None:
        most = self.limits.special_words if special else self.limits.words
        words = len(prepared.line.tokens)
        if words > most:
            raise InputError(f"a sentence of {words} words; at most {most} are allowed")

    def _force(self, prepared: Prepared, order: Forced) -> None:
        line, form = prepared.line, self.translator.form
        begin, end = order.begin, order.end
        if not begin < end <= len(line.tokens):
            raise ConflictError(f"forced: the sentence has no words {begin} to {end}")
        entries = self.table.translations(" ".join(line.tokens[begin:end]))
        known = {entry.target for entry in entries}
        # What comes out of the table is in tokens already.
        target = order.target if order.target in known else form.prepare_target(order.target)
        line.given.append(GivenTranslation(begin, end, target))
