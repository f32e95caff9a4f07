"""Bilingual language models (Niehues et al. 2011): tokens for training and for the table.

A token is a target word with the source words it is linked to. :func:`bilingual_text` gives the
training text for an n-gram model; :func:`attach_bilingual` puts the tokens of each phrase pair
into the table, as ids of that model's vocabulary, so that the decoder can score them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from dragoman._core import AlignedText, PhraseTableFile, Vocabulary, bilingual_lines
from dragoman.alignment.links import Links
from dragoman.corpus.bitext import Bitext
from dragoman.progress import SILENT, Progress
from dragoman.rules.thin import rewrite

PAIRS_PER_STEP = 10_000


def bilingual_text(
    bitext: Bitext, links: Links, progress: Progress = SILENT
) -> Iterator[list[str]]:
    """Lines of bilingual tokens, one line a sentence pair, in batches."""
    text = AlignedText(bitext.native, links.native)
    with progress.task("bilingual tokens", total=len(bitext), unit="pairs") as task:
        for first in range(0, len(bitext), PAIRS_PER_STEP):
            last = min(len(bitext), first + PAIRS_PER_STEP)
            yield bilingual_lines(
                text, bitext.source_vocabulary, bitext.target_vocabulary, first, last
            )
            task.advance(last - first)


def attach_bilingual(
    table: PhraseTableFile,
    path: str | Path,
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
    find: Callable[[str], int],
    words: int,
    progress: Progress = SILENT,
) -> int:
    """Write `table` to `path` with the bilingual tokens of its phrase pairs.

    `find` gives the id of a token in the model's vocabulary of `words` entries, 0 for one it
    does not have. Returns how many different tokens the model does not have.
    """
    spellings, tokens = table.bilingual_tokens(source_vocabulary, target_vocabulary)
    ids = np.array([find(spelling) for spelling in spellings], dtype=np.int32)
    rewrite(table, path, bilingual=ids[tokens], bilingual_words=words, progress=progress)
    return int((ids == 0).sum())
