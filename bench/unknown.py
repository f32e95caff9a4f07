"""Words never seen: BLEU and chrF with and without the sources, each alone and all together.

    python bench/unknown.py [--corpora multi30k kftt tatoeba libreoffice nahuatl aymara]
                            [--seeds 1 2 3] [--threads 1] [--work DIRECTORY] [--words 1000000]

Data: DRAGOMAN_DATA or ../shared/data beside the checkout. Tokenised corpora are trained as they
are (`--tokeniser whitespace`) and scored on tokens; nahuatl and aymara are raw text with plain
defaults, scored by sacrebleu's own tokenisation. "without" is a model of the same files trained
with `unknown.sources = false`; "alone" takes the model with all sources and its weights, and
leaves it one source and copying; "turned off" is that model with `--no-unknown-sources`. Accuracy
is that on words seen at most three times in training, held out one by one: how often a
translation that the table gives at least 0.3 is the source's first offer, or among its first
five; pieces cannot forget a word and offer nothing there. Words a second are of processor time,
loading excluded, by turns in one run. `--words` measures instead how fast neighbours are found
among so many made-up words, for words with two letters changed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import tomli_w

import dragoman
from dragoman._core import (
    MosesImporter,
    PhraseTableFile,
    SourceKnowledge,
    Vocabulary,
    WordSources,
)
from dragoman.model.directory import ModelDirectory
from dragoman.search.options import SearchOptions
from dragoman.unknown.known import KnownWords
from dragoman.unknown.sources import NAMES, NEVER_SEEN, Offer

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("DRAGOMAN_DATA", ROOT.parent / "shared" / "data"))
LANGUAGES = {
    "multi30k": ("de", "en"),
    "kftt": ("ja", "en"),
    "tatoeba": ("de", "en"),
    "libreoffice": ("fr", "en"),
    "nahuatl": ("nah", "es"),
    "aymara": ("aym", "es"),
}
RAW = ("nahuatl", "aymara")
RARE, LEAST, MOST_HELD_OUT = 3, 0.3, 2000


def text(corpus: str, part: str) -> list[str]:
    return [str(DATA / corpus / f"{part}.{language}") for language in LANGUAGES[corpus]]


def train(corpus: str, model: Path, seed: int, sources: bool, threads: int) -> dict[str, float]:
    """Run `dragoman train`; the seconds of the stages that ran."""
    config = model.with_suffix(".toml")
    config.write_text(tomli_w.dumps({"tune": {"seed": seed}, "unknown": {"sources": sources}}))
    train_text, dev = text(corpus, "train"), text(corpus, "dev")
    command = [sys.executable, "-m", "dragoman", "train", "-s", train_text[0], "-t", train_text[1]]
    command += ["--dev", *dev, "--json", "--config", str(config), "-o", str(model)]
    command += ["--threads", str(threads)]
    if corpus not in RAW:
        command += ["--tokeniser", "whitespace"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return {one["stage"]: one["seconds"] for one in json.loads(done.stdout) if one["ran"]}


def scores(translator: dragoman.Translator, corpus: str) -> tuple[float, float]:
    source, target = (Path(name).read_text("utf-8").splitlines() for name in text(corpus, "test"))
    tokenise = {} if corpus in RAW else {"tokenize": "none"}
    translations = translator.translate_lines(source)
    found = dragoman.evaluate(translations, target, metrics=["bleu", "chrf"], **tokenise)
    return found["bleu"], found["chrf"]


def origins(translator: dragoman.Translator, corpus: str) -> Counter[str]:
    """By which sources the unknown words of the test set were translated."""
    lines = Path(text(corpus, "test")[0]).read_text("utf-8").splitlines()
    prepared = [translator.prepare(translator.source_of(line)) for line in lines]
    found: Counter[str] = Counter()
    for result in translator.search(prepared):
        for step in result.best.steps if result.found else []:
            if step.source_number is not None:
                found[NAMES[step.source_number]] += 1
    return found


def speed(translators: list[dragoman.Translator], corpus: str) -> list[float]:
    lines = Path(text(corpus, "test")[0]).read_text("utf-8").splitlines()
    words = sum(len(line.split()) for line in lines)
    best = [0.0] * len(translators)
    for _ in range(3):
        for number, translator in enumerate(translators):
            if translator.bundle.sources is not None:
                translator.bundle.sources.offers.cache_clear()
            begun = time.process_time()
            translator.translate_lines(lines)
            best[number] = max(best[number], words / (time.process_time() - begun))
    return best


def accuracy(model: Path, translator: dragoman.Translator) -> None:
    sources = translator.bundle.sources
    assert sources is not None
    known = KnownWords(ModelDirectory(model).phrase_table(), 10_000_000)
    rare = [
        word
        for word, number in known.ids.items()
        if known.lexicon.count(number) <= RARE and any(map(str.isalpha, word))
    ]
    step = max(1, len(rare) // MOST_HELD_OUT)
    offered, first, among = Counter[str](), Counter[str](), Counter[str]()
    held = rare[::step]
    for word in held:
        right = {target for target, p in known.meanings(known.ids[word]) if p >= LEAST}
        offers = sources.offers(word + NEVER_SEEN)
        for name in NAMES:
            own = [one.target for one in offers if one.name == name][:5]
            offered[name] += bool(own)
            first[name] += own[:1] != [] and own[0] in right
            among[name] += any(target in right for target in own)
    for name in NAMES:
        total = max(1, offered[name])
        print(
            f"{name:9} offers for {offered[name] / len(held):6.1%} of {len(held):,} held-out "
            f"words; right first {first[name] / total:.1%}, among five {among[name] / total:.1%}"
        )


def measure(corpus: str, work: Path, seeds: list[int], threads: int) -> None:
    rows: dict[str, list[tuple[float, float]]] = {"without": [], "all": []}
    model, plain = work / corpus, work / f"{corpus}-without"
    for seed in seeds:
        for name, place in (("without", plain), ("all", model)):
            seconds = train(corpus, place, seed, name == "all", threads)
            told = ", ".join(f"{stage} {value:.1f}" for stage, value in seconds.items())
            rows[name].append(scores(dragoman.Translator.open(place), corpus))
            print(
                f"{corpus} seed {seed} {name}: BLEU {rows[name][-1][0]:.2f}, chrF "
                f"{rows[name][-1][1]:.2f}; seconds: {told}",
                flush=True,
            )
    for name, values in rows.items():
        means = [statistics.mean(column) for column in zip(*values, strict=True)]
        print(f"{corpus} {name}: mean BLEU {means[0]:.2f}, chrF {means[1]:.2f}")
    translator = dragoman.Translator.open(model)
    print(f"{corpus} unknown words of the test set by source: {dict(origins(translator, corpus))}")
    off = dragoman.Translator.open(model, options=SearchOptions(unknown_sources=False))
    rates = speed([dragoman.Translator.open(plain), off, translator], corpus)
    print(
        f"{corpus} words/s: without {rates[0]:,.0f}; all {rates[2]:,.0f}, turned off "
        f"{rates[1]:,.0f}: ratio {rates[2] / rates[1]:.2f}",
        flush=True,
    )
    assert translator.bundle.sources is not None
    every = translator.bundle.sources.offers
    for name in NAMES:

        def only(word: str, name: str = name) -> tuple[Offer, ...]:
            return tuple(one for one in every(word) if one.name in (name, "copy"))

        translator.bundle.sources.offers = only  # type: ignore[assignment]
        bleu, chrf = scores(translator, corpus)
        print(f"{corpus} {name} alone: BLEU {bleu:.2f}, chrF {chrf:.2f}", flush=True)
    translator.bundle.sources.offers = every
    accuracy(model, translator)


def made_up_words(count: int) -> list[str]:
    """Distinct words of syllables."""
    chance = random.Random(1)
    found: dict[str, None] = {}
    while len(found) < count:
        syllables = range(chance.randint(3, 6))
        word = "".join(
            chance.choice("bdfgklmnprst") + chance.choice("aeiouäöü") for _ in syllables
        )
        found[word + chance.choice("nrst")] = None
    return list(found)


def measure_index(count: int, work: Path) -> None:
    """How long it takes to find neighbours in a vocabulary of so many words."""
    words = made_up_words(count)
    importer = MosesImporter("table")
    importer.add_phrases("".join(f"{w} ||| x ||| 1 1 1 1\n" for w in sorted(words)).encode())
    paths = [str(work / name) for name in ("index.table", "index.source", "index.target")]
    importer.finish(*paths, [0.2] * 4)
    knowledge = SourceKnowledge()
    # Two edits cost less than the limit.
    knowledge.set_spelling(edits=[], other=0.35, sizes=[1.0], shortest=5)
    knowledge.set_copied([0.2] * 12)
    sources = WordSources(
        PhraseTableFile(paths[0]), Vocabulary.open(paths[1]), Vocabulary.open(paths[2]), knowledge
    )
    begun = time.process_time()
    sources.offers("aaaaaaaa")
    print(f"{count:,} words: index {time.process_time() - begun:.2f} s")
    chance = random.Random(2)
    spelt = []
    for word in chance.sample(words, 500):
        letters = list(word)
        for place in chance.sample(range(len(letters)), 2):
            letters[place] = chance.choice("vwxz")
        spelt.append("".join(letters))
    begun = time.process_time()
    found = sum(len(sources.offers(word)) > 1 for word in spelt)
    each = (time.process_time() - begun) / len(spelt)
    print(f"{count:,} words: {1000 * each:.2f} ms for each unknown word, {found} of 500 found")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpora", nargs="+", choices=LANGUAGES, default=["multi30k"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--words", type=int, help="measure the index of so many words instead")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = arguments.work or Path(scratch)
        work.mkdir(parents=True, exist_ok=True)
        if arguments.words:
            measure_index(arguments.words, work)
            return
        for corpus in arguments.corpora:
            measure(corpus, work, arguments.seeds, arguments.threads)


if __name__ == "__main__":
    main()
