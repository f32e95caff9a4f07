"""Moses' tables and configuration, in and out.

The text formats are described in ``native/core/rules/moses_table.h``. Weights are translated
between the names and signs of the two systems:

===================  =======================================================
Moses                here
===================  =======================================================
PhraseDictionary*    tm.bwd, lex.bwd, tm.fwd, lex.fwd, in this order
LexicalReordering*   reorder.MODEL.*: backward, then forward; monotone, swap, discontinuous
KENLM*, LM*          lm, lm.2, lm.3, ...
Distortion           distortion (both count minus the distance)
WordPenalty          words, with the other sign: Moses counts minus the words
PhrasePenalty        phrases
UnknownWordPenalty   unknown, times -100: Moses gives -100 to each unknown word
===================  =======================================================
"""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, cast

from dragoman._core import MosesImporter, moses_phrases, moses_reordering
from dragoman.errors import FileError, InputError
from dragoman.files import written_whole
from dragoman.progress import SILENT, Progress
from dragoman.rules.table import PhraseTable, reordering_features

TM_FEATURES = ("tm.bwd", "lex.bwd", "tm.fwd", "lex.fwd")
REORDERING_TYPES = {
    "word": "wbe-msd-bidirectional-fe",
    "phrase": "phrase-msd-bidirectional-fe",
    "hierarchical": "hier-msd-bidirectional-fe",
}
UNKNOWN_PENALTY = -100.0
CHUNK = 1 << 22
FIRST_WORDS_PER_STEP = 64


@dataclass(frozen=True)
class MosesIni:
    """What a moses.ini names."""

    phrase_table: Path | None = None
    reordering: dict[str, Path] = field(default_factory=dict)  # by model
    language_models: tuple[Path, ...] = ()
    weights: dict[str, float] = field(default_factory=dict)  # by our names


def read_ini(path: str | Path) -> MosesIni:
    """Read the tables, language models and weights of a moses.ini."""
    path = Path(path)
    sections = _sections(path)
    weights = _weights(path, sections.get("weight", []))
    found: dict[str, float] = {}
    phrase_table = None
    reordering: dict[str, Path] = {}
    models: list[Path] = []
    for line, text in sections.get("feature", []):
        kind, *options = text.split()
        values = dict(option.partition("=")[::2] for option in options)
        name = values.get("name", f"{kind}0")
        given = weights.get(name)
        file = path.parent / values["path"] if "path" in values else None
        names: list[str]
        signs = 1.0
        if kind.startswith(("PhraseDictionary", "ProbingPT")):
            if phrase_table is not None:
                raise InputError.at(path, line, "a second phrase table; only one can be used")
            if file is None:
                raise InputError.at(path, line, "the phrase table has no path")
            phrase_table, names = file, list(TM_FEATURES)
        elif kind == "LexicalReordering":
            model = _reordering_model(values.get("type", ""), path, line)
            if file is None or model in reordering:
                raise InputError.at(
                    path, line, f"the {model} reordering model has no path or stands here twice"
                )
            reordering[model], names = file, reordering_features(model)
        elif kind in ("KENLM", "SRILM", "IRSTLM"):
            names = ["lm" if not models else f"lm.{len(models) + 1}"]
            if file is not None:
                models.append(file)
        elif kind == "Distortion":
            names = ["distortion"]
        elif kind == "WordPenalty":
            names, signs = ["words"], -1.0
        elif kind == "PhrasePenalty":
            names = ["phrases"]
        elif kind == "UnknownWordPenalty":
            names, signs = ["unknown"], UNKNOWN_PENALTY
        else:
            raise InputError.at(path, line, f"the feature {kind} has no counterpart here")
        if given is None:
            continue
        if len(given) != len(names):
            raise InputError.at(
                path, line, f"{name} has {len(given)} weights; expected {len(names)}"
            )
        found |= {key: signs * value for key, value in zip(names, given, strict=True)}
    return MosesIni(phrase_table, reordering, tuple(models), found)


def _sections(path: Path) -> dict[str, list[tuple[int, str]]]:
    """The lines of each [section], with their numbers; comments and empty lines left out."""
    sections: dict[str, list[tuple[int, str]]] = {}
    current: list[tuple[int, str]] = []
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as problem:
        raise FileError.of(problem, path) from problem
    except UnicodeDecodeError as problem:
        raise InputError.at(path, None, "not a text file in UTF-8") from problem
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if text.startswith("[") and text.endswith("]"):
            current = sections.setdefault(text[1:-1], [])
        elif text:
            current.append((number, text))
    if "feature" not in sections:
        raise InputError.at(path, None, "no [feature] section; is this a moses.ini?")
    return sections


def _weights(path: Path, lines: list[tuple[int, str]]) -> dict[str, list[float]]:
    weights = {}
    for number, line in lines:
        name, equals, values = line.partition("=")
        try:
            if not equals:
                raise ValueError(line)
            weights[name.strip()] = [float(value) for value in values.split()]
        except ValueError as problem:
            raise InputError.at(
                path, number, f"{line!r} is not of the form 'LM0= 0.5'"
            ) from problem
    return weights


def _reordering_model(kind: str, path: str | Path, line: int | None) -> str:
    """Our name of a Moses reordering type such as wbe-msd-bidirectional-fe-allff."""
    plain = kind.removesuffix("-allff")
    for model, name in REORDERING_TYPES.items():
        if plain == name or (model == "word" and f"wbe-{plain}" == name):
            return model
    raise InputError.at(
        path,
        line,
        f"the reordering type {kind!r} cannot be used; there are "
        + ", ".join(REORDERING_TYPES.values()),
    )


def reordering_model_of(path: str | Path) -> str:
    """The model that a file name such as reordering-table.wbe-msd-bidirectional-fe.gz tells."""
    name = Path(path).name.removesuffix(".gz")
    return _reordering_model(name.removeprefix("reordering-table").lstrip("."), path, None)


def import_tables(
    phrase_table: str | Path,
    reordering: Mapping[str, str | Path],
    table: Path,
    source_vocabulary: Path,
    target_vocabulary: Path,
    *,
    weights: Mapping[str, float] | None = None,
    progress: Progress = SILENT,
) -> tuple[int, int]:
    """Read Moses' text tables (or .gz) and write a table with its vocabularies.

    `reordering` gives files by model (word, phrase, hierarchical). Returns the number of phrase
    pairs, and of those that some reordering table does not have. Nothing is written when a line
    cannot be used.
    """
    importer = MosesImporter(str(phrase_table))
    with progress.task("reading phrases", unit="phrase pairs") as task:
        for lines in _whole_lines(phrase_table):
            before = len(importer)
            importer.add_phrases(lines)
            task.advance(len(importer) - before)
    for model, path in reordering.items():
        importer.begin_reordering(model, str(path))
        with progress.task(f"reading {model} reordering", unit="bytes") as task:
            for lines in _whole_lines(path):
                importer.add_reordering(lines)
                task.advance(len(lines))
    order = ("tm.fwd", "tm.bwd", "lex.fwd", "lex.bwd")
    sort_weights = [weights.get(name, 0.0) if weights else 0.2 for name in order]
    with (
        written_whole(table) as a,
        written_whole(source_vocabulary) as b,
        written_whole(target_vocabulary) as c,
    ):
        importer.finish(str(a), str(b), str(c), sort_weights)
    return len(importer), importer.without_reordering


def _whole_lines(path: str | Path) -> Iterator[bytes]:
    """The file in pieces that end at line ends; .gz is unpacked."""
    name = Path(path)
    line = 1
    try:
        with gzip.open(name) if name.suffix == ".gz" else name.open("rb") as opened:
            file = cast(BinaryIO, opened)
            rest = b""
            while piece := file.read(CHUNK):
                head, end, tail = (rest + piece).rpartition(b"\n")
                if not end:
                    rest = tail
                    continue
                rest = tail
                yield _checked(head + end, path, line)
                line += head.count(b"\n") + 1
            if rest:
                yield _checked(rest, path, line)
    except (OSError, EOFError) as problem:
        if isinstance(problem, gzip.BadGzipFile | EOFError):
            raise InputError.at(path, None, f"not a whole gzip file: {problem}") from problem
        raise FileError.of(problem, path) from problem


def _checked(lines: bytes, path: str | Path, first: int) -> bytes:
    try:
        lines.decode("utf-8")
    except UnicodeDecodeError as problem:
        number = first + lines.count(b"\n", 0, problem.start)
        raise InputError.at(path, number, f"not UTF-8: {problem.reason}") from problem
    return lines


def export_tables(
    table: PhraseTable,
    directory: Path,
    *,
    weights: Mapping[str, float] | None = None,
    language_model: str | Path | None = None,
    progress: Progress = SILENT,
) -> list[Path]:
    """Write phrase-table.gz, a reordering table per model and moses.ini; returns their paths.

    Lines of one source phrase stand together, best first; sort them (LC_ALL=C) for tools that
    want them in byte order.
    """
    if table.file.hierarchical:
        raise InputError("the model is hierarchical; only phrase tables are exported to Moses")
    directory.mkdir(parents=True, exist_ok=True)
    total = table.file.first_words
    written: Counter[str] = Counter()

    def write(name: str, lines_of: Callable[[int, int], bytes]) -> Path:
        path = directory / name
        with (
            written_whole(path) as temporary,
            temporary.open("wb") as raw,
            # Without a time stamp: the same table gives the same bytes.
            gzip.GzipFile("", "wb", compresslevel=6, fileobj=raw, mtime=0) as file,
            progress.task(f"writing {name}", total=total, unit="first words") as task,
        ):
            for first in range(0, total, FIRST_WORDS_PER_STEP):
                last = min(total, first + FIRST_WORDS_PER_STEP)
                lines = lines_of(first, last)
                written[name] += lines.count(b"\n")
                file.write(lines)
                task.advance(last - first)
        return path

    vocabularies = table.source_vocabulary, table.target_vocabulary
    paths = [
        write(
            "phrase-table.gz",
            lambda first, last: moses_phrases(table.file, *vocabularies, first, last),
        )
    ]

    left_out = len(table.file) - written["phrase-table.gz"]
    if left_out:
        progress.message(
            f"note: {left_out:,} phrase pairs left out: Moses' tables cannot hold words with |||"
        )

    def reordering_lines(number: int) -> Callable[[int, int], bytes]:
        return lambda first, last: moses_reordering(table.file, *vocabularies, number, first, last)

    for number, model in enumerate(table.file.reorderings):
        name = f"reordering-table.{REORDERING_TYPES[model]}.gz"
        paths.append(write(name, reordering_lines(number)))
    ini = directory / "moses.ini"
    with written_whole(ini) as temporary:
        temporary.write_text(
            ini_text(table.file.reorderings, weights or {}, language_model), "utf-8"
        )
    return [*paths, ini]


def is_left_out(feature: str) -> bool:
    """Whether Moses has nothing like a feature, so that what is exported is without it."""
    return feature == "bilm" or feature.startswith(("lm.", "unknown.", "context."))


def handed_over(weights: Mapping[str, float]) -> dict[str, float]:
    """The weights, those of models that stay behind given to the one that says nearly the same:
    without, the number of words would weigh too much beside what is left."""
    kept = {name: value for name, value in weights.items() if not is_left_out(name)}
    for name, value in weights.items():
        heir = "lm" if name == "bilm" or name.startswith("lm.") else "tm.fwd"
        if heir in kept and (heir == "lm" or name == "context.words"):
            kept[heir] += value
    return kept


def ini_text(
    reorderings: list[str],
    weights: Mapping[str, float],
    language_model: str | Path | None = None,
) -> str:
    """A moses.ini for exported tables; weights that are not given are Moses' defaults."""

    def numbers(names: list[str], default: float, factor: float = 1.0) -> str:
        values = [weights[n] / factor if n in weights else default for n in names]
        return " ".join(f"{value:.10g}" for value in values)

    features = ["UnknownWordPenalty", "WordPenalty", "PhrasePenalty", "Distortion"]
    lines = [
        f"UnknownWordPenalty0= {numbers(['unknown'], 1, UNKNOWN_PENALTY)}",
        f"WordPenalty0= {numbers(['words'], -1, -1)}",
        f"PhrasePenalty0= {numbers(['phrases'], 0.2)}",
        f"Distortion0= {numbers(['distortion'], 0.3)}",
        f"TranslationModel0= {numbers(list(TM_FEATURES), 0.2)}",
    ]
    features.append(
        "PhraseDictionaryMemory name=TranslationModel0 num-features=4 path=phrase-table.gz "
        "input-factor=0 output-factor=0"
    )
    for number, model in enumerate(reorderings):
        kind = REORDERING_TYPES[model]
        features.append(
            f"LexicalReordering name=LexicalReordering{number} num-features=6 "
            f"type={kind}-allff input-factor=0 output-factor=0 path=reordering-table.{kind}.gz"
        )
        lines.append(f"LexicalReordering{number}= {numbers(reordering_features(model), 0.3)}")
    if language_model is not None:
        features.append(f"KENLM name=LM0 factor=0 path={language_model}")
        lines.append(f"LM0= {numbers(['lm'], 0.5)}")
    parts = [
        "[input-factors]\n0\n",
        "[mapping]\n0 T 0\n",
        "[distortion-limit]\n6\n",
        "[feature]\n" + "\n".join(features) + "\n",
        "[weight]\n" + "\n".join(lines) + "\n",
    ]
    return "\n".join(parts)
