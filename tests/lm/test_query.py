"""Asking: against slow back-off, against KenLM, and on real text."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import FileError, InputError, ModelError
from dragoman.lm import LanguageModel, estimate, estimate_from_lines, write_arpa

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))
from reference import kneser_ney  # noqa: E402

HARBOUR = TESTS / "golden" / "lm" / "harbour.txt"
LINES = HARBOUR.read_text("utf-8").splitlines()


@pytest.fixture(scope="module")
def harbour(tmp_path_factory):
    path = tmp_path_factory.mktemp("lm") / "harbour"
    estimate(HARBOUR, path, order=4)
    return LanguageModel.open(path)


@pytest.fixture(scope="module")
def slow():
    """The same model in slow Python, as lmplz wrote it."""
    golden = TESTS / "golden" / "lm" / "harbour.order4.arpa"
    return kneser_ney.read_arpa(golden.read_text("utf-8"))


vocabulary = sorted({word for line in LINES for word in line.split()})
sentences = st.lists(st.sampled_from([*vocabulary, "zeppelin"]), max_size=12)
# Pieces of the text itself, so that long n-grams are met, too.
pieces = st.tuples(
    st.sampled_from(LINES), st.integers(0, 5), st.sampled_from(LINES), st.integers(0, 5)
).map(lambda t: t[0].split()[t[1] :] + t[2].split()[: t[3]])


@settings(deadline=None, max_examples=200)
@given(sentence=sentences | pieces, begin=st.booleans(), end=st.booleans())
def test_same_as_slow_back_off(harbour, slow, sentence, begin, end):
    scores = harbour.score_words([" ".join(sentence)], begin=begin, end=end)
    expected = kneser_ney.score_sentence(slow, 4, sentence, begin, end)
    assert scores.log_probs.tolist() == pytest.approx(expected, abs=1e-4)
    assert scores.offsets.tolist() == [0, len(expected)]
    total = harbour.score([" ".join(sentence)], begin=begin, end=end)
    assert total[0] == pytest.approx(math.fsum(scores.log_probs.tolist()), abs=1e-5)


def test_states_keep_only_what_matters(harbour):
    """Words behind which the text never goes on as seen are forgotten."""

    def state_behind(text, start=None):
        state = start if start is not None else harbour.null_state()
        for word in text.split():
            _, state = harbour.score_word(state, word)
        return state

    assert len(harbour.null_state()) == 0
    assert len(harbour.begin_state()) == 1
    # An unknown word is no context; nor is the sentence end.
    assert len(state_behind("the old zeppelin")) == 0
    assert len(state_behind("nobody waits . </s>")) == 0
    # "zeppelin the old": only "the old" has a future.
    assert state_behind("zeppelin the old") == state_behind("the old")
    assert hash(state_behind("zeppelin the old")) == hash(state_behind("the old"))
    assert state_behind("the old") != state_behind("old")
    # The order bounds the memory.
    assert len(state_behind("the ferry leaves the harbour", harbour.begin_state())) == 3
    assert state_behind("old") != "old"


@settings(deadline=None, max_examples=100)
@given(sentence=pieces, cut=st.integers(0, 5), continuation=pieces)
def test_equal_states_have_equal_futures(harbour, sentence, cut, continuation):
    long, short = harbour.begin_state(), harbour.null_state()
    for word in sentence:
        _, long = harbour.score_word(long, word)
    for word in sentence[-cut:] if cut else []:
        _, short = harbour.score_word(short, word)
    if long == short:
        for word in continuation:
            left, long = harbour.score_word(long, word)
            right, short = harbour.score_word(short, word)
            assert left == right
            assert long == short


def test_matched_and_independence(harbour):
    native = harbour.native
    state = native.begin_state()
    for word, expected in [("the", 2), ("ferry", 3), ("leaves", 4), ("zeppelin", 1)]:
        found = native.score_word(state, native.find(word))
        state = found.state
        assert found.matched == expected
    assert found.independent_left
    # "the" alone: a longer context would tell more.
    assert not native.score_word(native.null_state(), native.find("the")).independent_left


def test_batches_threads_and_order_of_lines(harbour):
    lines = LINES * 40 + ["", "zeppelin zeppelin", "   "]
    single = np.concatenate([harbour.score([line]) for line in lines])
    assert harbour.score(lines).tolist() == single.tolist()
    assert harbour.score(lines, threads=3).tolist() == single.tolist()
    words = harbour.score_words(lines, threads=3)
    sums = [
        float(words.log_probs[int(a) : int(b)].astype(np.float64).sum())
        for a, b in zip(words.offsets, words.offsets[1:], strict=False)
    ]
    assert sums == pytest.approx(single.tolist())
    assert harbour.score([]).tolist() == []
    assert harbour.score(["", ""], end=False).tolist() == [0, 0]


def test_ids_from_elsewhere(harbour):
    """A decoder may hand over any ids; those the model does not have are <unk>."""
    offsets = np.array([0, 3], dtype=np.uint64)
    odd = np.array([-5, 10**6, 0], dtype=np.int32)
    unknown = np.zeros(3, dtype=np.int32)
    found, expected = (harbour.native.score(ids, offsets) for ids in (odd, unknown))
    assert found.log_probs == expected.log_probs
    assert found.unknowns.tolist() == [3]
    with pytest.raises(ValueError, match="offsets"):
        harbour.native.score(odd, np.array([0, 9], dtype=np.uint64))


def test_marks_in_a_text_are_unknown_words(harbour):
    expected = harbour.score(["zeppelin the zeppelin"])
    assert harbour.score(["<s> the </s>"]).tolist() == expected.tolist()
    assert harbour.score(["<unk> the <unk>"]).tolist() == expected.tolist()
    assert "the" in harbour
    assert "zeppelin" not in harbour


def test_perplexity(harbour):
    result = harbour.perplexity(["the zeppelin"])
    scores = harbour.score_words(["the zeppelin"]).log_probs.tolist()
    assert (result.words, result.unknown) == (3, 1)
    assert result.including_unknown == pytest.approx(math.exp(-sum(scores) / 3))
    assert result.excluding_unknown == pytest.approx(math.exp(-(scores[0] + scores[2]) / 2))
    assert math.isnan(harbour.perplexity([]).including_unknown)


def kenlm_model(path):
    kenlm = pytest.importorskip("kenlm", reason="the kenlm package is needed to compare with")
    return kenlm.Model(str(path))


def test_kenlm_reads_our_arpa_and_agrees(harbour, tmp_path):
    write_arpa(harbour, tmp_path / "harbour.arpa")
    theirs = kenlm_model(tmp_path / "harbour.arpa")
    lines = [*LINES, "the zeppelin leaves", "old the man", ""]
    for line in lines:
        scores = harbour.score_words([line])
        expected = list(theirs.full_scores(line))
        assert (scores.log_probs / math.log(10)).tolist() == pytest.approx(
            [score for score, _, _ in expected], abs=1e-5
        )
        assert scores.matched.tolist() == [length for _, length, _ in expected]


@pytest.mark.parametrize(
    ("corpus", "including", "excluding"),
    # Perplexities that lmplz -o 5 and query give on the same files.
    [("multi30k", 35.80, 32.44), ("kftt", 448.44, 256.42), ("libreoffice", 39.56, 36.72)],
)
def test_perplexity_on_real_text(tmp_path, data, corpus, including, excluding):
    estimate(data(f"{corpus}/train.en"), tmp_path / "lm", order=5, threads=2)
    model = LanguageModel.open(tmp_path / "lm")
    lines = data(f"{corpus}/test.en").read_text("utf-8").split("\n")[:-1]
    result = model.perplexity(lines)
    assert result.including_unknown == pytest.approx(including, abs=0.006)
    assert result.excluding_unknown == pytest.approx(excluding, abs=0.006)
    if corpus == "multi30k":
        write_arpa(model, tmp_path / "lm.arpa")
        theirs = kenlm_model(tmp_path / "lm.arpa")
        expected = [theirs.score(line) * math.log(10) for line in lines]
        assert model.score(lines).tolist() == pytest.approx(expected, abs=1e-3)


def test_opening_what_is_no_model(tmp_path, write):
    with pytest.raises(FileError, match="absent"):
        LanguageModel.open(tmp_path / "absent")
    with pytest.raises(InputError, match="not a Dragoman file"):
        LanguageModel.open(HARBOUR)
    with pytest.raises(InputError, match="not a Dragoman file"):
        LanguageModel.open(write("empty", b""))


def test_damage_is_noticed(tmp_path):
    estimate_from_lines(LINES, tmp_path / "lm", order=3)
    good = (tmp_path / "lm").read_bytes()
    (tmp_path / "cut").write_bytes(good[:-100])
    with pytest.raises(InputError, match="cut"):
        LanguageModel.open(tmp_path / "cut")
    (tmp_path / "changed").write_bytes(good[:5000] + b"\x00\xff" + good[5002:])
    LanguageModel.open(tmp_path / "changed", verify=False).score(LINES)  # wrong, but no crash
    with pytest.raises(InputError, match="checksum"):
        LanguageModel.open(tmp_path / "changed")


def test_a_directory_is_told_where_its_model_lies(tmp_path):
    with pytest.raises(ModelError, match=r"is a directory; .* lm/target\.bin in it"):
        LanguageModel.open(tmp_path)
