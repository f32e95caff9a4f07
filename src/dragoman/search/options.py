"""What a search can be told; each option is declared here and nowhere else."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

from dragoman.declared import Options, declared, from_mapping, option
from dragoman.files import read_toml, sealed, written_whole

if TYPE_CHECKING:
    from dragoman import _core

SearchName = Literal["pharaoh", "estimate", "early", "cube"]
UnknownWords = Literal["copy", "drop", "mark"]
SEARCHES: tuple[SearchName, ...] = get_args(SearchName)

_MOST = (1 << 31) - 1
# That a list of translations may be asked for.
MOST_TRANSLATIONS = 1_000_000


@dataclass(frozen=True)
class SearchOptions(Options):
    """The stack search of phrase models, its pruning and its limits; see docs/reference/search.md.

    Thresholds are differences of model score (weights normalised as in dragoman.model.weights);
    infinity turns a threshold off, 0 turns a limit off.
    """

    search: SearchName = option(
        "early",
        "The algorithm of the search: one of the three of paper 000 (pharaoh, estimate, "
        "early), or cube pruning (cube).",
    )
    # The four pruning parameters of paper 000, in its order.
    ttable_threshold: float = option(
        2.0,
        "Translations of a phrase are left out when they are this much worse than its best "
        "one; early pruning uses the same threshold.",
        low=0,
    )
    beam_threshold: float = option(
        math.inf,
        "Partial translations are left out when they are this much worse than the best of "
        "their stack.",
        low=0,
    )
    ttable_limit: int = option(
        20, "How many translations of a phrase are tried; 0: all.", low=0, high=_MOST
    )
    beam_limit: int = option(
        60,
        "How many partial translations each stack keeps; with fewer the search is faster and "
        "worse; 0: all.",
        low=0,
        high=_MOST,
    )
    early_threshold: float | None = option(
        None,
        "The threshold of early pruning alone; none: that of ttable_threshold, as in the paper.",
        low=0,
    )
    give_up: bool = option(
        True,
        "Whether an extension is given up half-way once it is too bad for its stack; "
        "otherwise translations are the same, and the search takes the time of paper 000.",
    )
    estimate_margin: float = option(
        0.3,
        "Early pruning gives an extension up when its estimate lies this much below its "
        "stack, before it asks the language models; inf: it never does.",
        low=0,
    )
    pop_limit: int = option(
        0,
        "How many extensions cube pruning adds to a stack; 0: as many as beam_limit.",
        low=0,
        high=_MOST,
    )
    distortion_limit: int | None = option(
        6,
        "How many words a jump between phrases may skip; 0: no jumps; none: no limit.",
        low=0,
        high=65_535,
    )
    gap_limit: int | None = option(
        None,
        "How many gaps of untranslated words there may be at a time (paper 003); none: no limit.",
        low=1,
        high=_MOST,
    )
    unknown: UnknownWords = option(
        "copy",
        "What becomes of words that nothing is known of: they are copied, dropped, or copied "
        "and marked.",
    )
    unknown_sources: bool = option(
        True,
        "Whether words never seen are translated by their parts, relatives, spelling and sound.",
    )

    @property
    def pruning(self) -> dict[str, Any]:
        """The pruning vector and the search, as reported with every measurement."""
        names = ("search", "ttable_threshold", "beam_threshold", "ttable_limit", "beam_limit")
        return {name: plain(getattr(self, name)) for name in names}

    def native(self) -> _core.SearchOptions:
        """As the native decoder takes them: the same names, values and defaults."""
        from dragoman import _core

        return _core.SearchOptions(**dataclasses.asdict(self))


@dataclass(frozen=True)
class ChartOptions(Options):
    """The chart search of hierarchical models, and its limits (docs/reference/hierarchical.md)."""

    ttable_threshold: float = option(
        math.inf,
        "Rules of a source side are left out when they are this much worse than its best one.",
        low=0,
    )
    ttable_limit: int = option(
        20, "How many rules of a source side are tried; 0: all.", low=0, high=_MOST
    )
    beam_threshold: float = option(
        math.inf,
        "Derivations are left out when they are this much worse than the best of their cell.",
        low=0,
    )
    pop_limit: int = option(
        200, "How many derivations may enter a cell of the chart.", low=0, high=_MOST
    )
    span_limit: int = option(
        10, "How many words a rule may span with its gaps; 0: no limit.", low=0, high=_MOST
    )
    unknown: UnknownWords = option(
        "copy",
        "What becomes of words that nothing is known of: they are copied, dropped, or copied "
        "and marked.",
    )
    unknown_sources: bool = option(
        True,
        "Whether words never seen are translated by their parts, relatives, spelling and sound.",
    )

    @property
    def pruning(self) -> dict[str, Any]:
        """What is pruned, as reported with every measurement."""
        names = ("ttable_threshold", "beam_threshold", "ttable_limit", "pop_limit", "span_limit")
        return {"search": "chart"} | {name: plain(getattr(self, name)) for name in names}

    def native(self) -> _core.ChartOptions:
        """As the native decoder takes them: the same names, values and defaults."""
        from dragoman import _core

        return _core.ChartOptions(**dataclasses.asdict(self))


AnyOptions = SearchOptions | ChartOptions
Kind = TypeVar("Kind", SearchOptions, ChartOptions)


def plain(value: Any) -> Any:
    """JSON and people have no infinity."""
    return None if isinstance(value, float) and math.isinf(value) else value


def load_options(path: Path, kind: type[Kind]) -> Kind:
    """Read options from TOML; what it does not say has its default."""
    content = read_toml(path)
    # TOML has no None.
    optional = [one.name for one in declared(kind) if one.optional]
    unset = [name for name in optional if content.get(name) == "none"]
    said = {name: value for name, value in content.items() if name not in unset}
    return replace(from_mapping(kind, said, str(path)), **dict.fromkeys(unset))  # type: ignore[arg-type]


def options_in(path: Path | None, *, hierarchical: bool) -> AnyOptions:
    """The options in a file for a kind of model; its defaults where there is no file."""
    if hierarchical:
        return load_options(path, ChartOptions) if path is not None else ChartOptions()
    return load_options(path, SearchOptions) if path is not None else SearchOptions()


def save_options(path: Path, options: AnyOptions) -> None:
    """Write options as TOML."""
    import tomli_w

    values = dataclasses.asdict(options)
    content = {name: "none" if value is None else value for name, value in values.items()}
    with written_whole(path) as temporary:
        temporary.write_text(sealed(tomli_w.dumps(content)), "utf-8")
