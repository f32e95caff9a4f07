"""``dragoman train``: parallel text in, a model out."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import options
from dragoman.cli.declared import Given, Offer, offering
from dragoman.corpus.config import PrepareConfig
from dragoman.declared import find_option
from dragoman.preorder.config import PreorderConfig
from dragoman.text.config import TextConfig
from dragoman.training.config import Config
from dragoman.tuning.config import TuneConfig

# What nearly everybody needs stands first in the help.
_MORE = "Less often needed"
_WORDS = "How text is cut into words"
_HELD_OUT = "What is set aside"
HELD_OUT = ("dev_size", "test_size")
TOKENISERS = ("tokeniser", "source_tokeniser", "target_tokeniser")


class Task(StrEnum):
    """What a model is trained for."""

    translation = "translation"
    spelling = "spelling"


def _named_by_option(files: list[str]) -> str:
    from dragoman.corpus.read import format_of

    kind = format_of(Path(files[0]))
    how = f"--{kind} {files[0]}" if kind else "-s SOURCE -t TARGET for two files of lines"
    return f"{files[0]}: say what this file is by an option: {how}"


@offering(
    "given",
    Offer(TextConfig, only=TOKENISERS, panel=_WORDS, defaults=False),
    Offer(PrepareConfig, only=HELD_OUT, panel=_HELD_OUT),
    Offer(Config, only=("model", "method"), panel=_MORE, defaults=False),
    Offer(TuneConfig, only=("seed",), panel=_MORE),
)
def train(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="MODEL", help="The model directory to write.")
    ],
    source: options.Sources = None,
    target: options.Targets = None,
    tmx: options.Tmx = None,
    tsv: options.Tsv = None,
    columns: options.Columns = "1,2",
    po: options.Po = None,
    xliff: options.Xliff = None,
    source_language: options.SourceLanguage = "",
    target_language: options.TargetLanguage = "",
    dev: options.Dev = None,
    test: options.Test = None,
    lm_text: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="More text in the target language alone; may be repeated."
        ),
    ] = None,
    best: Annotated[
        bool,
        typer.Option(
            "--best",
            help="Train several models that translate together, which is better, for five to "
            "eight times the time and four times the disk; MODEL opens like any other.",
        ),
    ] = False,
    threads: options.Threads = options.ALL_THREADS,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="How much memory counting may take, e.g. 2G; what needs more goes through files, "
            "and the model is the same.",
        ),
    ] = None,
    cluster: options.Cluster = None,
    protect: options.Protect = None,
    given: Given = {},  # noqa: B006 - stands for declared options
    task: Annotated[
        Task,
        typer.Option(
            help="What the model is for: spelling chooses the settings for normalising old or "
            "dialect spelling (letters instead of words, long n-grams, equal pairs kept).",
            rich_help_panel=_MORE,
        ),
    ] = Task.translation,
    preorder: Annotated[
        str | None,
        typer.Option(
            metavar="[off|trees|btg]",
            help=find_option(PreorderConfig, "method").help,
            rich_help_panel=_MORE,
        ),
    ] = None,
    trees: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Parse trees of all source sentences, in brackets or CoNLL-U; may be repeated.",
            rich_help_panel=_MORE,
        ),
    ] = None,
    final: Annotated[
        bool,
        typer.Option(
            "--final",
            help="Once the weights are tuned, train again on everything, so that the model learns "
            "from what was set aside as well.",
            rich_help_panel=_HELD_OUT,
        ),
    ] = False,
    config_file: Annotated[
        Path | None,
        typer.Option(
            "--config",
            metavar="FILE",
            help="A configuration file (TOML), such as dragoman config writes.",
            rich_help_panel=_MORE,
        ),
    ] = None,
    start_from: Annotated[
        str | None,
        typer.Option(
            "--from-stage",
            metavar="STAGE",
            help="Run this stage and what depends on it anew, e.g. tune.",
            rich_help_panel=_MORE,
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Only say which stages would run, and why.", rich_help_panel=_MORE
        ),
    ] = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    misplaced: Annotated[list[str] | None, options.misplaced(_named_by_option)] = None,
) -> None:
    """Train a model from parallel text.

    Stages that are up to date are skipped; after an interruption the same command goes on.

    Example: dragoman train --tmx memory.tmx --from en --to fr -o model

    Example: dragoman train -s train.en -t train.fr --from en --to fr -o model
    """
    from dragoman.cli.summary import print_outcomes, print_scores, resumable
    from dragoman.declared import from_mapping, to_mapping
    from dragoman.progress import to_terminal
    from dragoman.training.config import load
    from dragoman.training.plan import Material
    from dragoman.training.tasks import task_config
    from dragoman.training.train import run_training

    usual = task_config(task.value)
    base = to_mapping(load(config_file, usual) if config_file else usual)
    if task is Task.spelling:
        source_language = source_language or target_language
        target_language = target_language or source_language
    said: dict[str, dict[str, object]] = {
        "prepare": {
            "source_language": source_language or None,
            "target_language": target_language or None,
            **{name: given.get(name) for name in (*TOKENISERS, *HELD_OUT)},
            "protect": protect,
        },
        "preorder": {"method": preorder},
        "tune": {"seed": given.get("seed")},
    }
    for section, values in said.items():
        base[section] |= {name: value for name, value in values.items() if value is not None}
    base |= {name: given[name] for name in ("model", "method") if name in given}
    material = Material(
        options.parallel_files(source, target, tsv, columns, tmx, po, xliff),
        options.optional_pair(dev),
        options.optional_pair(test),
        lm_text or (),
        trees or (),
    )
    with resumable(output):
        outcomes = run_training(
            material,
            output,
            from_mapping(Config, base, "option"),
            best=best,
            final=final,
            start_from=start_from,
            dry_run=dry_run,
            threads=threads,
            memory=options.parse_size(memory) if memory is not None else None,
            cluster=cluster,
            progress=to_terminal(quiet or as_json),
        )
    if not quiet or as_json:
        print_outcomes(outcomes, dry_run=dry_run, as_json=as_json)
    if not (quiet or as_json or dry_run):
        print_scores(output)
