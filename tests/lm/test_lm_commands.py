"""``dragoman lm`` as a user types it."""

import gzip
import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

HARBOUR = Path(__file__).resolve().parents[1] / "golden" / "lm" / "harbour.txt"


@pytest.fixture
def model(run, tmp_path):
    path = tmp_path / "lm.bin"
    result = run("lm", "estimate", "--order", 3, HARBOUR, "-o", path, "-q")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    return path


def test_estimate_tells_what_it_did(run, tmp_path):
    arpa = tmp_path / "lm.arpa.gz"
    result = run("lm", "estimate", "--order", 3, HARBOUR, "-o", tmp_path / "lm", "--arpa", arpa)
    assert result.returncode == 0
    assert result.stdout.splitlines()[:2] == [
        "387 words in 50 sentences",
        "1-grams: 74  discounts 0.582 0.628 2.788",
    ]
    assert gzip.decompress(arpa.read_bytes()).startswith(b"\\data\\\nngram 1=74\nngram 2=185\n")


def test_estimate_from_standard_input(run, tmp_path, model):
    with HARBOUR.open() as text:
        result = run(
            *("lm", "estimate", "-", "--order", 3, "-o", tmp_path / "piped"),
            *("--memory", "100k", "--temporary", tmp_path, "--json", "-j", 2),
            stdin=text,
        )
    assert result.returncode == 0
    report = json.loads(result.stdout)
    assert report["counts"] == [74, 185, 267]
    assert (tmp_path / "piped").read_bytes() == model.read_bytes()


def test_fallback_message(run, tmp_path, write):
    text = write("tiny", "a b\na c\n")
    result = run("lm", "estimate", text, "-o", tmp_path / "lm", "--order", 2)
    assert "the discounts of 1-grams cannot be estimated" in result.stderr
    result = run(
        *("lm", "estimate", text, "-o", tmp_path / "lm", "--order", 2),
        *("--discount-fallback", "0.1,0.2,0.3", "--prune", "0,1"),
    )
    assert "using 0.1, 0.2, 0.3" in result.stderr
    assert "2-grams: 1 " in result.stdout


def test_score(run, model):
    result = run("lm", "score", model, input="the ferry is late .\nzeppelin\n\n")
    lines = [line.split("\t") for line in result.stdout.splitlines()]
    assert [unknown for _, unknown in lines] == ["0", "1", "0"]
    assert float(lines[0][0]) < float(lines[2][0]) < 0
    assert "including unknown words" in result.stderr
    assert "9 words, 1 unknown" in result.stderr


def test_score_words_and_summaries(run, model):
    text = "the  ferry\u3000x\n\n"  # an ideographic space is part of a word
    result = run("lm", "score", "--words", "-q", model, input=text)
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert [row[0] for row in rows] == ["the", "ferry\u3000x", "</s>", "", "</s>", ""]
    assert rows[0][1] == "2"
    assert result.stderr == ""
    result = run("lm", "score", "--summary", model, input=text)
    assert result.stdout.startswith("perplexity ")
    report = json.loads(run("lm", "score", "--json", model, input=text).stdout)
    assert (report["words"], report["unknown"]) == (4, 1)
    report = json.loads(run("lm", "score", "--json", model, input="").stdout)
    assert report["perplexity"] is None


def test_convert_both_ways_and_info(run, model, tmp_path):
    arpa, back = tmp_path / "x.arpa", tmp_path / "back.bin"
    assert run("lm", "convert", model, "-o", arpa, "-q").returncode == 0
    assert run("lm", "convert", arpa, "-o", back, "-q").returncode == 0
    assert json.loads(run("lm", "info", back, "--json").stdout)["counts"] == [74, 185, 267]
    assert "3-grams: 267" in run("lm", "info", back, "--verify").stdout


def test_mix(run, model, tmp_path, write):
    other = tmp_path / "other.bin"
    run("lm", "estimate", write("t", "the tram is late .\n" * 3), "-o", other, "-q")
    heldout = write("heldout", "the tram is late .\nthe ferry is late .\n")
    result = run("lm", "mix", model, other, "--heldout", heldout, "-o", tmp_path / "mixed")
    assert result.returncode == 0
    assert "held-out perplexity" in result.stdout
    report = json.loads(
        run(
            *("lm", "mix", model, other, "--heldout", heldout, "-o", tmp_path / "mixed"),
            *("--weights", "1,3", "--json"),
        ).stdout
    )
    assert report["weights"] == [0.25, 0.75]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("estimate", "absent", "-o", "lm"), 1, "absent: No such file"),
        (("estimate", HARBOUR, "-o", "lm", "--order", "9"), 2, "order"),
        (("estimate", HARBOUR, "-o", "lm", "--prune", "1"), 2, "single words cannot be pruned"),
        (("estimate", HARBOUR, "-o", "lm", "--prune", "x"), 2, "--prune takes numbers"),
        (("estimate", HARBOUR, "-o", "lm", "--memory", "much"), 2, "500M or 2G"),
        (("estimate", HARBOUR, "-o", "lm", "--memory", "0G"), 2, "--memory must lie between"),
        (("estimate", HARBOUR, "-o", "lm", "--discount-fallback", "1,2"), 2, "three numbers"),
        (("estimate", HARBOUR, "-o", "nowhere/lm"), 1, "no directory nowhere"),
        (("estimate", HARBOUR, "-o", "lm", "--arpa", "nowhere/a"), 1, "no directory nowhere"),
        (("score", HARBOUR), 1, "not a Dragoman file"),
        (("convert", HARBOUR, "-o", "lm"), 1, "no ARPA file"),
        (("info", "absent"), 1, "No such file"),
    ],
)
def test_mistakes_are_one_line(run, tmp_path, arguments, code, message):
    result = run("lm", *arguments, cwd=tmp_path, input="")
    assert result.returncode == code
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_score_of_what_is_no_text(run, model):
    with model.open("rb") as binary:
        result = run("lm", "score", model, stdin=binary)
    assert result.returncode == 1
    assert "standard input:1: not UTF-8" in result.stderr


def test_score_counts_lines_across_pieces(run, model, tmp_path):
    # Longer than what is read at once; the bad line is far behind.
    text = tmp_path / "text"
    text.write_bytes(b"the harbour\n" * 200_000 + b"b\xe4d\n")
    with text.open("rb") as lines:
        result = run("lm", "score", "--summary", model, stdin=lines)
    assert result.returncode == 1
    assert "standard input:200001: not UTF-8" in result.stderr
