"""Word classes: words that stand between the same neighbours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dragoman._core import WordClusterer
from dragoman.corpus.bitext import SentenceIds
from dragoman.progress import SILENT, Progress

# Rarer words have no class: the parser sees them as it will see words it does not know.
MIN_WORD_COUNT = 2


def cluster_words(
    text: SentenceIds,
    vocabulary: int,
    *,
    classes: int = 64,
    sweeps: int = 10,
    min_count: int = MIN_WORD_COUNT,
    progress: Progress = SILENT,
) -> NDArray[np.uint16]:
    """The class of each word id, from 1; 0 for words rarer than `min_count`.

    The exchange algorithm: sweeps over the words until hardly any moves.
    """
    clusterer = WordClusterer(text.native, vocabulary, classes, min_count)
    with progress.task("sorting words into classes", total=sweeps, unit="sweeps") as task:
        for _ in range(sweeps):
            moved = clusterer.sweep()
            task.advance()
            task.note(f"{moved:,} words moved")
            if moved * 1000 < vocabulary:
                break
    return clusterer.classes()
