"""Learning how words are translated beside others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dragoman._core import AlignedText, ContextOptions, ContextTrainer
from dragoman.alignment.links import Links
from dragoman.context.config import ContextConfig
from dragoman.corpus.bitext import Bitext
from dragoman.files import written_whole
from dragoman.progress import SILENT, Progress

_PAIRS_AT_ONCE = 1000
# A small text does not fill a large table: so many places for each of its words are enough.
_PLACES_A_WORD = 16
_LEAST_BITS = 12


@dataclass(frozen=True)
class Learnt:
    """What the lexicon has learnt from."""

    pairs: int  # of each pass
    words: int  # source words with several translations, of the last pass
    # The mean log-probability of what these were linked to, before each step of the last pass.
    log_prob: float


def learn(
    text: Bitext,
    links: Links,
    path: Path,
    config: ContextConfig | None = None,
    *,
    progress: Progress = SILENT,
) -> Learnt:
    """Write a lexicon that has learnt from linked text."""
    config = config if config is not None else ContextConfig()
    options = ContextOptions(
        translations=config.translations, rate=config.rate, decay=config.decay, seed=config.seed
    )
    trainer = ContextTrainer(
        AlignedText(text.native, links.native),
        len(text.source_vocabulary),
        len(text.target_vocabulary),
        bits=places(len(text.source.ids), config.bits),
        window=config.window,
        options=options,
    )
    share = min(1.0, config.most / max(1, len(text.source.ids)))
    pairs = round(share * len(trainer))
    log_prob, words = 0.0, 0
    with progress.task("words in context", total=config.passes * pairs, unit="pairs") as task:
        for _ in range(config.passes):
            trainer.begin_round()
            log_prob, words = 0.0, 0
            for begin in range(0, pairs, _PAIRS_AT_ONCE):
                end = min(pairs, begin + _PAIRS_AT_ONCE)
                more_log_prob, more_words = trainer.learn(begin, end)
                log_prob, words = log_prob + more_log_prob, words + more_words
                task.advance(end - begin)
    with written_whole(path) as temporary:
        trainer.save(str(temporary))
    return Learnt(pairs, words, log_prob / max(1, words))


def places(words: int, most: int) -> int:
    """How many places for weights suit a text of so many words, as a power of 2."""
    return min(most, max(_LEAST_BITS, (_PLACES_A_WORD * words - 1).bit_length()))
