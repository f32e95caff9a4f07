"""Tasks that are not translation between languages, and what each needs of training."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from dragoman.training.config import Config

TaskName = Literal["translation", "spelling"]


def task_config(task: TaskName) -> Config:
    """The configuration that a task begins with.

    Spelling: old or dialect spellings are normalised letter by letter. Letters depend on more
    letters than words on words; a sentence has more of them than words; and a word that is spelt
    as it should be teaches as much as one that is not.
    """
    usual = Config()
    if task == "translation":
        return usual
    return replace(
        usual,
        prepare=replace(usual.prepare, tokeniser="char", max_words=200, drop_copies=False),
        lm=replace(usual.lm, order=8),
    )
