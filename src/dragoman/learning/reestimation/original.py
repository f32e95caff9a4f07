"""The model that is re-estimated: its files, its bitext, its dev set."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman._core import PhraseTableFile, Vocabulary
from dragoman.alignment.links import Links
from dragoman.corpus.bitext import Bitext, SentenceIds
from dragoman.corpus.read import read_lines
from dragoman.crew import Crew
from dragoman.errors import InputError
from dragoman.learning.reestimation.config import DeriveConfig
from dragoman.learning.reestimation.derivations import Derivations, Pairs, derive, sampled
from dragoman.learning.reestimation.models import TableRows, frequent_rows
from dragoman.model.bundle import Bundle
from dragoman.model.files import ModelFiles
from dragoman.progress import SILENT, Progress
from dragoman.rules.config import RulesConfig
from dragoman.rules.table import open_file
from dragoman.rules.thin import rewrite
from dragoman.search.options import SearchOptions
from dragoman.text.form import TextForm

# Less of a bitext's words in the model's vocabulary, and the two do not belong together.
LEAST_KNOWN = 0.1

Rows = NDArray[np.uint32]


@dataclass(frozen=True)
class Corpus:
    """What is derived: the bitext a model was trained on, or two files of text."""

    bitext: Path | None = None
    links: Path | None = None  # of the bitext
    texts: tuple[Path, Path] | None = None
    dev: tuple[Path, Path] | None = None  # source and target in tokens


@dataclass(frozen=True)
class Original:
    """A trained phrase model, and what it derives."""

    files: ModelFiles  # with the whole table
    rules: RulesConfig  # with which its table was made
    options: SearchOptions
    form: TextForm
    corpus: Corpus

    def table(self) -> PhraseTableFile:
        """Its phrase table."""
        return open_file(self.files.table)

    def vocabularies(self) -> tuple[Vocabulary, Vocabulary]:
        """Of the source and of the target language."""
        return (
            Vocabulary.open(str(self.files.source_vocabulary)),
            Vocabulary.open(str(self.files.target_vocabulary)),
        )

    def bitext(self) -> Bitext:
        """What is derived, as ids."""
        if self.corpus.texts is not None:
            return self.encoded(*self._texts(self.corpus.texts))
        assert self.corpus.bitext is not None
        files = self.files
        return Bitext.open(self.corpus.bitext, files.source_vocabulary, files.target_vocabulary)

    def pairs(self, sample: int = 0) -> Pairs:
        """What is derived, or an even sample of it, as text."""
        links: Links | None = None
        if self.corpus.texts is None:
            bitext = self.bitext()
            numbers = sampled(len(bitext), sample)
            sources = [bitext.source_text(int(n)) for n in numbers]
            references = [bitext.target_text(int(n)) for n in numbers]
            if self.corpus.links is not None:
                links = _chosen(Links.open(self.corpus.links), numbers, len(bitext))
        else:
            all_sources, all_references = self._texts(self.corpus.texts)
            numbers = sampled(len(all_sources), sample)
            sources = [all_sources[n] for n in numbers]
            references = [all_references[n] for n in numbers]
            self._check_known(sources)
        return Pairs(sources, references, links, numbers)

    def dev(self) -> tuple[Pairs, Bitext] | None:
        """The dev set, if there is one."""
        if self.corpus.dev is None:
            return None
        sources, references = (list(read_lines(path)) for path in self.corpus.dev)
        if not any(source and target for source, target in zip(sources, references, strict=True)):
            return None
        return Pairs(sources, references), self.encoded(sources, references)

    def encoded(self, sources: Sequence[str], references: Sequence[str]) -> Bitext:
        """Text as ids of the model's vocabularies."""
        source, target = self.vocabularies()
        return Bitext(
            SentenceIds(*source.encode(list(sources))),
            SentenceIds(*target.encode(list(references))),
            source,
            target,
        )

    def _texts(self, files: tuple[Path, Path]) -> tuple[list[str], list[str]]:
        lines = [list(read_lines(path)) for path in files]
        if len(lines[0]) != len(lines[1]):
            raise InputError(
                f"{files[0]} has {len(lines[0]):,} lines, {files[1]} has {len(lines[1]):,}; "
                "they must be translations of each other, line by line"
            )
        pairs = [self.form.prepare_pair(*pair) for pair in zip(*lines, strict=True)]
        return [source for source, _ in pairs], [target for _, target in pairs]

    def _check_known(self, sources: Sequence[str]) -> None:
        ids, _ = self.vocabularies()[0].encode(list(sources))
        known = float((ids != 0).mean()) if len(ids) else 1.0
        if known < LEAST_KNOWN:
            raise InputError(
                f"the model knows {known:.0%} of the words of the bitext; it was trained on "
                "another language or on text tokenised otherwise"
            )

    @contextmanager
    def thinned(self, config: DeriveConfig, directory: Path) -> Iterator[tuple[Bundle, Rows]]:
        """The model without the phrase pairs that are too rare for oracles (eq. 4), and the old
        numbers of its rows.

        Its table lies in `directory` while the context lasts.
        """
        table = self.table()
        least = 0 if config.method == "forced" else config.min_count
        keep = frequent_rows(TableRows.of(table), least, config.keep_words)
        if keep.all():
            yield Bundle.of_files(self.files), np.arange(len(table), dtype=np.uint32)
            return
        with tempfile.TemporaryDirectory(dir=directory) as scratch:
            path = Path(scratch) / "thin.table"
            rewrite(table, path, keep=keep.astype(np.uint8), quantise=table.quantised)
            bundle = Bundle.of_files(replace(self.files, table=path))
            yield bundle, np.flatnonzero(keep).astype(np.uint32)

    def derive(
        self,
        config: DeriveConfig,
        directory: Path,
        *,
        pairs: Pairs | None = None,
        compare_with: int = 0,
        crew: Crew | None = None,
        resume: Path | None = None,
        progress: Progress = SILENT,
    ) -> Derivations:
        """Derive the corpus; rows are those of the model's whole table."""
        if pairs is None:
            pairs = self.pairs(config.sample)
            if config.leave_one_out and pairs.links is None and self.corpus.texts is None:
                progress.message("no links: the table cannot leave out what a pair gave to it")
        with self.thinned(config, directory) as (bundle, rows):
            found = derive(
                bundle,
                pairs,
                config,
                options=self.options,
                max_phrase_length=self.rules.max_length,
                compare_with=compare_with,
                crew=crew,
                resume=resume,
                progress=progress,
            )
        return found.with_rows(rows)

    def derive_dev(
        self, config: DeriveConfig, directory: Path, *, crew: Crew, progress: Progress
    ) -> Derivations | None:
        """The oracles of the dev set, by the whole table: nothing there is known by heart."""
        dev = self.dev()
        if dev is None:
            return None
        plain = DeriveConfig(mu=config.mu, beam=config.beam, min_count=0)
        return self.derive(plain, directory, pairs=dev[0], crew=crew, progress=progress)


def _chosen(links: Links, numbers: NDArray[np.int64], pairs: int) -> Links:
    if len(numbers) == pairs:
        return links
    return Links.concatenate([links.slice(int(n), int(n) + 1) for n in numbers])
