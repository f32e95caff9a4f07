"""Cleaning and holding out: exact cases and properties."""

from hypothesis import given
from hypothesis import strategies as st

from dragoman.corpus.clean import Cleaner, reasons_told
from dragoman.corpus.config import PrepareConfig
from dragoman.corpus.split import HoldOut


def test_cleaning_counts_each_reason():
    cleaner = Cleaner(PrepareConfig(max_words=5, max_ratio=2))
    decisions = [
        cleaner.keeps(*pair)
        for pair in [
            ("a b", "x y"),
            ("", "x"),
            ("a", ""),
            ("a b c d e f", "x"),
            ("a", "v w x y z"),
            ("a", "w x y z"),  # within the slack
            ("same", "same"),
            ("a b", "x y"),
            ("a", "b x y"),
        ]
    ]
    assert decisions == [True, False, False, False, False, True, False, False, True]
    assert cleaner.counts.read == 9
    assert cleaner.counts.kept == 3
    assert cleaner.counts.dropped == {
        "empty": 2,
        "too long": 1,
        "length ratio": 1,
        "copy": 1,
        "duplicate": 1,
    }


def test_reasons_are_told_in_words():
    dropped = {"empty": 0, "copy": 1200, "duplicate": 1}
    told = "1,200 with the same text on both sides, 1 seen before"
    assert reasons_told(dropped) == told
    assert reasons_told({}) == ""


def test_cleaning_can_be_told_to_keep():
    cleaner = Cleaner(PrepareConfig(drop_copies=False, drop_duplicates=False))
    assert all(cleaner.keeps("same", "same") for _ in range(2))


def hold_out(sources, dev, test):
    chooser = HoldOut(dev, test)
    for source in sources:
        chooser.offer(source)
    chosen = chooser.finish()
    return {sources[i] for i in chosen.dev}, {sources[i] for i in chosen.test}


@given(st.randoms())
def test_holding_out_does_not_depend_on_order(random):
    sources = [f"s{n}" for n in range(200)]
    expected = hold_out(sources, 5, 8)
    assert [len(part) for part in expected] == [5, 8]
    assert not expected[0] & expected[1]
    random.shuffle(sources)
    assert hold_out(sources, 5, 8) == expected


def test_holding_out_takes_a_twentieth_at_most_and_each_source_once():
    dev, test = hold_out([f"s{n}" for n in range(100)], 1000, 1000)
    assert len(dev) == len(test) == 5
    chooser = HoldOut(3, 0)
    for _ in range(100):
        chooser.offer("always the same")
    assert chooser.finish().dev == {0}
