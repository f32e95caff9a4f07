"""A model that is being served: its lanes, its corrections, and what can be asked of it."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from dragoman._core import DecodeResult, GivenTranslation
from dragoman.corpus.tokenise import Tokeniser
from dragoman.errors import InputError
from dragoman.model.bundle import Bundle
from dragoman.output.corrections import Corrections
from dragoman.output.passage import Passage
from dragoman.output.preordering import ModelPreordering
from dragoman.output.story import Storyteller, picture, told_phrases
from dragoman.output.text import TextForm
from dragoman.output.trace import alignment_of
from dragoman.rules.stage import open_phrases
from dragoman.search.choice import make_search, model_options
from dragoman.search.markup import MarkedLine, Terms
from dragoman.search.options import ChartOptions, SearchOptions, plain
from dragoman.search.phrase import Search
from dragoman.server.lane import Job, Lane, Prepared, Wants
from dragoman.server.languages import UNKNOWN
from dragoman.server.limits import Limits
from dragoman.server.schema import Forced, SearchSettings, Term
from dragoman.workspace import Workspace

# Decoders with options of their own that are kept; each remembers phrases it has seen.
KEPT_DECODERS = 4


class ConflictError(InputError):
    """What is demanded of a sentence contradicts itself, or the sentence."""


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
        self.name, self.directory, self.limits = name, directory, limits
        self.bundle = Bundle.open(directory)
        self.form = _for_threads(TextForm.of_model(directory))
        self.options = model_options(directory)
        self.preordering = ModelPreordering.of_model(directory)
        if self.preordering is not None:
            self.preordering.check_alone()
        self.table = open_phrases(directory)
        self.corrections = Corrections(directory, self.form)
        self.storyteller = Storyteller(self.bundle, self.table, self.form)
        stages = Workspace(directory).read_manifest().stages
        prepared = stages.get("prepare")
        languages = prepared.parameters if prepared is not None else {}
        self.source = str(languages.get("source_language") or UNKNOWN)
        self.target = str(languages.get("target_language") or UNKNOWN)
        self._search = make_search(self.bundle, self.options, threads=threads)
        self._others: OrderedDict[SearchOptions | ChartOptions, Search] = OrderedDict()
        self._choosing = threading.Lock()
        self._plain = Lane(self._decode_plain, limits, on_batch)
        self._special = Lane(self._decode_special, limits, on_batch)

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
        tokens = self.form.prepare_source(text[:2000]).split()
        vocabulary = self.table.source_vocabulary
        return sum(vocabulary.find(token) > 0 for token in tokens) / len(tokens) if tokens else 0.0

    # What can be asked. Each answer comes through a future; sentences of a passage are
    # (source, target, details) afterwards.

    def translate(
        self,
        passages: Sequence[Passage],
        *,
        terms: Sequence[Term] = (),
        settings: SearchSettings | None = None,
        nbest: int = 0,
        alignment: bool = False,
        trace: bool = False,
    ) -> Future[list[dict[str, Any]]]:
        """All sentences of the passages, in order."""
        owners, texts = _sentences(passages)
        wanted = Terms.of(
            (
                self.form.prepare_term(term.source),
                self.form.prepare_target(term.target),
                term.probability,
            )
            for term in terms
        )
        options = self.with_settings(settings)
        special = bool(nbest or trace or options != self.options)
        if trace:
            self._phrases_only()
        self._check(texts, special)

        def prepare(index: int) -> Prepared:
            line = owners[index].mark(texts[index], self.form)
            self._check_length(line, special)
            wanted.apply(line)
            return Prepared(line, self.corrections.apply(line))

        def finish(index: int, prepared: Prepared, result: DecodeResult) -> dict[str, Any]:
            _check_result(result)
            passage = owners[index]
            text = prepared.dictated or self.form.finish(result.best.target)
            told: dict[str, Any] = {
                "source": passage.restore(texts[index]),
                "target": passage.restore(text),
            }
            if trace:
                line = prepared.line
                told |= self.storyteller.tell(line.tokens, result, line.order) | told
                told["dictated"] = prepared.dictated is not None
            if alignment or trace:
                told["source_tokens"] = prepared.line.tokens
                told["target_tokens"] = result.best.target.split()
                links = alignment_of(result.best, prepared.line.order)
                told["alignment"] = [list(link) for link in links]
            if nbest:
                told["nbest"] = [
                    {
                        "target": passage.restore(self.form.finish(entry.target)),
                        "score": entry.score,
                        "phrases": told_phrases(entry, prepared.line.order),
                    }
                    for entry in result.nbest
                ]
            elif "nbest" in told:
                del told["nbest"]
            return told

        wants = Wants(options, nbest, graph=trace)
        return (self._special if special else self._plain).submit(
            Job(wants, texts, prepare, finish)
        )

    def inspect(
        self,
        passage: Passage,
        *,
        forced: Sequence[Forced] = (),
        settings: SearchSettings | None = None,
        nbest: int = 0,
    ) -> Future[list[dict[str, Any]]]:
        """Every sentence of a passage, explained."""
        self._phrases_only()
        texts = passage.texts()
        self._check(texts, special=True)

        def prepare(index: int) -> Prepared:
            line = passage.mark(texts[index], self.form)
            self._check_length(line, special=True)
            for order in forced:
                if order.sentence == index:
                    self._force(line, order)
            return Prepared(line, self.corrections.apply(line))

        def finish(index: int, prepared: Prepared, result: DecodeResult) -> dict[str, Any]:
            _check_result(result)
            told = self.storyteller.tell(prepared.line.tokens, result, prepared.line.order)
            return told | {
                "source": texts[index],
                "target": prepared.dictated or told["target"],
                "dictated": prepared.dictated is not None,
            }

        wants = Wants(self.with_settings(settings), nbest, graph=True)
        return self._special.submit(Job(wants, texts, prepare, finish))

    def search(
        self, sentence: str, name: str, settings: SearchSettings | None
    ) -> Future[list[dict[str, Any]]]:
        """One sentence searched in one way, with its stacks."""
        self._phrases_only()
        self._check([sentence], special=True)

        def prepare(_: int) -> Prepared:
            line = MarkedLine(self.form.prepare_source(sentence).split())
            self._check_length(line, special=True)
            return Prepared(line)

        def finish(_: int, prepared: Prepared, result: DecodeResult) -> dict[str, Any]:
            if result.error:
                raise InputError(result.error)
            # The stacks are the decoder's: so are their words.
            tokens = prepared.line.tokens
            order = prepared.line.order
            return {
                "tokens": tokens if order is None else [tokens[place] for place in order],
                "search": name,
                "target": self.form.finish(result.best.target) if result.found else None,
                "score": result.best.score if result.found else None,
                **picture(result),
            }

        options = replace(self.with_settings(settings), search=name)  # type: ignore[arg-type]
        return self._special.submit(Job(Wants(options, picture=True), [sentence], prepare, finish))

    def with_settings(self, settings: SearchSettings | None) -> SearchOptions | ChartOptions:
        """The model's options, changed as asked."""
        if settings is None:
            return self.options
        chosen = settings.chosen()
        strange = sorted(chosen.keys() - {one.name for one in fields(self.options)})
        if strange:
            raise InputError(f"the search of this model has no {', '.join(strange)}")
        return replace(self.options, **chosen)

    def _phrases_only(self) -> None:
        if self.bundle.hierarchical:
            raise InputError("this is a hierarchical model; only phrase models can be looked into")

    def describe(self) -> dict[str, Any]:
        """All about the model."""
        manifest = Workspace(self.directory).read_manifest()
        return self.summary() | {
            "source_words": len(self.table.source_vocabulary),
            "target_words": len(self.table.target_vocabulary),
            "features": self.bundle.features,
            "weights": dict(zip(self.bundle.features, self.bundle.weights.tolist(), strict=True)),
            "search": {name: plain(value) for name, value in asdict(self.options).items()},
            "files": {
                str(path.relative_to(self.directory)): path.stat().st_size
                for path in sorted(self.directory.rglob("*"))
                if path.is_file() and not _hidden(path.relative_to(self.directory))
            },
            "stages": {name: record.parameters for name, record in manifest.stages.items()},
            "corpus": _json(self.directory / "corpus/report.json"),
            "tuning": _json(self.directory / "tuning.json"),
            "report": (self.directory / "report.html").is_file(),
            "corrections": len(self.corrections.entries()),
        }

    def summary(self) -> dict[str, Any]:
        """What a list of models shows."""
        return {
            "name": self.name,
            "source": self.source,
            "target": self.target,
            "kind": "hierarchical" if self.bundle.hierarchical else "phrases",
            "tuned": self.bundle.tuned,
            "phrases": len(self.table),
        }

    def _check(self, texts: Sequence[str], special: bool) -> None:
        most = self.limits.special_sentences if special else self.limits.sentences
        if len(texts) > most:
            raise InputError(f"{len(texts)} sentences; this request may have at most {most}")

    def _check_length(self, line: MarkedLine, special: bool) -> None:
        most = self.limits.special_words if special else self.limits.words
        if len(line.tokens) > most:
            raise InputError(f"a sentence of {len(line.tokens)} words; at most {most} are allowed")

    def _force(self, line: MarkedLine, order: Forced) -> None:
        begin, end = order.begin, order.end
        if not begin < end <= len(line.tokens):
            raise ConflictError(f"forced: the sentence has no words {begin} to {end}")
        known = {
            translation.target
            for translation in self.table.translations(" ".join(line.tokens[begin:end]))
        }
        # What comes out of the table is in tokens already.
        target = order.target if order.target in known else self.form.prepare_target(order.target)
        line.given.append(GivenTranslation(begin, end, target))

    def _decode_plain(self, wants: Wants, lines: list[MarkedLine]) -> list[DecodeResult]:
        if self.preordering is not None:
            lines = self.preordering.apply(lines)
        return list(
            self._search.decode(
                [line.text for line in lines],
                demands=[line.demands for line in lines],
                features=False,
            )
        )

    def _decode_special(self, wants: Wants, lines: list[MarkedLine]) -> list[DecodeResult]:
        if self.preordering is not None:
            lines = self.preordering.apply(lines)
        with self._choosing:
            options = wants.options
            search = self._others.pop(options, None) or make_search(self.bundle, options)
            self._others[options] = search
            while len(self._others) > KEPT_DECODERS:
                self._others.popitem(last=False)
        return list(
            search.decode(
                [line.text for line in lines],
                demands=[line.demands for line in lines],
                nbest=wants.nbest,
                distinct=True,
                graph=wants.graph,
                graph_values=wants.graph,
                picture=wants.picture,
            )
        )


class _OneAtATime:
    """A tokeniser that several threads may use; MeCab's is not made for that."""

    def __init__(self, tokeniser: Tokeniser) -> None:
        self._tokeniser, self._lock = tokeniser, threading.Lock()

    def tokenise(self, text: str) -> str:
        with self._lock:
            return self._tokeniser.tokenise(text)

    def detokenise(self, tokens: str) -> str:
        return self._tokeniser.detokenise(tokens)


def _for_threads(form: TextForm) -> TextForm:
    return replace(
        form,
        source_tokeniser=_OneAtATime(form.source_tokeniser),
        target_tokeniser=_OneAtATime(form.target_tokeniser),
    )


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _sentences(passages: Sequence[Passage]) -> tuple[list[Passage], list[str]]:
    """The sentences of all passages, and to which each belongs."""
    owners: list[Passage] = []
    texts: list[str] = []
    for passage in passages:
        found = passage.texts()
        texts += found
        owners += [passage] * len(found)
    return owners, texts


def _check_result(result: DecodeResult) -> None:
    if result.error:
        raise ConflictError(result.error)
    if not result.found:
        raise ConflictError("no translation found: what is demanded cannot be had together")


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None  # training of this model has not got that far
