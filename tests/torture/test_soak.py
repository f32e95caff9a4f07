"""A server under mixed load, with accidents: nothing it acknowledged is lost, translations stay
the same, memory stays flat.

DRAGOMAN_SOAK_SECONDS says how long, 300 unless told. Two servers are asked: one lives through
all of it, and shows what its memory does; the other is killed again and again.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from dragoman.translation.translator import Translator

SECONDS = float(os.environ.get("DRAGOMAN_SOAK_SECONDS", "300"))
CLIENTS = 3  # of each server
LIFE = 20.0  # seconds between two kills
ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Server:
    """A program that serves a model, started again at the same port."""

    model: Path
    port: int = 0
    process: subprocess.Popen[bytes] | None = None
    life: int = 0
    down: bool = False  # being killed and started; clients that fail then are forgiven

    def start(self) -> None:
        log = self.model.with_name(f"{self.model.name}.{self.life}.log")
        with log.open("w") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "dragoman", "serve", str(self.model), "-q", "-j", "1"]
                + ["--port", str(self.port)],
                stderr=file,
            )
        while " serves at " not in (said := log.read_text("utf-8")):
            assert self.process.poll() is None, said
            time.sleep(0.1)
        self.port = int(said.split()[3].rpartition(":")[2])
        while self.ask("GET", "/health")[0] != 200:
            time.sleep(0.1)
        self.life += 1
        self.down = False

    def end(self, how: signal.Signals) -> int:
        assert self.process is not None
        self.down = True
        self.process.send_signal(how)
        return self.process.wait(90)

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Status and answer; status 0 when the connection broke."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=90)
        try:
            text = json.dumps(body).encode() if body is not None else None
            connection.request(method, path, text, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            content = answer.read()
            return answer.status, json.loads(content) if content else None
        except (OSError, http.client.HTTPException):
            return 0, None
        finally:
            connection.close()

    def resident(self) -> int:
        """Bytes of memory it holds."""
        assert self.process is not None
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        return 1024 * next(int(x.split()[1]) for x in status.splitlines() if "VmRSS" in x)


@dataclass
class Client(threading.Thread):
    """Asks until it is told to stop, and notes what was wrong."""

    server: Server
    sentences: list[str]
    expected: dict[str, str]
    number: int
    stop: threading.Event
    waited: list[float] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    taught: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__(daemon=True)
        self._chance = random.Random(self.number)
        self._half: list[socket.socket] = []

    __hash__ = threading.Thread.__hash__

    def run(self) -> None:
        moves = [self.translate] * 12 + [self.several, self.nbest, self.nonsense, self.half]
        moves += [self.teach] * 2
        if self.number % CLIENTS == 0:
            moves += [self.reload]
        while not self.stop.is_set():
            move = self._chance.choice(moves)
            life = self.server.life
            try:
                move()
            except Exception as problem:
                self.wrong.append(f"{move.__name__}: {problem!r}")
            self.done[move.__name__] += 1
            self._forgive(life)
        for half in self._half:
            half.close()

    def _forgive(self, life: int) -> None:
        """What broke while the server was being killed is no fault."""
        if self.server.down or self.server.life != life:
            self.wrong = [entry for entry in self.wrong if not entry.startswith("broken")]
            while self.server.down and not self.stop.is_set():
                time.sleep(0.05)
        elif any(entry.startswith("broken") for entry in self.wrong):
            time.sleep(0.3)  # a kill that has come just now is seen a moment later
            if self.server.down or self.server.life != life:
                self._forgive(life)

    def _ask(self, path: str, body: Any, *statuses: int) -> Any:
        status, answer = self.server.ask("POST", path, body)
        if status == 0:
            self.wrong.append(f"broken: {path} {body}")
            return None
        # Refusals for a moment, while a model is opened anew, are answers too.
        if status not in statuses and status != 503:
            self.wrong.append(f"{path} {body}: {status} {answer}")
            return None
        return answer if status == 200 or status == 201 else None

    def translate(self) -> None:
        sentence = self._chance.choice(self.sentences)
        begun = time.perf_counter()
        answer = self._ask("/translate", {"q": sentence, "source": "en"}, 200)
        if answer is not None:
            self.waited.append(time.perf_counter() - begun)
            if answer["translatedText"] != self.expected[sentence]:
                self.wrong.append(f"{sentence!r} became {answer['translatedText']!r}")

    def several(self) -> None:
        chosen = self._chance.choices(self.sentences, k=self._chance.randrange(1, 30))
        answer = self._ask("/translate", {"q": chosen, "source": "en"}, 200)
        if answer is not None and answer["translatedText"] != [self.expected[s] for s in chosen]:
            self.wrong.append(f"{chosen} became {answer['translatedText']}")

    def nbest(self) -> None:
        sentence = self._chance.choice(self.sentences)
        body = {"q": sentence, "source": "en", "alternatives": 3}
        answer = self._ask("/translate", body, 200)
        if answer is not None and answer["translatedText"] != self.expected[sentence]:
            self.wrong.append(f"{sentence!r} with alternatives: {answer['translatedText']!r}")

    def nonsense(self) -> None:
        for body in ({"q": 3}, {"q": "a", "source": "en", "target": "xx"}, [], {"q": "a " * 5000}):
            self._ask("/translate", body, 422, 404, 413)

    def half(self) -> None:
        """Half a request, left open; the server gives up on it, or we do later."""
        if len(self._half) > 20:
            self._half.pop(0).close()
        try:
            half = socket.create_connection(("127.0.0.1", self.server.port), timeout=5)
            half.sendall(b"POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Le")
            self._half.append(half)
        except OSError:
            self.wrong.append("broken: half")

    def teach(self) -> None:
        """What is acknowledged holds at once, and for good."""
        source = f"lesson {self.number} {self.done['teach']} ."
        target = f"leçon {self.number} {self.done['teach']} !"
        body = {"kind": "sentence", "source": source, "target": target}
        answer = self._ask("/corrections", body, 200, 201)
        if answer is None:
            return
        self.taught[source] = target
        for chosen in (source, self._chance.choice([*self.taught])):
            answer = self._ask("/translate", {"q": chosen, "source": "en"}, 200)
            if answer is not None and answer["translatedText"] != self.taught[chosen]:
                self.wrong.append(f"taught {chosen!r}, got {answer['translatedText']!r}")

    def reload(self) -> None:
        self._ask(f"/models/{self.server.model.name}/reload", {}, 200)


@pytest.fixture
def servers(trained, tmp_path):
    """One that lives through everything, and one that does not."""
    names = ("steady", "killed")
    both = [Server(Path(shutil.copytree(trained, tmp_path / name))) for name in names]
    try:
        for server in both:
            server.start()
        yield both
    finally:
        for server in both:
            if server.process is not None:
                server.process.kill()
                server.process.wait()


def test_soak(trained, servers, capsys):
    if not sys.platform.startswith("linux"):
        pytest.skip("memory is read from /proc")
    lines = (ROOT / "examples" / "phrasebook" / "train.en").read_text("utf-8").splitlines()
    sentences = lines[3::37]
    expected = dict(zip(sentences, Translator.open(trained).translate(sentences), strict=True))
    stop = threading.Event()
    clients = [
        Client(server, sentences, expected, number, stop)
        for number, server in enumerate(server for server in servers for _ in range(CLIENTS))
    ]
    steady, killed = servers
    for client in clients:
        client.start()
    begun = time.monotonic()
    memory: list[int] = []
    kills = 0
    chance = random.Random(1)
    next_kill = LIFE
    while (passed := time.monotonic() - begun) < SECONDS:
        time.sleep(1)
        memory.append(steady.resident())
        if passed > next_kill:
            how = chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM])
            code = killed.end(how)
            assert code == (0 if how == signal.SIGTERM else -signal.SIGKILL)
            killed.start()
            kills += 1
            next_kill = passed + LIFE * chance.uniform(0.5, 1.5)
    stop.set()
    for client in clients:
        client.join(120)
        assert not client.is_alive()
    lessons = 0
    for at, server in enumerate(servers):
        own = clients[at * CLIENTS : (at + 1) * CLIENTS]
        _, entries = server.ask("GET", "/corrections")
        held = {entry["source"]: entry["target"] for entry in entries}
        for client in own:
            assert client.taught.items() <= held.items()
            lessons += len(client.taught)
    assert [server.end(signal.SIGTERM) for server in servers] == [0, 0]
    wrong = [entry for client in clients for entry in client.wrong]
    waited = sorted(second for client in clients[:CLIENTS] for second in client.waited)
    total: Counter[str] = sum((client.done for client in clients), Counter())
    quarter = len(memory) // 4
    before, after = max(memory[quarter : 2 * quarter]), max(memory[-quarter:])
    with capsys.disabled():
        print(
            f"\nsoak: {SECONDS:.0f} s, {sum(total.values()):,} requests {dict(total)}, {kills} "
            f"kills, {lessons} lessons kept, p50 {1000 * waited[len(waited) // 2]:.0f} ms, p99 "
            f"{1000 * waited[len(waited) * 99 // 100]:.0f} ms, memory {before >> 20} MB in the "
            f"second quarter, {after >> 20} MB in the last"
        )
    assert not wrong, f"{len(wrong)}: " + "\n".join(wrong[:20])
    assert kills >= 1 or LIFE > SECONDS
    assert after < 1.1 * before + (8 << 20)
