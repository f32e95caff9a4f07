"""The short way to the question that is asked most."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send


class Door:
    """Takes requests for one route past the application; all others go on to it.

    The endpoint gets the request and gives the response, and what it raises is answered by the
    application's own handlers, so that nobody can tell which way a request has gone.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        route: Route,
        method: str,
        endpoint: Callable[[Request], Awaitable[Response]],
        handlers: Mapping[Any, Callable[[Request, Exception], Any]],
    ) -> None:
        self._app, self._route, self._method = app, route, method
        self._endpoint, self._handlers = endpoint, handlers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if (
            scope["type"] != "http"
            or scope["path"] != self._route.path
            or scope["method"] != self._method
            or scope.get("root_path")
        ):
            await self._app(scope, receive, send)
            return
        scope["route"] = self._route
        request = Request(scope, receive, send)
        try:
            response = await self._endpoint(request)
        except Exception as found:
            kind = next(kind for kind in type(found).__mro__ if kind in self._handlers)
            response = await self._handlers[kind](request, found)
            await response(scope, receive, send)
            if kind is Exception:
                raise  # a mistake of ours: whoever keeps the log hears of it
            return
        await response(scope, receive, send)
