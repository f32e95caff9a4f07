"""The description of the API holds, whatever is sent."""

import json

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.slow

QUICK = settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


def without_lifespan(app):
    """The application as it runs already: it must not be stopped after every request."""

    async def bare(scope, receive, send):
        if scope["type"] != "lifespan":
            headers = [pair for pair in scope["headers"] if pair[0] != b"host"]
            await app({**scope, "headers": [*headers, (b"host", b"localhost")]}, receive, send)
            return
        for phase in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{phase}.complete"})

    return bare


def test_the_description_holds(model, start):
    """Every operation, with bodies the description allows and with bodies it forbids."""
    app = without_lifespan(start(model).app)
    description = schemathesis.openapi.from_asgi("/openapi.json", app)
    operations = [found.ok() for found in description.get_all_operations()]
    assert len(operations) >= 12
    for operation in operations:
        if operation.path == "/translate_file":
            continue  # no description says which bytes are a document; see test_uploads
        check(operation.as_strategy())
        body = description.raw_schema["paths"][operation.path][operation.method].get("requestBody")
        if body is not None:
            # All that a form holds is text, so it can hardly be wrong.
            forbidden = schemathesis.GenerationMode.NEGATIVE
            check(operation.as_strategy(forbidden, media_type="application/json"))


def check(cases):
    """Send so many of the cases; what comes back must be as described."""

    @QUICK
    @given(case=cases)
    def send(case):
        case.call_and_validate()

    send()


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
FIELDS = ("q", "source", "target", "format", "model", "nbest", "alignment", "trace", "terms",
          "search", "forced", "searches", "kind", "alternatives")  # fmt: skip
PATHS = ("/translate", "/inspect", "/search", "/corrections")


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    path=st.sampled_from(PATHS),
    body=st.binary(max_size=200)
    | st.dictionaries(st.sampled_from(FIELDS) | st.text(), ANYTHING).map(
        lambda body: json.dumps(body).encode()
    ),
    kind=st.sampled_from(
        ("application/json", "application/x-www-form-urlencoded", "text/plain", "")
    ),
)
def test_no_body_breaks_it(served, path, body, kind):
    answer = served.client.post(path, content=body, headers={"content-type": kind})
    assert answer.status_code in (200, 404, 409, 415, 422), (answer.status_code, body)
    assert "error" in answer.json() or answer.status_code == 200


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=st.text(max_size=200), html=st.booleans())
def test_no_text_breaks_it(served, text, html):
    answer = served.post("/translate", q=text, format="html" if html else "text", trace=True)
    assert answer.status_code in (200, 422)
    if answer.status_code == 422:
        assert "words" in answer.json()["error"] or "sentences" in answer.json()["error"]
