"""What a model is taught: kept, replaced, forgotten, found again, and which goes first."""

import re
import sqlite3
import threading

import pytest

from dragoman._core import GivenTranslation
from dragoman.corpus.read import ParallelFile
from dragoman.errors import DragomanError, InputError
from dragoman.text.config import TextConfig
from dragoman.text.form import TextForm
from dragoman.translation.corrections import Corrections, as_tmx, as_tsv
from dragoman.translation.demands import MarkedLine

TOKENS = TextForm.tokenised()
RAW = TextForm(TextConfig("en", "fr", truecase="no"))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "corrections.db"


def listed(corrections):
    return [(one.kind, one.source, one.target) for one in corrections.entries()]


def test_what_is_kept_is_found_by_the_next_process(path):
    corrections = Corrections(path, TOKENS)
    assert corrections.entries() == []
    assert not path.exists()
    first = corrections.add("term", "house", "maison")
    second = corrections.add("sentence", "a  house\t!", " une maison ! ")
    assert (second.source, second.target) == ("a house !", "une maison !")
    assert corrections.entries() == [first, second]
    assert Corrections(path, TOKENS).entries() == [first, second]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", first.created)


def test_the_same_source_is_replaced_and_the_other_kind_is_not(path):
    corrections = Corrections(path, TOKENS)
    first = corrections.add("term", "a", "x")
    corrections.add("sentence", "a", "y")
    again = corrections.add("term", "a", "z")
    assert again.id == first.id
    assert listed(corrections) == [("term", "a", "z"), ("sentence", "a", "y")]
    marked = MarkedLine(["b", "a"])
    assert corrections.apply(marked) is None
    assert marked.given == [GivenTranslation(1, 2, "z")]


def test_forgetting(path):
    corrections = Corrections(path, TOKENS)
    assert corrections.remove(1) is False
    kept, gone = corrections.add("term", "a", "x"), corrections.add("term", "b", "y")
    assert corrections.remove(gone.id) is True
    assert corrections.remove(gone.id) is False
    assert corrections.entries() == [kept]
    marked = MarkedLine(["b", "a"])
    corrections.apply(marked)
    assert marked.given == [GivenTranslation(1, 2, "x")]


def test_a_whole_sentence_goes_before_terms_in_it(path):
    corrections = Corrections(path, TOKENS)
    corrections.add("term", "a", "A")
    corrections.add("sentence", "a b", "whole")
    marked = MarkedLine(["a", "b"])
    assert corrections.apply(marked) == "whole"
    assert marked.given == [GivenTranslation(0, 2, "whole")]
    # Part of a longer sentence it is none.
    longer = MarkedLine(["a", "b", "c"])
    assert corrections.apply(longer) is None
    assert longer.given == [GivenTranslation(0, 1, "A")]


@pytest.mark.parametrize(
    "line",
    [
        {"given": [(1, 2, "mine")]},
        {"zones": [(0, 2)]},
        {"walls": [1]},
    ],
)
def test_a_sentence_of_which_the_line_says_something_is_translated(path, line):
    corrections = Corrections(path, TOKENS)
    corrections.add("term", "a", "A")
    corrections.add("sentence", "a b", "whole")
    line = {name: list(value) for name, value in line.items()}
    line["given"] = [GivenTranslation(*one) for one in line.get("given", ())]
    marked = MarkedLine(["a", "b"], **line)
    before = list(marked.given)
    assert corrections.apply(marked) is None
    assert marked.given == [*before, GivenTranslation(0, 1, "A")]


def test_sources_and_targets_are_tokenised(path):
    corrections = Corrections(path, RAW)
    corrections.add("sentence", "Stop, thief!", "Au voleur, arrêtez !")
    corrections.add("term", "can't", "ne peux pas")
    marked = MarkedLine(RAW.prepare_source("Stop, thief!").split())
    assert corrections.apply(marked) == "Au voleur, arrêtez !"
    assert marked.given[0].end == len(marked.tokens)
    inside = MarkedLine(RAW.prepare_source("I can't go").split())
    corrections.apply(inside)
    assert [given.target for given in inside.given] == ["ne peux pas"]


@pytest.mark.parametrize("pair", [("", "x"), ("x", ""), (" \t", "x"), ("x", "\n")])
def test_empty_ones_are_refused(path, pair):
    with pytest.raises(InputError, match="needs a source and a target"):
        Corrections(path, TOKENS).add("term", *pair)
    assert not path.exists()


def test_what_others_teach_is_known_at_once(path):
    """Two servers of a model, or one that is opening it anew."""
    one, other = Corrections(path, TOKENS), Corrections(path, TOKENS)
    one.add("term", "a", "x")
    marked = MarkedLine(["a"])
    other.apply(marked)
    assert [given.target for given in marked.given] == ["x"]
    other.remove(other.entries()[0].id)
    empty = MarkedLine(["a"])
    one.apply(empty)
    assert empty.given == []
    path.unlink()
    one.apply(empty)
    assert empty.given == []


def test_what_was_added_or_removed_is_known_however_coarse_the_clock(path, monkeypatch):
    corrections = Corrections(path, TOKENS)
    monkeypatch.setattr(Corrections, "stamp", lambda self: (1, 1))
    entry = corrections.add("sentence", "a", "x")
    assert corrections.apply(MarkedLine(["a"])) == "x"
    corrections.add("sentence", "a", "y")
    assert corrections.apply(MarkedLine(["a"])) == "y"
    corrections.remove(entry.id)
    assert corrections.apply(MarkedLine(["a"])) is None


def test_who_asks_while_it_is_read_again_waits_for_it(path, monkeypatch):
    one, other = Corrections(path, TOKENS), Corrections(path, TOKENS)
    one.add("sentence", "a", "x")
    reading, go_on = threading.Event(), threading.Event()
    entries = Corrections.entries

    def slow(self):
        reading.set()
        go_on.wait(10)
        return entries(self)

    monkeypatch.setattr(Corrections, "entries", slow)
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(other.apply(MarkedLine(["a"]))))
        for _ in range(2)
    ]
    threads[0].start()
    assert reading.wait(10)
    threads[1].start()
    threads[1].join(0.2)
    go_on.set()
    for thread in threads:
        thread.join()
    assert found == ["x", "x"]


def test_many_threads_lose_nothing(path):
    corrections = Corrections(path, TOKENS)

    def teach(number):
        for step in range(5):
            corrections.add("term", f"s{number} {step}", "t")

    threads = [threading.Thread(target=teach, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(Corrections(path, TOKENS).entries()) == 20


def test_a_damaged_file_is_named(path):
    path.write_bytes(b"no database at all, but longer than its header would be" * 3)
    with pytest.raises(DragomanError, match=r"corrections\.db: no database"):
        Corrections(path, TOKENS)


def test_a_file_that_is_locked_is_named(path, monkeypatch):
    corrections = Corrections(path, TOKENS)
    corrections.add("term", "a", "x")
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda name, timeout: connect(name, timeout=0.01))
    other = connect(path)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(DragomanError, match=r"corrections\.db: database is locked"):
        corrections.add("term", "b", "y")
    other.rollback()
    other.close()
    assert listed(corrections) == [("term", "a", "x")]


def test_they_are_written_as_training_data(path, tmp_path):
    corrections = Corrections(path, TOKENS)
    corrections.add("term", "a & b", "x < y")
    corrections.add("sentence", "c", "z")
    entries = corrections.entries()
    assert as_tsv(entries) == "a & b\tx < y\nc\tz\n"
    text = as_tmx(entries, "en", "")
    assert 'srclang="en"' in text
    assert text.count('xml:lang="und"') == 2
    stamp = entries[0].created.replace("-", "").replace(":", "").partition("+")[0]
    assert f'creationdate="{stamp}Z"' in text
    assert [kind in text for kind in (">term<", ">sentence<")] == [True, True]
    (tmp_path / "c.tmx").write_text(text, "utf-8")
    assert ParallelFile.of(tmp_path / "c.tmx")
