"""The stages of ``dragoman train --method joint`` that take the place of extraction and tuning."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass, replace

from dragoman._core import LexicalTable
from dragoman.alignment.lexical import train_model1_table
from dragoman.alignment.stage import BACKWARD_LEXICON, FORWARD_LEXICON
from dragoman.config import JointConfig
from dragoman.corpus.bitext import Bitext
from dragoman.corpus.prepare import (
    BITEXT,
    SOURCE_VOCABULARY,
    TARGET_VOCABULARY,
    held_out_files,
)
from dragoman.corpus.read import read_lines
from dragoman.evaluation.metrics import make_metric
from dragoman.learning.joint import JointLearner, ModelFiles, search_options
from dragoman.lm.stage import MODEL as LANGUAGE_MODEL
from dragoman.model.bundle import WEIGHTS
from dragoman.model.weights import save_weights
from dragoman.pipeline import Stage, StageContext
from dragoman.rules.stage import PHRASES
from dragoman.search.options import FILE as SEARCH_OPTIONS
from dragoman.search.options import save_options
from dragoman.tuning.stage import HISTORY as TUNING_HISTORY
from dragoman.workspace import Workspace

# How reachability, rules and the dev score went, iteration by iteration.
HISTORY = "joint.json"
JOINT_WEIGHTS = "rules/joint.weights.toml"

_TEXT = (BITEXT, SOURCE_VOCABULARY, TARGET_VOCABULARY)


def joint_stage(config: JointConfig, workspace: Workspace) -> Stage:
    """From the bitext, word translations and a language model to phrase table and weights."""
    config = replace(config, tune=False)  # what comes afterwards makes no difference here
    source, target, _ = held_out_files("dev")
    files = [*_TEXT, LANGUAGE_MODEL, FORWARD_LEXICON, BACKWARD_LEXICON, source, target]

    def run(context: StageContext) -> None:
        bitext = Bitext.open(*(context.input(name) for name in _TEXT))
        metric = make_metric("bleu", tokenize="none")
        learner = JointLearner(
            bitext,
            _lexicon(context, bitext),
            ModelFiles(*(context.input(name) for name in (*_TEXT[1:], LANGUAGE_MODEL))),
            (
                list(read_lines(context.input(source))),
                list(read_lines(context.input(target))),
            ),
            metric,
            context.resume(),
            config,
            threads=context.threads,
            progress=context.progress,
        )
        result = learner.run()
        context.progress.message(
            f"joint training ended: {result.reason}; iteration {result.best} is kept"
        )
        shutil.copyfile(result.table, context.output(PHRASES))
        save_weights(context.output(JOINT_WEIGHTS), result.features, result.weights)
        save_options(context.output(SEARCH_OPTIONS).parent, search_options(config))
        history = asdict(result) | {"table": None, "weights": None, "metric": metric.name}
        context.output(HISTORY).write_text(json.dumps(history, indent=1) + "\n", "utf-8")

    return Stage(
        "joint",
        config,
        {name: workspace.file(name) for name in files},
        (PHRASES, JOINT_WEIGHTS, SEARCH_OPTIONS, HISTORY),
        run,
    )


def _lexicon(context: StageContext, bitext: Bitext) -> tuple[LexicalTable, LexicalTable]:
    config: JointConfig = context.stage.config
    if config.lexicon == "links":
        return (
            LexicalTable.open(str(context.input(FORWARD_LEXICON))),
            LexicalTable.open(str(context.input(BACKWARD_LEXICON))),
        )
    return (
        train_model1_table(bitext, "forward", threads=context.threads, progress=context.progress),
        train_model1_table(bitext, "backward", threads=context.threads, progress=context.progress),
    )


@dataclass(frozen=True)
class JointWeights:
    """In place of the parameters of tuning: the perceptron's weights are used as they are."""

    method: str = "joint"


def joint_weights_stage(workspace: Workspace) -> Stage:
    """Tuning where there is nothing left to tune."""
    inputs = {name: workspace.file(name) for name in (JOINT_WEIGHTS, HISTORY)}

    def run(context: StageContext) -> None:
        shutil.copyfile(context.input(JOINT_WEIGHTS), context.output(WEIGHTS))
        story = json.loads(context.input(HISTORY).read_text("utf-8"))
        rounds = [{"score": entry["score"]} for entry in story["iterations"]]
        history = {
            "features": story["features"],
            "iterations": rounds,
            "metric": story["metric"],
            "reason": f"joint training: {story['reason']}",
            "score": max(entry["score"] for entry in rounds),
        }
        context.output(TUNING_HISTORY).write_text(json.dumps(history, indent=1) + "\n", "utf-8")

    return Stage("tune", JointWeights(), inputs, (WEIGHTS, TUNING_HISTORY), run)
