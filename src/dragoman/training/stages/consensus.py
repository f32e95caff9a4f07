"""The stage that lets several tuned models agree: each translates the dev set, and the weights of
their consensus are found on what they list."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dragoman._core import DecodeResult, NetworkJudge, Vocabulary
from dragoman.corpus.read import read_lines
from dragoman.evaluation.metrics import make_metric
from dragoman.layout import (
    CONSENSUS,
    CONSENSUS_REPORT,
    NETWORK,
    SOURCE_VOCABULARY,
    TARGET_VOCABULARY,
    WEIGHTS,
    held_out_files,
    member_directory,
)
from dragoman.model.bundle import Bundle
from dragoman.model.directory import ModelDirectory
from dragoman.preorder.orders import order_between
from dragoman.search.choice import make_search
from dragoman.search.consensus import Agreement, Opinion
from dragoman.training.pipeline import Stage, StageContext
from dragoman.training.stages.searching import (
    dev_source,
    model_files,
    search_inputs,
    search_options,
)
from dragoman.tuning.config import ConsensusConfig
from dragoman.tuning.consensus import tune_consensus

_SOURCE, _TARGET, _ = held_out_files("dev")
# What the inputs of the first model are called, beside those of its members.
_FIRST = "first/"


def consensus_stage(
    config: ConsensusConfig, directory: ModelDirectory, *, network: bool = False
) -> Stage:
    """The stage that reads trained models; the others are members of the directory. With
    `network`, the one that is in the directory has a say."""
    models = {_FIRST: directory} | {
        f"{member_directory(name)}/": ModelDirectory(directory.file(member_directory(name)))
        for name in config.members
    }
    names = (_TARGET, _SOURCE, NETWORK) if network else (_TARGET,)
    inputs = {name: directory.file(name) for name in names}
    for within, model in models.items():
        shape = model.shape
        inputs |= search_inputs(model, shape, model.table_in_use(), within)
        for name in (WEIGHTS, shape.dev_source):
            inputs[within + name] = model.file(name)
    return Stage("consensus", config, inputs, (CONSENSUS, CONSENSUS_REPORT), _run)


def _run(context: StageContext) -> None:
    config: ConsensusConfig = context.config
    places = {"plain": _FIRST} | {name: f"{member_directory(name)}/" for name in config.members}
    references = [list(read_lines(context.input(_TARGET)))]
    metric = make_metric("bleu", tokenize="none")
    agreement = Agreement.untuned(list(places), config.list_size)
    opinion = _opinion(context, list(places.values())) if context.has_input(NETWORK) else None
    told: dict[str, Any] = {"members": list(places), "metric": metric.name}
    if references[0]:
        lists = []
        with context.progress.task(
            "listing translations", total=len(places), unit="models"
        ) as task:
            for within in places.values():
                lists.append(_lists(context, within, config.list_size))
                task.advance()
        tuned = tune_consensus(
            lists,
            references,
            metric,
            opinion=opinion,
            seed=config.seed,
            threads=context.threads,
        )
        agreement = replace(
            agreement, weights=tuned.weights, scale=tuned.scale, network=opinion is not None
        )
        told |= {"alone": _alone(lists, references[0]), "score": tuned.score}
        context.progress.message(
            f"consensus: {metric.name} {tuned.score:.2f} on the dev set; alone "
            + ", ".join(f"{n} {s:.2f}" for n, s in zip(places, told["alone"], strict=True))
        )
    else:
        context.progress.message("there is no dev set; all models count alike")
    agreement.save(context.output(CONSENSUS))
    context.output(CONSENSUS_REPORT).write_text(json.dumps(told, indent=1) + "\n", "utf-8")


def _lists(context: StageContext, within: str, size: int) -> list[DecodeResult]:
    """The translations that a model lists of the dev set."""
    bundle = Bundle.of_files(model_files(context, within))
    options = search_options(context, hierarchical=bundle.hierarchical, within=within)
    search = make_search(bundle, options, threads=context.threads)
    source = dev_source(context, within)
    assert source is not None  # declared by consensus_stage
    lines = list(read_lines(source))
    return list(search.decode(lines, nbest=size, distinct=True, features=False))


def _opinion(context: StageContext, places: Sequence[str]) -> Opinion:
    """What the network must know of the dev set; nobody has kept the orders of its words, but
    they can be told from its words."""
    vocabularies = (
        Vocabulary.open(str(context.input(_FIRST + name)))
        for name in (SOURCE_VOCABULARY, TARGET_VOCABULARY)
    )
    network = NetworkJudge(str(context.input(NETWORK)), *vocabularies)
    sources = list(read_lines(context.input(_SOURCE)))
    seen = []
    for within in places:
        path = dev_source(context, within)
        assert path is not None  # declared by consensus_stage
        seen.append(list(read_lines(path)))
    orders = [
        [order_between(source, one) for one in lines]
        for source, *lines in zip(sources, *seen, strict=True)
    ]
    return Opinion(network, sources, orders)


def _alone(lists: Sequence[list[DecodeResult]], reference: list[str]) -> list[float]:
    """The score of each model's own choice."""
    chosen = [[result.best.target if result.found else "" for result in one] for one in lists]
    metric = make_metric("bleu", tokenize="none")
    count = metric.counter([reference], 1)
    rows = [count(texts, np.arange(len(texts))).sum(axis=0) for texts in chosen]
    return [float(metric.score(row)) for row in rows]
