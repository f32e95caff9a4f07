"""Features that the default does not have: what they are worth beside those that it has.

    python bench/features.py [--corpora multi30k kftt libreoffice] [--seeds 1 2] [--threads 1]
                             [--ways [counts links ...]] [--provenance] [--work DIRECTORY]

A model with plain defaults is trained on each corpus, its phrase table is changed, and the weights
are tuned anew with each seed; features that come in begin with a weight of zero, may count either
way, and are left out of the scale of weights. Ways:

counts      how often a phrase pair was seen: once, twice, up to four, up to ten times
links       how many words of each side of a phrase pair are linked to nothing
lengths     phrases of one, two, three words on the source side, and how much longer either side is
relative    relative frequencies beside the smoothed probabilities
half        half of Kneser-Ney's discount, in the place of the whole
unsmoothed  relative frequencies in the place of the smoothed probabilities
symmetries  unsmoothed, and phrases from grow-diag-final-and, intersection and union of the links
            counted together
classes100  a bilingual model over 100 classes of the words of each language, order 7, in the place
            of that over words
classes400  the same with 400 classes, order 5

Ways joined by + come together. With --provenance also Multi30k and Tatoeba as one text, tuned and
tested on Multi30k: as it is, with a feature that says whether the captions have a phrase pair, and
with the probabilities that they alone give as well. Data: DRAGOMAN_DATA or ../shared/data beside
the checkout. What is trained stays in the work directory.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from dragoman._core import PhraseTableFile, Vocabulary, VocabularyBuilder, WorkResources
from dragoman.alignment.aligner import train as train_aligner
from dragoman.alignment.config import AlignConfig, SymmetryName
from dragoman.alignment.links import Links
from dragoman.corpus.bitext import Bitext, SentenceIds
from dragoman.corpus.classes import cluster_words
from dragoman.layout import (
    BILINGUAL_MODEL,
    BILINGUAL_VOCABULARY,
    LINKS,
    PHRASES,
    SOURCE_VOCABULARY,
    TARGET_VOCABULARY,
)
from dragoman.learning.reestimation.derivations import NO_ROW
from dragoman.learning.reestimation.models import TableRows
from dragoman.lm.estimate import Settings, estimate_from_texts
from dragoman.lm.texts import StreamText
from dragoman.model import weights as usual
from dragoman.model.bundle import Bundle
from dragoman.model.directory import ModelDirectory
from dragoman.progress import SILENT
from dragoman.rules.bilingual import attach_bilingual, bilingual_text
from dragoman.rules.build import lexical_tables
from dragoman.rules.config import RulesConfig
from dragoman.rules.extract import extract_table
from dragoman.rules.table import open_file
from dragoman.rules.thin import rewrite
from dragoman.training.train import run_tuning
from dragoman.tuning.config import TuneConfig
from train import DATA, LANGUAGES, plain_models, test

Columns = dict[str, NDArray[np.float32]]
NEW = "new."  # how the names of features that come in begin
SYMMETRIES: tuple[SymmetryName, ...] = ("intersection", "union")
CLASSES = {"classes100": (100, 7), "classes400": (400, 5)}


def seen_by_tuning(names: list[str]) -> AbstractContextManager[object]:
    """What tuning believes of weights, with features that come in."""
    old = [not name.startswith(NEW) for name in names]

    def spread(values: NDArray[np.float64], fill: float) -> NDArray[np.float64]:
        found = np.full(len(names), fill)
        found[old] = values
        return found

    known = [name for name in names if not name.startswith(NEW)]

    def normalised(_: list[str], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        chosen = weights[old]
        scaled = usual.normalised(known, chosen)
        largest = int(np.abs(chosen).argmax())
        return weights * float(scaled[largest] / chosen[largest])

    return patch.multiple(
        "dragoman.training.stages.tune",
        default_weights=lambda _: spread(usual.default_weights(known), 0.0),
        lowest_weights=lambda _: spread(usual.lowest_weights(known), -np.inf),
        normalised=normalised,
    )


def columns(way: str, table: PhraseTableFile) -> Columns:
    """Features of the rows of a table, new ones or in the place of those of their names."""
    rows = TableRows.of(table)
    joint, source, target = rows.counts.astype(float).T
    found: Mapping[str, NDArray[np.generic]]
    if way == "counts":
        bounds = ((0, 1), (1, 2), (2, 4), (4, 10))
        found = {f"{NEW}seen{most}": (joint > low) & (joint <= most) for low, most in bounds}
    elif way == "links":
        free = np.array([unlinked(table, row, rows) for row in range(len(table))])
        found = {f"{NEW}deleted": free[:, 0], f"{NEW}inserted": free[:, 1]}
    elif way == "lengths":
        lengths = rows.source_lengths.astype(int)
        longer = np.array([len(table.target(row)) for row in range(len(table))]) - lengths
        found = {f"{NEW}words{n}": lengths == n for n in (1, 2, 3)}
        found |= {f"{NEW}shorter": np.maximum(0, -longer), f"{NEW}longer": np.maximum(0, longer)}
    elif way == "relative":
        found = {f"{NEW}fwd": np.log(joint / source), f"{NEW}bwd": np.log(joint / target)}
    elif way == "unsmoothed":
        found = {"tm.fwd": np.log(joint / source), "tm.bwd": np.log(joint / target)}
    elif way == "half":
        once, twice = (joint == 1).sum(), (joint == 2).sum()
        discount = 0.5 * once / (once + 2 * twice)
        partners = [np.bincount(side)[side] for side in (rows.sources, rows.targets)]
        left = joint - discount + discount * partners[0] * partners[1] / len(table)
        found = {"tm.fwd": np.log(left / source), "tm.bwd": np.log(left / target)}
    else:
        raise SystemExit(f"there is no way {way!r}")
    return {name: np.asarray(values, dtype=np.float32) for name, values in found.items()}


def unlinked(table: PhraseTableFile, row: int, rows: TableRows) -> tuple[int, int]:
    links = table.alignment(row)
    return (
        int(rows.source_lengths[row]) - len({i for i, _ in links}),
        len(table.target(row)) - len({j for _, j in links}),
    )


def opened(model: Path) -> tuple[Bitext, Links]:
    directory = ModelDirectory.open(model)
    names = (directory.shape.bitext, SOURCE_VOCABULARY, TARGET_VOCABULARY)
    return Bitext.open(*(model / name for name in names)), Links.open(model / LINKS)


class Classes:
    """Bilingual tokens whose words are classes."""

    def __init__(self, bitext: Bitext, classes: int) -> None:
        sides = (
            (bitext.source, bitext.source_vocabulary),
            (bitext.target, bitext.target_vocabulary),
        )
        self._source, self._target = (
            {words.word(number): str(one) for number, one in enumerate(found)}
            for text, words in sides
            for found in [cluster_words(text, len(words), classes=classes, min_count=1)]
        )

    def token(self, spelling: str) -> str:
        target, *sources = spelling.split("|")
        partners = sorted({self._source.get(word, "0") for word in sources})
        return "|".join([self._target.get(target, "0"), *partners])


def attach(model: Path, bitext: Bitext, vocabulary: Vocabulary, classes: Classes | None) -> None:
    """Put the tokens of the bilingual model into the phrase table."""

    def find(token: str) -> int:
        return vocabulary.find(classes.token(token) if classes else token)

    words = bitext.source_vocabulary, bitext.target_vocabulary
    table = model / PHRASES
    attach_bilingual(open_file(table), table, *words, find, len(vocabulary))


def with_symmetries(model: Path) -> None:
    """Phrases from several symmetrisations of the links in one table."""
    bitext, links = opened(model)
    more = [train_aligner(bitext, AlignConfig(symmetry=name)).links for name in SYMMETRIES]
    times = 1 + len(more)

    def repeated(side: SentenceIds) -> SentenceIds:
        ids, offsets = np.asarray(side.ids), np.asarray(side.offsets)
        ends = [offsets[1:] + number * offsets[-1] for number in range(times)]
        return SentenceIds(np.tile(ids, times), np.concatenate([offsets[:1], *ends]))

    words = bitext.source_vocabulary, bitext.target_vocabulary
    text = Bitext(repeated(bitext.source), repeated(bitext.target), *words)
    config = RulesConfig(smoothing="none")
    resources = WorkResources(memory=1 << 30, directory=str(model), threads=1)
    lexical = lexical_tables(bitext, links, config.lexical_weights, resources, SILENT)
    all_links = Links.concatenate([links, *more])
    extract_table(text, all_links, model / PHRASES, config, lexical=lexical)
    attach(model, bitext, Vocabulary.open(str(model / BILINGUAL_VOCABULARY)), None)


def with_classes(model: Path, number: int, order: int) -> None:
    """A bilingual model over classes in the place of that over words."""
    bitext, links = opened(model)
    classes = Classes(bitext, number)
    lines = [
        " ".join(map(classes.token, line.split()))
        for batch in bilingual_text(bitext, links)
        for line in batch
    ]
    builder = VocabularyBuilder()
    builder.add("".join(f"{line}\n" for line in lines).encode())
    vocabulary = builder.finish()
    vocabulary.save(str(model / BILINGUAL_VOCABULARY))
    text = StreamText.of_lines(lines, "bilingual tokens")
    estimate_from_texts([text], model / BILINGUAL_MODEL, Settings(order, spool=model))
    attach(model, bitext, vocabulary, classes)


def change(model: Path, ways: list[str]) -> None:
    new: Columns = {}
    for way in ways:
        if way == "symmetries":
            with_symmetries(model)
        elif way in CLASSES:
            with_classes(model, *CLASSES[way])
        else:
            new |= columns(way, open_file(model / PHRASES))
    if new:
        rewrite(open_file(model / PHRASES), model / PHRASES, columns=new)


def measure(label: str, corpus: str, model: Path, seeds: list[int], threads: int) -> None:
    """Tune with each seed and print what came of it."""
    names = list(Bundle.of_files(ModelDirectory.open(model).model_files(full_table=True)).features)
    found = []
    for seed in seeds:
        with seen_by_tuning(names):
            run_tuning(model, config=TuneConfig(seed=seed), threads=threads)
        dev = json.loads((model / "tuning.json").read_text("utf-8"))["score"]
        found.append((dev, *test(corpus, model, threads)))
    dev, bleu, chrf = (statistics.mean(values) for values in zip(*found, strict=True))
    print(
        f"{corpus} {label}: dev BLEU {dev:.2f}, test BLEU {bleu:.2f}, chrF {chrf:.2f} "
        f"(mean of {len(seeds)} seeds)",
        flush=True,
    )


def copied(base: Path, place: Path) -> Path:
    shutil.rmtree(place, ignore_errors=True)
    return Path(shutil.copytree(base, place))


def provenance(work: Path, seeds: list[int], threads: int) -> None:
    """Captions and everyday sentences together, and features that tell them apart."""
    both = work / "both"
    for _, captions in plain_models(["multi30k"], work, threads):
        command = [sys.executable, "-m", "dragoman", "train", "-q", "-o", str(both)]
        for name in ("multi30k", "tatoeba"):
            command += ["-s", str(DATA / name / "train.de"), "-t", str(DATA / name / "train.en")]
        dev = [str(DATA / "multi30k" / f"dev.{language}") for language in ("de", "en")]
        command += ["--dev", *dev, "--from", "de", "--to", "en", "--tokeniser", "whitespace"]
        subprocess.run([*command, "--threads", str(threads)], check=True)
        compare_origins(both, captions, work / "changed", seeds, threads)


def compare_origins(
    both: Path, captions: Path, changed: Path, seeds: list[int], threads: int
) -> None:
    """The model of both texts, and what the model of captions alone can tell it."""
    table, own = open_file(both / PHRASES), open_file(captions / PHRASES)
    theirs = own.scores(0, len(own))
    rows = same_phrases(table, own, both, captions)
    known = rows != NO_ROW
    here = {f"{NEW}here": known.astype(np.float32)}
    probabilities = {
        f"{NEW}{name}": np.where(known, theirs[np.where(known, rows, 0), column], 0)
        for column, name in enumerate(own.features[:2])
    }
    for label, new in (("both texts", {}), ("and whose", here), ("and how", here | probabilities)):
        model = copied(both, changed)
        if new:
            rewrite(table, model / PHRASES, columns=new)
        measure(label, "multi30k", model, seeds, threads)


def same_phrases(
    table: PhraseTableFile, other: PhraseTableFile, model: Path, its: Path
) -> NDArray[np.uint32]:
    """By row, the row of the other table, whose vocabularies are others, with the same words."""

    def renumbered(name: str) -> NDArray[np.int32]:
        here, there = (Vocabulary.open(str(place / name)) for place in (model, its))
        return np.array([there.find(here.word(n)) for n in range(len(here))], dtype=np.int32)

    source, target = renumbered(SOURCE_VOCABULARY), renumbered(TARGET_VOCABULARY)
    phrases = table.sources(0, table.first_words)
    ends = np.append(np.asarray(phrases.offsets).astype(np.int64), len(phrases.ids))
    found = np.full(len(table), NO_ROW, dtype=np.uint32)
    for number, (first, last) in enumerate(np.asarray(phrases.rows).reshape(-1, 2).tolist()):
        words = source[phrases.ids[ends[number] : ends[number + 1]]]
        begin, end = other.find(words) if words.all() else (0, 0)
        there = {other.target(row).tobytes(): row for row in range(begin, end)}
        for row in range(first, last) if there else ():
            found[row] = there.get(target[table.target(row)].tobytes(), NO_ROW)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--corpora", nargs="+", default=list(LANGUAGES), choices=LANGUAGES)
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--ways", nargs="*", default=["counts", "links", "relative", "half"])
    parser.add_argument("--provenance", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--work", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work: Path = arguments.work or Path(temporary)
        for corpus, base in plain_models(arguments.corpora, work, arguments.threads):
            for way in ["", *arguments.ways]:
                model = copied(base, work / "changed")
                change(model, way.split("+") if way else [])
                label = way or "the default"
                measure(label, corpus, model, arguments.seeds, arguments.threads)
        if arguments.provenance:
            provenance(work, arguments.seeds, arguments.threads)


if __name__ == "__main__":
    main()
