"""dragoman align, as a user runs it."""

import pytest

pytestmark = pytest.mark.slow

SOURCE = "the house\nthe flower\nhouse\n\nflower the\n"
TARGET = "la maison\nla fleur\nmaison\n\nla fleur\n"


@pytest.fixture
def text(write):
    return write("text.en", SOURCE), write("text.fr", TARGET)


def test_links_go_to_standard_output(run, text):
    result = run("align", "-s", text[0], "-t", text[1], "-q")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    lines = result.stdout.split("\n")
    assert len(lines) == 6
    assert lines[0] == "0-0 1-1"
    assert lines[3] == ""


def test_save_and_model(run, text, tmp_path):
    links, again = tmp_path / "links", tmp_path / "again"
    base = ("align", "-s", text[0], "-t", text[1], "-q")
    assert run(*base, "-o", links, "--save", tmp_path / "aligner").returncode == 0
    result = run(*base, "-o", again, "--model", tmp_path / "aligner")
    assert result.returncode == 0, result.stderr
    assert again.read_text().split("\n")[0] == "0-0 1-1"
    assert len(again.read_text().splitlines()) == 5


def test_gold_and_show(run, text, write, tmp_path):
    gold = write("gold", "0-0\n0-1 1-0\n")
    base = ("align", "-s", text[0], "-t", text[1], "-q")
    result = run(*base, "--gold", gold)
    assert result.stdout == ""
    assert result.stderr.startswith("AER 0.")
    result = run(*base, "--show", 1)
    assert "house · ■" in result.stdout
    svg = tmp_path / "pair.svg"
    assert run(*base, "--show", 1, "--svg", svg).returncode == 0
    assert svg.read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--symmetry", "gdfa"], "must be one of"),
        (["--show", "9"], "only 5 pairs"),
        (["--svg", "x.svg"], "say which with --show"),
        (["--model", "nowhere"], "no aligner"),
        (["--model", "x", "--save", "y"], "none is trained"),
        (["--model", "x", "--examples", "y"], "nothing is trained"),
        (["--examples", "nowhere"], "nowhere"),
        (["-o", "/nowhere/links"], "/nowhere/links"),
    ],
)
def test_mistakes_are_one_line(run, text, arguments, problem):
    result = run("align", "-s", text[0], "-t", text[1], "-q", *arguments)
    assert result.returncode in (1, 2)
    assert problem in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("links", "problem"),
    [
        ("0-0\n0-9\n", "example 2: link 0-9 leaves a pair of 2 and 2 words"),
        ("0-0\n" * 6, "6 pairs, but only 5"),
        ("0-0\nnothing\n", "links:2: 'nothing' is not a link"),
        ("0-70000\n", "links:1: '0-70000': no sentence has that many words"),
    ],
)
def test_examples_that_do_not_fit(run, text, write, links, problem):
    examples = write("links", links)
    result = run("align", "-s", text[0], "-t", text[1], "-q", "--examples", examples)
    assert result.returncode == 1
    assert problem in result.stderr
    assert "Traceback" not in result.stderr


def test_examples_are_kept(run, text, write):
    examples = write("links", "0-1\n")
    result = run("align", "-s", text[0], "-t", text[1], "-q", "--examples", examples)
    assert result.returncode == 0
    assert result.stdout.splitlines()[0] == "0-1"


def test_unequal_files(run, text, write):
    result = run("align", "-s", text[0], "-t", write("short", "la\n"), "-q")
    assert result.returncode == 1
    assert "5 lines" in result.stderr
    assert "Traceback" not in result.stderr
