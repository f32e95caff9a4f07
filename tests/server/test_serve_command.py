"""The commands: dragoman serve starts, refuses and stops; dragoman inspect sentence explains."""

import json
import os
import signal
import socket
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.slow


def test_a_request_that_was_accepted_is_answered_after_term(trained):
    command = [sys.executable, "-m", "dragoman", "serve", str(trained), "--port", "0", "-q"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        port = int(server.stderr.readline().split()[3].rpartition(":")[2])
        body = json.dumps({"q": ["Where is the station?"] * 40, "source": "en"}).encode()
        with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
            client.sendall(
                b"POST /translate HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
                b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
            )
            # The server asks for the body: it has accepted the request.
            assert b"100 Continue" in client.recv(1000)
            server.send_signal(signal.SIGTERM)
            while _connects(port):
                time.sleep(0.05)
            client.sendall(body)
            answer = b""
            while piece := client.recv(65536):
                answer += piece
        head, _, content = answer.partition(b"\r\n\r\n")
        assert b" 200 OK" in head.splitlines()[0]
        assert len(json.loads(content)["translatedText"]) == 40
        assert server.wait(60) == 0
    finally:
        server.kill()
        server.wait()
        server.stderr.close()


def test_no_more_connections_than_allowed(trained):
    command = [sys.executable, "-m", "dragoman", "serve", str(trained), "--port", "0", "-q"]
    server = subprocess.Popen(
        [*command, "--max-connections", "3"], stderr=subprocess.PIPE, text=True
    )
    ask = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    try:
        port = int(server.stderr.readline().split()[3].rpartition(":")[2])
        idle = [socket.create_connection(("127.0.0.1", port), timeout=30) for _ in range(3)]
        for one in idle:
            one.sendall(b"GET /health HTTP/1.1\r\n")  # and no more
        time.sleep(0.5)
        with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
            client.sendall(ask)
            assert b" 503 " in client.recv(1000).splitlines()[0]
        for one in idle:
            one.close()
        time.sleep(0.5)
        with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
            client.sendall(ask)
            assert b" 200 " in client.recv(1000).splitlines()[0]
    finally:
        server.kill()
        server.wait()
        server.stderr.close()


def _connects(port):
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5):
            return True
    except OSError:
        return False


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--host", "0.0.0.0"], 2, "--api-key"),
        (["--api-key", " "], 2, "empty"),
        (["--host", "no.such.host.invalid", "--open"], 1, "cannot listen"),
        (["--max-words", "0"], 2, ""),
    ],
)
def test_refusals(trained, run, arguments, code, message):
    done = run("serve", trained, *arguments)
    assert done.returncode == code
    assert message in done.stderr


def test_no_model_two_of_a_name_port_taken(trained, run, tmp_path):
    assert "no model" in run("serve", tmp_path / "nothing", "--port", "0").stderr
    assert "two models are called" in run("serve", trained, trained, "--port", "0").stderr
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run("serve", trained, "--port", taken.getsockname()[1])
    assert done.returncode == 1
    assert "cannot listen" in done.stderr


def test_inspect_sentence(trained, run, tmp_path):
    wide = {**os.environ, "COLUMNS": "160"}
    done = run("inspect", "sentence", trained, "Where is the station?", env=wide)
    assert done.returncode == 0, done.stderr
    for piece in ("gare", "station", "pharaoh", "next best", "■"):
        assert piece in done.stdout
    page = tmp_path / "why.html"
    done = run("inspect", "sentence", trained, "The station. A train.", "--json", "--html", page)
    told = json.loads(done.stdout)
    assert [sentence["source"] for sentence in told["sentences"]] == ["The station.", "A train."]
    assert [one["search"] for one in told["sentences"][0]["searches"]] == [
        "pharaoh",
        "estimate",
        "early",
    ]
    text = page.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
    assert "http" not in text
    assert " src=" not in text
    assert run("inspect", "sentence", trained, " ").returncode == 1
