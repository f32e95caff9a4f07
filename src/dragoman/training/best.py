"""``train --best``: several models of one text, and their consensus, in one model directory.

The directory is that of the plain model and can do all that one can. Beside its files lie those
of its members, each a model of its own, which take over every stage that is the same for them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dragoman.crew import Crew
from dragoman.errors import UsageError
from dragoman.layout import SEARCH, member_directory
from dragoman.model.directory import ModelDirectory
from dragoman.model.manifest import Manifest
from dragoman.progress import Progress
from dragoman.search.options import ChartOptions, save_options
from dragoman.training import pipeline
from dragoman.training.config import Config
from dragoman.training.pipeline import Outcome
from dragoman.training.plan import Material, planned_shape, training_stages
from dragoman.training.stages.consensus import consensus_stage
from dragoman.training.stages.neural import neural_stage
from dragoman.training.take_over import shared_stages, take_over

# What makes a member differ from the plain model, and how many times the plain model's time its
# own stages take, about, on Multi30k (docs/lab/consensus.md).
_RECIPES: dict[str, tuple[Callable[[Config], Config], float]] = {
    "btg": (lambda plain: replace(plain, preorder=replace(plain.preorder, method="btg")), 1.5),
    "hiero": (lambda plain: replace(plain, model="hiero"), 2.2),
}
_AGREEING, _NETWORK = 0.9, 1.6
# A chart search takes most of the time of a consensus, which does not miss what few derivations
# more would find.
_SEARCHES = {"hiero": ChartOptions(pop_limit=60)}


def run_best(
    material: Material,
    directory: ModelDirectory,
    config: Config,
    *,
    dry_run: bool,
    threads: int,
    crew: Crew,
    memory: int | None,
    progress: Progress,
) -> list[Outcome]:
    """Train the plain model, its members and their consensus; what is up to date is skipped."""
    plans = _member_configs(config)
    cost = 1 + sum(_RECIPES[name][1] for name in plans) + _AGREEING
    cost += _NETWORK if config.neural.use else 0
    progress.message(
        f"--best: {len(plans) + 1} models (plain, {', '.join(plans)}), their consensus"
        f"{' and a network that has a say in it' if config.neural.use else ''}, about "
        f"{cost:.0f} times the time of one, and up to four times the disk; each stage is kept, so "
        "the same command goes on after an interruption"
    )
    stages = training_stages(config, directory, material)
    outcomes = pipeline.run(
        directory,
        stages,
        dry_run=dry_run,
        threads=threads,
        crew=crew,
        memory=memory,
        progress=progress,
    )
    for name, member_config in plans.items():
        member = ModelDirectory(directory.file(member_directory(name)))
        if not dry_run:
            progress.message(f"{name}:")
            with member.created(), member.locked():
                if not member.exists():  # lest files without a manifest look like a stranger's
                    member.write_manifest(Manifest())
                if name in _SEARCHES and not member.has(SEARCH):
                    save_options(member.file(SEARCH), _SEARCHES[name])
                plan = training_stages(member_config, member, material)
                take_over(directory, member, shared_stages(directory, stages, member, plan))
        plan = training_stages(member_config, member, material)
        ran = pipeline.run(
            member,
            plan,
            whole=not dry_run,
            dry_run=dry_run,
            threads=threads,
            crew=crew,
            memory=memory,
            progress=progress,
        )
        outcomes += [replace(one, stage=f"{name}/{one.stage}") for one in ran]
    shape = planned_shape(config, directory)
    network = [neural_stage(config.neural, directory, shape)] if config.neural.use else []
    if dry_run:
        names = [*(stage.name for stage in network), "consensus"]
        return [
            *outcomes,
            *(Outcome(name, True, "uses what others would write") for name in names),
        ]
    own = replace(config.consensus, members=tuple(plans))
    last = [*network, consensus_stage(own, directory, network=config.neural.use)]
    ran = pipeline.run(
        directory,
        [*stages, *last],
        whole=True,
        threads=threads,
        crew=crew,
        memory=memory,
        progress=progress,
    )
    return [*outcomes, *ran[-len(last) :]]


def _member_configs(config: Config) -> dict[str, Config]:
    """The configuration of each member that is not what the plain model is already."""
    plans: dict[str, Config] = {}
    for name in config.consensus.members:
        if name not in _RECIPES:
            raise UsageError(
                f"consensus.members: there is no {name!r}; there are {', '.join(_RECIPES)}"
            )
        member = _RECIPES[name][0](config)
        if member != config:
            plans[name] = member
    if not plans:
        raise UsageError("--best needs a member that differs from the model itself")
    return plans
