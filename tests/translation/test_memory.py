"""The translation memory: what is found, how it is scored, what is exchanged."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.corpus.memory import MemoryWriter, Segment
from dragoman.documents.inline import inline_passage
from dragoman.text.config import TextConfig
from dragoman.text.form import TextForm
from dragoman.text.normalise import normalise
from dragoman.text.protect import without_codes
from dragoman.translation.memory import Match, Memory
from dragoman.translation.source import Source

FORM = TextForm(TextConfig(source_language="en", target_language="fr"))

PAIRS = [
    ("Page 3 of 10", "Page 3 sur 10"),
    ("Press the green button.", "Appuyez sur le bouton vert."),
    ("Press the red button.", "Appuyez sur le bouton rouge."),
    ("Press the red button.", "Pressez le bouton rouge."),
    ("Press the red button.", "Appuyez sur le bouton rouge."),
    ("Press the red button.", "Enfoncez le bouton rouge."),
    ("Could not open %s.", "Impossible d’ouvrir %s."),
    ("Wait 2 minutes.", "Attendez deux minutes."),
    ("Save <b>all</b> files", "Enregistrer <b>tous</b> les fichiers"),
    ("OK", "OK"),
    ("Othe_r:", "_Autre :"),
    ("H_ide", "Mas_quer"),
    ("<one>", "<un>"),
    ("<two>", "<deux>"),
    ("<two>", "<deux>"),
]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    return made(tmp_path_factory.mktemp("memory"), PAIRS)


def made(
    place: Path, pairs: list[tuple[str, str]], skip: int = 0, form: TextForm = FORM
) -> Memory:
    writer = MemoryWriter(form, place, skip)
    for pair in pairs:
        writer.add(*pair)
    files = [place / "index", place / "vocabulary"]
    writer.write(files)
    return Memory(files, form)


def best(memory: Memory, text: str, **options: object) -> Match:
    return memory.matches(Source.of_line(text, FORM.protection), **options)[0]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "score", "target"),
    [
        ("Press the green button.", 100, "Appuyez sur le bouton vert."),
        ("Press  the green\u00a0button.", 99, "Appuyez sur le bouton vert."),  # another space
        ("PRESS the green button.", 99, "Appuyez sur le bouton vert."),  # capitals
        ("Press the blue button.", 80, "Appuyez sur le bouton rouge."),  # 1 of 5 words
        ("Press the large green button.", 83, "Appuyez sur le bouton vert."),  # 1 of 6
        ("Page 4 of 12", 100, "Page 4 sur 12"),
        ("Page 10 of 10", 100, "Page 10 sur 10"),
        ("Page 10 of 3", 100, "Page 10 sur 3"),  # not replaced twice
        ("Could not open {name}.", 100, "Impossible d’ouvrir {name}."),
        ("Wait 2 minutes.", 100, "Attendez deux minutes."),
        ("Wait 3 minutes.", 75, "Attendez deux minutes."),  # "deux" is no 2
        ("Save <b>all</b> files", 100, "Enregistrer <b>tous</b> les fichiers"),
        ("Save <i>all</i> files", 100, "Enregistrer <i>tous</i> les fichiers"),
        ("OK", 100, "OK"),  # a copy, which is not learnt from
        # Words with accelerators are not exchanged as names of code are.
        ("Othe_r:", 100, "_Autre :"),
        ("H_ide", 100, "Mas_quer"),
        # What is stored goes before what is exchanged, however frequent that is.
        ("<one>", 100, "<un>"),
    ],
)
def test_matches_by_hand(memory: Memory, text: str, score: int, target: str) -> None:
    found = best(memory, text)
    assert (found.score, found.target) == (score, target)
    assert found.exact == (score == 100)
    assert found.adapted == (found.target not in [pair[1] for pair in PAIRS])


def test_nothing_is_found_where_nothing_is(memory: Memory) -> None:
    for text in ("", "...", "An entirely different sentence", "Press any key now please"):
        assert memory.matches(Source.of_line(text, FORM.protection)) == []


def test_the_most_frequent_or_the_latest(memory: Memory) -> None:
    found = memory.matches(Source.of_line("Press the red button."), most=9)
    assert [one.target for one in found if one.exact] == [
        "Appuyez sur le bouton rouge.",
        "Enfoncez le bouton rouge.",
        "Pressez le bouton rouge.",
    ]
    assert found[0].count == 2
    latest = best(memory, "Press the red button.", prefer="latest")
    assert latest.target == "Enfoncez le bouton rouge."


def test_differences_are_marked(memory: Memory) -> None:
    assert best(memory, "Press the large blue button .", least=60).differences == [
        ("same", "Press the"),
        ("gone", "red"),
        ("new", "large blue"),
        ("same", "button ."),
    ]


def test_tags_of_documents_are_not_of_the_memory(memory: Memory) -> None:
    passage = inline_passage('Press the <g id="1">green</g> button.')
    (source,) = passage.cut("en").sentences
    (found, *_) = memory.matches(source)
    assert (found.score, found.target) == (99, "Appuyez sur le bouton vert.")
    (plain,) = inline_passage("Save &lt;i&gt;all&lt;/i&gt; files").cut("en").sentences
    assert memory.matches(plain)[0].target == "Enregistrer <i>tous</i> les fichiers"


def test_the_beginning_may_be_left_out(tmp_path: Path) -> None:
    few = made(tmp_path, PAIRS, skip=6)
    assert len(few) == 8
    assert few.matches(Source.of_line("Press the green button.")) == []


@settings(max_examples=30)
@given(st.lists(st.text(max_size=30), max_size=8), st.text(max_size=30))
def test_any_text(texts: list[str], asked: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        plain = [normalise(without_codes(text)) for text in [*texts, asked]]
        memory = made(Path(place), [(text, text.upper()) for text in plain])
        found = memory.matches(Source.of_line(asked, FORM.protection), most=20)
        wanted = Segment.of(plain[-1], FORM)
        if wanted.words and plain[-1]:
            assert any(match.source == plain[-1] for match in found)
        assert all(70 <= match.score <= 100 for match in found)
