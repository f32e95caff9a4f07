"""A small training of each kind, as a function of the directory it fills."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from dragoman.alignment.config import AlignConfig
from dragoman.corpus.config import PrepareConfig
from dragoman.corpus.read import ParallelFile
from dragoman.learning.joint.config import JointConfig
from dragoman.learning.reestimation.config import DeriveConfig
from dragoman.lm.config import LmConfig
from dragoman.neural.config import NeuralConfig
from dragoman.preorder.config import PreorderConfig
from dragoman.rules.config import RulesConfig
from dragoman.training.config import Config
from dragoman.training.plan import Material
from dragoman.training.train import Reestimation, run_reestimation, run_training
from dragoman.tuning.config import ConsensusConfig, TuneConfig

KINDS = ("phrase", "hiero", "joint", "preordered", "re-estimated", "best")
NOUNS = {"hund": "dog", "katze": "cat", "vogel": "bird", "fisch": "fish"}
VERBS = {"sieht": "sees", "jagt": "hunts", "mag": "likes"}


def write_corpus(place: Path, count: int = 60) -> None:
    """Verbs stand last in every second sentence."""
    chance = random.Random(3)
    pairs: dict[str, str] = {}
    while len(pairs) < count:
        one, two = chance.sample(sorted(NOUNS), 2)
        verb = chance.choice(sorted(VERBS))
        extra = " ".join(chance.choices("abcde", k=chance.randrange(4)))
        if chance.random() < 0.5:
            source = f"dass der {one} den {two} {verb} {extra}"
            target = f"that the {NOUNS[one]} {VERBS[verb]} the {NOUNS[two]} {extra.upper()}"
        else:
            source = f"der {one} {verb} den {two} {extra}"
            target = f"the {NOUNS[one]} {VERBS[verb]} the {NOUNS[two]} {extra.upper()}"
        pairs[source.strip()] = target.strip()
    for part, chosen in (("train", [*pairs.items()][8:]), ("dev", [*pairs.items()][:8])):
        for side, ending in ((0, "de"), (1, "en")):
            text = "".join(f"{pair[side]}\n" for pair in chosen)
            (place / f"{part}.{ending}").write_text(text, "utf-8")


CONFIG = Config(
    prepare=PrepareConfig(tokeniser="whitespace"),
    align=AlignConfig(),
    lm=LmConfig(order=2),
    rules=RulesConfig(max_length=3, bilingual_order=2),
    tune=TuneConfig(max_iterations=3, nbest=10),
    joint=JointConfig(max_iterations=2, folds=2),
)


@dataclass(frozen=True)
class Training:
    """Fills a directory; called again, it goes on where it was interrupted."""

    corpus: Path
    kind: str

    def __call__(self, model: Path) -> None:
        if self.kind == "re-estimated":
            how = Reestimation(derive=DeriveConfig(method="both"), tune=CONFIG.tune)
            run_reestimation(self.corpus / "first", model, how, threads=1)
            return
        config = CONFIG
        if self.kind == "hiero":
            config = replace(config, model="hiero")
        elif self.kind == "joint":
            config = replace(config, method="joint")
        elif self.kind == "preordered":
            config = replace(config, preorder=PreorderConfig(method="btg"))
        elif self.kind == "best":
            # Three models, a network and how they agree.
            config = replace(
                config,
                preorder=PreorderConfig(passes=1, word_classes=8),
                neural=NeuralConfig(dimensions=4, hidden=8, passes=2, noise=16),
                consensus=ConsensusConfig(list_size=10),
            )
        train, dev = (
            ParallelFile.plain(self.corpus / f"{part}.de", self.corpus / f"{part}.en")
            for part in ("train", "dev")
        )
        best = self.kind == "best"
        run_training(Material([train], dev), model, config, best=best, threads=1)


def make_training(place: Path, kind: str) -> Callable[[Path], None]:
    """A training in `place`, which is empty."""
    write_corpus(place)
    if kind == "re-estimated":
        Training(place, "phrase")(place / "first")
    return Training(place, kind)
