"""All that training can be told: one group of options per stage, read from and written to TOML.

A configuration file has one table per stage::

    [prepare]
    tokeniser = "moses"
    max_words = 100

Whatever is not said keeps its default; a key that does not exist is an error that suggests the
nearest one that does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from dragoman.alignment.config import AlignConfig
from dragoman.context.config import ContextConfig
from dragoman.corpus.config import PrepareConfig
from dragoman.declared import Options, from_mapping, option, to_mapping
from dragoman.errors import ConfigError
from dragoman.evaluation.config import ScoreConfig
from dragoman.files import read_toml
from dragoman.learning.joint.config import JointConfig
from dragoman.lm.config import LmConfig
from dragoman.neural.config import NeuralConfig
from dragoman.preorder.config import PreorderConfig
from dragoman.report.config import ReportConfig
from dragoman.rules.config import HieroConfig, ResortConfig, RulesConfig
from dragoman.translation.config import ConfidenceConfig
from dragoman.tuning.config import ConsensusConfig, TuneConfig
from dragoman.unknown.config import UnknownConfig

MethodName = Literal["pipeline", "joint"]
KindName = Literal["phrase", "hiero"]


@dataclass(frozen=True)
class Config(Options):
    """What kind of model is trained, how, and the options of all stages."""

    model: KindName = option(
        "phrase",
        "What translates: phrases that are put in order (phrase), or rules with gaps (hiero).",
    )
    method: MethodName = option(
        "pipeline",
        "How the phrase table and the weights are learnt: one after the other (pipeline), or "
        "both in one loop (joint, paper 003).",
    )
    prepare: PrepareConfig = field(default_factory=PrepareConfig)
    preorder: PreorderConfig = field(default_factory=PreorderConfig)
    align: AlignConfig = field(default_factory=AlignConfig)
    lm: LmConfig = field(default_factory=LmConfig)
    rules: RulesConfig = field(default_factory=RulesConfig)
    hiero: HieroConfig = field(default_factory=HieroConfig)
    context: ContextConfig = field(default_factory=ContextConfig)
    unknown: UnknownConfig = field(default_factory=UnknownConfig)
    tune: TuneConfig = field(default_factory=TuneConfig)
    resort: ResortConfig = field(default_factory=ResortConfig)
    test: ScoreConfig = field(default_factory=ScoreConfig)
    confidence: ConfidenceConfig = field(default_factory=ConfidenceConfig)
    report: ReportConfig = field(default_factory=ReportConfig)
    joint: JointConfig = field(default_factory=JointConfig)
    neural: NeuralConfig = field(default_factory=NeuralConfig)
    consensus: ConsensusConfig = field(default_factory=ConsensusConfig)


def load(path: str | Path, base: Config | None = None) -> Config:
    """Read a TOML configuration file; what it does not say is as in `base`."""
    said = read_toml(Path(path), ConfigError)
    from_mapping(Config, said, str(path))  # the mistakes of the file are named as such
    whole = to_mapping(base if base is not None else Config())
    for key, value in said.items():
        whole[key] = whole[key] | value if isinstance(whole.get(key), dict) else value
    return from_mapping(Config, whole, str(path))


def dumps(config: Config) -> str:
    """The configuration as TOML; :func:`load` reads it back."""
    import tomli_w

    return tomli_w.dumps(to_mapping(config))
