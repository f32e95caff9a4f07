"""Learning about words never seen from those that are known."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from dragoman.corpus.bitext import Bitext
from dragoman.layout import LETTER_FILES
from dragoman.rules.table import PhraseTable
from dragoman.unknown.config import UnknownConfig
from dragoman.unknown.copying import learn_copying
from dragoman.unknown.endings import learn_forms
from dragoman.unknown.known import KnownWords
from dragoman.unknown.letters import (
    MOST_PAIRS,
    candidates,
    mine,
    shares,
    target_words,
    train_letters,
)
from dragoman.unknown.parts import learn_parts
from dragoman.unknown.pieces import pieces_serve, train_pieces
from dragoman.unknown.relatives import learn_rewrites
from dragoman.unknown.sources import VERSION
from dragoman.unknown.spelling import learn_edits


@contextmanager
def _no_cycles() -> Iterator[None]:
    """Millions of small things are made and none refers to itself; looking for those that do
    would take a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@_no_cycles()
def learn(
    table: PhraseTable, bitext: Bitext, config: UnknownConfig, files: Sequence[Path], threads: int
) -> dict[str, Any]:
    """Write what the known words of a table, and the text it is from, teach about others; `files`
    are those of dragoman.layout. Returns what the first of them holds."""
    known = KnownWords(table, config.words)
    letters, pieces = files[1 : 1 + len(LETTER_FILES)], files[1 + len(LETTER_FILES) :]
    pairs = mine(list(islice(candidates(known), MOST_PAIRS)))
    content = {
        "version": VERSION,
        "relative": learn_rewrites(known),
        "forms": learn_forms(known),
        "parts": learn_parts(known),
        "spelling": learn_edits(known),
        "copy": learn_copying(known),
        "sound": shares(known, pairs),
    }
    text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
    files[0].write_text(text, "utf-8")
    for path in files[1:]:
        path.write_bytes(b"")
    if pairs:
        train_letters(pairs, target_words(table), letters, threads)
    if pieces_serve(bitext.source_vocabulary, config.pieces):
        train_pieces(bitext, pieces, threads)
    return content
