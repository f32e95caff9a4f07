"""Estimating: against lmplz's own output, the definition in slow Python, and bad input."""

import gzip
import io
import math
import random
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.errors import FileError, InputError, UsageError
from dragoman.lm import LanguageModel, estimate, estimate_from_lines, write_arpa

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))
from reference import kneser_ney  # noqa: E402

GOLDEN = TESTS / "golden" / "lm"
HARBOUR = GOLDEN / "harbour.txt"


class Messages:
    """A progress that remembers what it was told."""

    def __init__(self):
        self.texts = []

    def task(self, *arguments, **options):
        from dragoman.progress import SILENT

        return SILENT.task(*arguments, **options)

    def message(self, text):
        self.texts.append(text)


def model_of(path, tmp_path):
    """The n-grams of a model file."""
    arpa = tmp_path / "dumped.arpa"
    write_arpa(LanguageModel.open(path), arpa)
    return kneser_ney.read_arpa(arpa.read_text("utf-8"))


def assert_same_model(ours, theirs, tolerance):
    assert ours.keys() == theirs.keys()
    for ngram, values in theirs.items():
        for mine, other in zip(ours[ngram], values, strict=True):
            assert abs(math.log10(mine) - math.log10(other)) < tolerance, ngram


@pytest.mark.parametrize(
    ("name", "lines", "options"),
    [
        ("harbour.order4.arpa", None, {"order": 4}),
        ("harbour.order3.pruned.arpa", None, {"order": 3, "prune": (0, 0, 1)}),
        ("harbour.first6.order3.fallback.arpa", 6, {"order": 3}),
    ],
)
def test_same_as_lmplz(tmp_path, name, lines, options):
    text = HARBOUR.read_text("utf-8").splitlines()[:lines]
    estimate_from_lines(text, tmp_path / "lm", **options)
    theirs = kneser_ney.read_arpa((GOLDEN / name).read_text("utf-8"))
    assert_same_model(model_of(tmp_path / "lm", tmp_path), theirs, 1e-5)


def test_by_hand(tmp_path):
    """ "a b" and "a c", bigrams, D = 0.5, 1, 1.5: every number on paper."""
    result = estimate_from_lines(["a b", "a c"], tmp_path / "lm", order=2)
    model = model_of(tmp_path / "lm", tmp_path)
    # Different words before a, b, c, </s>: 1, 1, 1, 2; so 5 in all, freed 3 * 0.5 + 1 = 2.5,
    # shared by a, b, c, </s> and <unk>.
    share = 2.5 / 5 / 5
    assert result.counts == (6, 5)
    assert model["<unk>",][0] == pytest.approx(share)
    assert model["a",][0] == pytest.approx(0.5 / 5 + share)
    assert model["</s>",][0] == pytest.approx(1 / 5 + share)
    # "<s> a" was seen twice, its discount is 1.
    assert model["<s>",] == (1.0, pytest.approx(1 / 2))
    assert model["<s>", "a"][0] == pytest.approx(1 / 2 + 1 / 2 * model["a",][0])
    assert model["a",][1] == pytest.approx((0.5 + 0.5) / 2)
    assert model["a", "b"][0] == pytest.approx(0.5 / 2 + 0.5 * model["b",][0])
    assert model["</s>",][1] == 1.0


def test_a_discount_of_zero_leaves_finite_scores(tmp_path):
    result = estimate_from_lines(["dd a a dd a a", "a a"], tmp_path / "lm", order=3)
    assert any(0 in (d.one, d.two, d.more) for d in result.discounts)
    model = LanguageModel.open(tmp_path / "lm")
    # Nothing but "a" was ever seen behind "dd".
    scores = model.score(["dd a", "dd dd", "dd unheard"])
    assert np.isfinite(scores).all()
    assert scores[0] > -10 > -200 > scores[1]
    assert math.isfinite(model.perplexity(["dd dd"]).log_prob)


words = st.sampled_from(["a", "b", "c", "dd", "e", "ü", "日"])
texts = st.lists(st.lists(words, max_size=8), min_size=1, max_size=25).filter(any)


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(
    sentences=texts,
    order=st.integers(1, 8),
    prune=st.lists(st.integers(0, 2), max_size=4).map(sorted),
    threads=st.sampled_from([1, 3]),
)
def test_same_as_the_definition(tmp_path_factory, sentences, order, prune, threads):
    prune = [0, *prune][:order]
    path = tmp_path_factory.mktemp("lm")
    lines = [" ".join(sentence) for sentence in sentences]
    result = estimate_from_lines(lines, path / "lm", order=order, prune=prune, threads=threads)
    full = prune + [prune[-1]] * (order - len(prune))
    theirs, discounts = kneser_ney.estimate(sentences, order, full)
    assert_same_model(model_of(path / "lm", path), theirs, 2e-6)
    for n, values in discounts.items():
        ours = result.discounts[n - 1]
        assert (ours.one, ours.two, ours.more) == pytest.approx(values)


@settings(deadline=None, max_examples=60)
@given(sentences=texts, order=st.integers(1, 5), prune=st.integers(0, 1))
def test_probabilities_sum_to_one(tmp_path_factory, sentences, order, prune):
    path = tmp_path_factory.mktemp("lm") / "lm"
    lines = [" ".join(sentence) for sentence in sentences]
    estimate_from_lines(lines, path, order=order, prune=(0, prune)[:order])
    model = LanguageModel.open(path)
    for line in lines:
        state = model.begin_state()
        for word in line.split():
            total = sum(
                math.exp(model.native.score_word(state, candidate).log_prob)
                for candidate in range(len(model))
                if model.native.word(candidate) != "<s>"
            )
            assert total == pytest.approx(1, abs=1e-5)
            state = model.score_word(state, word)[1]


def test_same_bytes_whatever_threads_and_memory(tmp_path, data):
    text = data("multi30k/train.en")
    sizes = []
    for number, (threads, memory) in enumerate([(1, None), (2, None), (1, 1), (3, 2_000_000)]):
        path = tmp_path / str(number)
        result = estimate(text, path, threads=threads, memory=memory, spool=tmp_path)
        sizes.append(result.spilled)
    assert sizes[:2] == [0, 0]
    assert sizes[2] > sizes[3] > 0
    first = (tmp_path / "0").read_bytes()
    assert all((tmp_path / name).read_bytes() == first for name in "123")
    assert sorted(path.name for path in tmp_path.iterdir()) == list("0123")


def test_files_streams_and_lines_are_the_same(tmp_path):
    raw = HARBOUR.read_bytes()
    halves = raw.splitlines(keepends=True)
    (tmp_path / "first").write_bytes(b"\xef\xbb\xbf" + b"".join(halves[:20]).rstrip(b"\n"))
    (tmp_path / "second.gz").write_bytes(gzip.compress(b"".join(halves[20:])))
    estimate(HARBOUR, tmp_path / "a")
    estimate([tmp_path / "first", tmp_path / "second.gz"], tmp_path / "b")
    estimate([io.BytesIO(raw)], tmp_path / "c")
    estimate_from_lines(raw.decode().splitlines(), tmp_path / "d")
    models = [(tmp_path / name).read_bytes() for name in "abcd"]
    assert models.count(models[0]) == 4


def test_fallback_is_told(tmp_path):
    told = Messages()
    result = estimate_from_lines(["a b", "a c"], tmp_path / "lm", order=2, progress=told)
    assert [bool(d.fallback_reason) for d in result.discounts] == [True, True]
    assert told.texts == [
        "the discounts of 1-grams cannot be estimated (no n-gram has the count 3); "
        "using 0.5, 1, 1.5",
        "the discounts of 2-grams cannot be estimated (no n-gram has the count 3); "
        "using 0.5, 1, 1.5",
    ]
    other = estimate_from_lines(["a b"], tmp_path / "lm", order=2, fallback=(0.1, 0.2, 0.3))
    assert (other.discounts[0].one, other.discounts[0].more) == (0.1, 0.3)


def test_character_data_falls_back_order_by_order(tmp_path):
    """Four letters: each follows all others, so no short n-gram is rare; long ones are."""
    rng = random.Random(1)
    lines = [" ".join(rng.choices("acgt", k=30)) for _ in range(200)]
    result = estimate_from_lines(lines, tmp_path / "lm", order=8)
    fell = [bool(discounts.fallback_reason) for discounts in result.discounts]
    assert fell[0]
    assert not fell[7]
    assert np.isfinite(LanguageModel.open(tmp_path / "lm").score(lines)).all()


def test_order_above_what_the_text_supports(tmp_path):
    told = Messages()
    result = estimate_from_lines(["a b", "c"], tmp_path / "lm", order=8, progress=told)
    assert result.order == 4  # <s> a b </s>
    assert "no sentence is long enough for 8-grams; the model has order 4" in told.texts


def test_everything_pruned_lowers_the_order(tmp_path):
    result = estimate_from_lines(["a b"], tmp_path / "lm", order=4, prune=(0, 5))
    assert result.order == 1
    assert LanguageModel.open(tmp_path / "lm").score(["a b"])[0] < 0


def test_reserved_words_in_the_text_are_left_out(tmp_path):
    told = Messages()
    result = estimate_from_lines(
        ["<s> a b </s>", "a <unk> c"], tmp_path / "marked", order=3, progress=told
    )
    estimate_from_lines(["a b", "a c"], tmp_path / "plain", order=3)
    assert result.skipped == 3
    assert "left out 3 <s>, </s> or <unk> in the text: these names are reserved" in told.texts
    assert (tmp_path / "marked").read_bytes() == (tmp_path / "plain").read_bytes()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no words in the text"),
        (b"\n \n\t\n", "no words in the text"),
        (b"good\nb\xe4d\n", "text:2: not UTF-8"),
        (b"good\n\xed\xa0\x80\n", "text:2: not UTF-8"),
        (b"a\nb\0c\n", "text:2: a NUL byte"),
        (b"a " * 300_000, "text:1: longer than"),
        (b"a\n" + b"a " * 3_000_000 + b"\n", "text:2: longer than"),
    ],
)
def test_bad_text(tmp_path, write, content, message):
    with pytest.raises(InputError, match=message):
        estimate(write("text", content), tmp_path / "lm")
    assert not (tmp_path / "lm").exists()


def test_text_that_is_no_unicode(tmp_path):
    with pytest.raises(InputError, match="no Unicode"):
        estimate_from_lines(["a \ud800"], tmp_path / "lm")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": 0}, "order must lie between 1 and 8, not 0"),
        ({"order": 9}, "order must lie between 1 and 8, not 9"),
        ({"prune": (1,)}, "single words cannot be pruned"),
        ({"prune": (0, 2, 1)}, "must not fall"),
        ({"prune": (0, -1)}, "must not be negative"),
        ({"order": 2, "prune": (0, 0, 0)}, "more pruning thresholds than orders"),
        ({"fallback": (0.5, 1, 4)}, "fall-back discount of count 3"),
        ({"fallback": (math.nan, 1, 1)}, "fall-back discount of count 1"),
        ({"memory": 0}, "memory must be positive"),
        ({"threads": 0}, "threads must be at least 1"),
    ],
)
def test_bad_options(tmp_path, options, message):
    with pytest.raises(UsageError, match=message):
        estimate(HARBOUR, tmp_path / "lm", **options)


def test_missing_files_and_places(tmp_path):
    with pytest.raises(FileError, match="absent"):
        estimate(tmp_path / "absent", tmp_path / "lm")
    with pytest.raises(FileError, match="no directory"):
        estimate(HARBOUR, tmp_path / "no" / "place")
    with pytest.raises(FileError, match="temporary file"):
        estimate(HARBOUR, tmp_path / "lm", memory=1, spool=tmp_path / "no")
    with pytest.raises(UsageError, match="no text"):
        estimate([], tmp_path / "lm")
