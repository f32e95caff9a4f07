"""Documents over HTTP."""

import pytest
from tests.documents.made import body, docx

from dragoman.server import uploads
from dragoman.server.limits import Limits

WORD = "<w:p><w:r><w:t>Where is the station?</w:t></w:r></w:p>"


@pytest.fixture(scope="module")
def served(trained, start):
    return start(trained)


def send(served, name, content, **fields):
    return served.client.post("/translate_file", files={"file": (name, content)}, data=fields)


def test_a_document_is_sent_and_fetched(served):
    answer = send(served, "letter.docx", docx(WORD), source="en", target="fr")
    assert answer.status_code == 200, answer.text
    found = served.client.get(answer.json()["translatedFileUrl"])
    assert "gare" in body(found.content)
    assert found.headers["content-disposition"] == "attachment; filename*=UTF-8''letter.docx"
    assert found.headers["content-security-policy"].endswith("sandbox")
    said = served.ok("/translate", q="Where is the station?", source="en")["translatedText"]
    page = send(served, "é.html", b"<p>Where is the station?</p>")
    found = served.client.get(page.json()["translatedFileUrl"])
    assert found.text == f"<p>{said}</p>"
    assert found.headers["content-type"].startswith("text/html")
    named = send(served, "notes", b"Where is the station?\n", format="text")
    assert served.client.get(named.json()["translatedFileUrl"]).text == f"{said}\n"


def test_bad_documents_are_refused_by_their_own_names(served):
    for name, content, status, message in (
        ("a.srt", b"1\nbroken\n", 422, "a.srt:2: 'broken' should be the times"),
        ("a.docx", b"PK\3\4", 422, "a.docx: no DOCX file, or cut"),
        ("a.xyz", b"", 422, "the ending says no format"),
        ("a.txt", b"\xff", 422, "a.txt: not valid utf-8"),
        ("../../b/a.po", b"msgid", 422, "a.po"),
    ):
        answer = send(served, name, content)
        assert answer.status_code == status, answer.text
        assert message in answer.json()["error"]
        assert "/tmp" not in answer.text


def test_bad_forms_are_refused(served):
    post = served.client.post
    form = {"Content-Type": "multipart/form-data; boundary=x"}
    assert post("/translate_file", json={}).status_code == 415
    assert send(served, "a.txt", b"a", format="word").status_code == 422
    assert send(served, "a.txt", b"a", model="none").status_code == 404
    named = b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb'
    for content in (
        b"",
        named,
        named + b"\r\n--x--",
        named + b"\r\n" + named + b"\r\n--x--",
        b"--x\r\n\r\nb\r\n--x--",
    ):
        answer = post("/translate_file", content=content, headers=form)
        assert answer.status_code == 422, answer.text
    bare = {"Content-Type": "multipart/form-data"}
    assert post("/translate_file", content=named, headers=bare).status_code == 422
    assert served.client.get("/download_file/guessed").status_code == 404


def test_limits_of_documents(trained, start):
    small = start(trained, limits=Limits(file_bytes=3000, body_bytes=500, sentences=2))
    assert send(small, "a.txt", b"Where is it?\n" * 2).status_code == 200
    assert send(small, "a.txt", b"a" * 3000).status_code == 413
    refused = send(small, "a.txt", b"Where is it?\n" * 3).json()["error"]
    assert "3 sentences; this request may have at most 2" in refused
    assert small.client.post("/translate", json={"q": "a" * 600}).status_code == 413


def test_a_key_guards_documents_too(trained, start):
    guarded = start(trained, api_key="secret")
    assert send(guarded, "a.txt", b"station").status_code == 401
    answer = send(guarded, "a.txt", b"station", api_key="secret")
    assert answer.status_code == 200
    assert guarded.client.get(answer.json()["translatedFileUrl"]).status_code == 200


def test_what_nobody_fetches_goes(served, monkeypatch):
    first = send(served, "a.txt", b"station\n").json()["translatedFileUrl"]
    monkeypatch.setattr(uploads, "MOST_BYTES", 9)
    second = send(served, "a.txt", b"station\n").json()["translatedFileUrl"]
    assert served.client.get(first).status_code == 404
    assert served.client.get(second).status_code == 200
    monkeypatch.setattr(uploads, "SECONDS", -1.0)
    late = send(served, "a.txt", b"station\n").json()["translatedFileUrl"]
    assert served.client.get(late).status_code == 404
