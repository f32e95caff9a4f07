"""The stages of ``dragoman train --method joint`` that take the place of extraction and tuning."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass, replace

from dragoman._core import LexicalTable
from dragoman.alignment.lexical import train_model1_table
from dragoman.corpus.bitext import Bitext
from dragoman.corpus.read import read_lines
from dragoman.declared import Options, option
from dragoman.evaluation.metrics import make_metric
from dragoman.layout import (
    BACKWARD_LEXICON,
    BITEXT,
    FORWARD_LEXICON,
    JOINT_HISTORY,
    JOINT_WEIGHTS,
    LANGUAGE_MODEL,
    PHRASES,
    SEARCH,
    SOURCE_VOCABULARY,
    TARGET_VOCABULARY,
    TUNING_HISTORY,
    WEIGHTS,
    held_out_files,
)
from dragoman.learning.joint.config import JointConfig
from dragoman.learning.joint.learner import JointLearner, search_options
from dragoman.learning.joint.passes import FilesBesideTable
from dragoman.model.directory import ModelDirectory
from dragoman.model.weights import save_weights
from dragoman.search.options import save_options
from dragoman.training.pipeline import Stage, StageContext

_TEXT = (BITEXT, SOURCE_VOCABULARY, TARGET_VOCABULARY)
_SOURCE, _TARGET, _ = held_out_files("dev")


def joint_stage(config: JointConfig, directory: ModelDirectory) -> Stage:
    """From the bitext, word translations and a language model to phrase table and weights."""
    config = replace(config, tune=False)  # what comes afterwards makes no difference here
    names = [*_TEXT, LANGUAGE_MODEL, FORWARD_LEXICON, BACKWARD_LEXICON, _SOURCE, _TARGET]
    return Stage(
        "joint",
        config,
        {name: directory.file(name) for name in names},
        (PHRASES, JOINT_WEIGHTS, SEARCH, JOINT_HISTORY),
        _run,
    )


def _run(context: StageContext) -> None:
    config: JointConfig = context.config
    bitext = Bitext.open(*(context.input(name) for name in _TEXT))
    metric = make_metric("bleu", tokenize="none")
    learner = JointLearner(
        bitext,
        _lexicon(context, bitext),
        FilesBesideTable(*(context.input(name) for name in (*_TEXT[1:], LANGUAGE_MODEL))),
        (
            list(read_lines(context.input(_SOURCE))),
            list(read_lines(context.input(_TARGET))),
        ),
        metric,
        context.resume(),
        config,
        threads=context.threads,
        crew=context.crew,
        progress=context.progress,
    )
    result = learner.run()
    context.progress.message(
        f"joint training ended: {result.reason}; iteration {result.best} is kept"
    )
    shutil.copyfile(result.table, context.output(PHRASES))
    save_weights(context.output(JOINT_WEIGHTS), result.features, result.weights)
    save_options(context.output(SEARCH), search_options(config))
    history = asdict(result) | {"table": None, "weights": None, "metric": metric.name}
    context.output(JOINT_HISTORY).write_text(json.dumps(history, indent=1) + "\n", "utf-8")


def _lexicon(context: StageContext, bitext: Bitext) -> tuple[LexicalTable, LexicalTable]:
    config: JointConfig = context.config
    if config.lexicon == "links":
        return (
            LexicalTable.open(str(context.input(FORWARD_LEXICON))),
            LexicalTable.open(str(context.input(BACKWARD_LEXICON))),
        )
    memory, threads, progress = context.memory, context.threads, context.progress
    return (
        train_model1_table(bitext, "forward", memory=memory, threads=threads, progress=progress),
        train_model1_table(bitext, "backward", memory=memory, threads=threads, progress=progress),
    )


@dataclass(frozen=True)
class JointWeights(Options):
    """Takes the weights of joint training as they are, instead of tuning."""

    method: str = option("joint", "Where the weights come from.")


def joint_weights_stage(directory: ModelDirectory) -> Stage:
    """Tuning where there is nothing left to tune."""
    inputs = {name: directory.file(name) for name in (JOINT_WEIGHTS, JOINT_HISTORY)}
    return Stage("tune", JointWeights(), inputs, (WEIGHTS, TUNING_HISTORY), _take_weights)


def _take_weights(context: StageContext) -> None:
    shutil.copyfile(context.input(JOINT_WEIGHTS), context.output(WEIGHTS))
    story = json.loads(context.input(JOINT_HISTORY).read_text("utf-8"))
    rounds = [{"score": entry["score"]} for entry in story["iterations"]]
    history = {
        "features": story["features"],
        "iterations": rounds,
        "metric": story["metric"],
        "reason": f"joint training: {story['reason']}",
        "score": max(entry["score"] for entry in rounds),
    }
    context.output(TUNING_HISTORY).write_text(json.dumps(history, indent=1) + "\n", "utf-8")
