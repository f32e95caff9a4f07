"""Training, tuning and re-estimation as functions: what is up to date is not done again."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dragoman import arguments
from dragoman.arguments import shown, thread_count
from dragoman.cluster import LEAST_FREE, ClusterLike, crew_for
from dragoman.cluster.crew import DaskCrew
from dragoman.corpus.bitext import Bitext
from dragoman.corpus.read import ParallelFile
from dragoman.crew import Crew
from dragoman.errors import UsageError
from dragoman.evaluation.config import ScoreConfig
from dragoman.files import written_whole
from dragoman.layout import (
    BITEXT,
    CLUSTER_REPORT,
    CORPUS_REPORT,
    EXTRA_LANGUAGE_MODELS,
    LINKS,
    SEARCH,
    SOURCE_VOCABULARY,
    TARGET_VOCABULARY,
    WEIGHTS,
    held_out_files,
    held_out_text,
)
from dragoman.learning.reestimation.config import DeriveConfig, ReestimateConfig
from dragoman.model.directory import ModelDirectory
from dragoman.model.shape import Shape
from dragoman.preorder.config import PreorderConfig, PreorderName
from dragoman.progress import SILENT, Progress
from dragoman.report.config import ReportConfig
from dragoman.report.timeline import timeline_page
from dragoman.rules.config import ResortConfig
from dragoman.text.normalise import normalise
from dragoman.text.tokenise import TokeniserName
from dragoman.training import pipeline
from dragoman.training.best import run_best
from dragoman.training.config import Config, KindName, MethodName
from dragoman.training.final import check_final, final_stages, tuned_model
from dragoman.training.pipeline import Outcome, Stage
from dragoman.training.plan import Material, training_stages
from dragoman.training.stages.confidence import confidence_stage
from dragoman.training.stages.kept_weights import kept_weights_stage
from dragoman.training.stages.reestimate import (
    Derived,
    derive_stage,
    reestimate_stage,
)
from dragoman.training.stages.report import report_stage
from dragoman.training.stages.resort import resort_stage
from dragoman.training.stages.score import score_stage
from dragoman.training.stages.tune import DevFiles, tune_stage
from dragoman.training.take_over import take_over
from dragoman.training.tasks import TaskName, task_config
from dragoman.translation.config import ConfidenceConfig
from dragoman.translation.translator import Translator
from dragoman.tuning.config import TuneConfig

# What training writes to disk for a while, at most, for each byte of its text.
DISK_PER_BYTE = 20


def run_training(
    material: Material,
    model: str | Path,
    config: Config | None = None,
    *,
    best: bool = False,
    final: bool = False,
    start_from: str | None = None,
    dry_run: bool = False,
    threads: int | None = None,
    memory: int | None = None,
    cluster: ClusterLike = None,
    progress: Progress = SILENT,
) -> list[Outcome]:
    """Train a model in the directory `model`; says what each stage did, or would.

    `best`: also the members of its consensus. With `final`, it learns from the pairs that were
    set aside for tuning as well, once the weights are tuned.
    """
    directory, config = ModelDirectory(model), config if config is not None else Config()
    material.require_files()
    if best and final:
        raise UsageError("--best tunes a consensus on what is set aside; it cannot be --final")
    if best:
        if start_from is not None:
            raise UsageError("--from-stage is for a single model; train again without --best")
        stages = training_stages(config, directory, material)
        with _crew(cluster, directory, stages, threads, progress) as crew:
            return run_best(
                material,
                directory,
                config,
                dry_run=dry_run,
                threads=thread_count(threads),
                crew=crew,
                memory=memory,
                progress=progress,
            )

    def run(place: ModelDirectory, stages: list[Stage], start_from: str | None) -> list[Outcome]:
        if dry_run:
            return pipeline.run(place, stages, whole=True, start_from=start_from, dry_run=True)
        with _crew(cluster, place, stages, threads, progress) as crew:
            return pipeline.run(
                place,
                stages,
                whole=True,
                start_from=start_from,
                threads=thread_count(threads),
                crew=crew,
                memory=memory,
                progress=progress,
            )

    if not final:
        return run(directory, training_stages(config, directory, material), start_from)
    check_final(config)
    tuned = tuned_model(directory)
    first = run(tuned, training_stages(config, tuned, material), start_from)
    if dry_run and not tuned.has(WEIGHTS):
        return first
    progress.message("the weights are tuned; now training on everything")
    return first + run(directory, final_stages(config, directory, material), None)


@contextmanager
def _crew(
    cluster: ClusterLike,
    directory: ModelDirectory,
    stages: Sequence[Stage],
    threads: int | None,
    progress: Progress,
) -> Iterator[Crew]:
    """Who does the work of the stages; what others did is told in the model directory."""
    texts = (path for stage in stages for path in stage.inputs.values() if path.is_file())
    with crew_for(
        cluster,
        directory.path,
        threads=thread_count(threads),
        free=LEAST_FREE + DISK_PER_BYTE * sum(path.stat().st_size for path in texts),
        progress=progress,
    ) as crew:
        try:
            yield crew
        finally:
            if isinstance(crew, DaskCrew) and crew.deeds and directory.exists():
                with written_whole(directory.file(CLUSTER_REPORT)) as temporary:
                    temporary.write_text(timeline_page(crew.deeds), "utf-8")
                progress.message(f"what the workers did: {directory.file(CLUSTER_REPORT)}")


def run_tuning(
    model: str | Path,
    *,
    dev: DevFiles | None = None,
    config: TuneConfig | None = None,
    threads: int | None = None,
    cluster: ClusterLike = None,
    progress: Progress = SILENT,
) -> list[Outcome]:
    """Tune the weights of a model anew; without `dev`, on the dev set of its training."""
    directory = ModelDirectory.open(model)
    directory.require_whole("tuning")
    shape = directory.shape
    if dev is not None and not dev.references:
        raise UsageError("a dev set needs at least one reference")
    stages = [tune_stage(config if config is not None else TuneConfig(), directory, shape, dev)]
    # With the options they ran with, so that they do not run again for other ones.
    if not shape.hierarchical:
        recorded = directory.recorded("resort", ResortConfig)
        stages.append(resort_stage(recorded or ResortConfig(), directory))
    confidence = directory.recorded("confidence", ConfidenceConfig)
    if confidence is not None:
        stages.append(confidence_stage(confidence, directory, shape))
    if directory.has(LINKS, CORPUS_REPORT):
        stages += _closing_stages(directory, directory, shape)
    count = thread_count(threads)
    with _crew(cluster, directory, stages, threads, progress) as crew:
        return pipeline.run(directory, stages, threads=count, crew=crew, progress=progress)


@dataclass(frozen=True)
class Reestimation:
    """How a model is re-estimated."""

    derive: DeriveConfig = field(default_factory=DeriveConfig)
    models: ReestimateConfig = field(default_factory=ReestimateConfig)
    # None: the weights stay those of the first model.
    tune: TuneConfig | None = field(default_factory=TuneConfig)
    texts: tuple[Path, Path] | None = None  # to derive instead of the model's own bitext


def run_reestimation(
    model: str | Path,
    output: str | Path,
    how: Reestimation | None = None,
    *,
    threads: int | None = None,
    cluster: ClusterLike = None,
    progress: Progress = SILENT,
) -> list[Outcome]:
    """Re-estimate `model` into the model directory `output`; the first model stays as it is."""
    how = how if how is not None else Reestimation()
    if Path(model).resolve() == Path(output).resolve():
        raise UsageError("the re-estimated model needs a directory of its own")
    ModelDirectory(model).require_whole("re-estimation")
    derived = Derived.of(ModelDirectory(model), how.texts)
    directory = ModelDirectory(output)
    count = thread_count(threads)
    first = [derive_stage(derived, how.derive)]
    with _crew(cluster, directory, first, threads, progress) as crew:
        outcomes = pipeline.run(directory, first, threads=count, crew=crew, progress=progress)
        with directory.locked():
            _take_over(derived, directory)
        second = _after_deriving(derived, directory, how)
        return outcomes + pipeline.run(
            directory, second, threads=count, crew=crew, progress=progress
        )


def _after_deriving(derived: Derived, directory: ModelDirectory, how: Reestimation) -> list[Stage]:
    """The stages that follow the derivations."""
    shape = derived.directory.shape
    second = [reestimate_stage(derived, directory, how.derive, how.models)]
    if how.tune is not None:
        second.append(tune_stage(how.tune, directory, shape))
    else:
        second.append(kept_weights_stage(derived.directory, WEIGHTS))
    if how.tune is not None or derived.directory.has(WEIGHTS):
        second.append(resort_stage(ResortConfig(), directory))
        if directory.has(*held_out_files("dev")):
            second.append(confidence_stage(ConfidenceConfig(), directory, shape))
    if how.tune is not None and directory.has(BITEXT, LINKS, CORPUS_REPORT):
        second += _closing_stages(derived.directory, directory, shape)
    return second


def _closing_stages(
    recorded: ModelDirectory, directory: ModelDirectory, shape: Shape
) -> list[Stage]:
    """Test and report with the options that they ran with in the model `recorded`."""
    text = directory.text
    tested = text is not None and directory.has(held_out_text("test"))
    report = recorded.recorded("report", ReportConfig) or ReportConfig()
    confident = recorded.recorded("confidence", ConfidenceConfig) is not None
    stages = [report_stage(report, directory, shape, text, tested=tested, confident=confident)]
    if text is not None and tested:
        test = recorded.recorded("test", ScoreConfig) or ScoreConfig()
        preorder = directory.recorded("preorder", PreorderConfig) if shape.preordered else None
        stages.insert(0, score_stage(test, directory, shape, text, preorder))
    return stages


def _take_over(derived: Derived, directory: ModelDirectory) -> None:
    """Give the new model all that does not change, with the records of its making."""
    original = derived.directory
    renewed = {"tune", "derive", "reestimate", "resort", "confidence", "test", "report"}
    renewed |= {"consensus"}
    renewed.add(derived.maker)
    kept = [name for name in original.manifest.stages if name not in renewed]
    extras = original.path.glob(EXTRA_LANGUAGE_MODELS)
    files = [path.relative_to(original.path).as_posix() for path in extras]
    take_over(original, directory, kept, [*files, SEARCH])


def open_bitext(model: str | Path | ModelDirectory) -> Bitext:
    """The training bitext of a model directory."""
    directory = ModelDirectory.open(model)
    names = (BITEXT, SOURCE_VOCABULARY, TARGET_VOCABULARY)
    return Bitext.open(*(directory.file(name) for name in names))


# Parallel text as it comes: two files, a file whose name says its format, files of any format,
# or pairs of sentences.
CorpusLike = (
    tuple[str | Path, str | Path]
    | str
    | Path
    | ParallelFile
    | Sequence[ParallelFile]
    | Sequence[tuple[str, str]]
)


def train(
    corpus: CorpusLike,
    model: str | Path,
    *,
    dev: CorpusLike | None = None,
    test: CorpusLike | None = None,
    lm_texts: Sequence[str | Path] = (),
    trees: Sequence[str | Path] = (),
    source_language: str = "",
    target_language: str = "",
    tokeniser: TokeniserName | None = None,
    source_tokeniser: TokeniserName | None = None,
    target_tokeniser: TokeniserName | None = None,
    protect: Sequence[str] = (),
    task: TaskName = "translation",
    kind: KindName | None = None,
    method: MethodName | None = None,
    preorder: PreorderName | None = None,
    best: bool = False,
    final: bool = False,
    config: Config | None = None,
    threads: int | None = None,
    memory: int | None = None,
    cluster: ClusterLike = None,
    progress: bool | Progress = False,
) -> Translator:
    """Train a model in the directory `model`; what is up to date there is not done again.

    `corpus` is two files with a sentence a line, a TMX, PO, XLIFF or TSV file, a list of
    :class:`ParallelFile`, or a list of pairs of sentences. `dev` and `test` are sets to tune and
    to test on; without them some pairs are set aside. `lm_texts` are files of further text in the
    target language, `trees` files with the trees of all source sentences, for preordering.
    Languages, tokenisers (of both sides or of one), what to `protect` from being translated
    (regular expressions, beside what always is), `task` ("spelling" for the normalisation of old
    or dialect spelling), `kind` of model ("phrase", "hiero"), `method`
    ("pipeline", "joint") and `preorder` ("off", "trees", "btg"), when given, go before what
    `config` says. `best`: several models and their consensus, in the same directory, for several
    times the time. With `final`, the model is trained again on everything once its weights are
    tuned. Counts beyond `memory` bytes go through files. `cluster` says who helps: the
    address of a Dask scheduler, its file, local:N for N processes here, or a
    ``dask.distributed.Client``; the model is the same. With `progress` bars are shown on standard
    error.

    >>> translator = dragoman.train(("train.en", "train.fr"), "model", progress=True)
    >>> translator.translate("Where is the station?")
    """
    with tempfile.TemporaryDirectory(prefix="dragoman-") as scratch:
        parts: dict[str, list[ParallelFile]] = {
            role: _files(text, Path(scratch), role) if text is not None else []
            for role, text in (("dev", dev), ("test", test))
        }
        for role in ("dev", "test"):
            if len(parts[role]) > 1:
                raise UsageError(f"the {role} set must be one file, or two with a sentence a line")
        material = Material(
            _files(corpus, Path(scratch), "corpus"),
            next(iter(parts["dev"]), None),
            next(iter(parts["test"]), None),
            arguments.paths(lm_texts, "lm_texts"),
            arguments.paths(trees, "trees"),
        )
        base = task_config(task)
        if config is not None:
            if task != "translation":
                raise UsageError(
                    f"give a task or a config; task_config({task!r}) makes one to change"
                )
            base = arguments.instance(config, Config, "config")
        if task == "spelling":
            source_language = source_language or target_language
            target_language = target_language or source_language
        said: dict[str, Any] = {
            "source_language": source_language,
            "target_language": target_language,
            "tokeniser": tokeniser,
            "source_tokeniser": source_tokeniser,
            "target_tokeniser": target_tokeniser,
            "protect": tuple(protect),
        }
        base = replace(
            base,
            model=kind or base.model,
            method=method or base.method,
            prepare=replace(base.prepare, **{k: v for k, v in said.items() if v}),
            preorder=replace(base.preorder, method=preorder or base.preorder.method),
        )
        run_training(
            material,
            model,
            base,
            best=best,
            final=final,
            threads=threads,
            memory=memory,
            cluster=cluster,
            progress=shown(progress),
        )
    return Translator.open(model)


def tune(
    model: str | Path,
    *,
    dev: tuple[str | Path, str | Path | Sequence[str | Path]] | None = None,
    config: TuneConfig | None = None,
    threads: int | None = None,
    cluster: ClusterLike = None,
    progress: bool | Progress = False,
) -> Translator:
    """Tune the weights of a model anew; `dev` is a source file and one or more references,
    without it the dev set of the training is used. `cluster` is as in :func:`train`."""
    files = None
    if dev is not None:
        if not isinstance(dev, tuple | list) or len(dev) != 2:
            raise UsageError(f"dev must be a source file and its references, not {dev!r}")
        references = [dev[1]] if isinstance(dev[1], str | Path) else dev[1]
        files = DevFiles(
            arguments.path(dev[0], "dev"), tuple(arguments.paths(references, "references"))
        )
    if config is not None:
        arguments.instance(config, TuneConfig, "config")
    run_tuning(
        model,
        dev=files,
        config=config,
        threads=threads,
        cluster=cluster,
        progress=shown(progress),
    )
    return Translator.open(model)


def reestimate(
    model: str | Path,
    output: str | Path,
    how: Reestimation | None = None,
    *,
    threads: int | None = None,
    cluster: ClusterLike = None,
    progress: bool | Progress = False,
) -> Translator:
    """Re-estimate `model` from its best derivations of its own bitext into the directory
    `output`; the first model stays as it is. `cluster` is as in :func:`train`."""
    if how is not None:
        arguments.instance(how, Reestimation, "how")
    run_reestimation(
        model, output, how, threads=threads, cluster=cluster, progress=shown(progress)
    )
    return Translator.open(output)


def _files(corpus: CorpusLike, scratch: Path, role: str) -> list[ParallelFile]:
    """Parallel text as files; pairs are written to `scratch`."""
    if isinstance(corpus, ParallelFile):
        return [corpus]
    if isinstance(corpus, str | Path):
        return [ParallelFile.of(corpus)]
    if not isinstance(corpus, Iterable) or isinstance(corpus, bytes | Mapping):
        raise UsageError(f"{role} must be files or pairs of sentences, not {corpus!r}")
    items: list[Any] = list(corpus)
    if not items:
        raise UsageError(f"{role} is empty")
    if isinstance(corpus, tuple) and all(isinstance(one, str | Path) for one in items):
        if len(items) != 2:
            raise UsageError(f"two files are wanted, source and target, not {len(items)}")
        return [ParallelFile.plain(*items)]
    if all(isinstance(one, ParallelFile) for one in items):
        return items
    for number, one in enumerate(items, 1):
        pair = isinstance(one, tuple | list) and len(one) == 2
        if not pair or not all(isinstance(side, str) for side in one):
            raise UsageError(f"pair {number} must be a source and a target sentence, not {one!r}")
    paths = [scratch / f"{role}.source", scratch / f"{role}.target"]
    for side, path in enumerate(paths):
        lines = (normalise(one[side]) for one in items)
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="\n")
    return [ParallelFile.plain(*paths)]
