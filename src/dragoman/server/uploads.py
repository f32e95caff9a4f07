"""Documents over HTTP: one is sent, translated, and waits a while to be fetched."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from dragoman.documents.document import (
    FORMATS,
    DocumentFormat,
    known_format,
    remembered,
    translated_by,
)
from dragoman.documents.filled import Beside
from dragoman.errors import DragomanError, InputError, UsageError
from dragoman.layout import MEMORY
from dragoman.server import schema
from dragoman.server.api import Api
from dragoman.server.engine import Asked, ServedModel
from dragoman.server.multipart import MULTIPART, FormField, read_multipart
from dragoman.server.wire import JsonAnswer, check_key, read_bytes, validated
from dragoman.translation.config import MatchesName
from dragoman.translation.source import Passage

# What waits to be fetched: for how long, and how much of it.
SECONDS = 600.0
MOST_BYTES = 128 << 20
AT_ONCE = 4  # documents that are read and translated; each is held in memory whole
_SAMPLE = 4000  # bytes by which a language is recognised


@dataclass(frozen=True)
class _Ready:
    name: str
    media: str
    content: bytes
    until: float


class Uploads:
    """Translates what is sent and keeps it until it is fetched, or too old, or too much."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._ready: OrderedDict[str, _Ready] = OrderedDict()
        self._working = asyncio.Semaphore(AT_ONCE)

    async def translate_file(self, request: Request) -> Response:
        # Whoever waits has sent no more than the network holds.
        async with self._working:
            return await self._translate_file(request)

    async def _translate_file(self, request: Request) -> Response:
        api = self._api
        content_type = request.headers.get("content-type", "")
        if content_type.partition(";")[0].strip().lower() != MULTIPART:
            raise HTTPException(415, f"the body must be {MULTIPART}, with a field 'file'")
        body = await read_bytes(request, api.settings.limits.file_bytes)
        fields = read_multipart(content_type, body)
        texts = {
            name: field.content.decode("utf-8", "replace")
            for name, field in fields.items()
            if name in schema.FileChoice.model_fields
        }
        asked = validated(schema.FileChoice, texts)
        check_key(request, api.settings.api_key, asked.api_key)
        upload = fields.get("file")
        if upload is None or not upload.file:
            raise HTTPException(422, "file: there is none in the form")
        kind = cast("DocumentFormat", asked.format) if asked.format else None
        kind = kind or known_format(Path(upload.file))
        if kind is None:
            raise HTTPException(
                422, f"{upload.file}: the ending says no format; give one of {', '.join(FORMATS)}"
            )
        sample = upload.content[:_SAMPLE].decode("utf-8", "replace") if kind != "docx" else ""
        model, _ = api.choose(asked, [sample])
        content = await asyncio.to_thread(self._translated, model, upload, kind)
        request.scope["dragoman"].update(model=model.name, format=kind)
        token = self._keep(upload.file, FORMATS[kind].media, content)
        # A path of our own: the name a client gives is never a place.
        return JsonAnswer({"translatedFileUrl": f"{request.base_url}download_file/{token}"})

    def _translated(self, model: ServedModel, upload: FormField, kind: DocumentFormat) -> bytes:
        """The document, translated by the lanes of the model between all other requests."""
        memory: MatchesName = "fuzzy" if model.directory.has(*MEMORY) else "off"
        wanted = Asked(memory=memory)
        demands = model.demands(wanted)
        seconds = self._api.settings.limits.seconds

        def translate(passages: Sequence[Passage]) -> list[str]:
            cut = [model.translator.cut(passage, demands) for passage in passages]
            sources = [source for passage in cut for source in passage.sentences]
            future = model.translate(sources, demands, wanted)
            try:
                said = iter(future.result(timeout=seconds))
            except TimeoutError:
                future.cancel()
                raise HTTPException(
                    503, f"not done within {seconds:g} seconds", {"Retry-After": "5"}
                ) from None
            self._api.settings.metrics.sentences.labels(model.name).inc(len(sources))
            return [one.assemble([next(said).text for _ in one.sentences]) for one in cut]

        with TemporaryDirectory(prefix="dragoman-") as place:
            path = Path(place) / "document"
            path.write_bytes(upload.content)
            try:
                return translated_by(
                    path,
                    model.translator.languages,
                    translate,
                    kind=kind,
                    # How sure the model is needs a search graph of each sentence, which a
                    # server has no time for.
                    beside=Beside(lambda passage: remembered(model.translator, passage, demands)),
                ).content
            except (InputError, UsageError) as problem:
                raise _named(problem, path, upload.file) from problem

    def _keep(self, name: str, media: str, content: bytes) -> str:
        now = time.monotonic()
        token = secrets.token_urlsafe(24)
        self._ready[token] = _Ready(name, media, content, now + SECONDS)
        size = sum(len(one.content) for one in self._ready.values())
        for old, one in list(self._ready.items()):
            if old != token and (one.until < now or size > MOST_BYTES):
                size -= len(one.content)
                del self._ready[old]
        return token

    def fetch(self, token: str) -> Response:
        """A translated document; whoever knows its token may have it."""
        found = self._ready.get(token)
        if found is None or found.until < time.monotonic():
            raise HTTPException(404, "no such file; it is kept for ten minutes")
        headers = {
            "Content-Disposition": f"attachment; filename*=UTF-8''{quote(found.name, safe='')}",
            # Pages of strangers must not run as ours.
            "Content-Security-Policy": "default-src 'none'; sandbox",
            "Cache-Control": "private, no-store",
        }
        return Response(found.content, media_type=found.media, headers=headers)


def _named(problem: DragomanError, path: Path, name: str) -> InputError:
    """The same problem of the file under the name that its owner knows."""
    return InputError(str(problem).replace(str(path), name))
