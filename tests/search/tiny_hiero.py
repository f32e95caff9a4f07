"""Small random hierarchical models, both as Dragoman's files and as plain Python."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tests.reference.hiero import Rule, SlowGrammar
from tests.rules.corpora import make_bitext
from tests.search.tiny import class_model

from dragoman._core import Tokens, TranslationModel
from dragoman.lm.estimate import estimate_from_lines
from dragoman.lm.query import LanguageModel
from dragoman.model.bundle import Bundle
from dragoman.model.weights import normalised
from dragoman.rules.config import HieroConfig
from dragoman.rules.hiero import extract_rules
from dragoman.rules.table import GAPS, open_file


@dataclass(frozen=True)
class Tiny:
    bundle: Bundle
    slow: SlowGrammar
    weights: dict[str, float]


def make(
    directory: Path,
    seed: int,
    *,
    orders: tuple[int, ...] = (3,),
    class_order: int = 0,
    pairs: int = 3,
    options: int = 2,
) -> Tiny:
    """Rules of random aligned sentences over s0.. and t0.., and language models."""
    chance = random.Random(seed)
    corpus = []
    for _ in range(pairs):
        n, m = chance.randint(2, 4), chance.randint(2, 5)
        links = {(i, chance.randrange(m)) for i in range(n) if chance.random() < 0.8}
        source = chance.choices([f"s{k}" for k in range(4)], k=n)
        corpus.append((source, chance.choices([f"t{k}" for k in range(4)], k=m), links))
    bitext, links = make_bitext(directory, corpus)
    extract_rules(bitext, links, directory / "hiero.table", HieroConfig(max_options=options))
    text = [
        " ".join(chance.choices([f"t{k}" for k in range(4)], k=chance.randint(1, 6)))
        for _ in range(30)
    ]
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
    native = TranslationModel(
        str(directory / "hiero.table"),
        str(directory / "source.vocab"),
        str(directory / "target.vocab"),
        sequences,
        word_classes=word_classes,
    )
    given = [
        -1.0
        if name == "unknown"
        else chance.uniform(-0.5, 0.5)
        if name in ("words", "rules", "glue")
        else chance.uniform(0.1, 1)
        for name in native.features
    ]
    vector = normalised(native.features, np.array(given))
    table = open_file(directory / "hiero.table")
    sources = table.sources(0, table.first_words)
    rules: dict[tuple[str, ...], list[Rule]] = {}
    for number, (begin, end) in enumerate(sources.rows.tolist()):
        side = tuple(
            GAPS.get(int(s)) or bitext.source_vocabulary.decode(np.array([s]))
            for s in sources.ids[sources.offsets[number] : sources.offsets[number + 1]]
        )
        rules[side] = [
            Rule(
                tuple(
                    GAPS.get(int(s)) or bitext.target_vocabulary.decode(np.array([s]))
                    for s in table.target(row)
                ),
                tuple(table.scores(row, row + 1)[0].tolist()),
            )
            for row in range(begin, end)
        ]
    return Tiny(
        Bundle(native, vector.tolist()),
        SlowGrammar(rules, list(table.features), language_models),
        dict(zip(native.features, vector.tolist(), strict=True)),
    )


def sentence(seed: int, length: int) -> str:
    """One word in five is unknown."""
    return " ".join(random.Random(seed).choices([f"s{n}" for n in range(5)], k=length))
