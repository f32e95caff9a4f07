"""Bilingual language models (Niehues et al. 2011): tokens for training and for the table.

A token is a target word with the source words it is linked to. :func:`bilingual_text` gives the
training text for an n-gram model; :func:`attach_bilingual` puts the tokens of each phrase pair
into the table, as ids of that model's vocabulary, so that the decoder can score them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from dragoman._core import (
    AlignedText,
    PhraseTableFile,
    Vocabulary,
    VocabularyBuilder,
    bilingual_lines,
)
from dragoman.alignment.links import Links
from dragoman.corpus.bitext import Bitext, BitextFiles
from dragoman.crew import Crew, Effort, Part
from dragoman.files import written_whole
from dragoman.lm.texts import SENTENCES, SpooledText, Text
from dragoman.progress import SILENT, Progress
from dragoman.rules.thin import rewrite

PAIRS_PER_STEP = 10_000
TOKENS_AT_ONCE = 1 << 20
A_BILINGUAL_PAIR = Effort(5e-5, threaded=True)  # what its tokens and their n-grams take


def bilingual_text(
    bitext: Bitext, links: Links, progress: Progress = SILENT
) -> Iterator[list[str]]:
    """Lines of bilingual tokens, one line a sentence pair, in batches."""
    text = AlignedText(bitext.native, links.native)
    with progress.task("bilingual tokens", total=len(bitext), unit="pairs") as task:
        for batch in _batches(bitext, text, 0, len(bitext)):
            yield batch
            task.advance(len(batch))


def _batches(bitext: Bitext, text: AlignedText, begin: int, end: int) -> Iterator[list[str]]:
    vocabularies = bitext.source_vocabulary, bitext.target_vocabulary
    for first in range(begin, end, PAIRS_PER_STEP):
        yield bilingual_lines(text, *vocabularies, first, min(end, first + PAIRS_PER_STEP))


@dataclass(frozen=True)
class TokenWriter:
    """Writes the bilingual tokens of parts of a bitext into files of `place`."""

    files: BitextFiles
    links: Path
    place: Path

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @cached_property
    def opened(self) -> tuple[Bitext, AlignedText]:
        """Mapped when it is first used, also after a journey."""
        bitext = self.files.open()
        return bitext, AlignedText(bitext.native, Links.open(self.links).native)


def write_tokens(writer: TokenWriter, span: tuple[int, int], threads: int) -> SpooledText:
    """Write the tokens of sentence pairs [begin, end), one line a pair."""
    del threads
    bitext, text = writer.opened
    begin, end = span
    path = writer.place / f"tokens.{begin:010}"
    with written_whole(path) as temporary, temporary.open("wb") as file:
        for lines in _batches(bitext, text, begin, end):
            file.write("".join(f"{line}\n" for line in lines).encode())
    return SpooledText("bilingual tokens", begin, path)


def bilingual_texts(
    files: BitextFiles, links: Links, place: Path, crew: Crew, progress: Progress = SILENT
) -> tuple[Vocabulary, list[Text]]:
    """The tokens of a bitext as a text in parts, in files of `place`, and their vocabulary."""
    files, place, size = files.absolute(), place.absolute(), len(links)
    links.save(place / "links")
    spans = [(begin, min(size, begin + SENTENCES)) for begin in range(0, size, SENTENCES)]
    parts = [Part(f"pairs {span[0] + 1:,} to {span[1]:,} of the bitext", span) for span in spans]
    words = VocabularyBuilder()
    texts: list[Text] = []
    with progress.task("bilingual tokens", total=size, unit="pairs") as task:
        writer = TokenWriter(files, place / "links", place)
        found = crew.run(write_tokens, writer, parts, task)
        for (begin, end), text in zip(spans, found, strict=True):
            for piece in text.lines():
                words.add(piece)
            texts.append(text)
            task.advance(end - begin)
    return words.finish(), texts


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
    found = tokens.view(np.int32)  # in their place: a large table has hundreds of millions
    for begin in range(0, len(tokens), TOKENS_AT_ONCE):
        some = slice(begin, begin + TOKENS_AT_ONCE)
        found[some] = ids[tokens[some]]
    rewrite(table, path, bilingual=found, bilingual_words=words, progress=progress)
    return int((ids == 0).sum())
