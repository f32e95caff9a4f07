"""Reading trees: bracketed (Penn) files, dependency parses in CoNLL-U, spaCy pipelines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import numpy as np

from dragoman._core import Trees
from dragoman.corpus.read import read_lines
from dragoman.errors import InputError, MissingExtraError, UsageError, install_command

Binarisation = Literal["left", "right", "head"]
HeadSide = Literal["first", "last"]
TreeFormat = Literal["auto", "brackets", "conllu"]

_LINES_AT_ONCE = 20_000


def read_trees(
    paths: str | Path | Sequence[Path],
    *,
    form: TreeFormat = "auto",
    binarisation: Binarisation = "head",
    head_side: HeadSide = "last",
) -> Trees:
    """The trees of a file, compressed or not, or of several, one after the other.

    "auto" takes what has tabs or begins with a comment for CoNLL-U, and the rest for brackets.
    """
    trees = Trees()
    for path in [Path(paths)] if isinstance(paths, str | Path) else paths:
        for lines, number, dependencies in _portions(path, form):
            if dependencies:
                trees.read_conllu(lines, str(path), number, binarisation)
            else:
                trees.read_brackets(lines, str(path), number, binarisation, head_side)
    return trees


def _portions(path: Path, form: TreeFormat) -> Iterator[tuple[list[str], int, bool]]:
    """Some thousand lines at a time, the number of the first, and whether they are CoNLL-U;
    sentences of CoNLL-U are not cut."""
    lines = iter(read_lines(path))
    number = 1
    dependencies = form == "conllu"
    while portion := list(islice(lines, _LINES_AT_ONCE)):
        if number == 1 and form == "auto":
            first = next((line for line in portion if line.strip()), "")
            dependencies = "\t" in first or first.startswith("#")
        if dependencies:
            for line in lines if portion[-1].strip() else ():
                portion.append(line)
                if not line.strip():
                    break
        yield portion, number, dependencies
        number += len(portion)


def parse_brackets(
    lines: Sequence[str],
    *,
    binarisation: Binarisation = "head",
    head_side: HeadSide = "last",
    name: str = "trees",
) -> Trees:
    """Trees from lines in memory."""
    trees = Trees()
    trees.read_brackets(list(lines), name, 1, binarisation, head_side)
    return trees


def match_trees(trees: Trees, sentences: Sequence[str], name: str) -> Trees:
    """The trees of these sentences, found by their words wherever they stand.

    A sentence that no tree spells is an InputError, unless some tree is empty: then the parser
    is taken to have failed on it.
    """
    places: dict[str, int] = {}
    for index in range(len(trees)):
        places.setdefault(unescape(trees.text(index)), index)
    found = np.full(len(sentences), -1, dtype=np.int64)
    for number, sentence in enumerate(sentences):
        key = unescape(" ".join(sentence.split()))
        found[number] = places.get(key, -1)
        if found[number] < 0 and key and "" not in places:
            raise InputError(f"{name}: no tree has the words of sentence {number + 1}: {key[:80]}")
    return trees.select(found)


def unescape(text: str) -> str:
    """Brackets as they are written outside of trees."""
    if "-" in text:
        for escaped, bracket in (
            ("-LRB-", "("),
            ("-RRB-", ")"),
            ("-LSB-", "["),
            ("-RSB-", "]"),
            ("-LCB-", "{"),
            ("-RCB-", "}"),
        ):
            text = text.replace(escaped, bracket)
    return text


def _conllu(token: Any) -> str:
    head = 0 if token.head.i == token.i else token.head.i + 1
    tag, relation = token.pos_ or "X", token.dep_ or "dep"
    return f"{token.i + 1}\t{token.text}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_"


def no_trees() -> str:
    """What to say to those who translate with a model of trees and have none."""
    return (
        "the model was trained on trees and has no parser of its own: give the trees of the lines "
        f"with --trees; or have text parsed as it comes: {install_command('spacy')}, then a spaCy "
        "pipeline of the language (for Japanese pip install ginza ja-ginza, for others python -m "
        'spacy download NAME), and train with parser = "NAME" under [preorder] in --config; or '
        "train without trees (--preorder btg)"
    )


class SpacyParser:
    """Trees from a spaCy pipeline (such as ja_ginza), on tokens that are given."""

    def __init__(self, pipeline: str, binarisation: Binarisation = "head") -> None:
        try:
            import spacy
        except ImportError as problem:
            raise MissingExtraError(f"the parser {pipeline}", "spacy") from problem
        try:
            self._pipeline: Any = spacy.load(pipeline)
        except OSError as problem:
            raise UsageError(
                f"spaCy has no pipeline {pipeline!r}; install it, e.g. pip install ja-ginza"
            ) from problem
        self._binarisation = binarisation

    def parse(self, sentences: Iterable[str]) -> Trees:
        """The trees of tokenised sentences."""
        from spacy.tokens import Doc

        vocabulary = self._pipeline.vocab
        documents = (Doc(vocabulary, words=sentence.split()) for sentence in sentences)
        trees = Trees()
        for document in self._pipeline.pipe(documents):
            if len(document):
                lines = [_conllu(token) for token in document]
                trees.read_conllu(lines, "parser", 1, self._binarisation)
            else:
                trees.read_brackets([""], "parser", 1, "head", "last")
        return trees
