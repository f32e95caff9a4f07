"""The searches on real sentences, with a small model made from real ones."""

import math

import pytest

import dragoman
from dragoman.lm.config import LmConfig
from dragoman.model.bundle import Bundle
from dragoman.rules.config import RulesConfig
from dragoman.search.options import SearchOptions
from dragoman.search.result import Totals
from dragoman.search.stack import PhraseSearch
from dragoman.training.config import Config
from dragoman.tuning.config import TuneConfig

pytestmark = pytest.mark.slow

PAIRS = 2000
SENTENCES = 60
FREE = {"ttable_threshold": math.inf, "beam_threshold": math.inf}


@pytest.fixture(scope="module", params=["plain", "word", "bilm"])
def model(request, tmp_path_factory, data):
    """A model of a few thousand captions: plain, with a reordering model, with a bilingual one."""
    place = tmp_path_factory.mktemp("real")
    for side in ("de", "en"):
        lines = data(f"multi30k/train.{side}").read_text("utf-8").splitlines()[:PAIRS]
        (place / side).write_text("\n".join(lines) + "\n", "utf-8")
    directory = place / "model"
    config = Config(
        lm=LmConfig(classes=0),
        rules=RulesConfig(
            reordering=("word",) if request.param == "word" else (),
            bilingual_order=3 if request.param == "bilm" else 0,
        ),
        tune=TuneConfig(max_iterations=1),
    )
    corpus = (place / "de", place / "en")
    dragoman.train(corpus, directory, tokeniser="whitespace", config=config, threads=1)
    bundle = Bundle.open(directory)
    assert ("bilm" in bundle.features) == (request.param == "bilm")
    lines = data("multi30k/dev.de").read_text("utf-8").splitlines()[:SENTENCES]
    return bundle, lines


def totals_of(bundle, lines, **options):
    totals = Totals()
    results = list(PhraseSearch(bundle, SearchOptions(**options)).decode(lines, totals=totals))
    for result in results:
        assert result.found
        dot = float(result.best.features @ bundle.weights)
        assert result.best.score == pytest.approx(dot, abs=1e-3)
    return totals


def test_more_effort_finds_better_translations(model):
    bundle, lines = model
    scores = [
        totals_of(bundle, lines, ttable_threshold=threshold, beam_limit=100)
        for threshold in (0.25, 0.75, 2.0)
    ]
    assert [t.score for t in scores] == sorted(t.score for t in scores)
    assert [t.evaluated for t in scores] == sorted(t.evaluated for t in scores)
    assert all(t.retried == 0 for t in scores)


def test_estimation_and_early_pruning_do_what_the_paper_says(model):
    bundle, lines = model
    pharaoh = totals_of(bundle, lines, search="pharaoh", beam_limit=10, **FREE)
    estimate = totals_of(bundle, lines, search="estimate", beam_limit=10, **FREE)
    early = totals_of(bundle, lines, search="early", beam_limit=10, ttable_threshold=1.5)
    # At the same tight beam estimation finds better translations with about the same effort...
    assert estimate.score > pharaoh.score
    assert estimate.evaluated < 1.5 * pharaoh.evaluated
    # ... and early pruning needs far less for about the same.
    assert early.evaluated < estimate.evaluated / 2
    assert early.score > pharaoh.score


def test_nbest_lists_and_forced_decoding_agree(model):
    bundle, lines = model
    search = PhraseSearch(bundle, SearchOptions(beam_limit=200, **FREE))
    for line, result in zip(lines[:10], search.decode(lines[:10], nbest=20), strict=True):
        scores = [entry.score for entry in result.nbest]
        assert scores == sorted(scores, reverse=True)
        targets = [entry.target for entry in result.nbest]
        for entry, forced in zip(
            result.nbest, search.decode([line] * len(targets), references=targets), strict=True
        ):
            assert forced.found
            assert forced.best.target == entry.target
            assert forced.best.score >= entry.score - 1e-3
