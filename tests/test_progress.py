"""Progress: bars on a terminal, lines elsewhere, nothing when quiet."""

import io

from dragoman import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def work(shown):
    with shown.task("counting", total=100, unit="pairs") as task:
        task.advance(60)
        task.note("so far so good")
        task.advance(40)
    shown.message("done")


def test_lines_in_a_pipe(monkeypatch):
    now = iter(range(0, 1000, 20))
    monkeypatch.setattr(progress.time, "monotonic", lambda: float(next(now)))
    stream = io.StringIO()
    work(progress.to_terminal(stream=stream))
    assert stream.getvalue().splitlines() == [
        "counting: 60/100 pairs  20.0 s  3 pairs/s  13 s left",
        "counting: 100/100 pairs  40.0 s  2 pairs/s  so far so good",
        "counting: 100/100 pairs  60.0 s  2 pairs/s  so far so good",
        "done",
    ]


def test_short_work_is_not_mentioned():
    stream = io.StringIO()
    work(progress.to_terminal(stream=stream))
    assert stream.getvalue() == "done\n"


def test_bars_on_a_terminal():
    stream = Terminal()
    work(progress.to_terminal(stream=stream))
    assert "counting" in stream.getvalue()
    assert "100/100" in stream.getvalue()
    assert "so far so good" in stream.getvalue()


def test_quiet():
    assert progress.to_terminal(quiet=True) is progress.SILENT
    work(progress.SILENT)


def test_messages_can_be_left_out():
    stream = Terminal()
    work(progress.WithoutMessages(progress.to_terminal(stream=stream)))
    assert "100/100" in stream.getvalue()
    assert "done" not in stream.getvalue()


def test_what_is_slow_is_told_by_what_each_takes():
    assert progress.pace(0.25, "rounds") == "4.0 s a round"
    assert progress.pace(3.4, "rounds") == "3 rounds/s"
    assert progress.pace(0.0, "pairs") == ""
    assert progress.pace(2_900_000.0, "bytes") == "2.9 MB/s"
    assert progress.pace(12345.0, "pairs") == "12,345 pairs/s"
