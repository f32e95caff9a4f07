"""Time limits, connections, rates; models opened anew under a running server."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.server.rate import REMEMBERED, RateLimit

pytestmark = pytest.mark.slow


@pytest.fixture
def serving(model: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server as a process of its own, and its port."""
    command = [sys.executable, "-m", "dragoman", "serve", str(model), "--port", "0", "-j", "1"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    line = process.stderr.readline()
    yield process, int(line.split("  ")[0].rpartition(":")[2])
    process.kill()
    process.wait()
    process.stderr.close()


def ask(port: int, path: str, method: str = "GET", body: str = "") -> str:
    with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        client.sendall((head + body).encode())
        received = b""
        while piece := client.recv(65536):
            received += piece
    return received.decode()


def test_half_a_request_does_not_keep_the_server_from_ending(
    serving: tuple[subprocess.Popen[str], int],
) -> None:
    process, port = serving
    assert "200 OK" in ask(port, "/health")
    with socket.create_connection(("127.0.0.1", port)) as half:
        half.sendall(
            b"POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
        )
        time.sleep(0.3)
        begun = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 0
        assert time.monotonic() - begun < 20


def test_a_model_is_replaced_under_a_running_server(
    serving: tuple[subprocess.Popen[str], int], model: Path
) -> None:
    _, port = serving
    body = '{"q": "where is the station ?"}'
    before = ask(port, "/translate", "POST", body).splitlines()[-1]
    fresh = Path(shutil.copytree(model, model.with_name("fresh")))
    os.rename(model, model.with_name("old"))  # noqa: PTH104
    os.rename(fresh, model)  # noqa: PTH104
    assert "200 OK" in ask(port, f"/models/{model.name}/reload", "POST")
    assert ask(port, "/translate", "POST", body).splitlines()[-1] == before
    # One that is damaged does not take its place.
    table = model / "rules" / "phrases.table"
    content = bytearray(table.read_bytes())
    content[len(content) // 2] ^= 0xFF
    table.with_name("damaged").write_bytes(content)
    table.with_name("damaged").replace(table)
    assert "422" in ask(port, f"/models/{model.name}/reload", "POST")
    assert ask(port, "/translate", "POST", body).splitlines()[-1] == before


def test_a_bucket_fills_again() -> None:
    now = [0.0]
    limit = RateLimit(2, clock=lambda: now[0])
    assert [limit.wait("a") for _ in range(3)] == [0, 0, pytest.approx(30)]
    assert limit.wait("b") == 0
    now[0] = 29
    assert limit.wait("a") == pytest.approx(1)
    now[0] = 30
    assert limit.wait("a") == 0
    for number in range(REMEMBERED + 5):
        limit.wait(str(number))
    assert len(limit._buckets) == REMEMBERED
