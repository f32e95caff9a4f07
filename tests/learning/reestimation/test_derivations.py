"""How a model derives its own text, on a small language whose words can stand in two orders."""

from dataclasses import replace

import numpy as np
import pytest
from tests.learning.reestimation.material import same

from dragoman.crew import Here
from dragoman.errors import InputError
from dragoman.learning.reestimation import derivations
from dragoman.learning.reestimation.config import DeriveConfig
from dragoman.learning.reestimation.derivations import Derivations, sampled
from dragoman.learning.reestimation.models import derived_bitext
from dragoman.progress import SILENT
from dragoman.rules.table import open_file

pytestmark = pytest.mark.slow


def test_oracles_are_nearer_to_the_references(original, tmp_path):
    found = original.derive(DeriveConfig(min_count=1), tmp_path, compare_with=200)
    assert found.derived == len(found) == len(original.bitext())
    model, listed, oracle = found.objectives.T
    assert (oracle >= model - 1e-9).all()
    assert (oracle >= listed - 1e-9).all()
    assert oracle.mean() > model.mean()
    before, after = found.corpus_bleu()
    assert after > before


def test_mu_goes_from_bleu_to_the_model(original, tmp_path):
    bleu, both, score = (
        original.derive(DeriveConfig(mu=mu, min_count=1), tmp_path) for mu in (0.0, 0.5, 1.0)
    )
    assert bleu.corpus_bleu()[1] >= both.corpus_bleu()[1] >= score.corpus_bleu()[1]
    assert score.corpus_bleu()[1] == pytest.approx(score.corpus_bleu()[0])
    assert (score.scores >= bleu.scores - 1e-9).all()


@pytest.mark.parametrize("method", ["oracle", "forced"])
def test_any_number_of_threads_gives_the_same(original, tmp_path, monkeypatch, method):
    monkeypatch.setattr(derivations, "SHARD", 16)
    config = DeriveConfig(method=method, nbest=3, min_count=1)
    one = original.derive(config, tmp_path)
    assert same(one, original.derive(config, tmp_path, crew=Here(3)))


def test_an_interrupted_run_goes_on(original, tmp_path, monkeypatch):
    monkeypatch.setattr(derivations, "SHARD", 16)
    config = DeriveConfig(nbest=2)
    whole = original.derive(config, tmp_path)
    notes = tmp_path / "notes"
    notes.mkdir()
    again = original.derive(config, tmp_path, resume=notes)
    assert same(whole, again)
    files = sorted(notes.iterdir())
    assert len(files) == -(-len(whole) // 16)
    for path in files[2:]:
        path.unlink()
    before = files[0].stat().st_mtime_ns
    assert same(whole, original.derive(config, tmp_path, resume=notes, crew=Here(2)))
    assert files[0].stat().st_mtime_ns == before


def test_forced_derivations_give_the_references(original, tmp_path):
    found = original.derive(DeriveConfig(method="forced", nbest=4), tmp_path)
    assert 0 < found.derived <= len(found)
    table = open_file(original.files.table)
    bitext = original.bitext()
    derived, links = derived_bitext(table, bitext, found)
    assert len(derived) == len(links) == int(found.counts.sum()) > found.derived
    for index, pair in enumerate(found.pair_of_derivation):
        number = int(found.numbers[pair])
        assert derived.target_text(index) == bitext.target_text(number)
        assert derived.source_text(index) == bitext.source_text(number)
    assert (np.diff(found.scores[found.pair_of_derivation == 0]) <= 0).all()


def test_only_oracles_go_without_rare_phrases(original, tmp_path):
    forced = [DeriveConfig(method="forced", min_count=count) for count in (0, 50)]
    assert same(*(original.derive(config, tmp_path) for config in forced))
    oracle = [DeriveConfig(min_count=count, leave_one_out=False) for count in (0, 50)]
    one, other = (original.derive(config, tmp_path) for config in oracle)
    assert one.corpus_bleu()[1] > other.corpus_bleu()[1]


def test_leave_one_out_prefers_phrases_of_others(original, tmp_path):
    config = DeriveConfig(method="forced")
    without = original.derive(config, tmp_path)
    plain = original.derive(replace(config, leave_one_out=False), tmp_path)
    assert same_pairs(plain, without)
    assert without.steps.sum() > plain.steps.sum()  # shorter phrases
    # Other text has given nothing to the table.
    pairs = replace(original.pairs(), links=None)
    assert same(plain, original.derive(config, tmp_path, pairs=pairs))


class Noted:
    def __init__(self):
        self.messages = []
        self.task = SILENT.task

    def message(self, text):
        self.messages.append(text)


def test_who_cannot_leave_one_out_is_told(original, tmp_path, write):
    def said(corpus, **options):
        noted = Noted()
        config = DeriveConfig(sample=5, **options)
        replace(original, corpus=corpus).derive(config, tmp_path, progress=noted)
        return any("no links" in message for message in noted.messages)

    own = original.corpus
    texts = (write("s", "der hund mag den fisch\n"), write("t", "the dog likes the fish\n"))
    assert said(replace(own, links=None))
    assert not said(own)
    assert not said(replace(own, links=None), leave_one_out=False)
    assert not said(replace(own, links=None, texts=texts))


def same_pairs(one, other):
    return np.array_equal(one.outcomes, other.outcomes)


def test_samples_are_evenly_spread():
    assert sampled(10, 0).tolist() == list(range(10))
    assert sampled(10, 20).tolist() == list(range(10))
    assert sampled(10, 4).tolist() == [0, 2, 5, 7]


def test_derivations_are_files(original, tmp_path):
    found = original.derive(DeriveConfig(sample=20, nbest=2), tmp_path)
    found.save(tmp_path / "one.npz")
    assert same(found, Derivations.load(tmp_path / "one.npz"))
    Derivations.load(tmp_path / "one.npz").save(tmp_path / "two.npz")
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    (tmp_path / "one.npz").write_bytes(b"PK damaged")
    with pytest.raises(InputError, match="damaged"):
        Derivations.load(tmp_path / "one.npz")
