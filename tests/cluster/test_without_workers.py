"""What a crew asks of a cluster, and what a worker does, by hand: no process is started."""

from __future__ import annotations

import concurrent.futures
import pickle
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dragoman.cluster import checks, crew, worker
from dragoman.cluster.crew import DaskCrew
from dragoman.cluster.worker import Fitness, Order, Report
from dragoman.crew import Here, Part
from dragoman.errors import ClusterError, FileError, InputError, UsageError

pytest.importorskip("distributed")


def add(tool: int, content: int, threads: int) -> int:
    if content < 0:
        raise InputError(f"{content} is below zero")
    if content > 100:
        raise RuntimeError("too large")
    return tool + content


class Future:
    """Done when it is asked for, or as it was told."""

    def __init__(self, outcome: Any, waits: int = 0, status: str = "finished") -> None:
        self.outcome, self.waits, self.status = outcome, waits, status

    def result(self, timeout: float) -> Any:
        assert timeout == 0.5
        if self.waits:
            self.waits -= 1
            raise concurrent.futures.TimeoutError
        if isinstance(self.outcome, BaseException):
            raise self.outcome
        return self.outcome

    def done(self) -> bool:
        return not self.waits

    def exception(self) -> Any:
        return self.outcome


class Client:
    """Does what it is given at once, and notes it."""

    status = "running"

    def __init__(self, threads: dict[str, int] | None = None, waits: int = 0) -> None:
        self.threads = {"a": 1, "b": 2} if threads is None else threads
        self.waits = waits
        self.given: list[tuple[str, list[str] | None, bool]] = []
        self.cancelled: list[Any] = []
        self.tools: list[str] = []
        self.scheduler = SimpleNamespace(address="tcp://here")
        self.answers: dict[str, Any] = {}

    def nthreads(self) -> dict[str, int]:
        return self.threads

    def scheduler_info(self) -> dict[str, Any]:
        return {"workers": {worker: {"status": "running"} for worker in self.threads}}

    def submit(
        self,
        work: Any,
        order: Order,
        *,
        key: str,
        pure: bool,
        workers: list[str] | None,
        allow_other_workers: bool,
    ) -> Future:
        assert work is worker.do
        self.tools.append(order.tool_key)
        assert allow_other_workers == bool(workers)
        self.given.append((key, workers, pure))
        outcome: Any
        try:
            tool, content = pickle.loads(order.tool), pickle.loads(order.content)
            result = pickle.dumps(order.work(tool, content, 1))
            outcome = Report(result, None, "", "w", 1.0, 2.5, 0.5, 77)
        except InputError as problem:
            outcome = Report(b"", problem, "", "w", 1.0, 2.5, 0.5, 77)
        except Exception as problem:
            found = next(name for name in self.threads if workers is None or name in workers)
            outcome = Report(b"", None, str(problem), found, 1.0, 2.5, 0.5, 77)
        return Future(outcome, self.waits)

    def cancel(self, futures: list[Any], *, force: bool) -> None:
        assert force
        self.cancelled += futures

    def run(self, function: Any, *arguments: Any, **options: Any) -> dict[str, Any]:
        self.asked = (function, arguments, options)
        return self.answers


def crew_of(client: Client, tmp_path: Path) -> DaskCrew:
    own = DaskCrew(lambda: client, tmp_path / "shared")  # type: ignore[arg-type, return-value]
    own.__dict__["client"] = client  # what connecting finds is not asked
    return own


def parts(numbers: list[int], taken: list[int] | None = None) -> Iterator[Part[int]]:
    for number in numbers:
        if taken is not None:
            taken.append(number)
        yield Part(f"part {number}", number)


def test_parts_are_taken_as_there_is_room(tmp_path, monkeypatch):
    monkeypatch.setattr(crew, "COUNTED_SECONDS", 0.0)
    client, taken = Client(), []
    doing = crew_of(client, tmp_path).run(add, 5, parts(list(range(50)), taken))
    assert next(doing) == 5
    # Four for each of three threads and eight more are on their way.
    assert len(taken) == len(client.given) == 20
    assert next(doing) == 6
    assert len(taken) == 21
    client.threads = {}
    assert next(doing) == 7
    assert len(taken) == 21
    doing.close()
    # The parts that nobody waits for any more are called back.
    assert len(client.cancelled) == 21 - 3
    assert list(doing) == []


def test_workers_are_counted_once_a_second(tmp_path, monkeypatch):
    """Not for each part: the scheduler has to be asked, and small parts take no longer."""
    client, asked, now = Client(), [], [10.0]

    def nthreads() -> dict[str, int]:
        asked.append(now[0])
        return {"a": 1}

    client.nthreads = nthreads  # type: ignore[method-assign]
    monkeypatch.setattr(crew.time, "perf_counter", lambda: now[0])
    doing = crew_of(client, tmp_path).run(add, 5, parts(list(range(50))))
    assert [next(doing) for _ in range(20)] == [*range(5, 25)]
    now[0] = 11.0
    assert list(doing) == [*range(25, 55)]
    assert asked == [10.0, 11.0]


def test_results_names_and_what_travelled(tmp_path):
    client = Client(waits=2)
    own = crew_of(client, tmp_path)
    assert list(own.run(add, 5, parts([3, 1, 2]))) == [8, 6, 7]
    assert client.cancelled == []
    assert [deed.part for deed in own.deeds] == ["part 3", "part 1", "part 2"]
    deed = own.deeds[0]
    assert (deed.work, deed.worker, deed.begin, deed.end, deed.peak_memory) == (
        "add",
        "w",
        1,
        2.5,
        77,
    )
    assert (deed.sent, deed.received) == (len(pickle.dumps(3, 5)), len(pickle.dumps(8)))
    keys = [key for key, _, _ in client.given]
    assert [key.rsplit("-", 1)[1] for key in keys] == ["000000", "000001", "000002"]
    assert len({key.rsplit("-", 1)[0] for key in keys}) == 1 and keys[0].startswith("add-")
    # Never taken for one that was asked for before, and done by anybody.
    assert {given[1:] for given in client.given} == {(None, False)}
    list(own.run(add, 5, parts([3])))
    assert client.given[-1][0] != keys[0]
    assert own.elsewhere and own.threads == 1


def test_tools_are_kept_for_one_command(tmp_path):
    """The next one may mean other files by the same names."""
    client = Client()
    first, second = crew_of(client, tmp_path), crew_of(client, tmp_path)
    for own, tool in ((first, 5), (first, 5), (first, 6), (second, 5)):
        list(own.run(add, tool, parts([1])))
    assert client.tools[0] == client.tools[1]
    assert len(set(client.tools)) == 3


def test_nothing_to_do_asks_for_nothing(tmp_path):
    client = Client()
    assert list(crew_of(client, tmp_path).run(add, 5, iter([]))) == []
    assert client.given == [] and client.cancelled == []


def test_a_mistake_of_the_user_ends_the_work(tmp_path):
    client = Client()
    with pytest.raises(InputError, match="-1 is below zero"):
        list(crew_of(client, tmp_path).run(add, 5, parts([1, -1, 2, 3])))
    assert len(client.cancelled) == 2


def test_what_fails_again_and_again_is_named(tmp_path):
    client = Client({"a": 1, "b": 1, "c": 1})
    with pytest.raises(ClusterError, match="^part 101: failed 3 times, at last on c: too large$"):
        list(crew_of(client, tmp_path).run(add, 5, parts([101])))
    # Whoever has failed at it is not asked again, as long as there are others.
    assert [workers for _, workers, _ in client.given] == [None, ["b", "c"], ["c"]]
    keys = [key for key, _, _ in client.given]
    assert keys == [keys[0], f"{keys[0]}-1", f"{keys[0]}-2"]
    assert len(client.cancelled) == 1
    with pytest.raises(ClusterError, match="at last on a: too large"):
        list(crew_of(Client({"a": 1}), tmp_path).run(add, 5, parts([101])))


def failing(outcome: BaseException, waits: int = 0) -> Client:
    client = Client()
    client.submit = lambda *a, **k: Future(outcome, waits, "error")  # type: ignore[method-assign]
    return client


def test_a_part_that_ran_out_of_time_by_itself_has_failed(tmp_path):
    class Late(Future):
        def result(self, timeout: float) -> Any:
            raise TimeoutError("too slow")

    client = Client()
    client.submit = lambda *a, **k: Late(TimeoutError("too slow"), status="error")  # type: ignore[method-assign]
    with pytest.raises(ClusterError, match="part 1: failed 3 times, at last with: too slow"):
        list(crew_of(client, tmp_path).run(add, 5, parts([1])))


def test_errors_without_words_are_called_by_their_names(tmp_path):
    with pytest.raises(ClusterError, match="at last with: ValueError"):
        list(crew_of(failing(ValueError()), tmp_path).run(add, 5, parts([1])))


def test_a_lost_scheduler_is_told(tmp_path):
    client = failing(ValueError("x"))
    own = crew_of(client, tmp_path)
    doing = own.run(add, 5, parts([1]))
    client.status = "closed"
    with pytest.raises(ClusterError, match="connection to the scheduler was lost"):
        next(doing)
    from distributed.client import FutureCancelledError

    with pytest.raises(ClusterError, match="was lost"):
        list(crew_of(failing(FutureCancelledError("k", "r")), tmp_path).run(add, 5, parts([1])))

    class Gone(Client):
        def nthreads(self) -> dict[str, int]:
            raise OSError("gone")

    with pytest.raises(ClusterError, match="was lost"):
        list(crew_of(Gone(), tmp_path).run(add, 5, parts([1])))


def test_without_workers_it_waits_five_minutes_and_no_longer(tmp_path, monkeypatch):
    class Notes:
        def __init__(self) -> None:
            self.said: list[str] = []

        def note(self, text: str) -> None:
            self.said.append(text)

    now = [1000.0]

    def clock() -> float:
        now[0] += 100
        return now[0]

    monkeypatch.setattr(crew.time, "monotonic", clock)
    client, notes = Client({}, waits=99), Notes()
    with pytest.raises(ClusterError, match="no worker for 300 s"):
        list(crew_of(client, tmp_path).run(add, 5, parts([1]), notes))  # type: ignore[arg-type]
    # Looked at at 0, 100, 200 and 300 seconds of loneliness; 400 are too many.
    told = "0 workers, 1 parts under way"
    assert [one[: len(told)] for one in notes.said] == [told] * 4
    # Whoever comes ends the loneliness.
    client, notes.said = Client({"a": 1}, waits=9), []
    assert list(crew_of(client, tmp_path).run(add, 5, parts([1, 2]), notes)) == [6, 7]  # type: ignore[arg-type]
    told_both = [f"1 workers, {left} parts under way" for left in (2, 1) for _ in range(9)]
    assert [one[: len(told_both[0])] for one in notes.said] == told_both


def test_workers_that_have_no_memory_left_are_not_waited_for_forever(tmp_path, monkeypatch):
    """Dask gives them nothing to do, and they need not ever come back."""
    client, asked = Client({"a": 1, "b": 1}, waits=99), []
    states = ["paused", "running"]

    def scheduler_info() -> dict[str, Any]:
        asked.append(None)
        return {"workers": {"a": {"status": "paused"}, "b": {"status": states[len(asked) > 3]}}}

    now = [1000.0]

    def clock() -> float:
        now[0] += 10
        return now[0]

    client.scheduler_info = scheduler_info  # type: ignore[method-assign]
    monkeypatch.setattr(crew.time, "monotonic", clock)
    # One of them comes back in time.
    assert list(crew_of(client, tmp_path).run(add, 5, parts([1]))) == [6]
    # Asked every 20 s of those that a part is late, not at every look.
    assert len(asked) == 49
    states[1] = "paused"
    with pytest.raises(ClusterError, match=r"has paused all its workers, .*memory.* for 300 s"):
        list(crew_of(client, tmp_path).run(add, 5, parts([1])))


# What a worker does.


@pytest.fixture
def order(tmp_path, monkeypatch) -> Order:
    monkeypatch.setattr(worker, "me", lambda: "tcp://w")
    monkeypatch.setattr(worker, "_kept", SimpleNamespace())
    shared = tmp_path / "shared"
    shared.write_text("x")
    return Order(worker.own_version(), str(shared), add, "five", pickle.dumps(5), pickle.dumps(3))


def test_an_order_is_done(order):
    report = worker.do(order)
    assert (pickle.loads(report.result), report.problem, report.worker) == (8, None, "tcp://w")
    assert report.begin <= report.end and report.peak_memory > 1 << 20


def test_mistakes_and_accidents_travel_as_reports(order):
    report = worker.do(replace(order, content=pickle.dumps(-1)))
    assert isinstance(report.problem, InputError) and report.result == b""
    report = worker.do(replace(order, content=pickle.dumps(101)))
    assert (report.result, report.problem, report.accident) == (b"", None, "too large")


def no_memory(tool: int, content: int, threads: int) -> int:
    raise MemoryError


def misused(tool: int, content: int, threads: int) -> int:
    raise UsageError("not so")


def damaged(tool: int, content: int, threads: int) -> int:
    raise FileError("gone")


def wordless(tool: int, content: int, threads: int) -> int:
    raise ValueError


def test_kinds_of_mistakes(order):
    assert worker.do(replace(order, work=no_memory)).accident == "out of memory"
    report = worker.do(replace(order, work=misused))
    assert isinstance(report.problem, UsageError) and not report.accident
    # A file that is gone here may be there for another worker.
    report = worker.do(replace(order, work=damaged))
    assert (report.problem, report.accident) == (None, "gone")
    assert worker.do(replace(order, work=wordless)).accident == "ValueError"


def test_unfit_workers_refuse(order):
    report = worker.do(replace(order, version="0.0.1"))
    assert re.fullmatch(r"it has Dragoman .*, not 0\.0\.1", report.accident)
    report = worker.do(replace(order, shared=order.shared + "x"))
    assert report.accident.startswith("it does not see") and not report.result


def test_the_two_tools_used_last_are_kept(order):
    tools = {name: pickle.dumps([name]) for name in "abc"}

    def tool(name: str) -> Any:
        return worker._tool(replace(order, tool_key=name, tool=tools[name]))

    a, b = tool("a"), tool("b")
    assert tool("a") is a
    tool("c")
    assert tool("a") is a  # b was used least lately
    assert tool("b") is not b and tool("b") == ["b"]


def test_looking_at_a_shared_place(tmp_path):
    shared = tmp_path / "shared"
    shared.write_text("x")
    digest = checks.sha256(shared)
    for writing in (True, False):
        seen = worker.look(str(shared), digest, writing)
        assert seen.problem == "" and seen.free > 0
    assert [path.name for path in tmp_path.iterdir()] == ["shared"]
    assert worker.look(str(shared), "0", True) == Fitness(f"sees another {shared}")
    assert "shared2" in worker.look(f"{shared}2", digest, True).problem


# What is asked before the work begins.


def test_versions_are_compared(monkeypatch):
    monkeypatch.setattr(checks, "own_version", lambda: "1.2")
    client = Client()
    client.answers = {"a": "1.2", "b": "1.2"}
    checks.require_same_version(client)  # type: ignore[arg-type]
    assert client.asked[1:] == (("dragoman",), {"on_error": "return"})
    client.answers = {"a": "1.2", "b": "1.1"}
    with pytest.raises(ClusterError, match=r"worker b has Dragoman 1\.1, this machine 1\.2"):
        checks.require_same_version(client)  # type: ignore[arg-type]
    client.answers = {"a": checks.importlib.metadata.PackageNotFoundError("dragoman")}
    with pytest.raises(ClusterError, match=r"worker a does not have Dragoman: install 1\.2"):
        checks.require_same_version(client)  # type: ignore[arg-type]


def test_sight_and_room_are_asked_for(tmp_path):
    shared = tmp_path / "shared"
    shared.write_text("x")
    client = Client()

    def ask(answer: Fitness, writing: bool = True) -> None:
        client.answers = {"a": answer}
        checks.require_sight(client, shared, writing=writing, free=1 << 30)  # type: ignore[arg-type]

    ask(Fitness("", 1 << 30))
    assert client.asked == (worker.look, (str(shared), checks.sha256(shared), True), {})
    with pytest.raises(ClusterError, match=r"has 0\.5 GiB of disk free .* may need 1\.0 GiB"):
        ask(Fitness("", 1 << 29))
    with pytest.raises(ClusterError, match=r"1\.0 GiB"):
        ask(Fitness("", (1 << 30) - 1))
    ask(Fitness("", 0), writing=False)  # nothing will be written
    with pytest.raises(ClusterError, match=r"worker a cannot use .*\(blind\)"):
        ask(Fitness("blind", 1 << 40), writing=False)


def test_the_first_worker_is_waited_for():
    client = Client()
    asked = []

    def wait(number: int, timeout: float) -> None:
        asked.append((number, timeout))
        if timeout < 120:
            raise TimeoutError

    client.wait_for_workers = wait  # type: ignore[attr-defined]
    checks.require_workers(client)  # type: ignore[arg-type]
    assert asked == [(1, 120.0)]
    with pytest.raises(ClusterError, match="tcp://here has had no worker for 3 s"):
        checks.require_workers(client, 3)  # type: ignore[arg-type]


def test_a_probe_lies_where_the_directory_is_or_will_be(tmp_path):
    for place in (tmp_path, tmp_path / "later" / "still"):
        with checks.probe_in(place) as probe:
            assert probe.parent == tmp_path and len(probe.read_text("utf-8")) == 32
            assert probe.name.startswith(".dragoman-probe-")
        assert list(tmp_path.iterdir()) == []
    with checks.probe_in(tmp_path) as probe:
        probe.unlink()  # somebody was quicker


def test_here_parts_have_all_threads():
    def work(tool: str, content: int, threads: int) -> tuple[str, int, int]:
        return tool, content, threads

    assert list(Here(3).run(work, "t", parts([1, 2]))) == [("t", 1, 3), ("t", 2, 3)]
    assert Here().threads == 1 and not Here.elsewhere
