"""The page at the end of training: what went in, how tuning went, what comes out."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dragoman.evaluation.metric import Score
from dragoman.evaluation.unknown_words import UnknownWords
from dragoman.report.alignment_svg import alignment_svg
from dragoman.report.calibration_svg import calibration_svg
from dragoman.report.charts_svg import curve_svg, histogram_svg
from dragoman.report.page import explained, page, table
from dragoman.report.unknown_html import unknown_section
from dragoman.text.languages import language_name

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
class ScoredTest:
    """What the test set said."""

    sentences: int
    scores: Sequence[Score]
    unknown: UnknownWords


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
    languages: tuple[str, str] = ("", "")  # their codes
    test: ScoredTest | None = None
    # Words of the dev set, their mean confidence, and the share of them that was right.
    calibration: Sequence[tuple[int, float, float]] = ()


def training_page(story: TrainingStory) -> str:
    """The whole page; it needs nothing from anywhere else."""
    samples = "".join(map(_sample, story.samples))
    return page(
        story.title,
        f"{_languages(story)}"
        f"<h2>Test</h2>{_test(story)}"
        f"<h2>Corpus</h2>{_corpus(story)}"
        f"<h2>Tuning</h2>{_tuning(story)}"
        f"{_calibration(story)}"
        f"<h2>Alignments of training sentences</h2>{_alignments(story)}"
        "<h2>Translations of dev sentences</h2>"
        '<p class="faint">Phrases of one colour are translations of each other; dashed words '
        "were copied.</p>"
        f"{samples or '<p>There is no dev set.</p>'}",
    )


def _languages(story: TrainingStory) -> str:
    if not any(story.languages):
        return '<p class="faint">Nobody said which languages these are (--from, --to).</p>'
    source, target = (
        f"{html.escape(language_name(code))} ({html.escape(code)})" if code else "?"
        for code in story.languages
    )
    return f"<p>From {source} to {target}.</p>"


def _test(story: TrainingStory) -> str:
    test = story.test
    if test is None or not test.sentences:
        return (
            "<p>There is no test set. Give one with --test, or score the model later: "
            "<code>dragoman evaluate MODEL -s SOURCE -r REFERENCE</code>.</p>"
        )
    rows = [[html.escape(one.metric), f"{one.value:.2f}"] for one in test.scores]
    return (
        f"<p>{test.sentences:,} sentences that neither training nor tuning saw.</p>"
        + table(["metric", "score"], rows, frozenset({1}))
        + explained(test.scores)
        + f"<h3>Unknown words</h3>{unknown_section(test.unknown)}"
    )


def _corpus(story: TrainingStory) -> str:
    rows = [[html.escape(name), f"{count:,}"] for name, count in story.corpus.items()]
    chart = histogram_svg(
        (("source", story.source_lengths), ("target", story.target_lengths)),
        "Lengths of training sentences",
        "words",
        "sentences",
    )
    return f'<div class="charts">{table([], rows, frozenset({1}))}{chart}</div>'


def _tuning(story: TrainingStory) -> str:
    rows = [[html.escape(name), f"{value:+.4f}"] for name, value in story.weights.items()]
    said = f"<p>Ended: {html.escape(story.outcome)}.</p>"
    if story.rounds:
        change = f"{story.rounds[0]:.2f} before, {max(story.rounds):.2f} after"
        if story.metric == "TER":
            change = f"{story.rounds[0]:.2f} before, {min(story.rounds):.2f} after"
        said = f"<p>{html.escape(story.metric)} on the dev set: {change}.</p>{said}"
    chart = curve_svg(story.rounds, "Tuning", "round", f"{story.metric} on dev")
    weights = table(["feature", "weight"], rows, frozenset({1}))
    return f'{said}<div class="charts">{chart}{weights}</div>'


def _calibration(story: TrainingStory) -> str:
    if not story.calibration:
        return ""
    rows = [
        [f"{sure:.0%}", f"{right:.0%}", f"{count:,}"] for count, sure, right in story.calibration
    ]
    columns = table(["how sure", "how often right", "words"], rows, frozenset({0, 1, 2}))
    return (
        '<h2 id="confidence">Confidence</h2><p>Of the words that are said to be so sure, so many '
        "stood in the reference of the dev set; on the dashed line the two are the same. "
        "Each half of the sentences was judged by what was learnt from the other.</p>"
        f'<div class="charts">{calibration_svg(story.calibration)}{columns}</div>'
    )


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
