"""Small random models, both as Dragoman's files and as plain Python."""

from __future__ import annotations

import math
import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tests.reference.exhaustive_search import Option, SlowModel

from dragoman._core import (
    AlignedText,
    ContextLexicon,
    ContextOptions,
    ContextTrainer,
    MosesImporter,
    ParallelText,
    Sentences,
    Tokens,
    TranslationModel,
    Vocabulary,
    save_word_classes,
)
from dragoman.alignment.links import Links
from dragoman.layout import LANGUAGE_MODEL, PHRASES, SOURCE_VOCABULARY, TARGET_VOCABULARY
from dragoman.lm.estimate import estimate_from_lines
from dragoman.lm.query import LanguageModel
from dragoman.model.bundle import Bundle
from dragoman.model.weights import normalised

COLUMNS = ("tm.fwd", "tm.bwd", "lex.fwd", "lex.bwd")
MOSES_COLUMNS = ("tm.bwd", "lex.bwd", "tm.fwd", "lex.fwd")


@dataclass(frozen=True)
class Tiny:
    bundle: Bundle
    slow: SlowModel
    weights: dict[str, float]


def single(value: float) -> float:
    """As 32 bits keep it."""
    return float(np.float32(value))


def make(
    directory: Path,
    seed: int,
    *,
    source_words: int = 5,
    target_words: int = 5,
    orders: tuple[int, ...] = (3,),
    class_order: int = 0,
    context: bool = False,
    reorderings: tuple[str, ...] = (),
    options: int = 2,
    phrases: int = 8,
    weights: dict[str, float] | None = None,
) -> Tiny:
    """A random phrase table over words s0.. and t0.., language models, reordering models."""
    chance = random.Random(seed)
    source = [f"s{number}" for number in range(source_words)]
    target = [f"t{number}" for number in range(target_words)]
    pairs: dict[tuple[tuple[str, ...], tuple[str, ...]], dict[str, list[float]]] = {}
    wanted = [(word,) for word in source[:-1]]  # the last word is unknown on its own
    wanted += [tuple(chance.choices(source, k=chance.randint(2, 3))) for _ in range(phrases)]
    for phrase in sorted(set(wanted)):
        for _ in range(chance.randint(1, options)):
            words = tuple(chance.choices(target, k=chance.randint(1, 3)))
            pairs[phrase, words] = {
                "table": [chance.uniform(0.05, 1) for _ in MOSES_COLUMNS],
                **{kind: [chance.uniform(0.05, 1) for _ in range(6)] for kind in reorderings},
            }
    importer = MosesImporter("tiny")
    ordered = sorted(pairs)
    links = random_links(ordered, seed) if context else dict.fromkeys(ordered, ())
    importer.add_phrases(
        "".join(
            f"{' '.join(s)} ||| {' '.join(t)} ||| {' '.join(map(repr, pairs[s, t]['table']))}"
            f" ||| {' '.join(f'{one}-{other}' for one, other in links[s, t])}\n"
            for s, t in ordered
        ).encode()
    )
    for kind in reorderings:
        importer.begin_reordering(kind, f"tiny.{kind}")
        importer.add_reordering(
            "".join(
                f"{' '.join(s)} ||| {' '.join(t)} ||| {' '.join(map(repr, pairs[s, t][kind]))}\n"
                for s, t in ordered
            ).encode()
        )
    paths = [str(directory / name) for name in ("phrases.table", "source.vocab", "target.vocab")]
    importer.finish(*paths, [0.2] * 4)
    text = [" ".join(chance.choices(target, k=chance.randint(1, 6))) for _ in range(30)]
    sequences, language_models = [], {}
    for number, order in enumerate(orders, 1):
        path = directory / f"lm{number}.bin"
        estimate_from_lines(text[number:], path, order=order)
        name = "lm" if number == 1 else f"lm.{number}"
        sequences.append((name, str(path), Tokens.WORDS))
        model = LanguageModel.open(path)
        language_models[name] = lambda line, model=model: float(model.score([line])[0])
    word_classes = ""
    if class_order:
        word_classes, sequence, scorer = class_model(directory, text, class_order)
        sequences.append(sequence)
        language_models["lm.classes"] = scorer
    lexicon, in_context = context_lexicon(directory, seed) if context else ("", None)
    native = TranslationModel(*paths, sequences, word_classes=word_classes, context=lexicon)
    given = weights or {
        name: -1.0
        if name == "unknown"
        else chance.uniform(-0.5, 0.5)
        if name in ("words", "phrases")
        else chance.uniform(0.1, 1)
        for name in native.features
    }
    vector = normalised(native.features, np.array([given[name] for name in native.features]))
    table: dict[tuple[str, ...], list[Option]] = {}
    for s, t in ordered:
        columns = dict(zip(MOSES_COLUMNS, pairs[s, t]["table"], strict=True))
        table.setdefault(s, []).append(
            Option(
                t,
                tuple(single(math.log(columns[name])) for name in COLUMNS),
                tuple(
                    tuple(single(math.log(v)) for v in pairs[s, t][kind]) for kind in reorderings
                ),
                links=links[s, t],
            )
        )
    return Tiny(
        Bundle(native, vector.tolist()),
        SlowModel(table, list(COLUMNS), language_models, list(reorderings), in_context),
        dict(zip(native.features, vector.tolist(), strict=True)),
    )


def class_model(
    directory: Path, text: list[str], order: int
) -> tuple[str, tuple[str, str, Tokens], Callable[[str], float]]:
    """A language model over two classes of words and one of rare and unknown ones: the file of
    the classes, the model as native code takes it, and how it scores a line."""
    vocabulary = Vocabulary.open(str(directory / "target.vocab"))
    classes = np.zeros(len(vocabulary), np.uint16)
    for word in range(4):
        if (number := vocabulary.find(f"t{word}")) > 0:
            classes[number] = 1 + word % 2

    def in_classes(line: str) -> str:
        return " ".join(str(classes[vocabulary.find(word)]) for word in line.split())

    words, path = str(directory / "words.classes"), directory / "classes.bin"
    save_word_classes(words, classes)
    estimate_from_lines([in_classes(line) for line in text], path, order=order)
    model = LanguageModel.open(path)
    sequence = ("lm.classes", str(path), Tokens.CLASSES)
    return words, sequence, lambda line: float(model.score([in_classes(line)])[0])


def random_links(
    pairs: list[tuple[tuple[str, ...], tuple[str, ...]]], seed: int
) -> dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[tuple[int, int], ...]]:
    """Links inside phrase pairs: some words have several, some none."""
    chance = random.Random(seed)
    return {
        (source, target): tuple(
            (one, other)
            for one in range(len(source))
            for other in range(len(target))
            if chance.random() < 0.5
        )
        for source, target in pairs
    }


def context_lexicon(
    directory: Path, seed: int
) -> tuple[str, Callable[[tuple[str, ...]], list[dict[str, float]]]]:
    """A lexicon that has learnt from random linked text over the model's words: its file, and
    what it says of the words of a sentence."""
    chance = random.Random(seed)
    source = Vocabulary.open(str(directory / "source.vocab"))
    target = Vocabulary.open(str(directory / "target.vocab"))
    pairs = 20

    def side(vocabulary: Vocabulary) -> Sentences:
        ids = [chance.randrange(3, len(vocabulary)) for _ in range(4 * pairs)]
        return Sentences(np.array(ids, np.int32), np.arange(0, 4 * pairs + 1, 4, dtype=np.uint64))

    links = Links.of([[(chance.randrange(4), other) for other in range(4)] for _ in range(pairs)])
    trainer = ContextTrainer(
        AlignedText(ParallelText(side(source), side(target)), links.native),
        len(source),
        len(target),
        bits=10,
        window=2,
        options=ContextOptions(translations=3),
    )
    for _ in range(3):
        trainer.begin_round()
        trainer.learn(0, pairs)
    path = str(directory / "context.bin")
    trainer.save(path)
    lexicon = ContextLexicon(path)
    return path, lambda words: [
        dict(found) for found in lexicon.log_probs(source, target, " ".join(words))
    ]


def sentence(seed: int, length: int, words: int = 5) -> str:
    return " ".join(random.Random(seed).choices([f"s{n}" for n in range(words)], k=length))


def make_model(files: Path, directory: Path, **wanted: Any) -> Path:
    """A tiny model laid out as a model directory."""
    make(files, 3, orders=(3,), reorderings=("word",), phrases=15, **wanted)
    for name, place in (
        ("phrases.table", PHRASES),
        ("source.vocab", SOURCE_VOCABULARY),
        ("target.vocab", TARGET_VOCABULARY),
        ("lm1.bin", LANGUAGE_MODEL),
    ):
        (directory / place).parent.mkdir(exist_ok=True)
        shutil.copy(files / name, directory / place)
    return directory
