"""Drawings of alignments."""

from xml.etree import ElementTree

from dragoman.alignment.matrix import display_width, matrix
from dragoman.report.alignment_svg import alignment_svg


def test_a_matrix_for_the_terminal():
    drawn = matrix(["the", "cat"], ["le", "chat"], [(0, 0), (1, 1)])
    assert drawn == (
        "      c\n"
        "      h\n"
        "    l a\n"
        "    e t\n"
        "the ■ ·\n"
        "cat · ■\n"
    )  # fmt: skip


def test_wide_letters_keep_the_columns():
    drawn = matrix(["父", "cat"], ["猫", "は"], [(0, 1)])
    assert drawn.splitlines() == ["    猫 は", " 父 ·  ■", "cat ·  ·"]
    assert display_width("猫é") == 3


def test_empty_sides():
    assert matrix([], [], []) == "\n"
    assert matrix(["a"], [], []).splitlines() == ["a"]


def test_the_svg_is_well_formed_and_complete():
    drawn = alignment_svg(["<a>", "b&"], ['"c"'], [(1, 0)])
    root = ElementTree.fromstring(drawn)
    space = "{http://www.w3.org/2000/svg}"
    assert [text.text for text in root.iter(f"{space}text")] == ["<a>", "b&", '"c"']
    assert len(list(root.iter(f"{space}rect"))) == 1
    assert ElementTree.fromstring(alignment_svg([], [], [])) is not None
