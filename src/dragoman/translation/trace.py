"""Why this translation: phrases, spans, alignment, and what each phrase is worth."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from dragoman._core import DecodeResult, Hypergraph, PhraseTranslation
from dragoman.unknown.sources import NAMES as SOURCES

# The order in which a preordered model sees a line: the k-th word it sees is the user's word
# order[k]. Positions that are told are always the user's.
Order = Sequence[int] | None


def alignment_of(translation: PhraseTranslation, order: Order = None) -> list[tuple[int, int]]:
    """Links between source and target words, from inside the phrases."""
    links = (
        (step.source[0] + source, step.target_span[0] + target)
        for step in translation.steps
        for source, target in step.alignment
    )
    if order is not None:
        links = ((order[source], target) for source, target in links)
    return sorted(links)


def places_of(span: tuple[int, int], order: Order) -> dict[str, Any]:
    """Where a phrase stands in the user's line: a span, and if its words lie apart, the span
    around them and each of them."""
    if order is None or span[0] == span[1]:
        return {"source_span": list(span)}
    places = sorted(order[span[0] : span[1]])
    told: dict[str, Any] = {"source_span": [places[0], places[-1] + 1]}
    if places[-1] - places[0] >= len(places):
        told["source_positions"] = places
    return told


def trace(
    line: str, result: DecodeResult, features: Sequence[str], order: Order = None
) -> dict[str, Any]:
    """The best translation, taken apart."""
    words = line.split()
    best = result.best
    seen = words if order is None else [words[place] for place in order]
    return {
        "source": line,
        **({"preordered": " ".join(seen), "order": list(order)} if order is not None else {}),
        "target": best.target,
        "score": best.score,
        "features": _named(features, best.features.tolist()),
        "alignment": alignment_of(best, order),
        "phrases": [
            {
                "source": " ".join(seen[step.source[0] : step.source[1]]),
                **places_of(step.source, order),
                "target": step.target,
                "target_span": list(step.target_span),
                "alignment": step.alignment,  # within the phrase
                "row": step.row,
                "unknown": step.unknown,
                **(
                    {"offered_by": SOURCES[step.source_number]}
                    if step.source_number is not None
                    else {}
                ),
                "features": _named(features, values) if values else {},
            }
            for step, values in zip(best.steps, step_values(result), strict=True)
        ],
    }


def _named(features: Sequence[str], values: Sequence[float]) -> dict[str, float]:
    return {name: round(v, 6) for name, v in zip(features, values, strict=True) if v != 0}


def step_values(result: DecodeResult) -> Iterator[list[float]]:
    """What each phrase of the best translation adds to the features; needs a graph with values."""
    if result.graph is None:
        yield from ([] for _ in result.best.steps)
        return
    [best] = result.graph.kbest(1)
    for edge in best.edges:
        begin, end = result.graph.edge(edge).source
        if begin < end:  # else it is no phrase: the begin of the sentence, or glue
            yield result.graph.values(edge).tolist()


def graph_lines(
    number: int, graph: Hypergraph, features: Sequence[str], order: Order = None
) -> Iterator[str]:
    """A hypergraph as JSON lines: one for the graph, one for each edge.

    Spans are the decoder's; the order, when there is one, stands in the first line.
    """
    yield json.dumps(
        {
            "sentence": number,
            "nodes": graph.nodes,
            "edges": graph.edges,
            "goal": graph.goal,
            **({"order": list(order)} if order is not None else {}),
        }
    )
    for index in range(graph.edges):
        edge = graph.edge(index)
        values = _named(features, graph.values(index).tolist())
        yield json.dumps(
            {
                "sentence": number,
                "head": edge.head,
                "tails": edge.tails,
                "score": edge.score,
                "source": list(edge.source),
                "target": edge.target,
                "row": edge.row,
                "features": values,
            },
            ensure_ascii=False,
        )


def graph_dot(number: int, graph: Hypergraph, order: Order = None) -> Iterator[str]:
    """A hypergraph as Graphviz draws it; positions are the user's."""
    yield f"digraph sentence{number} {{"
    yield "  rankdir=LR;"
    yield f"  n{graph.goal} [shape=doublecircle];"
    for index in range(graph.edges):
        edge = graph.edge(index)
        text = edge.target.removeprefix("*").strip().replace("\\", "\\\\").replace('"', '\\"')
        for tail in edge.tails:
            begin, end = places_of(edge.source, order)["source_span"]
            yield f'  n{tail} -> n{edge.head} [label="{begin}-{end} {text} ({edge.score:.2f})"];'
    yield "}"
