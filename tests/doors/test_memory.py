"""The translation memory through every door."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.doors.kinds import config_of, lines_of

from dragoman._core import SegmentIndex
from dragoman.documents.document import translate_document
from dragoman.errors import DragomanError, ModelError, UsageError
from dragoman.layout import MEMORY
from dragoman.training.train import train
from dragoman.translation.config import MemoryOptions
from dragoman.translation.translator import Translator

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def phrasebook(model_of: Callable[[str], Path]) -> Path:
    return model_of("phrase")


@pytest.fixture(scope="module")
def pairs() -> dict[str, str]:
    """What the phrasebook says of each sentence; the first, where it does not agree."""
    found: dict[str, str] = {}
    for source, target in zip(lines_of("train.en"), lines_of("train.fr"), strict=True):
        found.setdefault(source, target)
    return found


def test_segments_of_the_training_text_come_out_as_they_went_in(
    phrasebook: Path, pairs: dict[str, str]
) -> None:
    translator = Translator.open(phrasebook)
    sources = list(pairs)
    assert translator.translate_lines(sources, translator.demands(memory="exact")) == list(
        pairs.values()
    )
    # Without the memory the machine has to find them, and does not find all.
    assert translator.translate_lines(sources) != list(pairs.values())


def test_command(
    phrasebook: Path, pairs: dict[str, str], run: Callable[..., object], tmp_path: Path
) -> None:
    source, target = next(iter(pairs.items()))
    changed = " ".join([*source.split()[:-1], "zebra"]) if len(source.split()) > 4 else source
    options = ("--memory-matches", "fuzzy", "--memory-least", "50", "--matches", tmp_path / "m")
    done = run("translate", phrasebook, *options, input=f"{source}\n{changed}\nxyzzy\n")
    assert done.stdout.splitlines()[0] == target  # type: ignore[attr-defined]
    told = [json.loads(line) for line in (tmp_path / "m").read_text("utf-8").splitlines()]
    assert [one["sentence"] for one in told] == [0, 1, 2]
    assert told[0]["matches"][0]["score"] == 100
    assert told[2]["matches"] == []


def test_what_cannot_apply_is_refused(
    phrasebook: Path, run: Callable[..., object], tmp_path: Path
) -> None:
    done = run("translate", phrasebook, "--matches", tmp_path / "m", input="a\n")
    assert done.returncode == 2  # type: ignore[attr-defined]
    assert "--matches needs --memory-matches" in done.stderr  # type: ignore[attr-defined]
    translator = Translator.open(phrasebook)
    with pytest.raises(UsageError, match="memory must be"):
        translator.demands(memory=3)  # type: ignore[arg-type]
    with pytest.raises(DragomanError, match="memory_least"):
        MemoryOptions(memory_least=5)


def test_a_model_without_a_memory_says_so(model_of: Callable[[str], Path]) -> None:
    translator = Translator.open(model_of("moses"))
    with pytest.raises(ModelError, match="keeps no translation memory"):
        translator.translate("a", memory="exact")
    assert translator.document_demands().memory is None  # nobody asked for it


def test_what_was_said_goes_before_the_memory(phrasebook: Path, pairs: dict[str, str]) -> None:
    translator = Translator.open(phrasebook)
    source, target = next(iter(pairs.items()))
    word = source.split()[0]
    said = translator.translate(source, terms={word: "Xyzzy"}, memory="exact")
    assert "xyzzy" in said.lower() and said != target


def test_documents_use_it(phrasebook: Path, pairs: dict[str, str], tmp_path: Path) -> None:
    translator = Translator.open(phrasebook)
    source, target = next(
        (s, t) for s, t in pairs.items() if translator.translate(s) != t and '"' not in s + t
    )
    document = tmp_path / "messages.po"
    document.write_text(f'msgid "{source}"\nmsgstr ""\n', "utf-8")
    assert f'msgstr "{target}"' in translate_document(document, translator).content.decode()


def test_damage_is_told(phrasebook: Path, tmp_path: Path) -> None:
    files = [phrasebook / name for name in MEMORY]
    broken = tmp_path / "index"
    content = bytearray(files[0].read_bytes())
    content[len(content) // 2] ^= 1
    broken.write_bytes(bytes(content))
    with pytest.raises(DragomanError, match="index"):
        SegmentIndex(str(broken), str(files[1]))
    broken.write_bytes(bytes(content)[:-40])
    with pytest.raises(DragomanError, match="index"):
        SegmentIndex(str(broken), str(files[1]))


def test_xliff_carries_matches_with_score_and_origin(
    phrasebook: Path, pairs: dict[str, str], tmp_path: Path
) -> None:
    translator = Translator.open(phrasebook)
    source, target = next((s, t) for s, t in pairs.items() if len(s.split()) > 4)
    changed = f"{source.rsplit(' ', 1)[0]} zebra &amp; co"
    first = tmp_path / "one.xlf"
    first.write_text(
        '<xliff version="1.2"><file source-language="en"><body>\n'
        f'<trans-unit id="a">\n  <source>{source}</source>\n</trans-unit>\n'
        f'<trans-unit id="b"><source>{changed}</source><target/></trans-unit>\n'
        "</body></file></xliff>\n",
        "utf-8",
    )
    options = MemoryOptions(memory_least=40)
    demands = translator.document_demands(memory=options)
    units = ElementTree.fromstring(translate_document(first, translator, demands=demands).content)
    exact, fuzzy = units.iter("trans-unit")
    assert exact.findtext("target") == target
    offers = exact.findall("alt-trans")
    assert offers[0].attrib == {"match-quality": "100%", "origin": "translation memory"}
    assert (offers[0].findtext("source"), offers[0].findtext("target")) == (source, target)
    # What is taken from the memory is not the machine's.
    assert all(offer.attrib["origin"] == "translation memory" for offer in offers)
    assert fuzzy.findall("alt-trans")[-1].attrib["origin"] == "machine translation"
    assert 40 <= int(fuzzy.findall("alt-trans")[0].attrib["match-quality"].rstrip("%")) < 100
    assert fuzzy.findtext("target")

    second = tmp_path / "two.xlf"
    second.write_text(
        '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en">\n'
        f'<file id="f"><unit id="u"><segment><source>{source}</source></segment>'
        f'<segment id="s1"><source>{changed}</source></segment></unit></file></xliff>\n',
        "utf-8",
    )
    filled = ElementTree.fromstring(
        translate_document(second, translator, demands=demands).content
    )
    name = "{urn:oasis:names:tc:xliff:document:2.0}"
    matches = list(filled.iter("{urn:oasis:names:tc:xliff:matches:2.0}match"))
    ids = [segment.attrib["id"] for segment in filled.iter(f"{name}segment")]
    assert ids[1] == "s1" and len(set(ids)) == 2
    assert matches[0].attrib["ref"] == f"#{ids[0]}"
    assert (matches[0].attrib["matchQuality"], matches[0].findtext(f"{name}target")) == (
        "100",
        target,
    )
    off = translator.document_demands(memory=MemoryOptions(memory_matches="off"))
    assert b"translation memory" not in translate_document(first, translator, demands=off).content


def test_segments_of_several_sentences_are_found_whole(
    model_of: Callable[[str], Path], tmp_path: Path
) -> None:
    two = ("It rains. We stay.", "Nous restons, car il pleut.")
    lines = list(zip(lines_of("train.en", 30), lines_of("train.fr", 30), strict=True))
    translator = train(
        [*lines, two], tmp_path / "model", source_language="en", config=config_of("phrase")
    )
    assert translator.translate(f"{two[0]}\nxyzzy", memory="exact").splitlines()[0] == two[1]
    assert translator.translate(two[0]) != two[1]
