"""What several models agree on, chosen from their lists of translations.

Every model expects of each n-gram how often it will be in the translation; the consensus is the
candidate with the highest weighted sum of what all models expect of it
(native/core/search/consensus.h). The weights and how sharply the models believe in their scores
are tuned (dragoman.tuning.consensus) and kept in a file of the model; without them those apply
which approximate BLEU, all models counting alike. One model alone is minimum Bayes risk.

A network (dragoman.neural) may have a say: it scores every candidate, whichever model lists it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dragoman._core import (
    DecodeResult,
    NbestArrays,
    NetworkJudge,
    consensus,
    consensus_candidates,
)
from dragoman.errors import ModelError, UsageError
from dragoman.files import number_within, read_toml, sealed, written_whole
from dragoman.model.weights import Vector, from_mapping
from dragoman.search.options import MOST_TRANSLATIONS

ORDER = 4  # as in native/core/search/consensus.h
# Translations that each model lists, and how sharply it believes in their scores.
LIST_SIZE = 100
SCALE = 3.0
_LARGEST = 1e6  # of a scale that anybody can mean
# Precision of single words, and by which part that of longer n-grams falls with each word: what
# Tromble et al. (2008) and Kumar et al. (2009) take, for any languages.
_PRECISION, _FALL = 0.85, 0.72


def feature_names(members: Sequence[str], *, network: bool = False) -> list[str]:
    """The features of a consensus, in the order of their values."""
    own = ("score", "listed", *(f"{n}-grams" for n in range(1, ORDER + 1)))
    all_own = [f"{member}.{name}" for member in members for name in own]
    return [*all_own, "words", *(["network"] if network else [])]


def default_weights(members: int, *, network: bool = False) -> Vector:
    """The linear approximation of BLEU's logarithm, all models counting alike; a network does
    not count before it is tuned."""
    grams = [1 / (4 * _PRECISION * _FALL ** (n - 1)) for n in range(1, ORDER + 1)]
    alike = np.array([*([0.0, 0.0, *grams] * members), -float(members)]) / members
    return np.append(alike, 0.0) if network else alike


@dataclass(frozen=True)
class Opinion:
    """A network that scores candidates, and what it must know of each sentence."""

    network: NetworkJudge
    sources: list[str]  # tokens
    # The place in these of each word that a model sees, for each model; None: just there.
    orders: list[list[list[int] | None]]

    def told(self) -> dict[str, Any]:
        """As native code takes it."""
        return {"network": self.network, "sources": self.sources, "orders": self.orders}


@dataclass(frozen=True)
class Agreement:
    """How models agree."""

    members: tuple[str, ...]  # names, each once
    weights: Vector
    scale: float = SCALE
    list_size: int = LIST_SIZE
    network: bool = False  # whether one has a say

    @classmethod
    def untuned(cls, members: Sequence[str], list_size: int = LIST_SIZE) -> Agreement:
        """Of models that nobody has tuned together."""
        if list_size < 1:
            raise UsageError(f"a consensus needs lists of at least 1, not {list_size}")
        return cls(tuple(members), default_weights(len(members)), list_size=list_size)

    @property
    def features(self) -> list[str]:
        """Their names."""
        return feature_names(self.members, network=self.network)

    def choose(
        self,
        results: Sequence[list[DecodeResult]],
        nbest: int = 0,
        threads: int = 1,
        opinion: Opinion | None = None,
    ) -> list[DecodeResult]:
        """One result for each sentence from those of each model; the `opinion` of a network, if
        one has a say."""
        told = opinion.told() if opinion is not None else {}
        return consensus(
            list(results), self.scale, self.weights, nbest=nbest, threads=threads, **told
        )

    def save(self, path: Path) -> None:
        """Write it as TOML."""
        import tomli_w

        content = {
            "members": list(self.members),
            "list_size": self.list_size,
            "scale": self.scale,
            "network": self.network,
            "weights": dict(zip(self.features, self.weights.tolist(), strict=True)),
        }
        with written_whole(path) as temporary:
            temporary.write_text(sealed(tomli_w.dumps(content)), "utf-8")

    @classmethod
    def load(cls, path: Path) -> Agreement:
        """Read what :meth:`save` has written."""
        content: dict[str, Any] = read_toml(path)
        try:
            members = tuple(str(name) for name in content["members"])
            network = bool(content.get("network", False))
            names = feature_names(members, network=network)
            weights = np.array(from_mapping(names, content["weights"], str(path)))
            scale = number_within(content["scale"], 0, _LARGEST)
            size = int(number_within(content["list_size"], 1, MOST_TRANSLATIONS))
        except (KeyError, TypeError, ValueError, AttributeError) as problem:
            raise ModelError(f"{path}: damaged: {problem!r}") from problem
        if not members:
            raise ModelError(f"{path}: damaged: no members")
        return cls(members, weights, scale, size, network)


def candidates(
    results: Sequence[list[DecodeResult]],
    scale: float,
    opinion: Opinion | None = None,
    threads: int = 1,
) -> NbestArrays:
    """All that a consensus chooses from, with its features; `results` of each model."""
    told = opinion.told() if opinion is not None else {}
    return consensus_candidates(list(results), scale, threads=threads, **told)
