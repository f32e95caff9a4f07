"""What capitals say, and how translations get them again."""

from __future__ import annotations

import pytest

from dragoman.text.case import CaseHabits, CaseLearner, lowered, pattern_of, usual_case

COUNTS = {"enter": 5, "Password": 1, "password": 7, "PDF": 3, "May": 2, "the": 9}


def count(word: str) -> int:
    return COUNTS.get(word, 0)


def words(text: str) -> list[str]:
    return text.split()


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("ENTER THE PASSWORD .", "upper"),
        ("Enter the password", "start"),
        ("enter the password", "plain"),
        ("Enter Your Password", "title"),
        ("Save the File as Copy", "title"),
        ("A", "start"),
        ("⟨ph⟩ files", "plain"),
        ("⟨ph⟩ Files", "start"),
        ("東京 10 .", "uncased"),
        ("2nd axis", "uncased"),
    ],
)
def test_patterns(text: str, pattern: str) -> None:
    assert pattern_of(text.split()) == pattern


def test_words_known_in_another_case() -> None:
    assert [usual_case(word, count) for word in ("ENTER", "Password", "pdf", "MAY", "Unseen")] == [
        "enter",
        "Password",
        "PDF",
        "May",
        "Unseen",
    ]
    assert usual_case("東京", count) == "東京"
    assert lowered(["ENTER", "THE", "PASSWORD", "⟨ph⟩", "PDF"], count) == [
        "enter",
        "the",
        "password",
        "⟨ph⟩",
        "PDF",
    ]


@pytest.mark.parametrize(
    ("tokens", "pattern", "item_first", "expected"),
    [
        ("entrez le mot", "upper", False, "ENTREZ LE MOT"),
        ("« entrez le mot »", "start", False, "« Entrez le mot »"),
        ("⟨ph⟩ fichiers", "start", False, "⟨ph⟩ fichiers"),
        ("⟨ph⟩ options", "start", True, "⟨ph⟩ Options"),
        ("5 flèches", "start", False, "5 flèches"),
        ("entrez", "plain", False, "entrez"),
        ("entrez le mot passe", "title", False, "Entrez le mot passe"),
        ("iPhone neuf", "start", False, "iPhone neuf"),
    ],
)
def test_capitals_are_restored(tokens: str, pattern: str, item_first: bool, expected: str) -> None:
    habits = CaseHabits(starts=0.9, titles=0.1)
    found = habits.restored(tokens.split(), pattern, item_first=item_first)  # type: ignore[arg-type]
    assert " ".join(found) == expected


def test_titles_where_the_language_has_them() -> None:
    learner = CaseLearner()
    for _ in range(3):
        learner.update(["Guardar", "Como", "Copia"], ["Save", "as", "Copy"])
    habits = learner.finish()
    assert habits == CaseHabits(1.0, 1.0)
    assert CaseHabits().restored(["a", "file"], "plain", item_first=False) == ["a", "file"]
    assert habits.restored(["open", "the", "file"], "title", item_first=False) == [
        "Open",
        "the",
        "File",
    ]


def test_sentences_inside_a_line() -> None:
    learner = CaseLearner()
    for _ in range(2):
        learner.update(["A"], words("Un etc . et un . Deux"))
    habits = learner.finish()
    assert habits.abbreviations == ("etc",)
    tokens = words("un etc . et deux ? oui . « non » . 5 fois . fin")
    assert " ".join(habits.restored(tokens, "start", item_first=False, inner=True)) == (
        "Un etc . et deux ? Oui . « Non » . 5 fois . Fin"
    )
    assert habits.restored(tokens, "plain", item_first=False) == tokens


def test_words_that_stay_keep_their_capitals_where_training_shows_it() -> None:
    german, english = CaseLearner(), CaseLearner()
    german.update(words("Ein Baby mit Ball"), words("A baby with ball"))
    english.update(words("The Writer module"), words("Le module Writer"))
    assert (german.finish().copies, english.finish().copies) == (0.0, 1.0)
    assert german.finish().copied("Donut") == "donut"
    assert german.finish().copied("USA") == "USA"
    assert english.finish().copied("Calc") == "Calc"
