"""Dragoman: from parallel text to a translator, on your own machine, in minutes.

The names here are the public ones; each is loaded when it is first used, so that
``import dragoman`` stays quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dragoman.lazy import lazy_names

if TYPE_CHECKING:
    from dragoman.alignment.aligner import Aligner as Aligner
    from dragoman.alignment.aligner import align as align
    from dragoman.alignment.links import Links as Links
    from dragoman.corpus.bitext import Bitext as Bitext
    from dragoman.corpus.read import ParallelFile as ParallelFile
    from dragoman.errors import ConfigError as ConfigError
    from dragoman.errors import DragomanError as DragomanError
    from dragoman.errors import FileError as FileError
    from dragoman.errors import InputError as InputError
    from dragoman.errors import MissingExtraError as MissingExtraError
    from dragoman.errors import ModelError as ModelError
    from dragoman.errors import UsageError as UsageError
    from dragoman.evaluation.model_scores import ModelScores as ModelScores
    from dragoman.evaluation.model_scores import evaluate_model as evaluate_model
    from dragoman.evaluation.scores import Scores as Scores
    from dragoman.evaluation.scores import evaluate as evaluate
    from dragoman.lm.query import LanguageModel as LanguageModel
    from dragoman.model.directory import ModelDirectory as ModelDirectory
    from dragoman.model.pack import pack as pack
    from dragoman.model.pack import unpack as unpack
    from dragoman.progress import to_terminal as to_terminal
    from dragoman.rules.table import PhraseTable as PhraseTable
    from dragoman.search.options import ChartOptions as ChartOptions
    from dragoman.search.options import SearchOptions as SearchOptions
    from dragoman.text.marked import detokenise as detokenise
    from dragoman.text.marked import tokenise as tokenise
    from dragoman.training.config import Config as Config
    from dragoman.training.train import Reestimation as Reestimation
    from dragoman.training.train import reestimate as reestimate
    from dragoman.training.train import train as train
    from dragoman.training.train import tune as tune
    from dragoman.translation.result import Translation as Translation
    from dragoman.translation.translator import Translator as Translator

_HOMES = {
    "Aligner": "dragoman.alignment.aligner",
    "Bitext": "dragoman.corpus.bitext",
    "ChartOptions": "dragoman.search.options",
    "Config": "dragoman.training.config",
    "ConfigError": "dragoman.errors",
    "DragomanError": "dragoman.errors",
    "FileError": "dragoman.errors",
    "InputError": "dragoman.errors",
    "LanguageModel": "dragoman.lm.query",
    "Links": "dragoman.alignment.links",
    "MissingExtraError": "dragoman.errors",
    "ModelDirectory": "dragoman.model.directory",
    "ModelError": "dragoman.errors",
    "ModelScores": "dragoman.evaluation.model_scores",
    "ParallelFile": "dragoman.corpus.read",
    "PhraseTable": "dragoman.rules.table",
    "Reestimation": "dragoman.training.train",
    "Scores": "dragoman.evaluation.scores",
    "SearchOptions": "dragoman.search.options",
    "Translation": "dragoman.translation.result",
    "Translator": "dragoman.translation.translator",
    "UsageError": "dragoman.errors",
    "align": "dragoman.alignment.aligner",
    "detokenise": "dragoman.text.marked",
    "evaluate": "dragoman.evaluation.scores",
    "evaluate_model": "dragoman.evaluation.model_scores",
    "pack": "dragoman.model.pack",
    "reestimate": "dragoman.training.train",
    "to_terminal": "dragoman.progress",
    "tokenise": "dragoman.text.marked",
    "train": "dragoman.training.train",
    "tune": "dragoman.training.train",
    "unpack": "dragoman.model.pack",
}

__all__ = [
    "Aligner",
    "Bitext",
    "ChartOptions",
    "Config",
    "ConfigError",
    "DragomanError",
    "FileError",
    "InputError",
    "LanguageModel",
    "Links",
    "MissingExtraError",
    "ModelDirectory",
    "ModelError",
    "ModelScores",
    "ParallelFile",
    "PhraseTable",
    "Reestimation",
    "Scores",
    "SearchOptions",
    "Translation",
    "Translator",
    "UsageError",
    "align",
    "detokenise",
    "evaluate",
    "evaluate_model",
    "pack",
    "reestimate",
    "to_terminal",
    "tokenise",
    "train",
    "tune",
    "unpack",
]

_find, _names = lazy_names(__name__, _HOMES)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("dragoman")
    return _find(name)


def __dir__() -> list[str]:
    return [*_names(), "__version__"]
