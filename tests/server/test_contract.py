"""What clients rely on, exactly: the description of the API, limits to the last word, refusals.

A change of the description on purpose is written down by
python -m tests.server.test_contract
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from dragoman.server.api import Settings
from dragoman.server.app import create_app
from dragoman.server.limits import Limits
from dragoman.server.log import Log
from dragoman.server.metrics import Metrics

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "openapi.json"
QUESTION = "Where is the station?"


def description() -> str:
    found = create_app([], Settings()).openapi()
    found["info"].pop("version")
    return json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def test_the_description_is_the_one_written_down():
    assert description() == GOLDEN.read_text("utf-8")


def test_the_pages_are_served():
    client = TestClient(create_app([], Settings()), base_url="http://localhost")
    for path in ("/", "/docs"):
        page = client.get(path)
        assert page.status_code == 200 and page.text.startswith("<!doctype html>")
        assert page.headers["content-security-policy"].startswith("default-src 'none'")
        # All that it loads is there.
        named = re.findall(r'(?:src|href)="(static/[^"]+)"', page.text)
        assert named and all(client.get(f"/{name}").status_code == 200 for name in named)
    assert client.get("/static/no-such-file.js").status_code == 404


def test_the_usual_limits():
    assert asdict(Limits()) == {
        "body_bytes": 1048576,
        "file_bytes": 20971520,
        "sentences": 2000,
        "words": 200,
        "waiting": 20000,
        "seconds": 60.0,
        "connections": 1000,
        "requests_per_minute": 0.0,
        "sending": 20.0,
        "batch": 32,
        "batch_characters": 6000,
        "special_sentences": 100,
        "special_words": 80,
        "typed_sentences": 16,
    }


def test_what_is_measured():
    metrics = Metrics()
    metrics.watch_queue(lambda: 7)
    metrics.requests.labels("/x", "200").inc()
    metrics.seconds.labels("/x").observe(0.02)
    metrics.batches.observe(3)
    metrics.sentences.labels("m").inc(5)
    text = metrics.text().decode()
    assert "dragoman_waiting_sentences 7.0" in text
    assert "process_resident_memory_bytes" in text
    assert "python_info" in text
    assert 'dragoman_requests_total{path="/x",status="200"} 1.0' in text
    assert 'dragoman_sentences_total{model="m"} 5.0' in text
    edges = re.findall(r'dragoman_request_seconds_bucket\{le="([^"]+)",path="/x"\}', text)
    expected = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
    assert [float(edge) for edge in edges[:-1]] == expected
    edges = re.findall(r'dragoman_batch_sentences_bucket\{le="([^"]+)"\}', text)
    assert [float(edge) for edge in edges[:-1]] == [1, 2, 4, 8, 16, 32, 64]


def test_limits_hold_to_the_last_one(trained, start):
    limits = Limits(body_bytes=300, sentences=3, words=6, special_sentences=2, special_words=4)
    served = start(trained, limits=limits)

    def status(**body):
        return served.post("/translate", source="en", **body).status_code

    assert status(q=["a", "b", "c"]) == 200
    refused = served.post("/translate", source="en", q=["a", "b", "c", "d"])
    assert (refused.status_code, "at most 3" in refused.json()["error"]) == (422, True)
    assert status(q="a b c d e f") == 200
    refused = served.post("/translate", source="en", q="a b c d e f g")
    assert (refused.status_code, "at most 6" in refused.json()["error"]) == (422, True)
    # Of searches of their own there may be fewer.
    assert status(q=["a", "b"], nbest=2) == 200
    assert status(q=["a", "b", "c"], nbest=2) == 422
    assert status(q="a b c d", nbest=2) == 200
    assert status(q="a b c d e", nbest=2) == 422
    assert status(q=["a", "b", "c"], search={"beam_limit": 7}) == 422
    assert status(q=["a", "b", "c"], trace=True) == 422
    for size, expected in ((300, 200), (301, 413)):
        body = json.dumps({"q": "a", "source": "en"}).encode()
        body += b" " * (size - len(body))
        for headers in ({}, {"Transfer-Encoding": "chunked"}):
            content = iter([body]) if headers else body
            answer = served.client.post(
                "/translate", content=content, headers={"Content-Type": "application/json"}
            )
            assert answer.status_code == expected, (size, headers)


def test_a_queue_that_is_full_says_so(trained, start):
    served = start(trained, limits=Limits(waiting=3))
    assert served.post("/translate", source="en", q=["a"] * 3).status_code == 200
    refused = served.post("/translate", source="en", q=["a"] * 4)
    assert refused.status_code == 503
    assert refused.headers["retry-after"] == "1"


@pytest.mark.parametrize(
    ("headers", "query", "body", "status"),
    [
        ({}, "", {}, 401),
        ({"X-API-Key": "secret"}, "", {}, 200),
        ({"X-API-Key": "wrong"}, "", {}, 401),
        ({"X-API-Key": "secre"}, "", {}, 401),
        ({"Authorization": "Bearer secret"}, "", {}, 200),
        ({"Authorization": "bearer secret"}, "", {}, 200),
        ({"Authorization": "Basic secret"}, "", {}, 401),
        ({}, "?api_key=secret", {}, 200),
        ({}, "?api_key=wrong", {}, 401),
        ({}, "", {"api_key": "secret"}, 200),
        ({}, "", {"api_key": "wrong"}, 401),
        ({"X-API-Key": "wrong"}, "", {"api_key": "secret"}, 200),
    ],
)
def test_keys_in_every_place(trained, keyed, headers, query, body, status):
    answer = keyed.client.post(
        f"/translate{query}", json={"q": "a", "source": "en", **body}, headers=headers
    )
    assert answer.status_code == status


@pytest.fixture(scope="module")
def keyed(trained, start):
    return start(trained, api_key="secret")


def test_every_door_has_the_lock(keyed):
    for path in ("/models", "/models/x", "/languages", "/metrics", "/corrections"):
        assert keyed.client.get(path).status_code == 401, path
    for path in ("/models/x/report", "/corrections/export"):
        assert keyed.client.get(path).status_code == 401, path
    assert keyed.client.delete("/corrections/1").status_code == 401
    for path, body in (
        ("/inspect", {"q": "a"}),
        ("/search", {"q": "a"}),
        ("/corrections", {"source": "a", "target": "b"}),
        ("/models/x/reload", {}),
    ):
        assert keyed.post(path, **body).status_code == 401, path
    assert keyed.client.get("/health").status_code == 200


def test_headers_that_keep_browsers_safe(served):
    answer = served.client.get("/health")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    page = served.client.get("/")
    assert "default-src 'none'" in page.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("headers", "path", "status"),
    [
        ({"Host": "localhost"}, "/corrections", 422),
        ({"Host": "LOCALHOST:80"}, "/corrections", 422),
        ({"Host": "[::1]:80"}, "/corrections", 422),
        ({"Host": "evil.example"}, "/corrections", 421),
        ({"Origin": "http://evil.example"}, "/corrections", 403),
        ({"Origin": "http://localhost"}, "/corrections", 422),
        ({"Origin": "https://localhost"}, "/corrections", 422),
        ({"Origin": "null"}, "/corrections", 403),
        ({"Origin": "http://evil.example"}, "/translate", 422),
    ],
)
def test_hosts_and_origins(served, headers, path, status):
    answer = served.client.post(path, content=b"{}", headers={"Host": "localhost", **headers})
    assert answer.status_code == status


def test_reading_is_open_to_other_pages(served):
    assert served.client.get("/health", headers={"Origin": "http://evil"}).status_code == 200


def test_rates(trained, start):
    served = start(trained, limits=replace(Limits(), requests_per_minute=2))
    codes = [served.client.get("/health").status_code for _ in range(3)]
    assert codes == [200, 200, 429]
    refused = served.client.get("/health")
    assert 1 <= int(refused.headers["retry-after"]) <= 30


def test_alternatives_are_all_there_are_and_no_more(served):
    listed = served.ok("/translate", q="station", source="en", nbest=100)
    texts = [one["target"] for one in listed["details"][0]["sentences"][0]["nbest"]]
    for most in (1, 2, 10):
        found = served.ok("/translate", q="station", source="en", alternatives=most)
        assert found["alternatives"] == list(dict.fromkeys(texts))[1 : most + 1]
        assert "details" not in found
    few = served.ok("/translate", q="xyzzy", source="en", alternatives=10)
    assert few["translatedText"] not in few["alternatives"]


@pytest.mark.parametrize(
    ("forced", "status", "said"),
    [
        ([{"begin": 0, "end": 1, "target": "x"}], 200, ""),
        ([{"begin": 1, "end": 1, "target": "x"}], 409, "no words 1 to 1"),
        ([{"begin": 4, "end": 5, "target": "x"}], 200, ""),
        ([{"begin": 4, "end": 6, "target": "x"}], 409, "no words 4 to 6"),
        ([{"begin": 2, "end": 1, "target": "x"}], 409, "no words 2 to 1"),
        ([{"begin": 0, "end": 2, "target": "x"}, {"begin": 1, "end": 3, "target": "y"}], 409,
         "overlap"),
    ],
)  # fmt: skip
def test_what_is_forced_must_fit(served, forced, status, said):
    answer = served.post("/inspect", q=QUESTION, source="en", forced=forced)
    assert answer.status_code == status, answer.text
    assert said in answer.text
    if status == 200:
        order = forced[0]
        (one,) = answer.json()["sentences"]
        spans = [p["source_span"] for p in one["phrases"] if p["target"] == "x"]
        assert spans == [[order["begin"], order["end"]]]


def test_a_fault_of_the_machine_is_logged_and_not_told(served, monkeypatch):
    from dragoman.errors import FileError
    from dragoman.translation.corrections import Corrections

    def full(self, *_):
        raise FileError("the secret disk is full")

    monkeypatch.setattr(Corrections, "add", full)
    refused = served.post("/corrections", source="a", target="b")
    assert refused.status_code == 503
    assert "secret" not in refused.text
    assert "the secret disk is full" in served.log.getvalue()


def test_a_quiet_log_says_nothing(tmp_path):
    import io

    stream = io.StringIO()
    Log(stream, quiet=True).write("x")
    assert stream.getvalue() == ""
    Log(stream).write("event", number=3)
    entry = json.loads(stream.getvalue())
    assert (entry["event"], entry["number"]) == ("event", 3)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", entry["time"])


if __name__ == "__main__":
    GOLDEN.write_text(description(), "utf-8")
