"""Glossaries in the formats of other programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import DragomanError, InputError, UsageError
from dragoman.text.config import TextConfig
from dragoman.text.form import TextForm
from dragoman.translation.demands import mark_line
from dragoman.translation.glossary import read_glossary
from dragoman.translation.source import Source
from dragoman.translation.terms import Terms

PAIR = ("en", "fr")
OLD_TBX = """<?xml version="1.0"?><martif type="TBX" xml:lang="en"><text><body>
<termEntry id="1">
 <langSet xml:lang="en-GB"><tig><term>hard disk</term></tig>
  <tig><term>hard drive</term></tig></langSet>
 <langSet xml:lang="fr"><ntig><termGrp><term>disque dur</term></termGrp></ntig>
  <tig><term>DD</term></tig></langSet>
</termEntry>
<termEntry id="2"><langSet xml:lang="de"><tig><term>Maus</term></tig></langSet></termEntry>
</body></text></martif>"""
NEW_TBX = """<tbx xmlns="urn:iso:std:iso:30042:ed-2" type="TBX-Basic" style="dca"><text><body>
<conceptEntry id="1">
 <langSec xml:lang="en"><termSec><term>mouse &amp; keyboard</term></termSec></langSec>
 <langSec xml:lang="fr"><termSec><term>mulot</term>
  <termNote type="administrativeStatus">deprecatedTerm-admn-sts</termNote></termSec>
  <termSec><term>souris et clavier</term></termSec></langSec>
</conceptEntry></body></text></tbx>"""


@pytest.mark.parametrize(
    ("name", "content", "entries"),
    [
        ("t.tsv", "a b\tx\nc\ty\t0.5\n", [("a b", "x", None), ("c", "y", 0.5)]),
        ("t.csv", "a b,x\n", [("a b", "x", None)]),
        ("t.csv", 'source,target\n"a, b","x ""y"""\n', [("a, b", 'x "y"', None)]),
        ("t.csv", "fr;de;en-US\nx;q;a\n", [("a", "x", None)]),
        ("t.csv", "\ufeffTerm\tTranslation\na\tx\n", [("a", "x", None)]),
        ("t.csv", "a,x,0.5\nb,y,see also a\n", [("a", "x", 0.5), ("b", "y", None)]),
        (
            "t.tbx",
            OLD_TBX,
            [("hard disk", "disque dur", None), ("hard drive", "disque dur", None)],
        ),
        ("t.tbx", NEW_TBX, [("mouse & keyboard", "souris et clavier", None)]),
    ],
)
def test_formats(
    write: Callable[..., Path], name: str, content: str, entries: list[tuple[str, str, float]]
) -> None:
    assert list(read_glossary(write(name, content), PAIR)) == entries


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("t.tsv", "a\n", "t.tsv:1: expected source, tab, target"),
        ("t.tsv", "a\tx\t2\n", "between 0 and 1, not '2'"),
        ("t.csv", "a,x\nb\n", "t.csv:2: expected at least 2 columns"),
        ("t.csv", 'a,"x\n', "no CSV"),
        ("t.csv", ",x\n", "the source term is empty"),
        ("t.csv", b"\xff\xfe", "not UTF-8"),
        ("t.tbx", "<tmx/>", "not TBX"),
        ("t.tbx", OLD_TBX[:200], "malformed XML"),
        ("t.tbx", OLD_TBX.replace('"fr"', '"it"'), "holds de, en-GB, it"),
        ("t.tbx", '<!DOCTYPE x [<!ENTITY a "b">]><tbx>&a;</tbx>', "entities"),
    ],
)
def test_bad_files(
    write: Callable[..., Path], name: str, content: str | bytes, problem: str
) -> None:
    with pytest.raises(InputError, match=problem.replace("(", r"\(")):
        list(read_glossary(write(name, content), PAIR))


def test_tbx_needs_languages(write: Callable[..., Path]) -> None:
    with pytest.raises(UsageError, match="which languages"):
        list(read_glossary(write("t.tbx", OLD_TBX), ("", "")))


@pytest.mark.parametrize("name", ["t.csv", "t.tbx", "t.tsv"])
@settings(max_examples=40)
@given(content=st.binary(max_size=200))
def test_any_bytes(name: str, content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(content)
    try:
        list(read_glossary(path, PAIR))
    except DragomanError as problem:
        assert "\n" not in str(problem)


def test_terms_of_a_glossary_are_obeyed(write: Callable[..., Path]) -> None:
    form = TextForm(TextConfig(source_language="en", target_language="fr"))
    terms = Terms.read(write("t.tbx", OLD_TBX), form)
    source = Source.of_line("The hard disk is full.")
    line = mark_line(source.text, source.held, form)
    terms.apply(line)
    assert [(one.begin, one.end, one.target) for one in line.given] == [(1, 3, "disque dur")]
