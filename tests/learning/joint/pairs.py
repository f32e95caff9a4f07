"""Small sentence pairs with word translation tables, for forced decoding."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dragoman._core import JointOptions, JointTrainer, LexicalTable, build_vocabulary
from dragoman.alignment.lexical import train_model1_table
from dragoman.corpus.bitext import Bitext, SentenceIds


def bitext_of(source: Sequence[str], target: Sequence[str]) -> Bitext:
    vocabularies = [build_vocabulary(list(side)) for side in (source, target)]
    return Bitext(
        SentenceIds(*vocabularies[0].encode(list(source))),
        SentenceIds(*vocabularies[1].encode(list(target))),
        *vocabularies,
    )


def lexicon_of(bitext: Bitext) -> tuple[LexicalTable, LexicalTable]:
    return (
        train_model1_table(bitext, "forward", threads=1),
        train_model1_table(bitext, "backward", threads=1),
    )


def trainer_of(source: Sequence[str], target: Sequence[str], **options: object) -> JointTrainer:
    bitext = bitext_of(source, target)
    free = {"folds": 1, "null_rules": True, "gap_limit": None}
    return JointTrainer(bitext.native, *lexicon_of(bitext), JointOptions(**(free | options)))


# tm.fwd tm.bwd lex.fwd lex.bwd sparse phrases distortion null
WEIGHTS = np.array([0.5, 0.4, 0.6, 0.5, 0.0, -0.3, 0.2, -0.7])
ZERO = np.zeros(8)
