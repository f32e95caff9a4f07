"""Around the API: who may ask, how much, in which form, and how it is told that something is
wrong. Every refusal is JSON with an ``error``."""

from __future__ import annotations

import hmac
import json
import math
import re
import time
from collections.abc import Mapping
from typing import Any, TypeVar
from urllib.parse import parse_qs

from prometheus_client import Counter, Histogram
from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dragoman.server.limits import Limits
from dragoman.server.log import Log
from dragoman.server.metrics import Metrics
from dragoman.server.rate import RateLimit

Asked = TypeVar("Asked", bound=BaseModel)

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
FILES = "/translate_file"  # where documents are sent, which may be larger
# Pages and their parts: nothing from elsewhere, nothing inline.
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

# Reports are single files with their styles and pictures inside.
REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"


_spell = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


class JsonAnswer(JSONResponse):
    """Plain JSON without spaces; a number that is none is null."""

    def render(self, content: Any) -> bytes:
        return _spell(content).encode("utf-8")


def problem(status: int, message: str, headers: dict[str, str] | None = None) -> Response:
    """A refusal."""
    return JsonAnswer({"error": message}, status, headers)


async def read_body(
    request: Request, kind: type[Asked], limit: int, form: type[BaseModel] | None = None
) -> Asked:
    """The body of a request, checked; perhaps a form, with the fields of `form`."""
    content = request.headers.get("content-type", JSON).partition(";")[0].strip().lower()
    if content != JSON and not (form is not None and content == FORM):
        accepted = f"{JSON} or {FORM}" if form else JSON
        raise HTTPException(415, f"the body must be {accepted}, not {content!r}")
    body = await read_bytes(request, limit)
    try:
        if form is not None and content == FORM:
            checked = form.model_validate(_form_values(form, body))
            return kind.model_validate(checked.model_dump())
        return kind.model_validate_json(body)
    except ValidationError as found:
        raise HTTPException(422, _explain(found)) from found


async def read_bytes(request: Request, limit: int) -> bytes:
    """The body as it came, if it is not too large."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > limit:
            raise HTTPException(413, f"the body is larger than {limit} bytes")
        if not message.get("more_body", False):
            return parts[0] if len(parts) == 1 else b"".join(parts)


def validated(kind: type[Asked], values: dict[str, Any]) -> Asked:
    """Fields of a form, checked."""
    try:
        return kind.model_validate(values)
    except ValidationError as found:
        raise HTTPException(422, _explain(found)) from found


def _form_values(kind: type[BaseModel], body: bytes) -> dict[str, Any]:
    """Fields of a form; numbers are read as such."""
    try:
        fields = parse_qs(
            body.decode("utf-8"), keep_blank_values=True, errors="strict", max_num_fields=1000
        )
    except ValueError as found:
        raise HTTPException(422, f"the form cannot be read: {found}") from found
    values: dict[str, Any] = {}
    for name, given in fields.items():
        if name not in kind.model_fields:
            continue
        if len(given) > 1:
            raise HTTPException(422, f"{name}: given more than once")
        number = name == "alternatives" and re.fullmatch("-?[0-9]{1,9}", given[0])
        values[name] = int(given[0]) if number else given[0]
    return values


def _explain(found: ValidationError) -> str:
    """What is wrong, without what was sent."""
    first = found.errors(include_url=False, include_input=False, include_context=False)[:3]
    return "; ".join(
        ": ".join(filter(None, (".".join(map(str, entry["loc"])), str(entry["msg"]))))
        for entry in first
    )


class Guard:
    """The outermost layer, around the application and the short way to it: hosts, size, log,
    metrics."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        log: Log,
        metrics: Metrics,
        limits: Limits,
        hosts: frozenset[str] | None,
    ) -> None:
        self._app, self._log, self._metrics = app, log, metrics
        self._limits, self._hosts = limits, hosts
        rate = limits.requests_per_minute
        self._rate = RateLimit(rate) if rate else None
        self._counters: dict[tuple[str, int], tuple[Counter, Histogram]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = time.perf_counter()
        status = 500

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [
                    *message.get("headers", ()),
                    (b"x-content-type-options", b"nosniff"),
                    (b"referrer-policy", b"no-referrer"),
                ]
            await send(message)

        noted: dict[str, Any] = {}
        scope["dragoman"] = noted
        try:
            refusal = self._refuse(_first_headers(scope), scope)
            await (refusal or self._app)(scope, receive, watched)
        finally:
            seconds = time.perf_counter() - begun
            route = scope.get("route")
            path = getattr(route, "path", None) or "other"
            count, duration = self._counters_of(path, status)
            count.inc()
            duration.observe(seconds)
            self._log.write(
                "request",
                method=scope["method"],
                path=path,
                status=status,
                ms=round(1000 * seconds, 2),
                **noted,
            )

    def _counters_of(self, path: str, status: int) -> tuple[Counter, Histogram]:
        found = self._counters.get((path, status))
        if found is None:
            requests = self._metrics.requests.labels(path, str(status))
            found = self._counters[path, status] = requests, self._metrics.seconds.labels(path)
        return found

    def _refuse(self, headers: Mapping[bytes, bytes], scope: Scope) -> Response | None:
        client = scope.get("client")
        wait = self._rate.wait(client[0]) if self._rate is not None and client else 0.0
        if wait:
            seconds = {"Retry-After": str(math.ceil(wait))}
            return problem(429, "too many requests; try again in a moment", seconds)
        host = headers.get(b"host", b"")
        if self._hosts is not None and _host(host.decode("latin-1")) not in self._hosts:
            # A page somewhere on the web must not reach us through a name of its own.
            return problem(421, "this server does not answer to that host name")
        length = headers.get(b"content-length", b"0")
        files = scope["path"].endswith(FILES)
        most = self._limits.file_bytes if files else self._limits.body_bytes
        if length.isdigit() and int(length) > most:
            return problem(413, f"the body is larger than {most} bytes")
        origin = headers.get(b"origin")
        if (
            origin is not None
            and scope["method"] not in ("GET", "HEAD")
            and not scope["path"].endswith("/translate")
            and origin.partition(b"://")[2] != host
        ):
            return problem(403, "pages of other sites may not change anything here")
        return None


def _first_headers(scope: Scope) -> dict[bytes, bytes]:
    """By name; of those that come twice the first."""
    return dict(reversed(scope["headers"]))


def _host(header: str) -> str:
    """The name without its port."""
    if header.startswith("["):
        return header.partition("]")[0] + "]"
    return header.partition(":")[0].lower()


def check_key(request: Request, expected: str | None, in_body: str = "") -> None:
    """Let only those in who know the key, if there is one."""
    if expected is None:
        return
    given = in_body or request.headers.get("x-api-key") or request.query_params.get("api_key", "")
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        given = given or token
    if not hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode()):
        raise HTTPException(
            401, "this server needs an API key: send X-API-Key", {"WWW-Authenticate": "Bearer"}
        )
