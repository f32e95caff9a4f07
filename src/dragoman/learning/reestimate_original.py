"""The model that is re-estimated: its files, its bitext, its dev set."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dragoman._core import Vocabulary
from dragoman.alignment.links import Links
from dragoman.alignment.stage import LINKS
from dragoman.config import DeriveConfig, ReorderingName, RulesConfig, from_mapping
from dragoman.corpus.bitext import Bitext, SentenceIds
from dragoman.corpus.prepare import (
    BITEXT,
    SOURCE_VOCABULARY,
    TARGET_TRUECASE,
    TARGET_VOCABULARY,
    held_out_files,
)
from dragoman.corpus.read import read_lines
from dragoman.corpus.truecase import Truecaser
from dragoman.errors import InputError, ModelError, UsageError
from dragoman.learning.reestimate_derivations import Derivations, Pairs, derive, sampled
from dragoman.learning.reestimate_models import TableRows, frequent_rows
from dragoman.model.bundle import EXTRA_LANGUAGE_MODELS, Bundle
from dragoman.output.text import TextForm
from dragoman.progress import SILENT, Progress
from dragoman.rules.stage import BILINGUAL_MODEL, HIERO, PHRASES, table_name
from dragoman.rules.table import open_file
from dragoman.rules.thin import rewrite
from dragoman.search.options import FILE as SEARCH_OPTIONS
from dragoman.search.options import SearchOptions, load_options
from dragoman.workspace import Manifest, Workspace, sha256

# Less of a bitext's words in the model's vocabulary, and the two do not belong together.
LEAST_KNOWN = 0.1


@dataclass(frozen=True)
class Original:
    """A trained model, and the bitext it derives: its own, or two files."""

    workspace: Workspace
    manifest: Manifest
    maker: str  # the stage that wrote the phrase table
    rules: RulesConfig
    files: tuple[Path, Path] | None = None

    @classmethod
    def open(cls, model: str | Path, files: tuple[Path, Path] | None = None) -> Original:
        """Open a model directory; raises ModelError when it is not whole."""
        workspace = Workspace(model)
        manifest = workspace.read_manifest()
        makers = [name for name, record in manifest.stages.items() if PHRASES in record.outputs]
        if not makers:
            if table_name(workspace) == HIERO:
                raise UsageError(f"{model}: hierarchical; only phrase models can be re-estimated")
            raise ModelError(f"{model}: no trained model there; make one with 'dragoman train'")
        if files is None and not workspace.file(BITEXT).is_file():
            raise ModelError(
                f"{model}: the model has no bitext of its own ({BITEXT}); give one with -s and -t"
            )
        record = manifest.stages.get("rules")
        if record is not None:
            rules = from_mapping(RulesConfig, record.parameters, f"{model}: model.toml")
        else:
            table = open_file(workspace.file(PHRASES))
            rules = replace(RulesConfig(), max_length=max(1, table.max_source_length))
            kinds = cast(tuple[ReorderingName, ...], tuple(table.reorderings))
            rules = replace(rules, reordering=kinds)
        return cls(workspace, manifest, makers[0], rules, files)

    @property
    def bilingual(self) -> Path | None:
        """The bilingual language model, if there is one."""
        path = self.workspace.file(BILINGUAL_MODEL)
        return path if path.is_file() else None

    def inputs(self) -> dict[str, Path]:
        """All that derivations depend on, by name."""
        names = [PHRASES, SOURCE_VOCABULARY, TARGET_VOCABULARY, "weights.toml", SEARCH_OPTIONS]
        names += [BITEXT, LINKS] if self.files is None else []
        names += held_out_files("dev")[:2]
        found = {name: self.workspace.file(name) for name in names}
        lms = [*self.workspace.path.glob("lm/*.bin")]
        found |= {path.relative_to(self.workspace.path).as_posix(): path for path in lms}
        found = {name: path for name, path in sorted(found.items()) if path.is_file()}
        if self.files is not None:
            found |= {"source": self.files[0], "target": self.files[1]}
        return found

    def vocabularies(self) -> tuple[Vocabulary, Vocabulary]:
        """Of the source and of the target language."""
        return (
            Vocabulary.open(str(self.workspace.file(SOURCE_VOCABULARY))),
            Vocabulary.open(str(self.workspace.file(TARGET_VOCABULARY))),
        )

    def bitext(self) -> Bitext:
        """The bitext to derive, as ids."""
        if self.files is None:
            return Bitext.open(
                *(self.workspace.file(f) for f in (BITEXT, SOURCE_VOCABULARY, TARGET_VOCABULARY))
            )
        return self.encoded(*self._texts(self.files))

    def pairs(self, sample: int = 0) -> Pairs:
        """The bitext to derive, or an even sample of it, as text."""
        links: Links | None = None
        if self.files is None:
            bitext = self.bitext()
            numbers = sampled(len(bitext), sample)
            sources = [bitext.source_text(int(n)) for n in numbers]
            references = [bitext.target_text(int(n)) for n in numbers]
            if self.workspace.file(LINKS).is_file():
                links = _chosen(Links.open(self.workspace.file(LINKS)), numbers, len(bitext))
        else:
            all_sources, all_references = self._texts(self.files)
            numbers = sampled(len(all_sources), sample)
            sources = [all_sources[n] for n in numbers]
            references = [all_references[n] for n in numbers]
            self._check_known(sources)
        return Pairs(sources, references, links, numbers)

    def dev(self) -> tuple[Pairs, Bitext] | None:
        """The dev set, if there is one."""
        paths = [self.workspace.file(name) for name in held_out_files("dev")[:2]]
        if not all(path.is_file() for path in paths):
            return None
        sources, references = (list(read_lines(path)) for path in paths)
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
        form = TextForm.of_model(self.workspace.path)
        sources = [form.prepare_source(line) for line in read_lines(files[0])]
        references = [form.prepare_target(line) for line in read_lines(files[1])]
        if form.truecaser is not None:
            truecaser = Truecaser.load(self.workspace.file(TARGET_TRUECASE))
            references = [truecaser.truecase(line) for line in references]
        if len(sources) != len(references):
            raise InputError(
                f"{files[0]} has {len(sources):,} lines, {files[1]} has {len(references):,}; "
                "they must be translations of each other, line by line"
            )
        return sources, references

    def _check_known(self, sources: Sequence[str]) -> None:
        ids, _ = self.vocabularies()[0].encode(list(sources))
        known = float((ids != 0).mean()) if len(ids) else 1.0
        if known < LEAST_KNOWN:
            raise InputError(
                f"the model {self.workspace.path} knows {known:.0%} of the words of the bitext; "
                "it was trained on another language or on text tokenised otherwise"
            )

    @contextmanager
    def thinned(self, config: DeriveConfig, directory: Path) -> Iterator[tuple[Bundle, Rows]]:
        """The model without the phrase pairs that are too rare for oracles (eq. 4), and the old
        numbers of its rows.

        Its table lies in `directory` while the context lasts.
        """
        table = open_file(self.workspace.file(PHRASES))
        least = 0 if config.method == "forced" else config.min_count
        keep = frequent_rows(TableRows.of(table), least, config.keep_words)
        if keep.all():
            yield (
                Bundle.open(self.workspace.path, full_table=True),
                np.arange(len(table), dtype=np.uint32),
            )
            return
        with tempfile.TemporaryDirectory(dir=directory) as scratch:
            path = Path(scratch) / "thin.table"
            rewrite(table, path, keep=keep.astype(np.uint8), quantise=table.quantised)
            bundle = Bundle.open(self.workspace.path, phrases=path)
            yield bundle, np.flatnonzero(keep).astype(np.uint32)

    def derive(
        self,
        config: DeriveConfig,
        directory: Path,
        *,
        pairs: Pairs | None = None,
        compare_with: int = 0,
        threads: int = 1,
        resume: Path | None = None,
        progress: Progress = SILENT,
    ) -> Derivations:
        """Derive the bitext; rows are those of the model's whole table."""
        if pairs is None:
            pairs = self.pairs(config.sample)
            if config.leave_one_out and pairs.links is None and self.files is None:
                progress.message(f"no {LINKS}: the table cannot leave out what a pair gave to it")
        with self.thinned(config, directory) as (bundle, rows):
            found = derive(
                bundle,
                pairs,
                config,
                options=load_options(self.workspace.path, SearchOptions),
                max_phrase_length=self.rules.max_length,
                compare_with=compare_with,
                threads=threads,
                resume=resume,
                progress=progress,
            )
        return found.with_rows(rows)

    def derive_dev(
        self, config: DeriveConfig, directory: Path, *, threads: int, progress: Progress
    ) -> Derivations | None:
        """The oracles of the dev set, by the whole table: nothing there is known by heart."""
        dev = self.dev()
        if dev is None:
            return None
        plain = DeriveConfig(mu=config.mu, beam=config.beam, min_count=0)
        return self.derive(plain, directory, pairs=dev[0], threads=threads, progress=progress)

    def copy_to(self, workspace: Workspace) -> None:
        """Give another directory all that does not change, with the records of its making."""
        manifest = workspace.read_manifest()
        kept = {
            name: record
            for name, record in self.manifest.stages.items()
            if name not in (self.maker, "tune", "derive", "reestimate", "resort", "report")
        }
        files = [name for record in kept.values() for name in record.outputs]
        extras = [path.relative_to(self.workspace.path).as_posix()
                  for path in self.workspace.path.glob(EXTRA_LANGUAGE_MODELS)]  # fmt: skip
        files += [name for name in (*extras, SEARCH_OPTIONS) if name not in files]
        for name in files:
            source, place = self.workspace.file(name), workspace.file(name)
            if source.is_file() and not (place.is_file() and sha256(place) == sha256(source)):
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, place)
        stages = {**kept, **{n: r for n, r in manifest.stages.items() if n not in kept}}
        if stages != manifest.stages:
            workspace.write_manifest(Manifest(stages))


Rows = NDArray[np.uint32]


def _chosen(links: Links, numbers: NDArray[np.int64], pairs: int) -> Links:
    if len(numbers) == pairs:
        return links
    return Links.concatenate([links.slice(int(n), int(n) + 1) for n in numbers])
