"""What re-estimation can be told (paper 002)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from dragoman.declared import Options, option, require

Renewal = Literal["keep", "replace", "interpolate"]


@dataclass(frozen=True)
class DeriveConfig(Options):
    """How a model derives its own training bitext (docs/lab/002.md)."""

    section = "derive"

    method: Literal["oracle", "forced", "both"] = option(
        "oracle",
        "oracle: the derivations nearest to the references; forced: those of exactly the "
        "references; both: lists of the former, and the best of the latter.",
    )
    nbest: int = option(
        1,
        "Of each sentence pair: the oracle's best translations, each by its best derivation; "
        "derivations of the reference when forced.",
        low=1,
    )
    mu: float = option(
        0.5,
        "The oracle maximises (1 - mu) * BLEU + mu * model score (eq. 3); 0: BLEU alone.",
        low=0,
        high=1,
    )
    # What is forced may use them: a reference often cannot be reached without.
    min_count: int = option(
        2, "Oracles do not use phrase pairs that were extracted less often (eq. 4).", low=0
    )
    keep_words: bool = option(
        True, "A source word keeps its last translation, however rare, also in a smaller table."
    )
    # The paper has it for forced decoding only; with 30,000 pairs oracles need it as well.
    leave_one_out: bool = option(
        True,
        "Derive each pair of the model's own bitext without what it gave to the table (Wuebker et "
        "al. 2010).",
    )
    sample: int = option(0, "Derive only so many pairs, evenly spread; 0: all.", low=0)
    beam: int = option(
        50, "Partial derivations that the oracle keeps at each node of the hypergraph.", low=1
    )
    stack: int = option(
        0,
        "Hypotheses in each stack of the search; 0: as usual with the oracle, 100 when forced.",
        low=0,
    )

    def parts(self) -> list[DeriveConfig]:
        """One for each method, for those who derive by one at a time."""
        if self.method != "both":
            return [self]
        return [replace(self, method="oracle"), replace(self, method="forced", nbest=1)]


@dataclass(frozen=True)
class ReestimateConfig(Options):
    """What becomes of each model when derivations are counted."""

    section = "reestimate"

    table: Literal["keep", "replace", "interpolate", "select"] = option(
        "interpolate",
        "Phrases: interpolate mixes new probabilities with the old; select keeps only what the "
        "derivations use, with mixed probabilities; replace the same with new ones; keep leaves "
        "the table as it is.",
    )
    size: float = option(
        1.0,
        "With select and replace: at most this share of the old table's rows, the most used.",
        above=0,
        high=1,
    )
    reordering: Renewal = option("interpolate", "Reordering models: interpolate, replace or keep.")
    bilm: Renewal = option(
        "interpolate", "Bilingual language model: interpolate, replace or keep."
    )
    weight: float | None = option(
        0.5,
        "Share of the new probabilities where they are mixed; none: what fits the dev set's own "
        "derivations.",
        low=0,
        high=1,
    )
    # An oracle is as near to its reference as the model can get; what it says otherwise is often
    # wrong, and counting it confirms the model in its mistakes.
    count: Literal["confirmed", "all"] = option(
        "confirmed", "Count uses of phrases whose target the reference has (confirmed), or all."
    )

    def check(self) -> None:
        require(
            self.size == 1 or self.table in ("replace", "select"),
            f"a table of another size must be replace or select, not {self.table}",
        )
