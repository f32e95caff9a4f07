"""The application: what can be asked, at which address."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Query, Request
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic.json_schema import models_json_schema
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from dragoman.errors import DragomanError, InputError, UsageError
from dragoman.layout import REPORT
from dragoman.model.directory import ModelDirectory
from dragoman.server import schema
from dragoman.server.api import Api, Settings
from dragoman.server.door import Door
from dragoman.server.engine import ConflictError, ServedModel
from dragoman.server.lane import BusyError
from dragoman.server.metrics import CONTENT_TYPE
from dragoman.server.multipart import MULTIPART
from dragoman.server.uploads import Uploads
from dragoman.server.wire import (
    FILES,
    FORM,
    JSON,
    PAGE_POLICY,
    REPORT_POLICY,
    Guard,
    JsonAnswer,
    check_key,
    problem,
)
from dragoman.text.languages import language_name
from dragoman.translation.corrections import as_tmx, as_tsv

STATIC = Path(__file__).parent / "static"


def open_models(
    directories: Sequence[Path], *, threads: int, settings: Settings
) -> list[ServedModel]:
    """Open model directories; each is known by the name of its directory."""
    names = [ModelDirectory(directory).name for directory in directories]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two models are called {name!r}; models are told apart by name")
    return [
        ServedModel(
            directory,
            name,
            threads=threads,
            limits=settings.limits,
            on_batch=settings.metrics.batches.observe,
        )
        for directory, name in zip(directories, names, strict=True)
    ]


_REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": schema.Problem, "description": text}
    for status, text in {
        401: "No key, or the wrong one.",
        404: "No such model, language pair or entry.",
        409: "What is demanded of a sentence contradicts itself, or the sentence.",
        413: "More than the server takes at once.",
        415: "Neither JSON nor a form.",
        422: "The request cannot be understood, or asks for more than is allowed.",
        429: "More requests than one client may send; try again later.",
        503: "Too busy, too slow, or shutting down; try again.",
    }.items()
}
_READING: dict[int | str, dict[str, Any]] = {
    status: _REFUSALS[status] for status in (401, 404, 422)
}


def _body(kind: type[schema.Asked], form: type[schema.Asked] | None = None) -> dict[str, Any]:
    """How the description of the API shows a body that is read by hand."""

    def reference(one: type[schema.Asked]) -> dict[str, Any]:
        return {"schema": {"$ref": f"#/components/schemas/{one.__name__}"}}

    content = {JSON: reference(kind)}
    if form is not None:
        content[FORM] = reference(form)
    return {"requestBody": {"required": True, "content": content}}


_ModelName = Annotated[str, Query(max_length=200)]
_BODIES = (
    schema.TranslateRequest,
    schema.TranslateForm,
    schema.TranslateFileForm,
    schema.InspectRequest,
    schema.SearchRequest,
    schema.SuggestRequest,
    schema.CorrectionRequest,
)


def create_app(models: Sequence[ServedModel], settings: Settings) -> FastAPI:
    """The ASGI application for these models."""
    api = Api(models, settings)
    settings.metrics.watch_queue(api.waiting)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        settings.log.write("ready", models=list(api.models))
        yield
        await asyncio.to_thread(api.close)
        settings.log.write("stopped")

    app = _Application(
        title="Dragoman",
        version=version("dragoman"),
        summary="Statistical machine translation, and why it says what it says.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        default_response_class=JsonAnswer,
    )
    _handle_errors(app, settings)
    translating = _add_questions(app, api)
    app.around(
        Guard(
            Door(
                app.inside,
                route=translating,
                method="POST",
                endpoint=api.translate,
                handlers=app.exception_handlers,
            ),
            log=settings.log,
            metrics=settings.metrics,
            limits=settings.limits,
            hosts=settings.hosts,
        )
    )
    _add_models(app, api, settings)
    app.state.reload = api.reload_all
    _add_corrections(app, api)
    _add_files(app, Uploads(api))
    _add_pages(app)
    app.openapi = lambda: _description(app, settings)  # type: ignore[method-assign]
    return app


class _Application(FastAPI):
    """With a layer around it. Those that FastAPI adds itself take a fifth of the time of a short
    request, so the short way leads past them too."""

    _outermost: ASGIApp

    def around(self, layer: ASGIApp) -> None:
        """Where requests come in; it hands on to `inside` what is not for itself."""
        self._outermost = layer

    async def inside(self, scope: Scope, receive: Receive, send: Send) -> None:
        await super().__call__(scope, receive, send)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._outermost(scope, receive, send)


def _handle_errors(app: FastAPI, settings: Settings) -> None:
    @app.exception_handler(HTTPException)
    async def refused(_: Request, found: Exception) -> Response:
        assert isinstance(found, HTTPException)
        headers = dict(found.headers) if found.headers else None
        return problem(found.status_code, str(found.detail), headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, found: Exception) -> Response:
        assert isinstance(found, RequestValidationError)
        return problem(422, "; ".join(f"{e['loc'][-1]}: {e['msg']}" for e in found.errors()[:3]))

    @app.exception_handler(BusyError)
    async def busy(_: Request, found: Exception) -> Response:
        return problem(503, str(found), {"Retry-After": "1"})

    @app.exception_handler(ConflictError)
    async def conflicting(_: Request, found: Exception) -> Response:
        return problem(409, str(found))

    @app.exception_handler(DragomanError)
    async def wrong(_: Request, found: Exception) -> Response:
        if isinstance(found, InputError | UsageError):
            return problem(422, str(found))
        settings.log.write("error", error=str(found))
        return problem(503, "the server cannot do that now; its log says why")

    @app.exception_handler(Exception)
    async def broken(_: Request, found: Exception) -> Response:
        settings.log.write("error", error=repr(type(found)))
        return problem(500, "the server made a mistake; its log says where")


class _ByHand(APIRoute):
    """A route whose endpoint reads the request and makes the answer itself, so that FastAPI need
    not look for parameters: a seventh of the time of a request, decoding apart."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        return self.endpoint


def _add_questions(app: FastAPI, api: Api) -> Route:
    """Gives the route of what is asked most."""
    post = {"methods": ["POST"], "responses": _REFUSALS, "route_class_override": _ByHand}
    app.router.add_api_route(
        "/translate",
        api.translate,
        response_model=schema.TranslateResponse,
        summary="Translate text",
        openapi_extra=_body(schema.TranslateRequest, schema.TranslateForm),
        **post,  # type: ignore[arg-type]
    )
    translating = app.routes[-1]
    assert isinstance(translating, Route)
    app.router.add_api_route(
        "/inspect",
        api.inspect,
        response_model=schema.InspectResponse,
        summary="Explain translations: phrases, features, rivals, n-best",
        openapi_extra=_body(schema.InspectRequest),
        **post,  # type: ignore[arg-type]
    )
    app.router.add_api_route(
        "/search",
        api.search,
        response_model=schema.SearchResponse,
        summary="Draw the stacks of one or several searches",
        openapi_extra=_body(schema.SearchRequest),
        **post,  # type: ignore[arg-type]
    )
    app.router.add_api_route(
        "/suggest",
        api.suggest,
        response_model=schema.SuggestResponse,
        summary="Go on with a translation that somebody is typing",
        openapi_extra=_body(schema.SuggestRequest),
        **post,  # type: ignore[arg-type]
    )
    return translating


def _add_models(app: FastAPI, api: Api, settings: Settings) -> None:
    @app.get("/models", response_model=list[schema.ModelSummary], responses=_READING)
    async def models(request: Request) -> Response:
        """Which models there are."""
        check_key(request, api.settings.api_key)
        return JsonAnswer([model.summary() for model in api.models.values()])

    @app.get("/models/{name}", response_model=schema.ModelDescription, responses=_READING)
    async def model(request: Request, name: Annotated[str, InPath(max_length=200)]) -> Response:
        """Sizes, weights, and how a model was trained."""
        check_key(request, api.settings.api_key)
        return JsonAnswer(await asyncio.to_thread(api.named(name).describe))

    @app.get(
        "/models/{name}/report",
        response_class=Response,
        responses={**_READING, 200: {"content": {"text/html": {}}}},
    )
    async def report(request: Request, name: Annotated[str, InPath(max_length=200)]) -> Response:
        """How the training of a model went."""
        check_key(request, api.settings.api_key)
        path = api.named(name).directory.file(REPORT)
        if not path.is_file():
            raise HTTPException(404, "the training of this model has written no report")
        return FileResponse(path, headers={"Content-Security-Policy": REPORT_POLICY})

    @app.post(
        "/models/{name}/reload",
        response_model=schema.ModelSummary,
        responses={status: _REFUSALS[status] for status in (401, 404, 422, 429)},
    )
    async def reload(request: Request, name: Annotated[str, InPath(max_length=200)]) -> Response:
        """Open a model anew after its directory was replaced; if that fails, the old one stays."""
        check_key(request, api.settings.api_key)
        try:
            fresh = await asyncio.to_thread(api.reload, name)
        except DragomanError as found:
            settings.log.write("error", model=name, error=f"not reloaded: {found}")
            return problem(
                422, "the model cannot be opened; the old one goes on, the log says why"
            )
        return JsonAnswer(fresh.summary())

    @app.get("/languages", response_model=list[schema.Language], responses=_READING)
    async def languages(request: Request) -> Response:
        """Which languages can be translated to which, as in LibreTranslate."""
        check_key(request, api.settings.api_key)
        targets: dict[str, list[str]] = {}
        for one in api.models.values():
            targets.setdefault(one.source, []).append(one.target)
        return JsonAnswer(
            [
                {"code": code, "name": language_name(code), "targets": sorted(set(found))}
                for code, found in targets.items()
            ]
        )

    @app.get("/health", response_model=schema.Health, responses={503: {"model": schema.Health}})
    async def health() -> Response:
        """Whether the server serves."""
        status = "stopping" if api.stopping else "ok"
        content = {
            "status": status,
            "version": version("dragoman"),
            "models": len(api.models),
            "waiting": api.waiting(),
        }
        return JsonAnswer(content, 503 if api.stopping else 200)

    @app.get(
        "/metrics",
        response_class=Response,
        responses={200: {"content": {"text/plain": {}}}, 401: _REFUSALS[401]},
    )
    async def metrics(request: Request) -> Response:
        """For Prometheus."""
        check_key(request, api.settings.api_key)
        return Response(api.settings.metrics.text(), media_type=CONTENT_TYPE)


def _add_corrections(app: FastAPI, api: Api) -> None:
    @app.get("/corrections", response_model=list[schema.CorrectionEntry], responses=_READING)
    async def corrections(request: Request, model: _ModelName = "") -> Response:
        """What users have taught a model."""
        check_key(request, api.settings.api_key)
        entries = await asyncio.to_thread(api.named(model).translator.corrections.entries)
        return JsonAnswer([vars(entry) for entry in entries])

    @app.post(
        "/corrections",
        response_model=schema.CorrectionEntry,
        responses=_REFUSALS,
        openapi_extra=_body(schema.CorrectionRequest),
    )
    async def correct(request: Request) -> Response:
        """Add a term or correct a sentence; it holds from now on."""
        asked = await api.read(request, schema.CorrectionRequest)
        store = api.named(asked.model).translator.corrections
        entry = await asyncio.to_thread(store.add, asked.kind, asked.source, asked.target)
        return JsonAnswer(vars(entry))

    @app.delete("/corrections/{number}", status_code=204, responses=_READING)
    async def forget(
        request: Request,
        number: Annotated[int, InPath(ge=0, le=(1 << 62))],
        model: _ModelName = "",
    ) -> Response:
        """Take a correction back."""
        check_key(request, api.settings.api_key)
        if not await asyncio.to_thread(api.named(model).translator.corrections.remove, number):
            raise HTTPException(404, "no such correction")
        return Response(status_code=204)

    @app.get(
        "/corrections/export",
        response_class=Response,
        responses={
            **_READING,
            200: {"content": {"text/tab-separated-values": {}, "application/xml": {}}},
        },
    )
    async def export(
        request: Request, model: _ModelName = "", format: Literal["tsv", "tmx"] = "tsv"
    ) -> Response:
        """Corrections as files to train on."""
        check_key(request, api.settings.api_key)
        chosen = api.named(model)
        entries = await asyncio.to_thread(chosen.translator.corrections.entries)
        headers = {"Content-Disposition": f'attachment; filename="corrections.{format}"'}
        if format == "tmx":
            text = as_tmx(entries, chosen.source, chosen.target)
            return Response(text, media_type="application/xml", headers=headers)
        return Response(as_tsv(entries), media_type="text/tab-separated-values", headers=headers)


def _add_files(app: FastAPI, uploads: Uploads) -> None:
    app.router.add_api_route(
        FILES,
        uploads.translate_file,
        methods=["POST"],
        response_model=schema.TranslateFileResponse,
        summary="Translate a document, as in LibreTranslate",
        openapi_extra={
            "requestBody": {
                "required": True,
                "content": {
                    MULTIPART: {"schema": {"$ref": "#/components/schemas/TranslateFileForm"}}
                },
            }
        },
        responses=_REFUSALS,
        route_class_override=_ByHand,
    )

    @app.get(
        "/download_file/{token}",
        response_class=Response,
        responses={
            200: {"content": {"application/octet-stream": {}}},
            **{status: _REFUSALS[status] for status in (404, 422)},
        },
    )
    async def download(token: Annotated[str, InPath(max_length=200)]) -> Response:
        """A document that was translated; the address is known to whoever has sent it."""
        return uploads.fetch(token)


def _add_pages(app: FastAPI) -> None:
    headers = {"Content-Security-Policy": PAGE_POLICY}

    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        return FileResponse(STATIC / "index.html", headers=headers)

    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return FileResponse(STATIC / "docs.html", headers=headers)

    app.mount("/static", StaticFiles(directory=STATIC), name="static")


def _description(app: FastAPI, settings: Settings) -> dict[str, Any]:
    """The OpenAPI description, with the bodies that are read by hand."""
    if app.openapi_schema is None:
        found = get_openapi(
            title=app.title, version=app.version, summary=app.summary, routes=app.routes
        )
        _, bodies = models_json_schema(
            [(kind, "validation") for kind in _BODIES],
            ref_template="#/components/schemas/{model}",
        )
        components = found.setdefault("components", {})
        schemas = components.setdefault("schemas", {})
        schemas.update(bodies.get("$defs", {}))
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        if settings.api_key is not None:
            components["securitySchemes"] = {
                "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"}
            }
            for path, operations in found["paths"].items():
                for operation in operations.values():
                    if path != "/health":
                        operation["security"] = [{"key": []}]
        app.openapi_schema = found
    return app.openapi_schema
