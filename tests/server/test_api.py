"""What the API answers."""

import json
import threading

import pytest

from dragoman.corpus.read import ParallelFile
from dragoman.server.limits import Limits
from dragoman.translation.translator import Translator

STATION = "Where is the station?"


def test_text_keeps_its_lines_and_spaces(served):
    answer = served.ok("/translate", q=f"  {STATION} Thank you.\n\n{STATION}\n", source="en")
    lines = answer["translatedText"].split("\n")
    assert len(lines) == 4
    assert lines[0].startswith("  ")
    assert "gare" in lines[0]
    assert lines[1] == lines[3] == ""
    assert lines[0].strip().startswith(lines[2])


def test_lists_are_what_the_library_says(served, trained):
    texts = ["I would like a ticket .", STATION, "", "The train is late .", "xyzzy"] * 8
    expected = Translator.open(trained).translate(texts)
    assert served.ok("/translate", q=texts, source="en")["translatedText"] == expected


def test_libretranslate_fields(served):
    form = {"q": STATION, "source": "en", "target": "fr", "format": "text", "alternatives": "3"}
    answer = served.client.post("/translate", data=form).json()
    assert isinstance(answer["translatedText"], str)
    assert 1 <= len(answer["alternatives"]) <= 3
    assert answer["translatedText"] not in answer["alternatives"]
    assert "detectedLanguage" not in answer
    listed = served.ok("/translate", q=[STATION, STATION], source="auto", target="fr-FR")
    assert len(listed["translatedText"]) == 2
    assert listed["detectedLanguage"]["language"] == "en"
    assert listed["detectedLanguage"]["confidence"] > 50
    (language,) = served.client.get("/languages").json()
    assert language == {"code": "en", "name": "English", "targets": ["fr"]}


def test_html(served):
    text = (
        '<p class="a>b">Where is <b>the station</b>?</p>\n<script>if (a < b) train()</script>'
        "<!-- the train --><ul><li>the &amp; train</li></ul><code>train</code>"
    )
    found = served.ok("/translate", q=text, source="en", format="html")["translatedText"]
    assert found.startswith('<p class="a>b">')
    assert found.index("<b>") < found.index("gare") < found.index("</b>") < found.index("</p>")
    assert "<b> " not in found
    assert " </b>" not in found
    assert "<script>if (a < b) train()</script><!-- the train --><ul><li>" in found
    assert "&amp;" in found
    assert found.endswith("</li></ul><code>train</code>")


def test_nbest_alignment_and_trace_add_up(served):
    answer = served.ok("/translate", q=[STATION], nbest=5, alignment=True, trace=True)
    (sentence,) = answer["details"][0]["sentences"]
    weights = served.client.get("/models/phrasebook").json()["weights"]
    total = sum(weights[name] * value for name, value in sentence["features"].items())
    assert total == pytest.approx(sentence["score"], abs=1e-4)
    assert sum(p["score"] for p in sentence["phrases"]) == pytest.approx(total, abs=1e-4)
    assert [e["score"] for e in sentence["nbest"]] == sorted(
        (e["score"] for e in sentence["nbest"]), reverse=True
    )
    assert sentence["nbest"][0]["target"] == sentence["target"] == answer["translatedText"][0]
    for i, j in sentence["alignment"]:
        assert sentence["source_tokens"][i]
        assert sentence["target_tokens"][j]
    plain = served.ok("/translate", q=[STATION], alignment=True)["details"][0]["sentences"][0]
    assert plain["alignment"] == sentence["alignment"]
    assert "phrases" not in plain
    assert "nbest" not in plain


def test_terms_of_a_request(served):
    terms = [{"source": "station", "target": "halte"}]
    assert "halte" in served.ok("/translate", q=STATION, terms=terms)["translatedText"]
    assert "halte" not in served.ok("/translate", q=STATION)["translatedText"]
    weak = [{"source": "station", "target": "halte", "probability": 1e-9}]
    assert "halte" not in served.ok("/translate", q=STATION, terms=weak)["translatedText"]


def test_rivals_can_be_forced(served):
    answer = served.ok("/inspect", q=STATION)
    sentence = answer["sentences"][0]
    found = [(phrase, rival) for phrase in sentence["phrases"] for rival in phrase["rivals"]]
    assert found
    assert any(rival["behind"] is not None for _, rival in found)
    for phrase, rival in found[:4]:
        begin, end = phrase["source_span"]
        order = {"begin": begin, "end": end, "target": rival["target"]}
        again = served.ok("/inspect", q=STATION, forced=[order])["sentences"][0]
        (forced,) = [p for p in again["phrases"] if p["given"]]
        assert forced["source_span"] == [begin, end]
        assert forced["target"] == rival["target"]
    bad = served.post("/inspect", q=STATION, forced=[{"begin": 3, "end": 99, "target": "x"}])
    assert bad.status_code == 409


def test_searches_side_by_side(served):
    settings = {"beam_limit": 20, "ttable_threshold": 1.0}
    answer = served.ok("/search", q="Where is the old station , please ?", search=settings)
    assert [one["search"] for one in answer["searches"]] == ["pharaoh", "estimate", "early"]
    words = len(answer["tokens"])
    for one in answer["searches"]:
        assert [stack["covered"] for stack in one["stacks"]] == list(range(words + 1))
        assert sum(stack["evaluated"] for stack in one["stacks"]) == one["evaluated"]
        assert all(stack["survived"] <= 20 for stack in one["stacks"])
        path = [h for h in one["hypotheses"] if h["best"]]
        assert path[0]["stack"] == 0
        assert path[-1]["stack"] == words
        assert path[-1]["coverage"] == "1" * words
        for hypothesis in path[1:]:
            assert one["hypotheses"][hypothesis["back"]]["best"]
        for hypothesis in one["hypotheses"]:
            assert hypothesis["coverage"].count("1") == hypothesis["stack"]
    evaluated = {one["search"]: one["evaluated"] for one in answer["searches"]}
    assert evaluated["early"] < evaluated["estimate"]


def test_models_health_metrics_pages(served, trained):
    (summary,) = served.client.get("/models").json()
    described = served.client.get("/models/phrasebook").json()
    assert summary["name"] == described["name"] == "phrasebook"
    assert described["files"]["rules/phrases.table"] > 1000
    assert described["corpus"]["train"] > 1000
    assert described["tuned"] is False
    assert str(trained) not in json.dumps(described)
    assert served.client.get("/health").json()["status"] == "ok"
    served.ok("/translate", q=STATION)
    metrics = served.client.get("/metrics").text
    assert 'dragoman_requests_total{path="/translate",status="200"}' in metrics
    assert "dragoman_batch_sentences_bucket" in metrics
    for path in ("/", "/docs", "/static/page.js", "/static/style.css", "/openapi.json"):
        answer = served.client.get(path)
        assert answer.status_code == 200
        assert "http://" not in answer.text.replace("http://www.w3.org/2000/svg", "")
        assert "https://" not in answer.text
    assert "default-src 'none'" in served.client.get("/").headers["content-security-policy"]


def test_the_log_knows_no_text(served):
    served.ok("/translate", q="A secret about the station.")
    served.post("/translate", q="A secret", target="tlh")
    served.client.get("/models/secret?api_key=secret")
    served.client.get("/secret")
    text = served.log.getvalue()
    assert "secret" not in text
    entries = [json.loads(line) for line in text.splitlines()]
    assert entries[-1]["status"] == 404
    assert any(e.get("sentences") == 1 and e["path"] == "/translate" for e in entries)


def test_corrections_hold_at_once_and_survive(model, start):
    served = start(model)
    assert served.client.get("/corrections").json() == []
    served.ok("/corrections", source="station", target="halte")
    assert "halte" in served.ok("/translate", q=STATION)["translatedText"]
    assert "halte" in served.ok("/inspect", q=STATION)["sentences"][0]["target"]
    served.ok("/corrections", kind="sentence", source=STATION, target="Hep, la gare <ici> ?")
    assert served.ok("/translate", q=STATION)["translatedText"] == "Hep, la gare <ici> ?"
    html = served.ok("/translate", q=f"<p>{STATION}</p>", format="html")
    assert html["translatedText"] == "<p>Hep, la gare &lt;ici&gt; ?</p>"
    served.ok("/corrections", source="station", target="arrêt")
    entries = served.client.get("/corrections").json()
    assert [(e["kind"], e["source"], e["target"]) for e in entries] == [
        ("term", "station", "arrêt"),
        ("sentence", STATION, "Hep, la gare <ici> ?"),
    ]
    for kind in ("tsv", "tmx"):
        text = served.client.get(f"/corrections/export?format={kind}").text
        path = model.parent / f"corrections.{kind}"
        path.write_text(text, "utf-8")
        pairs = list(ParallelFile(kind, (path,)).read("en", "fr"))
        assert pairs == [(e["source"], e["target"]) for e in entries]
    again = start(model)
    assert again.ok("/translate", q=STATION)["translatedText"] == "Hep, la gare <ici> ?"
    assert served.client.delete(f"/corrections/{entries[1]['id']}").status_code == 204
    assert "arrêt" in served.ok("/translate", q=STATION)["translatedText"]
    assert served.client.delete("/corrections/999").status_code == 404


def test_two_models(trained, model, start):
    other = model.rename(model.with_name("other"))
    served = start(trained, other)
    assert {m["name"] for m in served.client.get("/models").json()} == {"phrasebook", "other"}
    assert served.post("/translate", q=STATION, model="other").status_code == 200
    assert served.client.get("/corrections").status_code == 404


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/translate", {"q": STATION, "source": "de"}, 404),
        ("/translate", {"q": STATION, "target": "tlh"}, 404),
        ("/translate", {"q": STATION, "model": "../phrasebook"}, 404),
        ("/translate", {}, 422),
        ("/translate", {"q": 3}, 422),
        ("/translate", {"q": STATION, "nbest": 101}, 422),
        ("/translate", {"q": STATION, "search": {"beam_limit": 10_000}}, 422),
        ("/translate", {"q": STATION, "terms": [{"source": "", "target": "x"}]}, 422),
        ("/translate", {"q": "word " * 201}, 422),
        ("/translate", {"q": "word " * 81, "trace": True}, 422),
        ("/translate", {"q": ["a"] * 2001}, 422),
        ("/translate", {"q": ["a"] * 101, "nbest": 2}, 422),
        ("/translate", {"q": "x" * (1 << 20)}, 413),
        ("/search", {"q": STATION, "searches": ["astar"]}, 422),
        ("/corrections", {"source": " ", "target": "x"}, 422),
    ],
)
def test_refusals_are_json(served, path, body, status):
    answer = served.post(path, **body)
    assert answer.status_code == status
    assert set(answer.json()) == {"error"}


def test_odd_bodies(served):
    post = served.client.post
    json_type = {"content-type": "application/json"}
    assert post("/translate", content=b"\xff\xfe", headers=json_type).status_code == 422
    assert post("/translate", content=b'{"q": "\\ud800"}', headers=json_type).status_code == 422
    assert (
        post(
            "/translate",
            content=b"q=%ff",
            headers={"content-type": "application/x-www-form-urlencoded"},
        ).status_code
        == 422
    )
    assert (
        post("/translate", content=b"<q/>", headers={"content-type": "text/xml"}).status_code
        == 415
    )
    assert post("/corrections", data={"source": "a", "target": "b"}).status_code == 415
    chunks = (b" " * 65536 for _ in range(32))  # no content-length
    assert post("/translate", content=chunks, headers=json_type).status_code == 413
    assert served.client.put("/translate").status_code == 405
    assert served.client.get("/static/../app.py").status_code == 404
    assert served.client.get("/static/%2e%2e/app.py").status_code == 404
    assert post("/translate", json={"q": "\x00 \U000f0000 <b>"}).status_code == 200


def test_too_busy(trained, start):
    busy = start(trained, limits=Limits(waiting=3))
    answer = busy.post("/translate", q=[STATION] * 4)
    assert answer.status_code == 503
    assert answer.headers["retry-after"]


def test_too_slow(trained, start, monkeypatch):
    answered = threading.Event()
    search = Translator.search

    def waiting(*asked):
        answered.wait(60)
        return search(*asked)

    monkeypatch.setattr(Translator, "search", waiting)
    slow = start(trained, limits=Limits(seconds=0.01))
    answer = slow.post("/translate", q=STATION)
    answered.set()
    assert answer.status_code == 503
    assert answer.headers["retry-after"]


def test_a_mistake_of_ours_is_told_and_logged(served, monkeypatch):
    def broken(*_):
        raise ValueError("private text")

    monkeypatch.setattr(Translator, "cut", broken)
    for path in ("/translate", "/inspect"):
        answer = served.post(path, q=STATION, source="en")
        assert answer.status_code == 500
        assert answer.json() == {"error": "the server made a mistake; its log says where"}
        assert answer.headers["x-content-type-options"] == "nosniff"
        mistake, request = map(json.loads, served.log.getvalue().splitlines()[-2:])
        assert (mistake["event"], request["path"], request["status"]) == ("error", path, 500)
        assert "private" not in served.log.getvalue()


def test_keys_hosts_and_strange_pages(trained, start):
    served = start(trained, api_key="sesame")
    client = served.client
    assert client.get("/health").status_code == 200
    assert client.get("/").status_code == 200
    for path in ("/models", "/models/phrasebook", "/languages", "/metrics", "/corrections"):
        assert client.get(path).status_code == 401
        assert client.get(path, headers={"X-API-Key": "wrong"}).status_code == 401
        assert client.get(path, headers={"X-API-Key": "sesame"}).status_code == 200
        assert client.get(path, headers={"Authorization": "Bearer sesame"}).status_code == 200
    assert served.post("/translate", q=STATION).status_code == 401
    assert served.post("/translate", q=STATION, api_key="sesame").status_code == 200
    assert served.post("/inspect", q=STATION).status_code == 401
    assert served.post("/corrections", source="a", target="b").status_code == 401
    assert client.get("/health", headers={"Host": "evil.example"}).status_code == 421
    strange = {"X-API-Key": "sesame", "Origin": "http://evil.example"}
    body = {"source": "a", "target": "b"}
    assert client.post("/corrections", json=body, headers=strange).status_code == 403
