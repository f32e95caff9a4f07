"""Training an aligner, and using one on other text.

The models are described in docs/reference/alignment.md.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from dragoman import layout
from dragoman._core import (
    AlignmentModel,
    AlignmentParameters,
    AlignTrainer,
    LexicalTable,
    ParallelText,
    Vocabulary,
    build_vocabulary,
)
from dragoman.alignment.config import AlignConfig
from dragoman.alignment.examples import Examples
from dragoman.alignment.links import Links
from dragoman.alignment.parts import (
    A_CELL,
    PART,
    better_in_parts,
    cells,
    train_in_parts,
)
from dragoman.alignment.score import GoldLinks
from dragoman.arguments import instance, shown, strings, thread_count
from dragoman.cluster import ClusterLike, crew_for
from dragoman.corpus.bitext import Bitext, BitextFiles, SentenceIds, batched, write_bitext
from dragoman.crew import Crew
from dragoman.errors import FileError, InputError, ModelError
from dragoman.progress import SILENT, Progress

# So many sentence pairs are worked on between two looks at Ctrl-C and the progress bar.
PAIRS_AT_ONCE = PART
TEXT_AT_ONCE = 2_000

# Word pairs with a smaller expected count are not saved: without them a model is a tenth of the
# size, and they are too rare to decide a link.
MIN_SAVED_COUNT = 0.01

MODEL_FILE = "aligner"
SOURCE_VOCABULARY_FILE = "source.vocab"
TARGET_VOCABULARY_FILE = "target.vocab"


class TrainedAlignment(NamedTuple):
    """What training gives."""

    links: Links  # of the training text
    aligner: Aligner  # for other text
    word_pairs: int  # how many distinct pairs of words stood in some sentence pair together
    skipped: int  # sentence pairs too long to align; they have no links


def train(
    bitext: Bitext | tuple[Sequence[str], Sequence[str]],
    config: AlignConfig | None = None,
    *,
    examples: Sequence[GoldLinks] = (),
    threads: int | None = None,
    progress: Progress = SILENT,
) -> TrainedAlignment:
    """Align a bitext, or two lists of sentences whose words are separated by spaces.

    `examples` are hand-made links of its first pairs. These keep their sure links, and the others
    learn from them.
    """
    config = config if config is not None else AlignConfig()
    threads = threads if threads is not None else (os.cpu_count() or 1)
    if not isinstance(bitext, Bitext):
        bitext = bitext_of(*bitext)
    known = Examples.of(examples, len(bitext))
    parameters = AlignmentParameters(
        lexical_prior=config.lexical_prior, null_probability=config.null_probability
    )
    trainer = AlignTrainer(bitext.native, parameters, known.native, threads)
    sweeps = ["model1"] * config.model1_iterations + ["hmm"] * config.hmm_iterations
    total = len(trainer) * (len(sweeps) + 1)
    parts = []
    with progress.task("aligning", total=total, unit="pairs") as task:
        for number, stage in enumerate(sweeps, 1):
            task.note(f"sweep {number} of {len(sweeps)}")
            for begin, end in _ranges(len(trainer)):
                trainer.sweep(stage, begin, end, threads)
                task.advance(end - begin)
            trainer.finish_sweep(stage)
        task.note("links")
        for begin, end in _ranges(len(trainer)):
            found = trainer.align(begin, end, config.symmetry, config.posterior_threshold, threads)
            parts.append(Links(*found))
            task.advance(end - begin)
    _tell_skipped(trainer.skipped, progress)
    return TrainedAlignment(
        Links.concatenate(parts),
        Aligner(
            trainer.model(MIN_SAVED_COUNT), bitext.source_vocabulary, bitext.target_vocabulary
        ),
        trainer.word_pairs,
        trainer.skipped,
    )


def train_parts(
    files: BitextFiles,
    config: AlignConfig,
    place: Path,
    crew: Crew,
    progress: Progress = SILENT,
) -> TrainedAlignment:
    """The same as :func:`train`, part by part by a crew; large things go through files in the
    empty directory `place`, which everybody sees."""
    trained = train_in_parts(files, config, place, crew, MIN_SAVED_COUNT, progress)
    _tell_skipped(trained.skipped, progress)
    bitext = files.open()
    aligner = Aligner(trained.model, bitext.source_vocabulary, bitext.target_vocabulary)
    return TrainedAlignment(trained.links, aligner, trained.word_pairs, trained.skipped)


def train_files(
    files: BitextFiles,
    config: AlignConfig,
    place: Path,
    crew: Crew,
    *,
    memory: int | None = None,
    threads: int = 1,
    progress: Progress = SILENT,
) -> TrainedAlignment:
    """The same by whoever is suited: a crew, part by part in the directory `place`, or this
    process, part by part if the whole does not fit into `memory`."""
    bitext = files.open()
    sweeps = config.model1_iterations + config.hmm_iterations
    crew = crew.suited(sweeps * cells(bitext) * A_CELL)
    if not better_in_parts(bitext, crew, memory):
        return train(bitext, config, threads=threads, progress=progress)
    place.mkdir()
    return train_parts(files, config, place, crew, progress)


def train_with(
    cluster: ClusterLike,
    pairs: Iterable[tuple[str, str]],
    config: AlignConfig,
    place: Path,
    *,
    threads: int = 1,
    progress: Progress = SILENT,
) -> TrainedAlignment:
    """The same from pairs of tokenised sentences, with the help of a cluster whose workers all see
    the directory `place`."""
    with tempfile.TemporaryDirectory(prefix="dragoman-align-", dir=place) as directory:
        own = Path(directory)
        files = BitextFiles(*(own / name for name in ("bitext", "source", "target")))
        write_bitext(pairs, files.bitext, files.source_vocabulary, files.target_vocabulary)
        with crew_for(cluster, own, threads=threads, progress=progress) as crew:
            return train_files(
                files, config, own / "parts", crew, threads=threads, progress=progress
            )


def _tell_skipped(skipped: int, progress: Progress) -> None:
    if skipped:
        progress.message(f"{skipped:,} sentence pairs are too long to align and have no links")


def align(
    source: Sequence[str],
    target: Sequence[str],
    *,
    config: AlignConfig | None = None,
    threads: int | None = None,
    cluster: ClusterLike = None,
    progress: bool | Progress = False,
) -> Links:
    """The word links of sentences and their translations, words separated by spaces. `cluster`
    says who helps, as in :func:`dragoman.train`: all of them must see the current directory.

    >>> links = dragoman.align(["das haus", "das buch"], ["the house", "the book"])
    >>> [tuple(link) for link in links[0]]
    """
    sides = strings(source, "source"), strings(target, "target")
    if config is not None:
        instance(config, AlignConfig, "config")
    count = thread_count(threads)
    if cluster is None:
        return train(sides, config, threads=count, progress=shown(progress)).links
    if len(sides[0]) != len(sides[1]):
        raise _uneven(*sides)
    return train_with(
        cluster,
        zip(*sides, strict=True),
        config if config is not None else AlignConfig(),
        Path.cwd(),
        threads=count,
        progress=shown(progress),
    ).links


@dataclass(frozen=True)
class Aligner:
    """A trained aligner; aligns text that it has not seen, one way only: the same every time."""

    model: AlignmentModel
    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary

    def align_text(
        self,
        pairs: Iterable[tuple[str, str]],
        *,
        symmetry: str = AlignConfig.symmetry,
        threshold: float = AlignConfig.posterior_threshold,
        threads: int | None = None,
    ) -> Iterator[Links]:
        """Links of pairs of tokenised sentences, some thousand pairs at a time."""
        for batch in batched(pairs, TEXT_AT_ONCE):
            source = SentenceIds(*self.source_vocabulary.encode([pair[0] for pair in batch]))
            target = SentenceIds(*self.target_vocabulary.encode([pair[1] for pair in batch]))
            yield self.align(
                source, target, symmetry=symmetry, threshold=threshold, threads=threads
            )

    def align(
        self,
        source: SentenceIds,
        target: SentenceIds,
        *,
        symmetry: str = AlignConfig.symmetry,
        threshold: float = AlignConfig.posterior_threshold,
        threads: int | None = None,
    ) -> Links:
        """Links of sentences in ids of the aligner's vocabularies."""
        threads = threads if threads is not None else (os.cpu_count() or 1)
        text = ParallelText(source.native, target.native)
        return Links(*self.model.align(text, symmetry, threshold, threads))

    def lexical_tables(self) -> tuple[LexicalTable, LexicalTable]:
        """p(target | source) and p(source | target) as the aligner has learnt them."""
        return self.model.lexical_table("forward"), self.model.lexical_table("backward")

    def save(self, directory: str | Path) -> None:
        """Write the aligner and its vocabularies."""
        place = Path(directory)
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise FileError.of(problem, place) from problem
        self.source_vocabulary.save(str(place / SOURCE_VOCABULARY_FILE))
        self.target_vocabulary.save(str(place / TARGET_VOCABULARY_FILE))
        # Last, so that a directory in which it stands is whole.
        self.model.save(str(place / MODEL_FILE))

    @classmethod
    def load(cls, directory: str | Path) -> Aligner:
        """Map what :meth:`save` wrote, or the aligner of a model that `dragoman train` made."""
        place = Path(directory)
        alone = (MODEL_FILE, SOURCE_VOCABULARY_FILE, TARGET_VOCABULARY_FILE)
        in_model = (layout.ALIGNER, layout.SOURCE_VOCABULARY, layout.TARGET_VOCABULARY)
        for model, source, target in (alone, in_model):
            if (place / model).is_file():
                return cls(
                    AlignmentModel.open(str(place / model)),
                    Vocabulary.open(str(place / source)),
                    Vocabulary.open(str(place / target)),
                )
        raise ModelError(
            f"{place}: there is no aligner in it; make one with dragoman align --save"
        )


def _ranges(size: int) -> Iterator[tuple[int, int]]:
    for begin in range(0, size, PAIRS_AT_ONCE):
        yield begin, min(size, begin + PAIRS_AT_ONCE)


def _uneven(source: Sequence[str], target: Sequence[str]) -> InputError:
    return InputError(f"{len(source):,} source sentences but {len(target):,} target sentences")


def bitext_of(source: Sequence[str], target: Sequence[str]) -> Bitext:
    """Two lists of tokenised sentences as a bitext in memory."""
    if len(source) != len(target):
        raise _uneven(source, target)
    vocabularies = [build_vocabulary(list(side)) for side in (source, target)]
    return Bitext(
        SentenceIds(*vocabularies[0].encode(list(source))),
        SentenceIds(*vocabularies[1].encode(list(target))),
        vocabularies[0],
        vocabularies[1],
    )
