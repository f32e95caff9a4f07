"""Spelling normalisation in character mode: does a model recover French that was misspelt by rule?

    python bench/spelling.py [--threads 2] [--keep DIRECTORY]

The French of examples/phrasebook is misspelt by rules of the kind old and phonetic spellings have
(ph as f, qu as k, lost accents, double consonants made single, ...), each applied to a place with
some probability, the same on every run. A model is trained on (misspelt, right) pairs with
`--task spelling`, and the unseen test part is normalised. Words are compared by place; a line
whose number of words comes out wrong counts all its words as wrong.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
import time
import unicodedata
from pathlib import Path

import dragoman

PHRASEBOOK = Path(__file__).resolve().parents[1] / "examples" / "phrasebook"

# Pattern, replacement, and how often a place it fits is changed.
RULES: list[tuple[str, str, float]] = [
    (r"ph", "f", 0.9),
    (r"eau", "o", 0.6),
    (r"qu(?=[aeiouéèê])", "k", 0.6),
    (r"(?<=[aeiouéè])ss(?=[aeiouéè])", "ç", 0.4),
    (r"(?<=[aeiouéè])s(?=[aeiouéè])", "z", 0.5),
    (r"([lmnprtc])\1", r"\1", 0.6),
    (r"ai(?!n)", "è", 0.5),
    (r"(?<=\w)en(?=t\b)", "an", 0.4),
    (r"oi", "oy", 0.5),
    (r"(?<=\w\w)[tsxd]\b", "", 0.3),
    (r"(?<=\w)er\b", "é", 0.4),
    (r"\bh(?=\w)", "", 0.5),
    (r"g(?=[ei])", "j", 0.5),
]
ACCENTS_LOST = 0.35


def misspelt(line: str, luck: random.Random) -> str:
    """The line with some of the rules applied."""
    for pattern, replacement, often in RULES:

        def change(match: re.Match[str], to: str = replacement, often: float = often) -> str:
            return match.expand(to) if luck.random() < often else match[0]

        line = re.sub(pattern, change, line)
    letters = []
    for letter in line:
        plain = unicodedata.normalize("NFD", letter)[0]
        letters.append(plain if plain != letter and luck.random() < ACCENTS_LOST else letter)
    return " ".join("".join(letters).split())


def word_accuracy(lines: list[str], right: list[str]) -> float:
    """The share of words that are right, by place."""
    good = total = 0
    for line, expected in zip(lines, right, strict=True):
        words, wanted = line.split(), expected.split()
        total += len(wanted)
        if len(words) == len(wanted):
            good += sum(a == b for a, b in zip(words, wanted, strict=True))
    return good / total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="where the texts and the model stay")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        place = arguments.keep if arguments.keep is not None else Path(temporary)
        place.mkdir(parents=True, exist_ok=True)
        luck = random.Random(1)
        texts = {}
        for part in ("train", "dev", "test"):
            right = (PHRASEBOOK / f"{part}.fr").read_text("utf-8").splitlines()
            texts[part] = [misspelt(line, luck) for line in right], right
            for side, lines in zip(("misspelt", "right"), texts[part], strict=True):
                (place / f"{part}.{side}").write_text("\n".join(lines) + "\n", "utf-8")
        begun = time.perf_counter()
        dragoman.train(
            (place / "train.misspelt", place / "train.right"),
            place / "model",
            dev=(place / "dev.misspelt", place / "dev.right"),
            source_language="fr",
            task="spelling",
            threads=arguments.threads,
        )
        seconds = time.perf_counter() - begun
        noisy, right = texts["test"]
        model = dragoman.Translator.open(place / "model", threads=arguments.threads)
        restored = model.translate_lines(noisy)
    for shown in range(0, len(right), len(right) // 4):
        print(f"  misspelt  {noisy[shown]}\n  restored  {restored[shown]}")
        print(f"  right     {right[shown]}\n")
    print(f"trained in {seconds:.0f} s on {len(texts['train'][0]):,} pairs")
    print(f"words right: {word_accuracy(noisy, right):.1%} misspelt", end=", ")
    print(f"{word_accuracy(restored, right):.1%} restored")
    lines = sum(a == b for a, b in zip(restored, right, strict=True)) / len(right)
    kept = sum(a == b for a, b in zip(noisy, right, strict=True)) / len(right)
    print(f"lines right: {kept:.1%} misspelt, {lines:.1%} restored")


if __name__ == "__main__":
    main()
