"""What re-estimation can be told (paper 002)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from dragoman.declared import Options, option, require

Renewal = Literal["keep", "replace", "interpolate"]


@dataclass(frozen=True)
class DeriveConfig(Options):
    """Derives the training bitext with the model itself (docs/lab/002.md)."""

    section = "derive"

    method: Literal["oracle", "forced", "both"] = option(
        "oracle",
        "Which derivations are learnt from: those nearest to the references (oracle), those "
        "of exactly the references (forced), or lists of the former and the best of the "
        "latter (both).",
    )
    nbest: int = option(
        1,
        "How many derivations of each sentence pair are learnt from: with oracle its best "
        "translations, each by its best derivation; with forced the best derivations of the "
        "reference.",
        low=1,
    )
    mu: float = option(
        0.5,
        "How much the model score counts beside BLEU: the oracle maximises (1 - mu) * BLEU + "
        "mu * model score (eq. 3); 0: BLEU alone.",
        low=0,
        high=1,
    )
    # What is forced may use them: a reference often cannot be reached without.
    min_count: int = option(
        2, "Oracles use only phrase pairs that were extracted at least this often (eq. 4).", low=0
    )
    keep_words: bool = option(
        True,
        "Whether a source word keeps its last translation, however rare, in a smaller table "
        "as well.",
    )
    # The paper has it for forced decoding only; with 30,000 pairs oracles need it as well.
    leave_one_out: bool = option(
        True,
        "Whether each pair of the model's own bitext is derived without what it gave to the "
        "table (Wuebker et al. 2010).",
    )
    sample: int = option(0, "How many pairs are derived, evenly spread; 0: all.", low=0)
    beam: int = option(
        50, "How many partial derivations the oracle keeps at each node of the hypergraph.", low=1
    )
    stack: int = option(
        0,
        "How many hypotheses each stack of the search keeps; 0: as usual with oracle, 100 "
        "with forced.",
        low=0,
    )

    def parts(self) -> list[DeriveConfig]:
        """One for each method, for those who derive by one at a time."""
        if self.method != "both":
            return [self]
        return [replace(self, method="oracle"), replace(self, method="forced", nbest=1)]


@dataclass(frozen=True)
class ReestimateConfig(Options):
    """Estimates the tables anew from what the derivations use."""

    section = "reestimate"

    table: Literal["keep", "replace", "interpolate", "select"] = option(
        "interpolate",
        "What becomes of the phrase table: interpolate mixes new probabilities with the old "
        "ones; select keeps only what the derivations use, with mixed probabilities; replace "
        "does the same with new probabilities; keep leaves the table as it is.",
    )
    size: float = option(
        1.0,
        "How large the table may become with select and replace, as a share of the old one's "
        "rows; the most used rows are kept.",
        above=0,
        high=1,
    )
    reordering: Renewal = option(
        "interpolate",
        "What becomes of the reordering models: they are mixed with new ones (interpolate), "
        "replaced, or kept.",
    )
    bilm: Renewal = option(
        "interpolate",
        "What becomes of the bilingual language model: it is mixed with a new one "
        "(interpolate), replaced, or kept.",
    )
    weight: float | None = option(
        0.5,
        "How much the new probabilities count where they are mixed with the old ones; none: "
        "as much as suits the dev set's own derivations.",
        low=0,
        high=1,
    )
    # An oracle is as near to its reference as the model can get; what it says otherwise is often
    # wrong, and counting it confirms the model in its mistakes.
    count: Literal["confirmed", "all"] = option(
        "confirmed",
        "Which uses of phrases count: those whose target the reference has (confirmed), or all.",
    )

    def check(self) -> None:
        require(
            self.size == 1 or self.table in ("replace", "select"),
            f"a table of another size must be replace or select, not {self.table}",
        )
