"""What came of one sentence, told for people: phrases, rivals, alignment, n-best, stacks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from dragoman._core import DecodeResult, Hypergraph, PhraseStep
from dragoman.model.bundle import Bundle
from dragoman.rules.table import PhraseTable, TableEntry
from dragoman.translation.result import Found
from dragoman.translation.trace import places_of, step_values

RIVALS = 8
# Rivals farther behind than this are not looked for in the graph.
FARTHEST = 4.0
# So many hypotheses of a stack are told of, besides those on the way to the translation.
PICTURED = 40


class Storyteller:
    """Tells how sentences were translated with one model."""

    def __init__(self, bundle: Bundle, table: PhraseTable) -> None:
        self._features = bundle.features
        self._weights = bundle.named_weights()
        self._table = table
        self._sources = bundle.sources

    def tell(self, found: Found) -> dict[str, Any]:
        """The best translation, taken apart; needs a graph with values."""
        result, tokens, order = found.result, found.prepared.line.tokens, found.prepared.line.order
        best = result.best
        seen = tokens if order is None else [tokens[place] for place in order]
        behind = _behind(result.graph) if result.graph is not None else {}
        return {
            "source": found.best.source,
            "target": found.best.text,
            "dictated": found.best.dictated,
            "source_tokens": tokens,
            "score": best.score,
            "features": self._named(best.features.tolist()),
            "alignment": [list(link) for link in found.best.alignment],
            **({"order": list(order)} if order is not None else {}),
            "phrases": [
                self._phrase(seen, step, values, behind) | places_of(step.source, order)
                for step, values in zip(best.steps, step_values(result), strict=True)
            ],
            **found.best.told_confidence(),
            "nbest": told_nbest(found),
            "matches": [match.told() for match in found.prepared.offers],
            "evaluated": result.stats.evaluated,
        }

    def _phrase(
        self,
        tokens: Sequence[str],
        step: PhraseStep,
        values: list[float],
        behind: dict[tuple[int, int], dict[str, float]],
    ) -> dict[str, Any]:
        begin, end = step.source
        source = " ".join(tokens[begin:end])
        features = self._named(values)
        table = self._table.translations(source)
        others = behind.get((begin, end), {})
        return {
            "source": source,
            "target": step.target,
            "target_span": list(step.target_span),
            "alignment": [list(link) for link in step.alignment],
            "unknown": step.unknown,
            "given": step.row is None and not step.unknown and step.source_number is None,
            "never_seen": self._sources.why(source, step.target, step.source_number)
            if self._sources is not None
            else "",
            "features": features,
            "score": self._worth(features),
            "rivals": self._rivals(step.target, table, others),
        }

    def _rivals(
        self, chosen: str, table: list[TableEntry], behind: dict[str, float]
    ) -> list[dict[str, Any]]:
        """Other translations of the same words: first those the search kept to the end, by how
        much the best sentence with them is worse, then those of the table."""
        rows: list[dict[str, Any]] = [
            {
                "target": translation.target,
                "worth": self._worth(translation.scores),
                "features": {
                    name: round(value, 6)
                    for name, value in translation.scores.items()
                    if not name.startswith("reorder.")
                },
                "count": translation.count,
                "behind": behind.get(translation.target),
            }
            for translation in table
            if translation.target != chosen
        ]
        rows.sort(
            key=lambda row: (
                row["behind"] is None,
                row["behind"] if row["behind"] is not None else -row["worth"],
            )
        )
        return rows[:RIVALS]

    def _worth(self, features: dict[str, float]) -> float:
        return math.fsum(self._weights[name] * value for name, value in features.items())

    def _named(self, values: Sequence[float]) -> dict[str, float]:
        return {
            name: round(value, 6)
            for name, value in zip(self._features, values, strict=False)
            if value != 0
        }


def told_nbest(found: Found) -> list[dict[str, Any]]:
    """The n-best list: texts, scores, and begin, end and translation of each phrase."""
    return [
        {
            "target": entry.text,
            "score": entry.score,
            "phrases": [[*phrase.source_span, phrase.target] for phrase in entry.phrases],
        }
        for entry in found.nbest
    ]


def _behind(graph: Hypergraph) -> dict[tuple[int, int], dict[str, float]]:
    """By span and translation: how much worse the best derivation with that phrase is."""
    edges = graph.posteriors(math.inf).edges
    found: dict[tuple[int, int], dict[str, float]] = {}
    for index in (edges >= -FARTHEST).nonzero()[0].tolist():
        edge = graph.edge(index)
        if not edge.tails:
            continue
        words = edge.target.removeprefix("*").strip()
        here = found.setdefault(edge.source, {})
        here[words] = min(here.get(words, math.inf), max(0.0, -float(edges[index])))
    return found


def picture(result: DecodeResult) -> dict[str, Any]:
    """The stacks of a search: what was counted in each, and the best of what survived."""
    drawn = result.picture
    assert drawn is not None
    survived = [0] * len(drawn.stacks)
    places: dict[int, int] = {}
    hypotheses: list[dict[str, Any]] = []
    for index, one in enumerate(drawn.hypotheses):
        survived[one.covered] += 1
        if survived[one.covered] > PICTURED and not one.best:
            continue
        places[index] = len(hypotheses)
        hypotheses.append(
            {
                "stack": one.covered,
                "back": places.get(one.back) if one.back is not None else None,
                "total": one.total,
                "source_span": list(one.source),
                "target": one.target,
                "coverage": one.coverage,
                "best": one.best,
            }
        )
    return {
        "stacks": [
            {
                "covered": covered,
                "evaluated": stats.evaluated,
                "recombined": stats.recombined,
                "pruned_threshold": stats.pruned_threshold,
                "pruned_limit": stats.pruned_limit,
                "survived": survived[covered],
            }
            for covered, stats in enumerate(drawn.stacks)
        ],
        "hypotheses": hypotheses,
        "evaluated": result.stats.evaluated,
        "recombined": result.stats.recombined,
        "early": {
            "begins": result.stats.early_begins,
            "ends": result.stats.early_ends,
            "options": result.stats.early_options,
        },
        "retried": result.stats.retried > 0,
    }
