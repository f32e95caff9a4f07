"""The short way gives what the long one gives."""

import asyncio
import json

import pytest
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.routing import Route

from dragoman.errors import DragomanError, InputError
from dragoman.server.door import Door


async def endpoint(request):
    kind = (await request.body()).decode()
    raised = {
        "http": HTTPException(404, "not there"),
        "input": InputError("wrong"),
        "value": ValueError("a mistake"),
    }
    if kind in raised:
        raise raised[kind]
    return JSONResponse({"said": kind})


async def refused(_, found):
    return JSONResponse({"error": found.detail}, found.status_code)


async def wrong(_, found):
    return JSONResponse({"error": str(found)}, 422)


async def broken(_, found):
    return JSONResponse({"error": "broken"}, 500)


HANDLERS = {HTTPException: refused, DragomanError: wrong, Exception: broken}
ROUTE = Route("/ask", endpoint, methods=["POST"])


def asked(app, body, *, method="POST", path="/ask", **more):
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "headers": [],
        "query_string": b"",
        **more,
    }
    sent = []

    async def receive():
        return {"type": "http.request", "body": body.encode(), "more_body": False}

    async def send(message):
        sent.append(message)

    async def run():
        try:
            await app(scope, receive, send)
        except ValueError as mistake:
            sent.append(str(mistake))

    asyncio.run(run())
    return sent, getattr(scope.get("route"), "path", None)


def both():
    long = Starlette(routes=[ROUTE], exception_handlers=HANDLERS)
    long.add_middleware(Noting)
    short = Starlette(routes=[], exception_handlers=HANDLERS)
    short.add_middleware(
        Door, route=ROUTE, method="POST", endpoint=endpoint, handlers=short.exception_handlers
    )
    return long, short


class Noting:
    """As the application's own router does it: the route is noted in the scope."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        if scope["path"] == ROUTE.path:
            scope["route"] = ROUTE
        await self.app(scope, receive, send)


@pytest.mark.parametrize("body", ["a word", "http", "input", "value"])
def test_answers_and_refusals_are_the_same(body):
    long, short = both()
    assert asked(short, body) == asked(long, body)


def test_what_is_raised_is_answered_by_the_nearest_handler():
    _, short = both()
    (start, body), route = asked(short, "input")
    assert (start["status"], json.loads(body["body"]), route) == (422, {"error": "wrong"}, "/ask")
    sent, _ = asked(short, "value")
    assert sent[0]["status"] == 500
    assert sent[-1] == "a mistake"  # for whoever keeps the log


@pytest.mark.parametrize("other", [{"method": "GET"}, {"path": "/asks"}, {"root_path": "/behind"}])
def test_everything_else_goes_the_long_way(other):
    _, short = both()
    (start, _), route = asked(short, "a word", **other)
    assert (start["status"], route) == (404, None)
