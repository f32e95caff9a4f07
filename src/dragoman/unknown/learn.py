"""Learning about words never seen from those that are known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from dragoman.rules.table import PhraseTable
from dragoman.unknown.copying import learn_copying
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
from dragoman.unknown.relatives import learn_rewrites
from dragoman.unknown.sources import VERSION
from dragoman.unknown.spelling import learn_edits


def learn(table: PhraseTable, most: int, files: Sequence[Path], threads: int) -> dict[str, Any]:
    """Write what the known words of a table teach about others; `files` are those of
    dragoman.layout. Returns what the first of them holds."""
    known = KnownWords(table, most)
    pairs = mine(list(islice(candidates(known), MOST_PAIRS)))
    content = {
        "version": VERSION,
        "relative": learn_rewrites(known),
        "parts": learn_parts(known),
        "spelling": learn_edits(known),
        "copy": learn_copying(known),
        "sound": shares(known, pairs),
    }
    text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
    files[0].write_text(text, "utf-8")
    if pairs:
        train_letters(pairs, target_words(table), files[1:], threads)
    else:
        for path in files[1:]:
            path.write_bytes(b"")
    return content
