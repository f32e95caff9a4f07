"""The server against the library: throughput, latency, memory, and a stop under load.

    python bench/serve.py [--model DIR] [--source FILE] [--requests N]

Without a model, one is trained from the phrasebook. Everything happens on the loopback interface,
with a bounded number of requests. Printed are, for one sentence a request and for sixteen, with 16
clients at once: sentences per second of the server and of ``Translator.translate`` on the same
sentences with as many threads, their ratio, the processor time of each, latencies, errors; the
same for two servers of one decoder thread each, with half of the clients; then the resident memory
of a server while it answers further requests; then what became of requests when the server was
told to stop in the middle of them.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import dragoman

PHRASEBOOK = Path(__file__).resolve().parents[1] / "examples" / "phrasebook"
CLIENTS = 16


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, help="a model directory")
    parser.add_argument("--source", type=Path, help="sentences to translate, one a line")
    parser.add_argument("--requests", type=int, default=10_000, help="for the memory curve")
    parser.add_argument("--sentences", type=int, default=2000, help="of each measurement")
    parser.add_argument("--threads", type=int, nargs="*", default=[1, os.cpu_count() or 1])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        model = arguments.model or _train(Path(place) / "phrasebook")
        lines = (arguments.source or PHRASEBOOK / "test.en").read_text("utf-8").splitlines()
        lines = [line for line in lines if line.strip()]
        lines = (lines * (arguments.sentences // len(lines) + 1))[: arguments.sentences]
        print(f"{len(lines)} sentences, {sum(len(line.split()) for line in lines)} words")
        for threads in dict.fromkeys(arguments.threads):
            throughput(model, lines, [threads])
        throughput(model, lines, [1, 1])
        memory(model, lines, arguments.requests)
        stop(model, lines)


def _train(model: Path) -> Path:
    """As `make demo` does, without tuning's many rounds."""
    config = dragoman.Config()
    config = replace(config, tune=replace(config.tune, max_iterations=2))
    dragoman.train(
        (PHRASEBOOK / "train.en", PHRASEBOOK / "train.fr"),
        model,
        dev=(PHRASEBOOK / "dev.en", PHRASEBOOK / "dev.fr"),
        source_language="en",
        target_language="fr",
        tokeniser="whitespace",
        config=config,
    )
    return model


class Server:
    """A server process on a free port."""

    def __init__(self, model: Path, threads: int) -> None:
        command = [sys.executable, "-m", "dragoman", "serve", str(model), "--port", "0"]
        self.log = tempfile.TemporaryFile("w+")  # noqa: SIM115 - as long as the server
        self.process = subprocess.Popen([*command, "-j", str(threads)], stderr=self.log)
        address = ""
        while "serves at" not in address:
            time.sleep(0.05)
            if self.process.poll() is not None:
                raise SystemExit("the server did not start")
            self.log.seek(0)
            address = self.log.readline()
        self.port = int(address.split()[3].rpartition(":")[2])
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", "/models")
        self.language = json.loads(connection.getresponse().read())[0]["source"]
        connection.close()

    def resident(self) -> int:
        """Kilobytes of memory."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0])

    def processor_seconds(self) -> float:
        """What it has used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> float:
        """Tell it to stop; how long that took."""
        begun = time.perf_counter()
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(120)
        if code != 0:
            raise SystemExit(f"the server ended with {code}")
        return time.perf_counter() - begun

    def accepted(self) -> int:
        """How many translations it has begun, by its log; each is noted, however it ended."""
        self.log.seek(0)
        entries = (json.loads(line) for line in self.log if line.startswith("{"))
        return sum(e.get("path") == "/translate" for e in entries)


@dataclass
class Load:
    """Clients that take turns at a list of requests, and what came of them."""

    ports: Sequence[int]
    bodies: Sequence[bytes]
    seconds: list[float] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    elapsed: float = 0.0

    def __post_init__(self) -> None:
        self._next = iter(range(len(self.bodies)))
        self._lock = threading.Lock()

    def run(self) -> Load:
        """Everything, with all clients at once."""
        begun = time.perf_counter()
        ports = [self.ports[number % len(self.ports)] for number in range(CLIENTS)]
        clients = [threading.Thread(target=self._client, args=[port]) for port in ports]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        self.elapsed = time.perf_counter() - begun
        return self

    def _client(self, port: int) -> None:
        # As little work as can be: clients share the processors with the server.
        connection: socket.socket | None = None
        while True:
            with self._lock:
                index = next(self._next, None)
            if index is None:
                break
            begun = time.perf_counter()
            try:
                if connection is None:
                    connection = socket.create_connection(("127.0.0.1", port), timeout=120)
                outcome = _exchange(connection, self.bodies[index])
            except OSError:
                outcome = "no connection"
            if outcome != "200" and connection is not None:
                connection.close()
                connection = None
            with self._lock:
                self.outcomes[outcome] += 1
                self.seconds.append(time.perf_counter() - begun)
        if connection is not None:
            connection.close()


def _exchange(connection: socket.socket, body: bytes) -> str:
    """Send a request; the status of its answer, or what is wrong with it."""
    connection.sendall(
        b"POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    )
    answer = b""
    try:
        while b"\r\n\r\n" not in answer:
            piece = connection.recv(65536)
            if not piece:
                return "answer cut short" if answer else "no answer"
            answer += piece
        head, _, content = answer.partition(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        while len(content) < length:
            piece = connection.recv(65536)
            if not piece:
                return "answer cut short"
            content += piece
    except OSError:
        return "answer cut short" if answer else "no answer"
    return head.split()[1].decode()


def bodies_of(lines: Sequence[str], size: int, language: str) -> list[bytes]:
    """Requests of so many sentences each."""
    return [
        json.dumps({"q": lines[at : at + size], "source": language}).encode()
        for at in range(0, len(lines), size)
    ]


def throughput(model: Path, lines: Sequence[str], servers: Sequence[int]) -> None:
    """Servers of so many threads, and the library, on the same sentences, each the better of
    three, by turns."""
    threads = sum(servers)
    translator = dragoman.Translator.open(model, threads=threads)
    running = [Server(model, each) for each in servers]
    ports, language = [server.port for server in running], running[0].language
    library: list[float] = []
    library_processor: list[float] = []
    loads: dict[int, list[Load]] = {1: [], 16: []}
    processor: dict[int, list[float]] = {1: [], 16: []}
    for size in loads:  # warm: phrases seen before are remembered by both
        Load(ports, bodies_of(lines, size, language)).run()
    translator.translate(list(lines))
    for _ in range(3):
        begun, used = time.perf_counter(), time.process_time()
        translator.translate(list(lines))
        library.append(len(lines) / (time.perf_counter() - begun))
        library_processor.append((time.process_time() - used) / len(lines))
        for size, found in loads.items():
            used = sum(server.processor_seconds() for server in running)
            found.append(Load(ports, bodies_of(lines, size, language)).run())
            used = sum(server.processor_seconds() for server in running) - used
            processor[size].append(used / len(lines))
    print(
        f"\nservers with {' and '.join(map(str, servers))} threads, {CLIENTS} clients; library "
        f"{max(library):.0f} sentences/s, {1e6 * min(library_processor):.0f} processor µs each"
    )
    print(
        "  sentences a request   sentences/s   of the library   processor µs each"
        "   p50 ms   p99 ms   errors"
    )
    for size, found in loads.items():
        best = min(found, key=lambda load: load.elapsed)
        rate = len(lines) / best.elapsed
        ordered = sorted(best.seconds)
        errors = sum(n for load in found for name, n in load.outcomes.items() if name != "200")
        print(
            f"  {size:19} {rate:13.0f} {rate / max(library):15.0%}"
            f" {1e6 * min(processor[size]):19.0f}"
            f" {1000 * ordered[len(ordered) // 2]:9.1f}"
            f" {1000 * ordered[int(0.99 * (len(ordered) - 1))]:8.1f} {errors:8}"
        )
    for server in running:
        server.stop()


def memory(model: Path, lines: Sequence[str], requests: int) -> None:
    """Resident memory after each tenth of the requests; the first tenth warms up."""
    server = Server(model, 1)
    bodies = bodies_of(lines, 1, server.language)
    each = max(1, requests // 10)
    curve = []
    for part in range(10):
        chosen = [bodies[(part * each + n) % len(bodies)] for n in range(each)]
        load = Load([server.port], chosen).run()
        if set(load.outcomes) != {"200"}:
            raise SystemExit(f"errors: {dict(load.outcomes)}")
        curve.append(server.resident() / 1024)
    print(f"\nresident MB over {10 * each} requests: " + " ".join(f"{mb:.0f}" for mb in curve))
    print(f"  from the second tenth to the last: {curve[-1] - curve[1]:+.1f} MB")
    server.stop()


def stop(model: Path, lines: Sequence[str]) -> None:
    """Told to stop in the middle of the load, it answers what it has accepted."""
    server = Server(model, 1)
    load = Load([server.port], bodies_of(lines, 1, server.language) * 20)
    running = threading.Thread(target=load.run)
    running.start()
    time.sleep(1.0)
    took = server.stop()
    running.join()
    answered, accepted = load.outcomes["200"], server.accepted()
    print(
        f"\nTERM under load: stopped in {took:.2f} s; answered {answered}, in its log {accepted}"
    )
    print(f"  accepted and lost: {accepted - answered}; outcomes {dict(load.outcomes)}")


if __name__ == "__main__":
    main()
