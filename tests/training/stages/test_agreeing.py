"""The stages of a consensus and of confidence: what they ask, choose and write, by hand."""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sacrebleu import BLEU

from dragoman.layout import CONFIDENCE, CONSENSUS, CONSENSUS_REPORT, held_out_files
from dragoman.search.consensus import Agreement, default_weights
from dragoman.training.stages import confidence as confidence_module
from dragoman.training.stages import consensus as consensus_module
from dragoman.translation.confidence import UNSURE, Confidence, right_words
from dragoman.translation.config import ConfidenceConfig
from dragoman.tuning.config import ConsensusConfig

TARGET = held_out_files("dev")[1]


class Progress:
    def __init__(self) -> None:
        self.said: list[str] = []

    def message(self, text: str) -> None:
        self.said.append(text)

    @contextmanager
    def task(self, *_: object, **__: object):
        yield SimpleNamespace(advance=lambda *_: None)


class Context:
    def __init__(self, place: Path, config: Any, target: list[str]) -> None:
        self.config, self.place, self.threads, self.progress = config, place, 3, Progress()
        (place / "target").write_text("".join(f"{line}\n" for line in target), "utf-8")

    def input(self, name: str) -> Path:
        assert name == TARGET
        return self.place / "target"

    def has_input(self, name: str) -> bool:
        return name == TARGET

    def output(self, name: str) -> Path:
        return self.place / Path(name).name


def listed(*targets: str, found: bool = True) -> Any:
    entries = [SimpleNamespace(target=one) for one in targets]
    best = entries[0] if entries else SimpleNamespace(target="never")
    return SimpleNamespace(nbest=entries, best=best, found=found)


REFERENCES = ["a b c d e f", "g h i j k"]


def test_what_a_consensus_is_tuned_on_and_keeps(tmp_path, monkeypatch):
    config = ConsensusConfig(members=("btg", "hiero"), list_size=30, seed=5)
    context = Context(tmp_path, config, REFERENCES)
    lists = {
        "first/": [listed("a b c d e f", "x"), listed("g h i j x")],
        "members/btg/": [listed("a b c x e f"), listed("g h i j k")],
        "members/hiero/": [listed("x", found=False), listed("g h i j k")],
    }
    asked: list[Any] = []

    def lists_of(context: Any, within: str, size: int) -> list[Any]:
        asked.append((within, size))
        return lists[within]

    weights = np.arange(19.0)

    def tuned(
        results: Any, references: Any, metric: Any, *, opinion: Any, seed: int, threads: int
    ) -> Any:
        assert opinion is None  # nobody has trained a network
        asked.append((results, references, metric.name, seed, threads))
        return SimpleNamespace(weights=weights, scale=2.0, score=61.5)

    monkeypatch.setattr(consensus_module, "_lists", lists_of)
    monkeypatch.setattr(consensus_module, "tune_consensus", tuned)
    consensus_module._run(context)
    assert asked[:3] == [(within, 30) for within in lists]
    assert asked[3] == ([*lists.values()], [REFERENCES], "BLEU", 5, 3)
    kept = Agreement.load(tmp_path / Path(CONSENSUS).name)
    assert kept.members == ("plain", "btg", "hiero")
    assert (kept.scale, kept.list_size, kept.weights.tolist()) == (2.0, 30, weights.tolist())
    told = json.loads((tmp_path / Path(CONSENSUS_REPORT).name).read_text("utf-8"))
    metric = BLEU(tokenize="none", smooth_method="exp", effective_order=False)
    # A sentence without a translation is an empty one.
    said = [[one.best.target if one.found else "" for one in own] for own in lists.values()]
    alone = [metric.corpus_score(own, [REFERENCES]).score for own in said]
    assert told["alone"] == pytest.approx(alone)
    assert told["members"] == ["plain", "btg", "hiero"]
    assert (told["metric"], told["score"]) == ("BLEU", 61.5)
    assert len(set(alone)) == 3


def test_without_a_dev_set_all_models_count_alike(tmp_path):
    context = Context(tmp_path, ConsensusConfig(members=("btg",), list_size=30), [])
    consensus_module._run(context)
    kept = Agreement.load(tmp_path / Path(CONSENSUS).name)
    assert kept.weights.tolist() == pytest.approx(default_weights(2).tolist())
    told = json.loads((tmp_path / Path(CONSENSUS_REPORT).name).read_text("utf-8"))
    assert told == {"members": ["plain", "btg"], "metric": "BLEU"}


def confident(tmp_path, monkeypatch, pairs, sentences, results=None):
    """What the stage of confidence translates, and what it learns from."""
    context = Context(tmp_path, ConfidenceConfig(sentences=sentences), [two for _, two in pairs])
    (tmp_path / "source").write_text("".join(f"{one}\n" for one, _ in pairs), "utf-8")
    seen = SimpleNamespace(lines=None, graphs=None, rights=None)

    def decode(lines, *, graph, features):
        assert graph and not features
        seen.lines = lines
        for number, line in enumerate(lines):
            words = [SimpleNamespace(word=word) for word in line.upper().split()]
            yield (results or {}).get(number) or SimpleNamespace(
                graph=SimpleNamespace(word_posteriors=lambda scale, w=words: w), found=True
            )

    def calibrated(graphs, rights):
        seen.graphs, seen.rights = graphs, rights
        return Confidence(4.0, (0.0, 1.0, 0.0, 0.0, 0.0), error=0.125)

    module = confidence_module
    bundle = SimpleNamespace(hierarchical=False)
    monkeypatch.setattr(module, "dev_source", lambda context: tmp_path / "source")
    monkeypatch.setattr(module, "model_files", lambda context: {})
    monkeypatch.setattr(module.Bundle, "of_files", lambda files: bundle)
    monkeypatch.setattr(module, "search_options", lambda context, hierarchical: None)
    monkeypatch.setattr(module, "make_search", lambda *_, threads: SimpleNamespace(decode=decode))
    monkeypatch.setattr(module, "calibrated", calibrated)
    module._run(context)
    seen.kept = Confidence.load(tmp_path / Path(CONFIDENCE).name)
    seen.said = context.progress.said
    return seen


def test_confidence_is_learnt_from_sentences_evenly_spread(tmp_path, monkeypatch):
    pairs = [(f"a{number} b", "A5 B " + "x " * 98) for number in range(10)]
    seen = confident(tmp_path, monkeypatch, pairs, 4)
    # Four of ten: every two and a half.
    assert seen.lines == ["a0 b", "a2 b", "a5 b", "a7 b"]
    expected = [right_words(line.upper().split(), pairs[0][1].split()) for line in seen.lines]
    assert seen.rights == expected and seen.rights[2] == [True, True]
    assert seen.kept.scale == 4.0
    (said,) = seen.said
    assert said.endswith("right words differ by 12.5 percentage points on average")
    everything = confident(tmp_path, monkeypatch, pairs, 400)
    assert len(everything.lines) == 10


def test_what_was_not_translated_teaches_nothing(tmp_path, monkeypatch):
    pairs = [("a", "x " * 100)] * 4
    lost = {
        0: SimpleNamespace(graph=None, found=True),
        2: SimpleNamespace(graph=object(), found=False),
    }
    seen = confident(tmp_path, monkeypatch, pairs, 4, lost)
    assert len(seen.graphs) == len(seen.rights) == 2


@pytest.mark.parametrize(("words", "learnt"), [(199, False), (200, True)])
def test_from_too_few_words_nothing_is_learnt(tmp_path, monkeypatch, words, learnt):
    seen = confident(tmp_path, monkeypatch, [("a", "x " * words)], 4)
    assert (seen.lines is not None) == learnt
    assert (seen.kept == UNSURE) != learnt
