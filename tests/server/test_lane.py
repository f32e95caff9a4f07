"""Lanes: fair, bounded, and nothing is lost when they close."""

import threading

import pytest

from dragoman.errors import InputError
from dragoman.search.options import SearchOptions
from dragoman.server.lane import BusyError, Job, Lane
from dragoman.server.limits import Limits
from dragoman.translation.demands import MarkedLine
from dragoman.translation.result import Prepared, Wants
from dragoman.translation.source import Source

WANTS = Wants(SearchOptions())


class Decoder:
    """Waits until it is told to go on, and remembers what it was given."""

    def __init__(self):
        self.go = threading.Event()
        self.batches = []

    def __call__(self, sentences, wants):
        self.go.wait()
        self.batches.append([one.source.text for one in sentences])
        return [one.source.text for one in sentences]


def job(texts, wants=WANTS, finish=lambda index, prepared, result: result.upper()):
    sources = [Source.of_line(text) for text in texts]

    def prepare(index):
        return Prepared(sources[index], MarkedLine([texts[index]]))

    return Job(wants, sources, prepare, finish)


def test_small_requests_overtake_large_ones():
    decoder = Decoder()
    lane = Lane(decoder, Limits(batch=4))
    large = lane.submit(job([f"l{n}" for n in range(40)]))
    small = lane.submit(job(["s0", "s1"]))
    decoder.go.set()
    assert small.result(10) == ["S0", "S1"]
    assert large.result(10) == [f"L{n}" for n in range(40)]
    places = [number for number, batch in enumerate(decoder.batches) if "s1" in batch]
    assert places[0] <= 4  # two batches may be under way before it comes
    assert all(len(batch) <= 4 for batch in decoder.batches)
    lane.close()


def test_batches_mix_requests_that_want_the_same():
    decoder = Decoder()
    lane = Lane(decoder, Limits(batch=8))
    for _ in range(2):  # both threads are waiting for the decoder
        lane.submit(job(["first"]))
    futures = [lane.submit(job([f"a{n}"])) for n in range(6)]
    other = lane.submit(job(["b"], Wants(SearchOptions(beam_limit=7))))
    decoder.go.set()
    assert [future.result(10) for future in futures] == [[f"A{n}"] for n in range(6)]
    assert other.result(10) == ["B"]
    assert ["b"] in decoder.batches
    assert max(map(len, decoder.batches)) >= 4
    lane.close()


def test_a_bad_sentence_fails_only_its_request():
    decoder = Decoder()
    decoder.go.set()
    lane = Lane(decoder, Limits())

    def refuse(index, prepared, result):
        raise InputError("no")

    bad = lane.submit(job(["a", "b"], finish=refuse))
    good = lane.submit(job(["c"]))
    assert good.result(10) == ["C"]
    with pytest.raises(InputError):
        bad.result(10)
    lane.close()


def test_a_broken_decoder_is_told_to_all():
    def broken(sentences, wants):
        raise RuntimeError("broken")

    lane = Lane(broken, Limits())
    with pytest.raises(RuntimeError):
        lane.submit(job(["a"])).result(10)
    with pytest.raises(RuntimeError):
        lane.submit(job(["b"])).result(10)
    lane.close()


def test_closing_finishes_what_was_accepted():
    decoder = Decoder()
    lane = Lane(decoder, Limits(batch=2, waiting=30))
    futures = [lane.submit(job([f"a{n}"])) for n in range(20)]
    with pytest.raises(BusyError):
        lane.submit(job(["x"] * 31))
    closing = threading.Thread(target=lane.close)
    closing.start()
    decoder.go.set()
    closing.join(10)
    assert all(future.done() for future in futures)
    assert lane.waiting == 0
    with pytest.raises(BusyError):
        lane.submit(job(["late"]))


def test_what_nobody_waits_for_is_dropped():
    decoder = Decoder()
    lane = Lane(decoder, Limits(batch=1))
    for _ in range(2):
        lane.submit(job(["first"]))
    given_up = lane.submit(job([f"x{n}" for n in range(100)]))
    last = lane.submit(job(["last"]))
    given_up.cancel()
    decoder.go.set()
    assert last.result(10) == ["LAST"]
    lane.close()
    assert lane.waiting == 0
    assert sum(text.startswith("x") for batch in decoder.batches for text in batch) <= 2


def test_as_many_decode_at_once_as_may():
    together = threading.Barrier(2)
    counting = threading.Lock()
    under_way, most = 0, 0

    def decode(sentences, wants):
        nonlocal under_way, most
        with counting:
            under_way += 1
            most = max(most, under_way)
        together.wait(10)  # for another one, without which this would never end
        with counting:
            under_way -= 1
        return [one.source.text for one in sentences]

    lane = Lane(decode, Limits(batch=1), decoders=2)
    futures = [lane.submit(job([f"a{n}"])) for n in range(20)]
    assert [future.result(10) for future in futures] == [[f"A{n}"] for n in range(20)]
    assert most == 2
    lane.close()


def test_what_waits_is_shared_among_the_threads():
    """Sixteen clients with one sentence each: none waits for all the others."""
    decoder = Decoder()
    lane = Lane(decoder, Limits(), decoders=2)
    futures = [lane.submit(job([f"a{n}"])) for n in range(16)]
    decoder.go.set()
    assert [future.result(10) for future in futures] == [[f"A{n}"] for n in range(16)]
    assert max(map(len, decoder.batches)) <= 6
    lane.close()
