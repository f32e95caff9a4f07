"""Questions to models and their answers: which model is meant, what it is asked, how its sentences
are put together again."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from dragoman.documents.html import html_passage
from dragoman.errors import DragomanError
from dragoman.server import schema
from dragoman.server.engine import Answer, Asked, ServedModel
from dragoman.server.limits import Limits
from dragoman.server.log import Log
from dragoman.server.metrics import Metrics
from dragoman.server.wire import JsonAnswer, check_key, read_body
from dragoman.text.languages import primary
from dragoman.translation.config import SuggestOptions
from dragoman.translation.source import CutPassage, text_passage

MUCH_TEXT = 10_000  # characters
LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})


@dataclass
class Settings:
    """How a server behaves towards clients."""

    limits: Limits = field(default_factory=Limits)
    api_key: str | None = None
    hosts: frozenset[str] | None = LOOPBACK  # names it answers to; None: any
    log: Log = field(default_factory=Log)
    metrics: Metrics = field(default_factory=Metrics)


class Api:
    """The handlers, and the models they ask."""

    def __init__(self, models: Sequence[ServedModel], settings: Settings) -> None:
        self.models = {model.name: model for model in models}
        self.settings = settings
        self.stopping = False
        self._reloading = threading.Lock()

    def close(self) -> None:
        """Finish what was accepted."""
        self.stopping = True
        for model in self.models.values():
            model.close()

    def reload(self, name: str) -> ServedModel:
        """Open a model anew and let it take the place of the old one, which finishes what it was
        asked; when it cannot be opened, the old one stays."""
        with self._reloading:
            old = self.named(name)
            fresh = old.opened_anew()
            self.models[old.name] = fresh
        self.settings.log.write("reloaded", model=old.name)
        threading.Thread(target=old.close, daemon=True).start()
        return fresh

    def reload_all(self) -> None:
        """Open all models anew; those that cannot be opened stay as they are."""
        for name in list(self.models):
            try:
                self.reload(name)
            except DragomanError as problem:
                self.settings.log.write("error", model=name, error=f"not reloaded: {problem}")

    def waiting(self) -> int:
        return sum(model.waiting for model in self.models.values())

    def named(self, name: str) -> ServedModel:
        """A model by name; the only one when no name is given."""
        if name:
            if name not in self.models:
                raise HTTPException(404, f"no model is called that; there are {self._names()}")
            return self.models[name]
        if len(self.models) > 1:
            raise HTTPException(404, f"say which model: there are {self._names()}")
        return next(iter(self.models.values()))

    def _names(self) -> str:
        return ", ".join(self.models)

    def choose(
        self, asked: schema.ModelChoice, texts: Sequence[str]
    ) -> tuple[ServedModel, dict[str, Any] | None]:
        """The model for a request, and the language it was recognised by if it was."""
        detect = primary(asked.source) in ("auto", "")
        if asked.model:
            model = self.named(asked.model)
            found = [model]
        else:
            found = [
                model
                for model in self.models.values()
                if (not asked.target or primary(model.target) == primary(asked.target))
                and (detect or primary(model.source) == primary(asked.source))
            ]
        if not found:
            pairs = ", ".join(f"{m.source} to {m.target}" for m in self.models.values())
            raise HTTPException(404, f"no model translates these languages; there are {pairs}")
        if not detect:
            return found[0], None
        sample = re.sub("<[^<>]*>", " ", " ".join(texts)[:4000])
        known = [model.known(sample) for model in found]
        best = max(range(len(found)), key=lambda index: known[index])
        return found[best], {
            "language": found[best].source,
            "confidence": round(100 * known[best], 1),
        }

    async def wait(self, future: Future[Any]) -> Any:
        """What a lane answers, within the time there is."""
        # As asyncio.timeout and asyncio.wrap_future would, for a third of the work.
        loop = asyncio.get_running_loop()
        done = loop.create_future()
        future.add_done_callback(lambda _: loop.call_soon_threadsafe(_wake, done))
        seconds = self.settings.limits.seconds
        timer = loop.call_later(seconds, _wake, done)
        try:
            await done
        finally:
            timer.cancel()
            given_up = future.cancel()
        if given_up:
            raise HTTPException(503, f"not done within {seconds:g} seconds", {"Retry-After": "5"})
        return future.result()

    async def read(self, request: Request, kind: type[Any]) -> Any:
        """A body, from somebody who may ask."""
        check_key(request, self.settings.api_key)
        return await read_body(request, kind, self.settings.limits.body_bytes)

    async def translate(self, request: Request) -> Response:
        asked = await read_body(
            request,
            schema.TranslateRequest,
            self.settings.limits.body_bytes,
            form=schema.TranslateForm,
        )
        check_key(request, self.settings.api_key, asked.api_key)
        single = isinstance(asked.q, str)
        texts: list[str] = [asked.q] if isinstance(asked.q, str) else asked.q
        model, detected = self.choose(asked, texts)
        if asked.markup and asked.format == "html":
            raise HTTPException(422, "markup is for plain text; HTML has tags of its own")
        nbest = max(asked.nbest, asked.alternatives + 1 if asked.alternatives else 0)
        wanted = Asked(
            asked.terms,
            asked.search,
            nbest,
            asked.alignment,
            asked.trace,
            asked.markup,
            asked.memory,
            asked.confidence,
        )
        demands = model.demands(wanted)
        make = html_passage if asked.format == "html" else text_passage

        def cut() -> list[CutPassage]:
            return [model.translator.cut(make(text), demands) for text in texts]

        # Much text takes a while, in which others want to be answered.
        much = sum(map(len, texts)) > MUCH_TEXT
        passages = await asyncio.to_thread(cut) if much else cut()
        sources = [source for passage in passages for source in passage.sentences]
        sentences = await self.wait(model.translate(sources, demands, wanted))
        self.settings.metrics.sentences.labels(model.name).inc(len(sentences))
        request.scope["dragoman"].update(model=model.name, sentences=len(sentences))
        answer = _answer(asked, passages, sentences)
        if detected is not None:
            answer["detectedLanguage"] = detected
        if single:
            answer = {
                key: value[0] if key in ("translatedText", "alternatives") else value
                for key, value in answer.items()
            }
        return JsonAnswer(answer)

    async def inspect(self, request: Request) -> Response:
        asked: schema.InspectRequest = await self.read(request, schema.InspectRequest)
        model, _ = self.choose(asked, [asked.q])
        wanted = Asked(
            asked.terms, asked.search, asked.nbest, markup=asked.markup, memory=asked.memory
        )
        demands = model.demands(wanted)
        sources = model.translator.cut(text_passage(asked.q), demands).sentences
        sentences = await self.wait(model.inspect(sources, demands, wanted, asked.forced))
        request.scope["dragoman"].update(model=model.name, sentences=len(sentences))
        weights = model.translator.bundle.named_weights()
        return JsonAnswer({"model": model.name, "weights": weights, "sentences": sentences})

    async def suggest(self, request: Request) -> Response:
        asked: schema.SuggestRequest = await self.read(request, schema.SuggestRequest)
        model, _ = self.choose(asked, [asked.q])
        source = model.translator.source_of(asked.q)
        suggester = model.kept_suggester(source, asked.terms)
        if suggester is None:
            (suggester,) = await self.wait(model.suggester(source, asked.terms))
        found = await asyncio.to_thread(
            suggester.suggest, asked.prefix, SuggestOptions(), asked.most
        )
        request.scope["dragoman"].update(model=model.name, sentences=1)
        told = [
            {"text": one.text, "pieces": list(one.pieces), "score": one.score} for one in found
        ]
        return JsonAnswer({"suggestions": told})

    async def search(self, request: Request) -> Response:
        asked: schema.SearchRequest = await self.read(request, schema.SearchRequest)
        model, _ = self.choose(asked, [asked.q])
        sources = model.translator.cut(text_passage(asked.q)).sentences
        options = model.with_settings(asked.search)
        answer: dict[str, Any] = {"tokens": [], "settings": options.pruning, "searches": []}
        if sources:
            futures = [model.search(sources[0], name, asked.search) for name in asked.searches]
            for future in futures:
                (found,) = await self.wait(future)
                answer["tokens"] = found.pop("tokens")
                answer["searches"].append(found)
        return JsonAnswer(answer)


def _wake(done: asyncio.Future[None]) -> None:
    if not done.done():
        done.set_result(None)


def _answer(
    asked: schema.TranslateRequest, passages: Sequence[CutPassage], sentences: list[Answer]
) -> dict[str, Any]:
    """Sentences put together again, text by text."""
    translated: list[str] = []
    alternatives: list[list[str]] = []
    details: list[dict[str, Any]] = []
    at = 0
    for passage in passages:
        mine = sentences[at : at + len(passage.sentences)]
        at += len(mine)
        best = passage.assemble([sentence.text for sentence in mine])
        translated.append(best)
        if asked.alternatives:
            others = [
                passage.assemble([_nth(sentence, number) for sentence in mine])
                for number in range(1, asked.alternatives + 1)
            ]
            alternatives.append([other for other in dict.fromkeys(others) if other != best])
        if asked.alternatives and not asked.nbest:
            for sentence in mine:
                sentence.details.pop("nbest", None)
        details.append({"sentences": [sentence.details for sentence in mine]})
    answer: dict[str, Any] = {"translatedText": translated}
    if asked.alternatives:
        answer["alternatives"] = alternatives
    more = asked.confidence or asked.memory != "off"
    if asked.nbest or asked.alignment or asked.trace or more:
        answer["details"] = details
    return answer


def _nth(sentence: Answer, number: int) -> str:
    entries = sentence.nbest
    return entries[min(number, len(entries) - 1)] if entries else sentence.text
