"""What must not be translated is found, whole, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dragoman.errors import InputError, UsageError
from dragoman.text.accelerators import find_accelerator, set_accelerator
from dragoman.text.protect import (
    PLAIN_PROTECTION,
    HeldPieces,
    Protection,
    hold_pair,
    without_codes,
)


def found(text: str, protection: Protection = PLAIN_PROTECTION) -> list[str]:
    return [text[begin:end] for begin, end, _ in protection.find(text)]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("%PRODUCTNAME %PRODUCTVERSION is new", ["%PRODUCTNAME", "%PRODUCTVERSION"]),
        ("%1 of %2, %s and %-5.2f%%", ["%1", "%2", "%s", "%-5.2f", "%%"]),
        ("%1custom%2 quotes", ["%1", "%2"]),
        ("%(count)d of %(total)s", ["%(count)d", "%(total)s"]),
        ("$(ARG1)% of $name$ and ${x}", ["$(ARG1)", "$name$", "${x}"]),
        ("{0}, {name}, {{y}}, {n, number}", ["{0}", "{name}", "{{y}}", "{n, number}"]),
        ("{n, plural, one {# x} other {# xs}}.", ["{n, plural, one {# x} other {# xs}}"]),
        ("See https://a.org/b?c=1, or www.b.org.", ["https://a.org/b?c=1", "www.b.org"]),
        ("Write to me@example.com.", ["me@example.com"]),
        ("At 10:30 on 01/02/2003, 1,000.5 km", ["10:30", "01/02/2003", "1,000.5"]),
        ("Version 7.2.1", ["7.2.1"]),
        ("Press <b>OK</b> &amp; wait", ["<b>", "</b>", "&amp;"]),
        ("foo_bar, std::map, f()", ["foo_bar", "std::map", "f()"]),
        ("/usr/lib/x, --no-color", ["/usr/lib/x", "--no-color"]),
        ("Files (*.cfg, *.tar.gz) of __init__.py.", ["*.cfg", "*.tar.gz", "__init__.py"]),
        ("AT&T and R&D", ["AT&T", "R&D"]),
        ("100% done, 50%, 5 % of it, $5, a < b, and/or, Q & A, 3-5, e.g. this", []),
        ("It costs 5 dollars in 2010.", []),
    ],
)  # fmt: skip
def test_items(text: str, items: list[str]) -> None:
    assert found(text) == items


def test_own_patterns() -> None:
    assert found("SKU-12 and %s", Protection([r"SKU-\d+"])) == ["SKU-12", "%s"]
    with pytest.raises(UsageError, match="no regular expression"):
        Protection(["("])
    with pytest.raises(UsageError, match="protect nothing"):
        Protection(["a*"])


def test_patterns_that_explode_end() -> None:
    with pytest.raises(InputError, match="takes too long"):
        found("a" * 5000, Protection(["(a|a)*b", "(a+)+b"]))


def test_a_pair_holds_what_both_have() -> None:
    source, target, names = hold_pair(
        "Delete %1 from <b>%2</b> at 1.5?", "Effacer %1 de <b>%2</b> à 1,5 ?"
    )
    assert list(names.values()) == ["⟨ph⟩", "⟨ph2⟩"]
    codes = list(names)
    assert source == f"Delete {codes[0]} from {codes[1]} at 1.5?"
    assert target == f"Effacer {codes[0]} de {codes[1]} à 1,5 ?"


@pytest.mark.parametrize(
    ("text", "inside", "letter"),
    [
        ("_File", "", "F"),
        ("Save ~As...", "", "A"),
        ("&Open", "", "O"),
        ("Othe_r", "_", "r"),
        ("Othe_r", "", None),
        ("Star_Calc", "_", None),
        ("foo_bar_baz", "_", None),
        ("AT&T", "", None),
        ("Q & A", "&", None),
        ("_emphasis_ here", "_", None),
        ("~5 cm", "~", None),
    ],
)
def test_accelerators(text: str, inside: str, letter: str | None) -> None:
    accelerator = find_accelerator(text, inside)
    assert (accelerator.letter if accelerator else None) == letter


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("_File", "Fichier", "_Fichier"),
        ("_Left margin:", "Marge gauche :", "_Marge gauche :"),
        ("Save ~As...", "Enregistrer sous...", "~Enregistrer sous..."),
        ("_Edit", "Éditer les termes", "Édit_er les termes"),
        ("_Old", "Éditer les termes", "Éditer _les termes"),
        ("_Java options", "Options Java", "Options _Java"),
        ("_File", "文件", "_文件"),
        ("_File", "123", "123 (_F)"),
    ],
)
def test_accelerators_are_set_again(source: str, translation: str, expected: str) -> None:
    accelerator = find_accelerator(source)
    assert accelerator is not None
    assert set_accelerator(translation, accelerator) == expected


def test_held_text_comes_back() -> None:
    held = HeldPieces()
    text, accelerator = held.hold("_Open %s in https://a.org/x_y", message=True)
    assert accelerator is not None
    assert accelerator.mark == "_"
    assert held.spelt(text) == "Open %s in https://a.org/x_y"


def held(text: str, escape: Callable[[str], str] = str) -> tuple[HeldPieces, str]:
    pieces = HeldPieces(escape)
    kept, _ = pieces.hold(text)
    pieces.note_spaces(kept)
    return pieces, kept


@pytest.mark.parametrize(
    "piece",
    [
        *("%s", "%1$s", "%(name)s", "%-5.2f", "%L1", "{0}", "${HOME}", "$HOME", "&amp;"),
        *("https://a.example/b?c=d", "me@b.example", "<b>", "</b>", "<br/>", '<a href="x">'),
    ],
)
def test_one_character_stands_for_a_piece(piece: str) -> None:
    pieces, kept = held(f"take {piece} now")
    assert len(kept) == len("take  now") + 1
    assert pieces.spelt(kept) == pieces.spelt(pieces.spaced(kept)) == f"take {piece} now"
    assert pieces.spelt(pieces.spaced(kept.upper())) == f"TAKE {piece} NOW"


@pytest.mark.parametrize("text", ["100% sure", "a < b > c", "3 & 4", "$5", "a@b", "{ }"])
def test_what_is_not_held(text: str) -> None:
    pieces, kept = held(text)
    assert kept == text
    assert not pieces


def test_text_is_escaped_and_so_are_pieces_of_it() -> None:
    pieces, kept = held("a & %s", lambda text: text.replace("&", "&amp;"))
    assert pieces.spelt(pieces.spaced(kept)) == pieces.spelt(kept) == "a &amp; %s"


def test_characters_that_stand_for_nothing() -> None:
    pieces, kept = held("a %s")
    assert without_codes("a\U000f0000b") == "ab"
    assert "\U000f0007" not in pieces
    assert pieces.spelt(pieces.spaced(f"x \U000f0007 y {kept}")) == "x \U000f0007 y a %s"
    assert pieces.spelt("\U000f0007") == "\U000f0007"
