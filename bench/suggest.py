"""How much typing suggestions save, and how long each takes.

A translator who wants to write exactly the reference is played: where the suggestion goes on as
the reference does, the next word is taken with one key, or all of the rest; else the next letter
is typed. The keystroke ratio is the number of keys pressed, by the letters of the references:
without suggestions it is 1. The word-stroke ratio counts the words that had to be typed at least
in part.

Settings (--edit-cost) are tried on a dev set; figures come from the test set.

    python bench/suggest.py model --source test.de --reference test.en
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path

from dragoman import Translator
from dragoman.translation.config import SuggestOptions


@dataclass
class Tally:
    """What was counted."""

    keys: int = 0
    letters: int = 0
    typed_words: int = 0
    words: int = 0
    first: list[float] = field(default_factory=list)  # milliseconds, of the first letter
    later: list[float] = field(default_factory=list)
    # The same of sentences of about twenty words.
    twenty_first: list[float] = field(default_factory=list)
    twenty_later: list[float] = field(default_factory=list)


def main() -> None:
    """Play, count, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("model", type=Path)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--reference", type=Path, required=True)
    parser.add_argument("--sentences", type=int, default=0, help="the first so many; 0: all")
    parser.add_argument("--edit-cost", type=float, nargs="*", help="values to try")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    pairs = [
        (source, " ".join(reference.split()))
        for source, reference in zip(
            options.source.read_text("utf-8").splitlines(),
            options.reference.read_text("utf-8").splitlines(),
            strict=True,
        )
        if source.strip() and reference.strip()
    ][: options.sentences or None]
    translator = Translator.open(options.model)
    costs = options.edit_cost or [SuggestOptions().suggest_edit_cost]
    for cost in costs:
        tally = Tally()
        for source, reference in pairs:
            play(translator, source, reference, SuggestOptions(suggest_edit_cost=cost), tally)
        report = told(tally) | {"edit cost": cost, "sentences": len(pairs)}
        if options.json:
            print(json.dumps(report))
        else:
            print("  ".join(f"{name} {value:.4g}" for name, value in report.items()))


def play(
    translator: Translator, source: str, reference: str, options: SuggestOptions, tally: Tally
) -> None:
    """Write one reference."""
    typed = ""
    touched: set[int] = set()
    twenty = 18 <= len(source.split()) <= 22
    asked = 0
    tally.letters += len(reference)
    tally.words += len(reference.split())
    while typed != reference:
        begun = time.perf_counter()
        (found,) = translator.suggest(source, typed, options=options)
        spent = 1000 * (time.perf_counter() - begun)
        (tally.later if asked else tally.first).append(spent)
        if twenty:
            (tally.twenty_later if asked else tally.twenty_first).append(spent)
        asked += 1
        rest = reference[len(typed) :]
        tally.keys += 1
        if found.text == rest:
            typed = reference  # all of it
            continue
        word = found.pieces[0] if found.pieces else ""
        if word and rest.startswith(word) and not rest[len(word) : len(word) + 1].isalnum():
            typed += word
        else:
            touched.add(typed.count(" ") + (rest[0] == " "))
            typed += rest[0]
    tally.typed_words += len(touched)


def told(tally: Tally) -> dict[str, float]:
    """Ratios and times."""
    times = {
        "first letter, p95 ms": tally.first,
        "later letters, p95 ms": tally.later,
        "20 words, first letter, p95 ms": tally.twenty_first,
        "20 words, later letters, p95 ms": tally.twenty_later,
    }
    return {
        "keystroke ratio": tally.keys / tally.letters,
        "word-stroke ratio": tally.typed_words / tally.words,
    } | {
        name: statistics.quantiles(found, n=20)[-1] if len(found) > 1 else float("nan")
        for name, found in times.items()
    }


if __name__ == "__main__":
    main()
