"""Raw text in, raw text out: what is lost, what is harmed, and what it costs.

    python bench/text.py --data DIRECTORY [--only lossless,spacing,speed,ui,...]
                         [--threads 2] [--keep DIRECTORY]

The directory holds the sets, each in a folder: multi30k-raw (de, en), ui (en, fr), kftt (ja, en,
tokenised), nahuatl (nah, es), aymara (aym, es), each with train, dev and test. BLEU and chrF are
sacrebleu's on raw text, but on kftt, whose English is tokenised.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import sacrebleu

import dragoman
from dragoman.text.config import TextConfig
from dragoman.text.form import SourceLine, TextForm
from dragoman.text.marked import detokenise, tokenise
from dragoman.text.normalise import normalise
from dragoman.text.protect import hold_pair
from dragoman.text.tokenise import Cut, make_tokeniser
from dragoman.text.writing import Marks, WritingLearner
from dragoman.training.config import Config
from dragoman.translation.written import seen_gaps

# Placeholders of many kinds, addresses, tags, numbers with points; and marks before letters.
HELD = re.compile(
    r"%[A-Z][A-Z_0-9]+|%[0-9]|%[sdu]|\$\([^)]*\)|\$[A-Za-z_]+\$?|\{[a-z0-9]*\}|https?://\S+"
    r"|\S+@\S+\.\S+|<[^<> ]+>|\d+[.,:]\d+"
)
ACCELERATOR = re.compile(r"(?<![A-Za-z0-9])_(?=[A-Za-z])|(?<=[A-Za-z])_(?=[a-z])|~(?=[A-Za-z])")
RAW = (
    ("multi30k-raw", "de", "en"),
    ("ui", "en", "fr"),
    ("nahuatl", "nah", "es"),
    ("aymara", "aym", "es"),
)


class Bench:
    """The measurements, over one directory of data."""

    def __init__(self, data: Path, place: Path, threads: int) -> None:
        self.data, self.place, self.threads = data, place, threads

    def lines(self, name: str) -> list[str]:
        with (self.data / name).open(encoding="utf-8", newline="\n") as file:
            return [line.rstrip("\n") for line in file]

    def trained(
        self, name: str, folder: Path, source: str, target: str, **options: Any
    ) -> dragoman.Translator:
        """A model of a set; says how long it took."""
        begun = time.perf_counter()
        model = dragoman.train(
            (folder / f"train.{source}", folder / f"train.{target}"),
            self.place / name,
            dev=(folder / f"dev.{source}", folder / f"dev.{target}"),
            source_language=source,
            target_language=target,
            threads=self.threads,
            **options,
        )
        print(f"  {name}: trained in {time.perf_counter() - begun:.0f} s")
        return dragoman.Translator.open(model.directory, threads=self.threads)

    def lossless(self) -> None:
        """Lines that come back byte by byte, in NFC, when they are cut and joined again."""
        for name, *languages in RAW:
            for language in languages:
                for part in ("train", "dev", "test"):
                    lines = self.lines(f"{name}/{part}.{language}")
                    same = sum(
                        detokenise(tokenise(line, language, marked=True))
                        == unicodedata.normalize("NFC", line)
                        for line in lines
                    )
                    print(f"  {name}/{part}.{language}: {same:,} of {len(lines):,}")

    def spacing(self) -> None:
        """Dev sets cut into words and spaced again as training has shown: lines that are the
        same."""
        for name, *languages in RAW:
            for target, source in (languages, languages[::-1]):
                form = TextForm(TextConfig(source, target))
                learner = WritingLearner(Marks())
                for cuts in self._pairs(form, name, "train", source, target):
                    learner.update(*cuts)
                form.writing = learner.finish()
                good = lines = 0
                for here, there in self._pairs(form, name, "dev", source, target):
                    line = SourceLine(here.tokens, here.tokens, here.gaps)
                    good += form.gaps(there.tokens, seen_gaps(line)) == there.gaps[1:-1]
                    lines += 1
                print(f"  {name} {source}-{target}: {good:,} of {lines:,}")

    def _pairs(
        self, form: TextForm, name: str, part: str, source: str, target: str
    ) -> Iterator[tuple[Cut, Cut]]:
        sides = [map(normalise, self.lines(f"{name}/{part}.{side}")) for side in (source, target)]
        for pair in zip(*sides, strict=True):
            yield form.cut_pair(*hold_pair(*pair))

    def speed(self) -> None:
        """Tokens a second and a thread, the best of three."""
        for name, *languages in RAW[:2]:
            for language in languages:
                lines = [normalise(line) for line in self.lines(f"{name}/train.{language}")]
                tokeniser = make_tokeniser("words", language)
                best = float("inf")
                for _ in range(3):
                    begun = time.perf_counter()
                    tokens = sum(len(tokeniser.cut(line).tokens) for line in lines)
                    best = min(best, time.perf_counter() - begun)
                print(f"  {name}/train.{language}: {tokens / best:,.0f} tokens/s")

    def ui(self) -> None:
        """Messages of a program: scores, what is held, accelerators, capitals."""
        model = self.trained("ui", self.data / "ui", "en", "fr")
        source, reference = self.lines("ui/test.en"), self.lines("ui/test.fr")
        output = model.translate_lines(source)
        print(f"  {scores(output, reference)}")
        print(f"  held items: {kept(HELD, source, output, whole=True)}")
        print(f"  accelerators: {kept(ACCELERATOR, source, output, whole=False)}")
        capitals = model.translate_lines([line.upper() for line in source])
        low = [line.lower() for line in reference]
        for name, lines in (("ordinary", output), ("in capitals", capitals)):
            found = sacrebleu.corpus_chrf([line.lower() for line in lines], [low]).score
            print(f"  {name}: lower-cased chrF {found:.1f}")

    def captions(self) -> None:
        """Captions of pictures."""
        model = self.trained("captions", self.data / "multi30k-raw", "de", "en")
        output = model.translate_lines(self.lines("multi30k-raw/test.de"))
        print(f"  {scores(output, self.lines('multi30k-raw/test.en'))}")

    def japanese(self) -> None:
        """Japanese without spaces against Japanese that was tokenised, as source and target;
        BLEU of Japanese is by characters."""
        unspaced = self.place / "kftt"
        unspaced.mkdir(parents=True, exist_ok=True)
        for part in ("train", "dev", "test"):
            for language in ("ja", "en"):
                lines = self.lines(f"kftt/{part}.{language}")
                if language == "ja":
                    lines = [line.replace(" ", "") for line in lines]
                text = "".join(f"{line}\n" for line in lines)
                (unspaced / f"{part}.{language}").write_text(text, "utf-8", newline="\n")
        for tokeniser in ("whitespace", "mecab", "segmenter"):
            folder = self.data / "kftt" if tokeniser == "whitespace" else unspaced
            names = {"ja": tokeniser, "en": "whitespace"}
            for source, target in (("ja", "en"), ("en", "ja")):
                model = self.trained(
                    f"japanese-{tokeniser}-{source}",
                    folder,
                    source,
                    target,
                    source_tokeniser=names[source],
                    target_tokeniser=names[target],
                )
                test = (folder / f"test.{source}").read_text("utf-8").splitlines()
                output = model.translate_lines(test)
                if target == "en":
                    told = scores(output, self.lines("kftt/test.en"), "none")
                else:
                    # Tokens are joined; of what is text already, lines with spaces are counted.
                    spaces = sum(" " in line for line in output)
                    joined = [line.replace(" ", "") for line in output]
                    reference = (unspaced / "test.ja").read_text("utf-8").splitlines()
                    told = f"{scores(joined, reference, 'char')}, {spaces} lines with spaces"
                print(f"  {tokeniser} {source}-{target}: {told}")

    def small(self) -> None:
        """Small languages in words and in pieces of several sizes, on the dev set."""
        for name, source in (("nahuatl", "nah"), ("aymara", "aym")):
            for label, pieces in (("words", 0), ("subword", 2000), ("subword", 8000)):
                config = Config()
                if pieces:
                    config = replace(config, prepare=replace(config.prepare, pieces=pieces))
                model = self.trained(
                    f"{name}-{label}-{pieces}",
                    self.data / name,
                    source,
                    "es",
                    source_tokeniser=label,
                    config=config,
                )
                for part in ("dev", "test"):
                    output = model.translate_lines(self.lines(f"{name}/{part}.{source}"))
                    told = scores(output, self.lines(f"{name}/{part}.es"))
                    print(f"  {name} {label} {pieces or ''} {part}: {told}")


def scores(output: Sequence[str], reference: Sequence[str], tokenize: str = "13a") -> str:
    """BLEU and chrF."""
    bleu = sacrebleu.corpus_bleu(output, [reference], tokenize=tokenize).score
    return f"BLEU {bleu:.1f}, chrF {sacrebleu.corpus_chrf(output, [reference]).score:.1f}"


def kept(
    pattern: re.Pattern[str], source: Sequence[str], output: Sequence[str], *, whole: bool
) -> str:
    """In how many lines that have any the same were found, or as many."""
    rows = [(pattern.findall(s), pattern.findall(o)) for s, o in zip(source, output, strict=True)]
    rows = [row for row in rows if row[0]]
    good = sum(sorted(a) == sorted(b) if whole else len(a) == len(b) for a, b in rows)
    return f"unharmed in {good} of {len(rows)} lines"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", default="lossless,spacing,speed,ui,captions,japanese,small")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="where the models stay")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        place = arguments.keep if arguments.keep is not None else Path(temporary)
        bench = Bench(arguments.data, place, arguments.threads)
        for part in arguments.only.split(","):
            measure: Callable[[], None] = getattr(bench, part)
            print(f"{part}: {measure.__doc__}")
            measure()


if __name__ == "__main__":
    main()
