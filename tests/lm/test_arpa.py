"""ARPA: what toolkits write is read, what is broken is refused with its line."""

import gzip
import math
import sys
from pathlib import Path

import pytest

from dragoman.errors import FileError, InputError
from dragoman.lm import LanguageModel, estimate, read_arpa, write_arpa

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))
from reference import kneser_ney  # noqa: E402

GOLDEN = TESTS / "golden" / "lm"

SMALL = """\\data\\
ngram 1=5
ngram 2=3
ngram 3=1

\\1-grams:
-1.5\t<unk>
-99\t<s>\t-0.3
-0.9\t</s>
-0.5\ta\t-0.2
-0.6\tb\t-0.1

\\2-grams:
-0.4\t<s> a\t-0.05
-0.3\ta b\t0.02
-0.2\tb </s>

\\3-grams:
-0.1\t<s> a b

\\end\\
"""


def scores(model, line):
    return (model.score_words([line]).log_probs / math.log(10)).tolist()


def test_small_file_by_hand(tmp_path, write):
    model = read_arpa(write("small.arpa", SMALL), tmp_path / "lm")
    assert model.order == 3
    assert model.counts == (5, 3, 1)
    # The trigram "<s> a b" is there, "a b </s>" is not: back off from "a b".
    assert scores(model, "a b") == pytest.approx([-0.4, -0.1, 0.02 - 0.2])
    # "a a": from "<s> a" to "a" to nothing.
    assert scores(model, "a a") == pytest.approx([-0.4, -0.05 - 0.2 - 0.5, -0.2 - 0.9])
    assert scores(model, "x") == pytest.approx([-0.3 - 1.5, -0.9])


def test_golden_file_is_the_model_estimated(tmp_path):
    read = read_arpa(GOLDEN / "harbour.order4.arpa", tmp_path / "read")
    estimate(GOLDEN / "harbour.txt", tmp_path / "estimated", order=4)
    lines = (GOLDEN / "harbour.txt").read_text("utf-8").splitlines()
    estimated = LanguageModel.open(tmp_path / "estimated").score(lines)
    assert read.score(lines).tolist() == pytest.approx(estimated.tolist(), abs=1e-4)


@pytest.mark.parametrize("name", ["out.arpa", "out.arpa.gz"])
def test_round_trip(tmp_path, name):
    estimate(GOLDEN / "harbour.txt", tmp_path / "lm", order=4, prune=(0, 0, 1))
    model = LanguageModel.open(tmp_path / "lm")
    write_arpa(model, tmp_path / name)
    again = read_arpa(tmp_path / name, tmp_path / "again")
    assert again.counts == model.counts
    lines = (GOLDEN / "harbour.txt").read_text("utf-8").splitlines()
    assert again.score(lines).tolist() == pytest.approx(model.score(lines).tolist(), abs=1e-4)
    first = (tmp_path / name).read_bytes()
    write_arpa(model, tmp_path / name)
    assert (tmp_path / name).read_bytes() == first


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\\data\\", "Some toolkit wrote this.\n\n\\data\\"),
        ("ngram 1=5", "ngram  1 = 5"),
        ("\t", " "),
        ("\n", "\r\n"),
        ("<unk>", "<UNK>"),
        ("-0.1\t<s> a b", "-0.1\t<s> a b\t0"),
        ("-0.2\tb </s>\n\n", "-0.2\tb </s>\n"),
        ("\\end\\\n", "\\end\\"),
        ("\\end\\\n", "\\end\\\ntrailing words\n"),
        ("-0.4\t<s> a", "-4e-1\t<s> a"),
        ("-99\t<s>", "-inf\t<s>"),
        ("-0.4\t<s> a", "  -0.4\t<s>   a"),
    ],
)
def test_dialects(tmp_path, write, old, new):
    assert old in SMALL
    expected = read_arpa(write("small.arpa", SMALL), tmp_path / "expected")
    model = read_arpa(write("other.arpa", SMALL.replace(old, new)), tmp_path / "lm")
    assert model.counts == expected.counts
    for line in ["a b", "a a", "b x a", ""]:
        assert scores(model, line) == scores(expected, line)


def test_compressed(tmp_path, write):
    path = write("small.arpa.gz", gzip.compress(SMALL.encode()))
    assert read_arpa(path, tmp_path / "lm").counts == (5, 3, 1)
    with pytest.raises(InputError, match="cut or damaged"):
        read_arpa(write("cut.arpa.gz", path.read_bytes()[:-20]), tmp_path / "lm")


def test_missing_parts_change_no_score(tmp_path, write):
    """Pruning by entropy leaves "a b a" without "b a" or "a b"; a lookup passes through both."""
    text = """\\data\\
ngram 1=5
ngram 2=1
ngram 3=2

\\1-grams:
-1.5\t<unk>\t-0.25
-99\t<s>\t-0.3
-0.9\t</s>
-0.5\ta\t-0.2
-0.6\tb\t-0.1

\\2-grams:
-0.4\t<s> a\t-0.05

\\3-grams:
-0.1\ta b a
-0.7\tb <unk> b

\\end\\
"""
    model = read_arpa(write("pruned.arpa", text), tmp_path / "lm")
    slow = kneser_ney.read_arpa(text)
    for line in ["a b a", "b a b a b", "b x b", "a b x b b", "x x a b a a"]:
        expected = kneser_ney.score_sentence(slow, 3, line.split())
        assert model.score_words([line]).log_probs.tolist() == pytest.approx(expected, abs=1e-5)


def test_back_off_of_what_is_no_context_counts(tmp_path, write):
    """Two such contexts are different states, though nothing follows either."""
    text = SMALL.replace("-0.2\tb </s>", "-0.2\tb </s>\t-0.7").replace(
        "-0.9\t</s>", "-0.9\t</s>\t-1"
    )
    model = read_arpa(write("odd.arpa", text), tmp_path / "lm")
    native = model.native
    behind_b = native.score_word(native.null_state(), native.find("b")).state
    behind_end = native.score_word(behind_b, native.find("</s>")).state
    alone = native.score_word(native.null_state(), native.find("</s>")).state
    assert len(behind_end) == 2
    assert len(alone) == 1
    assert behind_end != alone
    log_prob, _ = model.score_word(behind_end, "a")
    assert log_prob / math.log(10) == pytest.approx(-0.7 - 1 - 0.5)


def test_models_without_marks(tmp_path, write):
    """Unknown words get 10^-100, as in KenLM; sentences have no edges."""
    text = "\\data\\\nngram 1=2\n\n\\1-grams:\n-0.3\ta\n-0.3\tb\n\n\\end\\\n"
    model = read_arpa(write("bare.arpa", text), tmp_path / "lm")
    assert (model.score(["a b"], end=False) / math.log(10))[0] == pytest.approx(-0.6)
    assert scores(model, "x") == pytest.approx([-100, -100])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\\data\\", "\\dota\\", "no ARPA file"),
        (SMALL, "", "no ARPA file"),
        ("\\end\\", "", "ends before"),
        ("\\3-grams:\n-0.1\t<s> a b\n\n\\end\\\n", "", "ends before"),
        ("\\3-grams:\n-0.1\t<s> a b\n\n", "", "before the section of 3-grams"),
        ("ngram 2=3", "ngram 2=4", ":17: the header announces 4 2-grams, but there are 3"),
        ("ngram 2=3", "ngram 2=2", "announces 2 2-grams, but there are 3"),
        ("ngram 1=5", "ngram 1=7", ":12: the header announces 7 1-grams, but there are 5"),
        ("ngram 1=5", "ngram 1=99999999999999999999", ":2: expected a line like"),
        ("ngram 2=3", "ngram 3=3", ":3: expected the number of 2-grams"),
        ("ngram 3=1", "bigrams: 1", ":4: expected a line like"),
        ("ngram 1=5\nngram 2=3\nngram 3=1\n", "", 'no "ngram 1=..." line'),
        ("\\2-grams:", "\\3-grams:", ":13: expected .2-grams:, found"),
        ("\\3-grams:", "\\4-grams:", ":18: expected .3-grams:"),
        ("-0.5\ta", "0.5\ta", ":10: the log-probability 0.5 is positive"),
        ("-0.5\ta", "nan\ta", ":10: expected a log-probability"),
        ("-0.5\ta", "half\ta", ':10: expected a log-probability, found "half"'),
        ("-0.5\ta\t-0.2", "-0.5\ta\tx", ":10: expected a back-off"),
        ("-0.5\ta\t-0.2", "-0.5\ta\tinf", ":10: the back-off is infinite"),
        ("-0.5\ta\t-0.2", "-0.5\ta b c d", ":10: expected a probability, 1 word"),
        ("-0.5\ta\t-0.2", "-0.5", ":10: expected a probability, 1 word"),
        ("-0.6\tb", "-0.6\ta", ':11: the word "a" again'),
        ("-0.3\ta b\t0.02", "-0.3\t<s> a\t0.02", ":15: the same n-gram again"),
        ("-0.3\ta b\t0.02", "-0.3\ta z\t0.02", ':15: the word "z" is not among the 1-grams'),
        ("-0.3\ta b\t0.02", "\n-0.3\ta b\t0.02", "announces 3 2-grams, but there are 1"),
    ],
)
def test_broken_files(tmp_path, write, old, new, message):
    assert old in SMALL
    with pytest.raises(InputError, match=message):
        read_arpa(write("bad.arpa", SMALL.replace(old, new)), tmp_path / "lm")
    assert not (tmp_path / "lm").exists()


def test_not_utf8(tmp_path, write):
    raw = SMALL.encode().replace(b"\ta\t", b"\t\xe4\t")
    with pytest.raises(InputError, match=r"bad.arpa:10: not UTF-8"):
        read_arpa(write("bad.arpa", raw), tmp_path / "lm")


def test_order_nine(tmp_path, write):
    header = "\\data\\\n" + "".join(f"ngram {n}=1\n" for n in range(1, 10))
    with pytest.raises(InputError, match=":10: the order of a language model is at most 8"):
        read_arpa(write("nine.arpa", header), tmp_path / "lm")


def test_missing_file(tmp_path):
    with pytest.raises(FileError, match="absent"):
        read_arpa(tmp_path / "absent", tmp_path / "lm")
