"""Sparse features under MIRA: what weights learnt from a dev set are worth to other sentences.

    python bench/sparse.py [--corpora multi30k libreoffice kftt] [--scales 0.3 0.1 0.03]
                           [--threads 1] [--work DIRECTORY]

A model with plain defaults is trained on each corpus and gives a list of 100 translations for each
sentence of the dev and the test set. MIRA learns weights from the lists of the dev set, for the
score of the tuned model as one feature beside

words   how often each of the 50 most frequent words of the references occurs,
pairs   how often each of the 150 most frequent pairs of linked words occurs,
shapes  how many phrases have so many words on either side, sixteen kinds.

Their values are multiplied by a scale, which is how they are regularised: the smaller it is, the
more a weight costs. Printed are BLEU of the dev set that was learnt from, of its halves by weights
that were learnt from the other half, by which a scale is to be chosen, and of the test set. Data:
DRAGOMAN_DATA or ../shared/data beside the checkout. The models stay in the work directory.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import dragoman
from dragoman._core import PhraseTranslation
from dragoman.evaluation.metrics import make_metric
from dragoman.model.weights import load_weights
from dragoman.translation.result import Wants
from dragoman.tuning.mira import Mira
from dragoman.tuning.pool import Candidates, NbestLists, Pool
from train import LANGUAGES, plain_models, text

Vector = NDArray[np.float64]
Sparse = Callable[[str, PhraseTranslation], Vector]  # of a source and one of its translations
LISTED = 100
BATCH = 100  # sentences
METRIC = make_metric("bleu", tokenize="none")


class Part:
    """A dev or test set with the translations that a model lists."""

    def __init__(self, corpus: str, name: str, translator: dragoman.Translator) -> None:
        self.sources, self.references = (
            path.read_text("utf-8").splitlines() for path in text(corpus, name)
        )
        wants = Wants(nbest=LISTED, distinct=True, features=True)
        self.lists: list[list[PhraseTranslation]] = []
        for begin in range(0, len(self.sources), BATCH):
            lines = self.sources[begin : begin + BATCH]
            found = translator.find([translator.source_of(line) for line in lines], wants=wants)
            self.lists += [list(one.result.nbest) for one in found]

    def candidates(self, score: Vector, sparse: Sparse, chosen: Iterable[int]) -> Candidates:
        """Of some sentences, with the model score before the sparse features."""
        chosen = list(chosen)
        pool = Pool(METRIC, [[self.references[number] for number in chosen]])
        texts, features = [], []
        for number in chosen:
            for entry in self.lists[number]:
                texts.append(entry.target)
                dense = np.asarray(entry.features) @ score
                features.append(np.append(dense, sparse(self.sources[number], entry)))
        sizes = np.array([len(self.lists[number]) for number in chosen])
        pool.add(NbestLists(texts, sizes, np.array(features)))
        return pool.candidates()


def nothing(_: str, __: PhraseTranslation) -> Vector:
    return np.zeros(0)


def counted(
    known: list[object], things: Callable[[str, PhraseTranslation], list[object]]
) -> Sparse:
    """How often a translation has each of the things that are known."""
    place = {thing: number for number, thing in enumerate(known)}

    def sparse(source: str, entry: PhraseTranslation) -> Vector:
        found = [place[thing] for thing in things(source, entry) if thing in place]
        return np.bincount(found, minlength=len(known)).astype(np.float64)

    return sparse


def words(_: str, entry: PhraseTranslation) -> list[object]:
    return list(entry.target.split())


def pairs(source: str, entry: PhraseTranslation) -> list[object]:
    """Linked words; a source that stands for parts of a word has no links of its words."""
    here, there = source.split(), entry.target.split()
    places = [
        (step.source[0] + i, step.target_span[0] + j)
        for step in entry.steps
        for i, j in step.alignment
    ]
    return [(here[i], there[j]) for i, j in places if i < len(here) and j < len(there)]


def shapes(_: str, entry: PhraseTranslation) -> list[object]:
    return [
        tuple(min(end - begin, 4) for begin, end in (step.source, step.target_span))
        for step in entry.steps
    ]


def kinds(dev: Part) -> dict[str, Sparse]:
    """The sparse features of a corpus."""
    frequent = Counter(word for line in dev.references for word in line.split())
    linked = Counter(
        pair
        for source, entries in zip(dev.sources, dev.lists, strict=True)
        for entry in entries[:1]
        for pair in set(pairs(source, entry))
    )
    lengths = [(here, there) for here in range(1, 5) for there in range(1, 5)]
    return {
        "words": counted([word for word, _ in frequent.most_common(50)], words),
        "pairs": counted([pair for pair, _ in linked.most_common(150)], pairs),
        "shapes": counted(list(lengths), shapes),
    }


def scaled(candidates: Candidates, scale: float) -> Candidates:
    """The same with the sparse features, all but the first, times a scale."""
    sparse = np.arange(candidates.features.shape[1]) > 0
    return replace(candidates, features=candidates.features * np.where(sparse, scale, 1))


def learnt(candidates: Candidates) -> Vector:
    """Weights after two turns of MIRA, from that of the model score alone."""
    weights: Vector = np.eye(1, candidates.features.shape[1])[0]
    optimiser = Mira(part=1.0, lowest=np.full(len(weights), -np.inf))
    for turn in (1, 2):
        weights = optimiser.optimise(candidates, weights, METRIC, turn)
    return weights


def measure(corpus: str, model: Path, scales: list[float], threads: int) -> None:
    translator = dragoman.Translator.open(model, tokenised=True, threads=threads)
    score = np.asarray(load_weights(str(model / "weights.toml"), translator.features))
    dev, test = (Part(corpus, name, translator) for name in ("dev", "test"))
    size = len(dev.lists)
    for name, sparse in ({"none": nothing} | kinds(dev)).items():
        whole = dev.candidates(score, sparse, range(size))
        halves = [dev.candidates(score, sparse, range(odd, size, 2)) for odd in (0, 1)]
        other = test.candidates(score, sparse, range(len(test.lists)))
        for scale in scales if name != "none" else [1.0]:
            here, there = (scaled(half, scale) for half in halves)
            statistics = sum(
                half.statistics[half.best_rows(learnt(opposite))].sum(axis=0)
                for half, opposite in ((here, there), (there, here))
            )
            weights = learnt(scaled(whole, scale))
            print(
                f"{corpus} {name} x {scale:g}: "
                f"learnt from {scaled(whole, scale).objective(weights, METRIC):.2f}, "
                f"other half {float(METRIC.scores(statistics[None, :])[0]):.2f}, "
                f"test {scaled(other, scale).objective(weights, METRIC):.2f}",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--corpora", nargs="+", default=list(LANGUAGES), choices=LANGUAGES)
    parser.add_argument("--scales", nargs="+", type=float, default=[0.3, 0.1, 0.03])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--work", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work: Path = arguments.work or Path(temporary)
        for corpus, model in plain_models(arguments.corpora, work, arguments.threads):
            measure(corpus, model, arguments.scales, arguments.threads)


if __name__ == "__main__":
    main()
