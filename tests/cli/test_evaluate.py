"""``dragoman evaluate`` from the shell."""

import json
import re

import pytest

pytestmark = pytest.mark.slow

REFERENCE = "the cat sat on the mat\na dog barks loudly at night\n" * 10
SYSTEM = "the cat sat on a mat\na dog barks loudly at night\n" * 10
BASELINE = "cat the mat on\na dog bark at night\n" * 10


@pytest.fixture
def files(write):
    return {
        "hyp": write("hyp", SYSTEM),
        "ref": write("ref", REFERENCE),
        "baseline": write("baseline", BASELINE),
    }


def test_scores_with_signatures(run, files):
    result = run("evaluate", "--hyp", files["hyp"], "--ref", files["ref"])
    assert result.returncode == 0
    for name in ("BLEU", "chrF", "TER", "RIBES"):
        assert name in result.stdout
    assert "|version:" in result.stdout


def test_text_that_looks_tokenised_is_told_of_once(run, write):
    tokens, text = write("tokens", "a cat sat .\na dog ?\n"), write("text", "A cat sat.\nA dog?\n")
    for reference, arguments, told in (
        (tokens, (), True),
        (text, (), False),
        (tokens, ("--tokenize", "none"), False),
        (tokens, ("--quiet",), False),
    ):
        result = run("evaluate", "--hyp", text, "--ref", reference, "--metric", "bleu", *arguments)
        assert ("looks tokenised; --tokenize none" in result.stderr) == told


def test_comparison_as_json(run, files):
    result = run(
        *("evaluate", "--hyp", files["hyp"], "--ref", files["ref"], "--ref", files["ref"]),
        *("--baseline", files["baseline"], "--metric", "bleu", "--json", "--trials", 200),
    )
    (bleu,) = json.loads(result.stdout)
    assert bleu["metric"] == "BLEU"
    assert bleu["comparison"]["system"] == bleu["value"] > bleu["comparison"]["baseline"]
    assert bleu["comparison"]["p_randomisation"] < 0.05


def test_page_shows_differences_safely(run, files, tmp_path, write):
    hyp = write("evil", "<script>alert(1)</script> cat\nb\n" * 10)
    page = tmp_path / "page.html"
    result = run("evaluate", "--hyp", hyp, "--ref", files["ref"], "--html", page)
    assert result.returncode == 0
    text = page.read_text()
    assert "<script>" not in text
    assert "&lt;script&gt;" in text
    assert "<ins>the</ins>" in text
    worst, best = text.split("<h2>Worst</h2>")[1].split("<h2>Best</h2>")
    scores = [[float(n) for n in re.findall(r"· ([\d.]+)</h3>", part)] for part in (worst, best)]
    assert len(scores[0]) == len(scores[1]) == 10
    assert scores[0] == sorted(scores[0]) and scores[1] == sorted(scores[1], reverse=True)
    assert scores[0][-1] <= scores[1][-1]


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        ({"--metric": "meteor"}, 2, "not 'meteor'"),
        ({"--tokenize": "klingon"}, 2, "klingon"),
        ({"--ref": "short"}, 1, "20 translations but 1 lines"),
        ({"--baseline": "short"}, 2, "20 lines but short has 1"),
        ({"--hyp": "absent"}, 1, "absent: No such file"),
        ({"--html": "nowhere/page.html"}, 1, "nowhere/page.html"),
    ],
)
def test_mistakes(run, files, tmp_path, write, change, code, message):
    write("short", "one line\n")
    arguments = {"--hyp": "hyp", "--ref": "ref"} | change
    flat = [part for item in arguments.items() for part in item]
    result = run("evaluate", *flat, cwd=tmp_path)
    assert result.returncode == code
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_orders(run, write):
    ours = write("ours", "0 1 2 3\n1 0 2 3\n")
    gold = write("gold", "0 1 2 3\n0 1 2 3\n")
    result = run("evaluate", "--orders", ours, gold, "--json")
    # The second line has one of six pairs the wrong way round, and keeps "2 3" and the end of
    # five neighbours.
    assert json.loads(result.stdout) == pytest.approx(
        {"kendall_tau": (1 + 4 / 6) / 2, "fuzzy_reordering_score": (1 + 2 / 5) / 2}
    )
    assert "tau           0.8333" in run("evaluate", "--orders", ours, gold).stdout


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("0 1 2 3\n", "1 lines but"),
        ("0 1 2 3\n0 1 2 2\n", "2: a number occurs twice"),
        ("0 1 2 3\n0 1 2 x\n", "2: not an order of numbers"),
        ("0 1 2 3\n0 1 2 4\n", "2: not the numbers of line 2"),
    ],
)
def test_bad_orders(run, write, content, message):
    result = run("evaluate", "--orders", write("o", content), write("g", "0 1 2 3\n0 1 2 3\n"))
    assert result.returncode == 1
    assert message in result.stderr


def test_nothing_to_evaluate(run, files):
    assert run("evaluate", "--hyp", files["hyp"]).returncode == 2
    both = run("evaluate", "--hyp", files["hyp"], "--orders", files["hyp"], files["ref"])
    assert both.returncode == 2
