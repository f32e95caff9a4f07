"""A corpus for benches of re-estimation (paper 002): a baseline, what derivations of its text make
of it, and the scores of both, tuned once for each seed and kept in a work directory.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np

import dragoman
from dragoman.corpus.config import PrepareConfig
from dragoman.corpus.read import read_lines
from dragoman.crew import Here
from dragoman.evaluation.metrics import make_metric
from dragoman.evaluation.significance import compare
from dragoman.layout import (
    BILINGUAL_MODEL,
    BILINGUAL_VOCABULARY,
    PHRASES,
    held_out_files,
)
from dragoman.learning.reestimation.config import DeriveConfig, ReestimateConfig
from dragoman.learning.reestimation.derivations import Derivations
from dragoman.learning.reestimation.models import (
    Baseline,
    Renewed,
    renew,
)
from dragoman.model.bundle import Bundle
from dragoman.model.directory import ModelDirectory
from dragoman.model.weights import Vector, default_weights, lowest_weights, normalised
from dragoman.progress import to_terminal
from dragoman.rules.config import RulesConfig
from dragoman.search.stack import PhraseSearch
from dragoman.training.config import Config
from dragoman.training.stages.reestimate import Derived
from dragoman.tuning.loop import make_optimiser, tune
from dragoman.tuning.pool import NbestLists

LANGUAGES = {
    "multi30k": ("de", "en"),
    "kftt": ("ja", "en"),
    "libreoffice": ("fr", "en"),
    "tatoeba": ("de", "en"),
    "multi30k-raw": ("de", "en"),
}
FILES = {
    "phrases": PHRASES,
    "bilingual vocabulary": BILINGUAL_VOCABULARY,
    "bilingual model": BILINGUAL_MODEL,
}
METRIC = make_metric("bleu", tokenize="none")


@dataclass(frozen=True)
class Score:
    """A system on the test set: BLEU and translations of each seed."""

    dev: list[float]
    test: list[float]
    texts: list[list[str]]

    @property
    def mean(self) -> float:
        return float(np.mean(self.test))


class Study:
    """One corpus, or the first `pairs` of it."""

    def __init__(self, corpus: str, arguments: argparse.Namespace, pairs: int = 0) -> None:
        self.corpus, self.arguments = corpus, arguments
        self.work: Path = arguments.work / (f"{corpus}-{pairs}" if pairs else corpus)
        self.work.mkdir(parents=True, exist_ok=True)
        self.threads: int = arguments.threads
        self.seeds = list(range(1, arguments.seeds + 1)) or [0]
        self.model = self.work / "model"
        if arguments.models is not None:
            self.model = arguments.models / corpus
        else:
            self._train(arguments.data / corpus, pairs)
        self.pool = self._pool(arguments.data / corpus, pairs)
        self.original = Derived.of(ModelDirectory(self.model)).original()
        self.start = Bundle.open(self.model).weights
        self.dev_derivations = self.derived(
            "dev", lambda: self.original.derive_dev(DeriveConfig(), self.work, **self._loud())
        )

    def _loud(self) -> dict[str, object]:
        return {"crew": Here(self.threads), "progress": to_terminal()}

    def _train(self, data: Path, pairs: int) -> None:
        source, target = LANGUAGES[self.corpus]

        def pair(name: str) -> tuple[Path, Path]:
            return data / f"{name}.{source}", data / f"{name}.{target}"

        text = pair("train")
        if pairs:
            for path in text:
                lines = islice(read_lines(path), pairs)
                (self.work / path.name).write_text("".join(f"{x}\n" for x in lines), "utf-8")
            text = self.work / text[0].name, self.work / text[1].name
        dragoman.train(
            text,
            self.model,
            dev=pair("dev"),
            test=pair("test"),
            source_language=source,
            target_language=target,
            lm_texts=self.arguments.lm_texts,
            config=Config(
                prepare=PrepareConfig(
                    tokeniser="auto" if self.corpus.endswith("-raw") else "whitespace"
                ),
                rules=RulesConfig(
                    smoothing=self.arguments.smoothing,
                    reordering=tuple(self.arguments.reordering),
                ),
            ),
            threads=self.threads,
            progress=True,
        )

    def _pool(self, data: Path, pairs: int) -> tuple[list[str], list[str]]:
        """More to test on: the pairs of the text behind those that were trained on."""
        if not self.arguments.pool:
            return [], []
        form = ModelDirectory(self.model).text_form()
        behind = islice(
            zip(*(read_lines(data / f"train.{x}") for x in LANGUAGES[self.corpus]), strict=True),
            pairs,
            pairs + 1000 * self.arguments.pool,
        )
        prepared = [form.prepare_pair(*pair) for pair in behind]
        return [source for source, _ in prepared], [target for _, target in prepared]

    def bundle(self, place: Path) -> Bundle:
        """The baseline with the tables and bilingual models that lie in `place`."""
        files = ModelDirectory(self.model).model_files(full_table=True)
        if place != self.model:
            files = replace(files, table=place / PHRASES)
            if (place / BILINGUAL_MODEL).exists():
                files = replace(
                    files,
                    bilingual_model=place / BILINGUAL_MODEL,
                    bilingual_vocabulary=place / BILINGUAL_VOCABULARY,
                )
        return Bundle.of_files(files)

    def derived(self, name: str, make: Callable[[], Derivations | None]) -> Derivations:
        path = self.work / f"{name}.npz"
        if not path.exists():
            begun, cpu = time.perf_counter(), time.process_time()
            found = make()
            assert found is not None
            found.save(path)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            (self.work / f"{name}.json").write_text(
                json.dumps(
                    {
                        "seconds": time.perf_counter() - begun,
                        "cpu": time.process_time() - cpu,
                        "peak": peak,
                    }
                )
            )
        return Derivations.load(path)

    def derive(self, name: str, config: DeriveConfig) -> Derivations:
        return self.derived(
            name,
            lambda: Derivations.concatenate(
                [self.original.derive(part, self.work, **self._loud()) for part in config.parts()]
            ),
        )

    def build(self, name: str, derivations: Derivations, config: ReestimateConfig) -> Renewed:
        """Estimate the models of a system."""
        place, note = self.work / name, self.work / f"{name}.renewed.json"
        scored = all(self._note(name, seed).exists() for seed in self.seeds)
        if note.exists() and (scored or place.exists()):
            return Renewed(**json.loads(note.read_text()))
        shutil.rmtree(place, ignore_errors=True)
        for file in FILES.values():
            (place / file).parent.mkdir(parents=True, exist_ok=True)
        dev = self.original.dev()
        assert dev is not None
        renewed = renew(
            Baseline(
                self.original.table(),
                self.original.bitext(),
                derivations,
                self.original.rules,
                dev[1],
                self.dev_derivations,
                self.original.pairs().links,
                self.original.files.bilingual_model,
            ),
            config,
            lambda file: place / FILES[file],
            threads=self.threads,
        )
        note.write_text(json.dumps(renewed.__dict__))
        return renewed

    def score(self, name: str, place: Path) -> Score:
        """Tune and translate; with no seeds, translate with the baseline's weights."""
        found = [self._score_seed(name, place, seed) for seed in self.seeds]
        return Score(*([one[part] for one in found] for part in ("dev", "test", "text")))

    def _note(self, name: str, seed: int) -> Path:
        return self.work / f"{name}.seed{seed}.json"

    def _score_seed(self, name: str, place: Path, seed: int) -> dict:
        note = self._note(name, seed)
        if note.exists():
            return json.loads(note.read_text())
        bundle = self.bundle(place)
        weights = self.tuned(bundle, *self.held_out("dev"), seed) if seed > 0 else self.start
        search = PhraseSearch(bundle, weights=weights, threads=self.threads)
        scores = {"weights": dict(zip(bundle.features, weights.tolist(), strict=True))}
        for part in ("dev", "test"):
            sources, references = self.held_out(part)
            text = search.translate(sources)
            scores[part] = METRIC.score(METRIC.rows(text, [references]).sum(axis=0))
        scores["text"] = text
        note.write_text(json.dumps(scores))
        print(
            f"{self.corpus} {name} seed {seed}: dev {scores['dev']:.2f} test {scores['test']:.2f}",
            flush=True,
        )
        return scores

    def tuned(
        self, bundle: Bundle, sources: Sequence[str], references: Sequence[str], seed: int
    ) -> Vector:
        """Weights that suit these sentences."""

        def decode(weights: Vector) -> NbestLists:
            scaled = normalised(bundle.features, weights)
            search = PhraseSearch(bundle, weights=scaled, threads=self.threads)
            return NbestLists.joined(search.decode_nbest(sources, 100), len(weights))

        result = tune(
            decode,
            [references],
            default_weights(bundle.features),
            METRIC,
            make_optimiser(self.arguments.tuner, lowest=lowest_weights(bundle.features)),
            max_iterations=self.arguments.rounds,
            seed=seed,
            threads=self.threads,
        )
        return normalised(bundle.features, result.weights)

    def held_out(self, part: str) -> tuple[list[str], list[str]]:
        """The source sentences and references of "dev" or "test"."""
        sources, references = (list(read_lines(self.model / f)) for f in held_out_files(part)[:2])
        if part == "test":
            return sources + self.pool[0], references + self.pool[1]
        return sources, references

    def cell(self, score: Score, baseline: Score) -> str:
        """BLEU, the gain, and how sure it is."""
        references = [self.held_out("test")[1]]
        # Sentences change sides with the translations of all seeds (Clark et al. 2011), so that
        # the luck of one tuning run is not taken for a difference of systems.
        test = compare(
            METRIC,
            *(
                np.sum([METRIC.rows(text, references) for text in one.texts], axis=0)
                for one in (baseline, score)
            ),
        )
        gain = score.mean - baseline.mean
        sure = test.p_randomisation
        mark = ("▲" if gain > 0 else "▼") if sure < 0.01 else ""
        mark = mark or (("△" if gain > 0 else "▽") if sure < 0.05 else "")
        return f"{score.mean:.2f}{mark} ({gain:+.2f}, p = {sure:.2f})"


def arguments_of_a_study(description: str, work: str) -> argparse.ArgumentParser:
    """What every comparison of re-estimated models can be told."""
    parser = argparse.ArgumentParser(description=description)
    here = Path(os.environ.get("DRAGOMAN_DATA", Path(__file__).parents[2] / "shared" / "data"))
    parser.add_argument("--data", type=Path, default=here)
    parser.add_argument("--work", type=Path, default=Path(work))
    parser.add_argument(
        "--smoothing",
        default="kneser-ney",
        choices=["none", "good-turing", "kneser-ney"],
        help="of the baseline's phrase probabilities",
    )
    parser.add_argument(
        "--reordering",
        nargs="*",
        default=list(RulesConfig.reordering),
        choices=["word", "phrase", "hierarchical"],
        help="models of the baseline",
    )
    parser.add_argument("--tuner", default="mira", choices=["mira", "pro", "mert"])
    parser.add_argument("--lm-texts", nargs="*", type=Path, default=[], help="more target text")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.set_defaults(pool=0)
    return parser
