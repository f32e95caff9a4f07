"""Why this translation: phrases, spans, alignment, and what each phrase is worth."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from dragoman._core import DecodeResult, Hypergraph, PhraseTranslation


def alignment_of(translation: PhraseTranslation) -> list[tuple[int, int]]:
    """Links between source and target words, from inside the phrases."""
    return sorted(
        (step.source[0] + source, step.target_span[0] + target)
        for step in translation.steps
        for source, target in step.alignment
    )


def trace(line: str, result: DecodeResult, features: Sequence[str]) -> dict[str, Any]:
    """The best translation, taken apart."""
    words = line.split()
    best = result.best
    return {
        "source": line,
        "target": best.target,
        "score": best.score,
        "features": _named(features, best.features.tolist()),
        "alignment": alignment_of(best),
        "phrases": [
            {
                "source": " ".join(words[step.source[0] : step.source[1]]),
                "source_span": list(step.source),
                "target": step.target,
                "target_span": list(step.target_span),
                "alignment": step.alignment,
                "row": step.row,
                "unknown": step.unknown,
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
    [(_, _, edges)] = result.graph.kbest(1)
    for edge in edges:
        begin, end = result.graph.edge(edge)[3]
        if begin < end:  # else it is no phrase: the begin of the sentence, or glue
            yield result.graph.values(edge).tolist()


def graph_lines(number: int, graph: Hypergraph, features: Sequence[str]) -> Iterator[str]:
    """A hypergraph as JSON lines: one for the graph, one for each edge."""
    yield json.dumps(
        {"sentence": number, "nodes": graph.nodes, "edges": graph.edges, "goal": graph.goal}
    )
    for index in range(graph.edges):
        head, tails, score, span, target, row = graph.edge(index)
        values = _named(features, graph.values(index).tolist())
        yield json.dumps(
            {
                "sentence": number,
                "head": head,
                "tails": tails,
                "score": score,
                "source": list(span),
                "target": target,
                "row": row,
                "features": values,
            },
            ensure_ascii=False,
        )


def graph_dot(number: int, graph: Hypergraph) -> Iterator[str]:
    """A hypergraph as Graphviz draws it."""
    yield f"digraph sentence{number} {{"
    yield "  rankdir=LR;"
    yield f"  n{graph.goal} [shape=doublecircle];"
    for index in range(graph.edges):
        head, tails, score, span, target, _ = graph.edge(index)
        text = target.removeprefix("*").strip().replace("\\", "\\\\").replace('"', '\\"')
        for tail in tails:
            yield f'  n{tail} -> n{head} [label="{span[0]}-{span[1]} {text} ({score:.2f})"];'
    yield "}"
