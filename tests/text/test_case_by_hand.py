"""What is counted of capitals, marks and sentence beginnings, number by number."""

from __future__ import annotations

import json

import pytest

from dragoman.errors import FileError, ModelError
from dragoman.text.accelerators import (
    LONGEST,
    Accelerator,
    AcceleratorLearner,
    find_accelerator,
    put_back,
    set_accelerator,
)
from dragoman.text.case import (
    CaseHabits,
    CaseLearner,
    capitalised,
    lowered,
    pattern_of,
    usual_case,
)
from dragoman.text.normalise import Apostrophes
from dragoman.text.spacing import Spacing
from dragoman.text.truecase import TruecaseLearner, Truecaser, begins, first_word, inner_begins
from dragoman.text.writing import Marks, Writing


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("A B", "upper"),
        ("A", "start"),
        ("A 1", "start"),
        ("AB", "upper"),
        ("AB c", "start"),
        ("Open The files", "start"),  # files is long, and small
        ("Open The File", "title"),
        ("Open The Ab", "start"),  # only one long word
        ("open The File", "plain"),
        ("2nd Axis", "uncased"),
        ("«abc", "plain"),
        ("«Abc", "start"),
        ("⟨url⟩", "uncased"),
        ("", "uncased"),
        ("1 2", "uncased"),
    ],
)
def test_patterns(text, pattern):
    assert pattern_of(text.split()) == pattern


def learnt(*pairs: tuple[str, str]) -> CaseHabits:
    learner = CaseLearner()
    for source, target in pairs:
        learner.update(source.split(), target.split())
    return learner.finish()


def test_shares_of_lines_by_hand():
    habits = learnt(("a", "Ab c"), ("a", "ab c"), ("a", "東京"), ("a", "AB CD"))
    assert habits.starts == round(2 / 3, 4)  # of the lines that have cases
    assert learnt(("a", "東京")).starts == 1.0
    assert learnt(("a", "b c")).starts == 0.0


def test_shares_of_titles_by_hand():
    title = "Open Some File"
    habits = learnt(
        (title, "Ouvrir Certain Fichier"),
        (title, "OUVRIR UN"),
        (title, "Ouvrir un fichier"),
        (title, "Ouvrir"),  # one word is no evidence
        ("open some file", "Ouvrir Certain Fichier"),
    )
    assert habits.titles == round(2 / 3, 4)


def test_shares_of_words_that_stay_by_hand():
    habits = learnt(
        ("the Baby sees Anna", "le baby voit Anna"),  # one kept, one not
        ("Baby x", "le baby"),  # first in its sentence
        ("a . Baby x", "b . le baby"),  # so is this one
        ("the Baby", "Baby le"),  # and this one there
        ("the BABY B", "le baby b"),  # capitals all through, or a single letter
        ("the Baby", "Le Baby grande"),  # kept
        ("the Baby", "Petit Baby"),  # a title, which says nothing of words
        ("the Baby", "LE BABY"),
        ("⟨ph⟩ Baby Anna", "le baby Anna"),  # an item is no first word, so Baby is
    )
    # Kept: Anna, Baby, Anna; told: baby as well.
    assert habits.copies == round(3 / 4, 4)


def test_abbreviations_by_hand():
    more, once = "x etc . y", "x etc . Y"
    assert learnt(("a", more), ("a", more)).abbreviations == ("etc",)
    assert learnt(("a", more)).abbreviations == ()
    assert learnt(("a", more), ("a", more), ("a", once)).abbreviations == ()
    assert learnt(("a", more), ("a", more), ("a", more), ("a", once)).abbreviations == ("etc",)
    assert learnt(("a", "x ! y"), ("a", "x ! y")).abbreviations == ()
    assert learnt(("a", ". y z"), ("a", ". y z")).abbreviations == ()


def test_what_is_forgotten_was_never_learnt():
    pairs = [("Open Some Files Baby", "x etc . y baby"), ("the Anna", "le Anna"), ("a", "B")]
    whole, part, alone = CaseLearner(), CaseLearner(), CaseLearner()
    for number, (source, target) in enumerate(pairs * 3):
        for learner in (whole, part if number % 2 else alone):
            learner.update(source.split(), target.split())
    alone.add(part)
    assert alone.finish() == whole.finish()
    whole.add(part, -1)
    alone.add(part, -1)
    assert alone.finish() == whole.finish()


RESTORED = CaseHabits(starts=0.5, titles=0.5, copies=0.5, abbreviations=("etc",))


@pytest.mark.parametrize(
    ("text", "pattern", "options", "expected"),
    [
        ("ab ⟨url⟩ c", "upper", {}, "AB ⟨url⟩ C"),
        ("open the file", "title", {}, "Open the File"),
        ("the open", "title", {}, "The Open"),
        ("ab cd", "uncased", {}, "Ab cd"),
        ("ab . cd", "uncased", {}, "Ab . Cd"),
        ("ab . cd", "start", {}, "Ab . cd"),
        ("ab . cd", "plain", {}, "ab . cd"),
        ("ab . cd", "plain", {"inner": True}, "ab . Cd"),
        ("x etc . cd . ef", "start", {"inner": True}, "X etc . cd . Ef"),
        ("⟨url⟩ ab", "start", {}, "⟨url⟩ ab"),
        ("⟨url⟩ ab", "start", {"item_first": True}, "⟨url⟩ Ab"),
        ("12 ab", "start", {"item_first": True}, "12 ab"),
        ("« aB", "start", {}, "« aB"),
        ("- ab ab", "start", {}, "- Ab ab"),
    ],
)
def test_capitals_are_restored(text, pattern, options, expected):
    chosen = {"item_first": False} | options
    assert " ".join(RESTORED.restored(text.split(), pattern, **chosen)) == expected


def test_below_a_half_is_not_usual():
    less = CaseHabits(starts=0.49, titles=0.49, copies=0.49)
    assert less.restored(["open", "file"], "title", item_first=False) == ["Open", "file"]
    assert less.restored(["ab"], "uncased", item_first=False) == ["ab"]
    assert (less.copied("Donut"), RESTORED.copied("Donut")) == ("donut", "Donut")
    assert less.copied("DONUT") == "DONUT"


def test_words_in_another_case():
    counts = {"ab": 2, "Ab": 3, "CD": 1}
    count = lambda word: counts.get(word, 0)  # noqa: E731
    assert [usual_case(word, count) for word in ("AB", "ab", "cd", "xy", "12", "⟨url⟩")] == [
        "Ab", "ab", "CD", "xy", "12", "⟨url⟩",
    ]  # fmt: skip
    assert lowered(["AB", "CD", "XY", "12"], count) == ["Ab", "CD", "xy", "12"]
    assert [capitalised(word) for word in ("ab", "«ab", "ǆa", "1", "")] == [
        "Ab",
        "«Ab",
        "ǅa",
        "1",
        "",
    ]


# Sentence beginnings.


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("a . b", [2]),
        (". b c", []),  # nothing ended
        ("a . « b . c", [3, 5]),
        ("a . 5 b . c", [5]),  # a number begins a sentence without a capital
        ("a b .", []),
        ("a ? ! b", [3]),
        ("a 。 b", [2]),
    ],
)
def test_where_sentences_begin_inside(text, inner):
    assert inner_begins(text.split()) == inner


@pytest.mark.parametrize(
    ("text", "plain", "classed"),
    [
        ("a b", 0, 0),
        ("« a", 1, 1),
        ("5 a", 1, None),
        ("⟨url⟩ a", 1, None),
        ("1a b", 0, 0),
        ("1 2", None, None),
        ("", None, None),
    ],
)
def test_first_words(text, plain, classed):
    assert first_word(text.split()) == plain
    assert first_word(text.split(), classed=True) == classed
    assert begins(text.split(), classed=False) == ([] if plain is None else [plain])


def test_what_a_truecaser_learns():
    for classed in (False, True):
        learner = TruecaseLearner(classed=classed)
        learner.update(["Haus", "und", "Haus", ".", "Der", "Hund", "haus", "haus"])
        # Inside, Haus once, haus twice; "Der" begins a sentence where that is looked for.
        usual = learner.finish()
        assert usual.truecase(["Haus", "x"]) == ["haus", "x"]
        assert usual.truecase(["Hund"]) == ["Hund"]
        assert usual.truecase(["Der"]) == (["der"] if classed else ["Der"])
        assert usual.truecase(["HAUS"]) == ["HAUS"]
    tie = TruecaseLearner()
    tie.update(["x", "Ab", "ab"])
    assert tie.finish().truecase(["Ab"]) == ["ab"]  # of equals lower case
    once, twice = TruecaseLearner(), TruecaseLearner()
    once.update(["x", "Ab"])
    twice.update(["x", "Ab", "ab", "ab"])
    twice.add(once, 2)
    assert twice.finish().truecase(["Ab"]) == ["Ab"]
    twice.add(once, -2)
    assert twice.finish().truecase(["Ab"]) == ["ab"]
    once.add(once, -1)
    assert once.finish().truecase(["Ab"]) == ["ab"]
    assert Truecaser.restore(["«", "ab", "c"]) == ["«", "Ab", "c"]
    assert Truecaser.restore(["aB"]) == ["aB"] and Truecaser.restore(["1"]) == ["1"]


def test_truecasers_are_kept(tmp_path):
    path = tmp_path / "t.json"
    Truecaser({"haus": "Haus", "äh": "Äh"}).save(path)
    assert json.loads(path.read_text("utf-8")) == {"haus": "Haus", "äh": "Äh"}
    again = Truecaser.load(path, classed=True)
    assert again.truecase(["Haus", ".", "Äh"]) == ["Haus", ".", "Äh"]
    for damaged in ("{", "[]", '{"a": 1}', '{"a": "b", "c": null}'):
        path.write_text(damaged, "utf-8")
        with pytest.raises(ModelError, match="damaged"):
            Truecaser.load(path)
    with pytest.raises(FileError):
        Truecaser.load(tmp_path / "none")


def test_writing_is_kept(tmp_path):
    path = tmp_path / "w.json"
    written = Writing(
        Spacing({"pair": {"a b": {" ": 3}}}),
        CaseHabits(0.1, 0.2, 0.3, ("etc",)),
        Marks("_&", source=Apostrophes("’", apart=True)),
    )
    written.save(path)
    again = Writing.load(path)
    assert (again.marks, again.case) == (written.marks, written.case)
    assert again.spacing.to_json() == written.spacing.to_json()
    content = json.loads(path.read_text("utf-8"))
    before = {name: value for name, value in content.items() if name != "apostrophes"}
    path.write_text(json.dumps(before), "utf-8")
    assert Writing.load(path).marks == Marks("_&"), "models of before there were apostrophes"
    for damaged in (
        "{",
        json.dumps(content | {"case": {"x": 1}}),
        json.dumps({"marks": ""}),
        json.dumps(content | {"apostrophes": [["x", True], ["", False]]}),
        json.dumps(content | {"apostrophes": [["'", True]]}),
        json.dumps(content | {"apostrophes": 3}),
    ):
        path.write_text(damaged, "utf-8")
        with pytest.raises(ModelError, match="damaged"):
            Writing.load(path)


# Accelerators.


@pytest.mark.parametrize(
    ("text", "inside", "found"),
    [
        ("_File", "", Accelerator("_", "F", "File", 0, 0)),
        ("Save _As", "", Accelerator("_", "A", "As", 0, 5)),
        ("Fi_le", "", None),
        ("Fi_le", "_", Accelerator("_", "l", "File", 2, 2)),
        ("Fi_Le", "_", None),  # a name
        ("FI_LE", "_", Accelerator("_", "L", "FILE", 2, 2)),
        ("_a _b", "", None),
        ("~a _b", "", None),  # one of them, who knows which
        ("a & b", "", None),
        ("1_a", "_", None),
        ("\0_a", "", None),
        ("as as _as", "", Accelerator("_", "a", "as", 0, 6, 2)),
        ("(_a)", "", Accelerator("_", "a", "a", 0, 1)),
        ("a_", "_", None),
        ("_a" + "x" * (LONGEST - 2), "", Accelerator("_", "a", "a" + "x" * (LONGEST - 2), 0, 0)),
        ("_a" + "x" * (LONGEST - 1), "", None),
    ],
)
def test_accelerators_are_found(text, inside, found):
    assert find_accelerator(text, inside) == found
    if found is not None:
        assert put_back(text.replace(found.mark, ""), found) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ouvrir le File ici", "ouvrir le F_ile ici"),
        ("Files im ix", "Files _im ix"),  # another word; at a beginning
        ("ab ci", "ab c_i"),
        ("éa bé", "éa _bé"),  # no i anywhere: what is easy to type
        ("éà éb", "éà é_b"),
        ("éà", "_éà"),
        ("12", "12 (_I)"),
        ("", ""),
    ],
)
def test_accelerators_are_set(text, expected):
    assert set_accelerator(text, Accelerator("_", "i", "File", 1, 1)) == expected


def test_marks_in_use_by_hand():
    def marks(both: int, source_only: int, mark: str = "_") -> str:
        learner = AcceleratorLearner()
        for _ in range(both):
            learner.update(f"{mark}Open", f"{mark}Ouvrir")
        for _ in range(source_only):
            learner.update(f"{mark}Open", "Ouvrir")
        learner.update("Open", f"{mark}Ouvrir")
        return learner.finish()

    assert [marks(4, 0), marks(5, 0), marks(5, 5), marks(5, 6)] == ["", "_", "_", ""]
    assert marks(6, 0, "&") == "&"
