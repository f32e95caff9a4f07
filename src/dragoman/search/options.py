"""What a search can be told."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from dragoman import _core
from dragoman.config import from_mapping
from dragoman.errors import ConfigError, FileError, ModelError
from dragoman.workspace import written_whole

SearchName = Literal["pharaoh", "estimate", "early", "cube"]
UnknownWords = Literal["copy", "drop", "mark"]
Options = TypeVar("Options", "SearchOptions", "ChartOptions")
SEARCHES: tuple[str, ...] = get_args(SearchName)
FILE = "search.toml"


@dataclass(frozen=True)
class SearchOptions:
    """The search, its pruning and its limits; see docs/decoding.md.

    Thresholds are differences of model score (weights normalised as in dragoman.model.weights);
    infinity turns a threshold off, 0 turns a limit off.
    """

    search: SearchName = "early"
    # The four pruning parameters of paper 000, in its order.
    ttable_threshold: float = 2.0
    beam_threshold: float = math.inf
    ttable_limit: int = 20
    beam_limit: int = 50
    # Early pruning; None: the same as ttable_threshold, as in the paper.
    early_threshold: float | None = None
    # Cube pruning: extensions that may enter each stack; 0: beam_limit.
    pop_limit: int = 0
    # Longest jump; None: no limit; 0: monotone.
    distortion_limit: int | None = 6
    # Most runs of uncovered words; None: no limit (paper 003).
    gap_limit: int | None = None
    # Words nothing is known of.
    unknown: UnknownWords = "copy"

    def __post_init__(self) -> None:
        if self.search not in SEARCHES:
            raise ConfigError(f"search must be one of {', '.join(SEARCHES)}, not {self.search!r}")
        _check(
            self,
            ("ttable_threshold", "beam_threshold", "early_threshold"),
            {
                "ttable_limit": 0,
                "beam_limit": 0,
                "pop_limit": 0,
                "distortion_limit": 0,
                "gap_limit": 1,
            },
        )
        if self.distortion_limit is not None and self.distortion_limit > 65_535:
            raise ConfigError(
                f"distortion_limit must be at most 65535, not {self.distortion_limit}"
            )

    @property
    def pruning(self) -> dict[str, Any]:
        """The pruning vector and the search, as reported with every measurement."""
        names = ("search", "ttable_threshold", "beam_threshold", "ttable_limit", "beam_limit")
        return {name: plain(getattr(self, name)) for name in names}

    def native(self) -> _core.SearchOptions:
        """As the native decoder takes them: the same names, values and defaults."""
        return _core.SearchOptions(**asdict(self))


@dataclass(frozen=True)
class ChartOptions:
    """What a chart search with hierarchical rules can be told; see docs/hiero.md."""

    # Rules of a source side: how many, and how much worse than the best.
    ttable_threshold: float = math.inf
    ttable_limit: int = 20
    # Derivations that may enter a cell of the chart, and how much worse than its best.
    beam_threshold: float = math.inf
    pop_limit: int = 200
    # Words that a rule may span with its gaps; 0: no limit.
    span_limit: int = 10
    # Words nothing is known of.
    unknown: UnknownWords = "copy"

    def __post_init__(self) -> None:
        _check(
            self,
            ("ttable_threshold", "beam_threshold"),
            {"ttable_limit": 0, "pop_limit": 0, "span_limit": 0},
        )

    @property
    def pruning(self) -> dict[str, Any]:
        """What is pruned, as reported with every measurement."""
        names = ("ttable_threshold", "beam_threshold", "ttable_limit", "pop_limit", "span_limit")
        return {"search": "chart"} | {name: plain(getattr(self, name)) for name in names}

    def native(self) -> _core.ChartOptions:
        """As the native decoder takes them: the same names, values and defaults."""
        return _core.ChartOptions(**asdict(self))


def _check(
    options: SearchOptions | ChartOptions, thresholds: Sequence[str], limits: Mapping[str, int]
) -> None:
    """Thresholds not below zero, limits not below their least."""
    for name in thresholds:
        value = getattr(options, name)
        if value is not None and not value >= 0:
            raise ConfigError(f"{name} must be zero or more, not {value}")
    for name, lowest in limits.items():
        value = getattr(options, name)
        if value is not None and not lowest <= value <= (1 << 31):
            raise ConfigError(f"{name} must be {lowest} or more, not {value}")
    if options.unknown not in get_args(UnknownWords):
        raise ConfigError(f"unknown must be copy, drop or mark, not {options.unknown!r}")


def plain(value: Any) -> Any:
    """JSON and people have no infinity."""
    return None if isinstance(value, float) and math.isinf(value) else value


def load_options(
    directory: str | Path,
    kind: type[Options] = SearchOptions,  # type: ignore[assignment]
) -> Options:
    """The options a model asks for; the defaults when it says nothing."""
    path = Path(directory) / FILE
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return kind()
    except OSError as problem:
        raise FileError.of(problem, path) from problem
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise ModelError(f"{path}: not valid TOML: {problem}") from problem
    for name in ("distortion_limit", "gap_limit", "early_threshold"):
        if content.get(name) == "none":
            content[name] = None
    missing = {name: content.pop(name) for name in list(content) if content[name] is None}
    loaded = from_mapping(kind, content, str(path))
    from dataclasses import replace

    return replace(loaded, **missing)


def save_options(directory: str | Path, options: SearchOptions | ChartOptions) -> None:
    """Make these the options a model asks for."""
    import tomli_w

    values = {field.name: getattr(options, field.name) for field in fields(options)}
    content = {name: "none" if value is None else value for name, value in values.items()}
    with written_whole(Path(directory) / FILE) as temporary:
        temporary.write_text(tomli_w.dumps(content), "utf-8")
