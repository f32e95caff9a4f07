"""The page at the end of training: what went in, how tuning went, what comes out."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dragoman.report.alignment_svg import alignment_svg
from dragoman.report.charts_svg import curve_svg, histogram_svg

_STYLE = """
:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; line-height: 1.5; }
table { border-collapse: collapse; } td, th { padding: .15rem .9rem .15rem 0; text-align: left; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
article { border-top: 1px solid #8886; padding: .7rem 0; }
.charts, .links { display: flex; flex-wrap: wrap; gap: 1rem 2rem; align-items: flex-start; }
.p { border-radius: .25rem; padding: .05rem .25rem; margin-right: .15rem; white-space: nowrap; }
dl { display: grid; grid-template-columns: 6rem 1fr; gap: .15rem .6rem; margin: 0; }
dt { opacity: .7; } dd { margin: 0; }
"""
# Neighbouring phrases get different colours; a phrase and its translation the same.
_HUES = (210, 30, 130, 275, 0, 175, 55, 320)


@dataclass(frozen=True)
class Phrase:
    """A phrase pair of a translation."""

    source: tuple[int, int]  # a span of words
    target: str
    unknown: bool = False


@dataclass(frozen=True)
class SampleTranslation:
    """A source sentence, its translation in phrases (in target order), and a reference."""

    source: str
    phrases: Sequence[Phrase]
    reference: str


@dataclass(frozen=True)
class AlignedPair:
    """A training pair and its links."""

    source: Sequence[str]
    target: Sequence[str]
    links: Sequence[tuple[int, int]]


@dataclass(frozen=True)
class TrainingStory:
    """All that the page shows."""

    title: str
    corpus: Mapping[str, int]  # how many pairs were read, kept, dropped, set aside
    source_lengths: Sequence[int]  # how many sentences have i words
    target_lengths: Sequence[int]
    metric: str
    rounds: Sequence[float]  # the dev score of each round of tuning
    outcome: str  # why tuning ended
    weights: Mapping[str, float]
    alignments: Sequence[AlignedPair]
    samples: Sequence[SampleTranslation]


def training_page(story: TrainingStory) -> str:
    """The whole page; it needs nothing from anywhere else."""
    title = html.escape(story.title)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style>'
        f"<h1>{title}</h1>"
        f"<h2>Corpus</h2>{_corpus(story)}"
        f"<h2>Tuning</h2>{_tuning(story)}"
        f"<h2>Alignments of training sentences</h2>{_alignments(story)}"
        f"<h2>Translations of dev sentences</h2>"
        "<p>Phrases of one colour are translations of each other; dashed words were copied.</p>"
        f"{''.join(map(_sample, story.samples)) or '<p>There is no dev set.</p>'}</html>\n"
    )


def _corpus(story: TrainingStory) -> str:
    rows = "".join(
        f'<tr><td>{html.escape(name)}</td><td class="n">{count:,}</td></tr>'
        for name, count in story.corpus.items()
    )
    chart = histogram_svg(
        (("source", story.source_lengths), ("target", story.target_lengths)),
        "Lengths of training sentences",
        "words",
        "sentences",
    )
    return f'<div class="charts"><table>{rows}</table>{chart}</div>'


def _tuning(story: TrainingStory) -> str:
    weights = "".join(
        f'<tr><td>{html.escape(name)}</td><td class="n">{value:+.4f}</td></tr>'
        for name, value in story.weights.items()
    )
    said = f"<p>Ended: {html.escape(story.outcome)}.</p>"
    if story.rounds:
        change = f"{story.rounds[0]:.2f} before, {max(story.rounds):.2f} after"
        if story.metric == "TER":
            change = f"{story.rounds[0]:.2f} before, {min(story.rounds):.2f} after"
        said = f"<p>{html.escape(story.metric)} on the dev set: {change}.</p>{said}"
    chart = curve_svg(story.rounds, "Tuning", "round", f"{story.metric} on dev")
    return f'{said}<div class="charts">{chart}<table>{weights}</table></div>'


def _alignments(story: TrainingStory) -> str:
    pictures = "".join(
        alignment_svg(pair.source, pair.target, pair.links) for pair in story.alignments
    )
    return f'<div class="links">{pictures}</div>'


def _sample(sample: SampleTranslation) -> str:
    words = sample.source.split()
    by_source = sorted(range(len(sample.phrases)), key=lambda i: sample.phrases[i].source)
    # Colours go by source order, so that neighbours there differ.
    hue = {index: _HUES[rank % len(_HUES)] for rank, index in enumerate(by_source)}

    def piece(index: int, text: str) -> str:
        line = "outline:1px dashed;" if sample.phrases[index].unknown else ""
        style = f"background:hsl({hue[index]} 70% 50% / .28);{line}"
        return f'<span class="p" style="{style}">{html.escape(text)}</span>'

    source = " ".join(
        piece(i, " ".join(words[slice(*sample.phrases[i].source)])) for i in by_source
    )
    target = " ".join(
        piece(i, phrase.target) for i, phrase in enumerate(sample.phrases) if phrase.target
    )
    return (
        f"<article><dl><dt>source</dt><dd>{source}</dd><dt>translation</dt><dd>{target}</dd>"
        f"<dt>reference</dt><dd>{html.escape(sample.reference)}</dd></dl></article>"
    )
