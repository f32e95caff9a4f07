"""How a run of the pipeline is told: a table for people, JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dragoman.layout import CONSENSUS_REPORT, CORPUS_REPORT, REPORT, TUNED_MODEL
from dragoman.model.directory import ModelDirectory
from dragoman.training.pipeline import Outcome


def print_outcomes(outcomes: Sequence[Outcome], *, dry_run: bool, as_json: bool) -> None:
    """What ran and why; with `dry_run`, what would."""
    if as_json:
        print(json.dumps([asdict(outcome) for outcome in outcomes], indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("stage", "would run" if dry_run else "ran", "why", box=None, pad_edge=False)
    if not dry_run:
        table.add_column("seconds", justify="right")
        table.add_column("size", justify="right")
        table.add_column("memory", justify="right")
    for outcome in outcomes:
        row = [outcome.stage, "yes" if outcome.ran else "no", outcome.reason]
        if not dry_run:
            peak = readable_size(outcome.peak_memory) if outcome.peak_memory else ""
            row += [f"{outcome.seconds:.1f}", readable_size(outcome.bytes_written), peak]
        table.add_row(*row)
    Console().print(table)


@contextmanager
def resumable(model: Path) -> Iterator[None]:
    """Work that goes on where it was stopped: Ctrl-C says what is kept, and how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        done = list(ModelDirectory(model).manifest.stages) if model.is_dir() else []
        kept = f"{', '.join(done)} done and kept in {model}" if done else "nothing was done yet"
        print(f"dragoman: stopped; {kept}; the same command goes on", file=sys.stderr)
        raise


def print_scores(model: Path) -> None:
    """The dev score before and after tuning, and where to read more."""
    directory = ModelDirectory(model)
    agreed = directory.story(CONSENSUS_REPORT) if directory.members else None
    if agreed is not None and "score" in agreed:
        members = zip(agreed["members"], agreed["alone"], strict=True)
        print(
            f"{agreed['metric']} of the consensus on the dev set: {agreed['score']:.2f}; alone "
            + ", ".join(f"{name} {score:.2f}" for name, score in members)
        )
        print("the plain model alone (dragoman translate MODEL --alone):")
    found = directory.dev_scores()
    if found is not None:
        metric, before, after = found
        print(f"{metric} on the dev set: {before:.2f} before tuning, {after:.2f} after")
    tested = directory.test_results()
    if tested.get("sentences"):
        scores = [f"{name} {one['score']:.2f}" for name, one in scored(tested)]
        # Members come after the test; what all agree on is another matter.
        alone = ", the plain model alone" if directory.members else ""
        print(
            f"on the test set ({tested['sentences']:,} sentences){alone}: {', '.join(scores)}; "
            f"{tested['unknown_words']:.1%} of its words are unknown"
        )
        for name, one in scored(tested):
            print(f"  {name}: {one['signature']}")
    told = set_aside(directory)
    if told:
        print(told)
    if directory.has(REPORT):
        print(f"more in {directory.file(REPORT)}")


def scored(results: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The metrics among what a test has said, by the names people know."""
    names = {"bleu": "BLEU", "chrf": "chrF", "ter": "TER", "ribes": "RIBES"}
    found = [(names.get(key, key), value) for key, value in results.items()]
    return [(name, value) for name, value in found if isinstance(value, dict)]


def set_aside(directory: ModelDirectory) -> str:
    """Which pairs the model has not learnt from, and how it would; empty when it has from all."""
    counts = directory.story(CORPUS_REPORT) or {}
    if directory.learnt_from_everything:
        return (
            f"{counts['train']:,} pairs learnt from, those set aside for tuning among them; the "
            f"score is that of {directory.file(TUNED_MODEL)}, which has not seen them"
        )
    if not counts.get("dev") or directory.dev_set_given:
        return ""
    held = counts["dev"] + counts["test"] + counts["same source as held-out"]
    return (
        f"{held:,} of {counts['kept']:,} pairs were set aside and not learnt from; --dev-size and "
        "--test-size say how many, --final learns from them as well"
    )


def readable_size(size: float) -> str:
    """A number of bytes as people say it."""
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
