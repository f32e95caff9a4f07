"""Decoders on the same tables, language model and weights: speed beside model score and BLEU.

    python bench/decode.py MODEL SOURCE REFERENCE [--threads 1 2] [--sentences N] [--picture FILE]

MODEL must have no reordering model, so that all decoders score alike; its table and language
model are exported to Moses' formats. `moses`, `moses2` and `CreateProbingPT2` are taken from PATH
or from the directory MOSES_BIN; what is missing is left out and said so. Scores are in Moses'
terms: without the jump to the end of the sentence, which Moses does not count. Loading is
measured apart, as the time for an empty input, and taken off.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import sacrebleu

from dragoman import _core
from dragoman.corpus.prepare import SOURCE_VOCABULARY, TARGET_VOCABULARY
from dragoman.lm.arpa import write_arpa
from dragoman.lm.query import LanguageModel
from dragoman.model.bundle import LANGUAGE_MODEL, PHRASES, Bundle
from dragoman.search.options import SearchOptions
from dragoman.search.phrase import PhraseSearch

INFINITE = float("inf")
DISTORTION_LIMIT = 6
TTABLE_LIMIT = 20
# Settings of ours: search, t-table threshold, beam threshold, beam limit.
OWN = [
    *(("early", threshold, INFINITE, 100) for threshold in (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5)),
    *(("estimate", INFINITE, INFINITE, beam) for beam in (20, 100)),
    *(("pharaoh", INFINITE, INFINITE, beam) for beam in (20, 100)),
    *(("cube", INFINITE, INFINITE, pops) for pops in (30, 100, 400)),
]
MOSES = [("stack", 100), ("cube", 100), ("cube", 500), ("cube", 1000)]
MOSES2 = [("cube", 30), ("cube", 100), ("cube", 400), ("cube", 500), ("cube", 1000)]


@dataclass(frozen=True)
class Row:
    """One decoder with one setting."""

    decoder: str
    setting: str
    threads: int
    words_per_second: float
    cpu_words_per_second: float
    model_score: float
    bleu: float
    load_seconds: float
    peak_mb: float
    hypotheses_per_second: float = 0.0


def find(name: str) -> str | None:
    """A peer's program."""
    return shutil.which(name, path=os.environ.get("MOSES_BIN")) or shutil.which(name)


def bleu(outputs: list[str], references: list[str]) -> float:
    return sacrebleu.corpus_bleu(outputs, [references], tokenize="none", force=True).score


def own_rows(model: Path, source: list[str], references: list[str], threads: int) -> list[Row]:
    """Ours, in a process of its own each, so that peak memory is that of one setting."""
    rows = []
    for setting in OWN:
        with tempfile.NamedTemporaryFile("w+", suffix=".json") as job:
            json.dump([str(model), setting, source, references, threads], job)
            job.flush()
            done = subprocess.run(
                [sys.executable, __file__, "--child", job.name],
                check=True,
                capture_output=True,
                text=True,
            )
        rows.append(Row(**json.loads(done.stdout)))
        print_row(rows[-1])
    return rows


def child(path: str) -> None:
    """Measure one of our settings."""
    model, setting, source, references, threads = json.loads(Path(path).read_text())
    search, ttable_threshold, beam_threshold, beam_limit = setting
    begun = time.perf_counter()
    bundle = Bundle.open(model)
    options = SearchOptions(
        search=search,
        ttable_threshold=ttable_threshold,
        beam_threshold=beam_threshold,
        ttable_limit=TTABLE_LIMIT,
        beam_limit=beam_limit,
        distortion_limit=DISTORTION_LIMIT,
    )
    decoder = PhraseSearch(bundle, options, threads=threads)
    loaded = time.perf_counter() - begun
    begun, cpu = time.perf_counter(), time.process_time()
    results = list(decoder.decode(source, features=False))
    seconds, cpu = time.perf_counter() - begun, time.process_time() - cpu
    words = sum(len(line.split()) for line in source)
    jump = bundle.weights[bundle.features.index("distortion")]
    score = 0.0
    for line, result in zip(source, results, strict=True):
        end = result.best.steps[-1].source[1] if result.best.steps else 0
        score += result.best.score + jump * abs(len(line.split()) - end)
    row = Row(
        "dragoman",
        f"{search} {ttable_threshold:g} {beam_threshold:g} {TTABLE_LIMIT} {beam_limit}",
        threads,
        words / seconds,
        words / cpu,
        score / len(source),
        bleu([result.best.target for result in results], references),
        loaded,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        sum(result.stats.evaluated for result in results) / seconds,
    )
    print(json.dumps(asdict(row)))


def export(model: Path, place: Path) -> None:
    """Our table and language model in Moses' formats."""
    table = _core.PhraseTableFile(str(model / PHRASES), False)
    words = [_core.Vocabulary.open(str(model / n)) for n in (SOURCE_VOCABULARY, TARGET_VOCABULARY)]
    with (place / "phrase-table").open("wb") as file:
        for first in range(0, table.first_words, 1000):
            file.write(_core.moses_phrases(table, *words, first, first + 1000))
    subprocess.run(
        "LC_ALL=C sort phrase-table | gzip -1 > phrase-table.gz", shell=True, cwd=place, check=True
    )
    write_arpa(LanguageModel.open(model / LANGUAGE_MODEL), place / "lm.arpa")


def moses_ini(bundle: Bundle, table: str) -> str:
    """The same weights in Moses' names and signs."""
    weights = dict(zip(bundle.features, bundle.weights.tolist(), strict=True))
    columns = " ".join(repr(weights[n]) for n in ("tm.bwd", "lex.bwd", "tm.fwd", "lex.fwd"))
    return f"""[input-factors]
0
[mapping]
0 T 0
[distortion-limit]
{DISTORTION_LIMIT}
[feature]
UnknownWordPenalty
WordPenalty
PhrasePenalty
{table}
Distortion
KENLM name=LM0 factor=0 path=lm.arpa order=5
[weight]
UnknownWordPenalty0= {weights["unknown"] / -100}
WordPenalty0= {-weights["words"]}
PhrasePenalty0= {weights["phrases"]}
TranslationModel0= {columns}
Distortion0= {weights["distortion"]}
LM0= {weights["lm"]}
"""


def peer_rows(
    name: str,
    program: str,
    ini: str,
    settings: list[tuple[str, int]],
    place: Path,
    source: list[str],
    references: list[str],
    threads: int,
) -> list[Row]:
    """Moses or Moses2."""
    (place / f"{name}.ini").write_text(ini)
    (place / "source").write_text("\n".join(source) + "\n")
    (place / "empty").write_text("")
    words = sum(len(line.split()) for line in source)
    rows = []
    for search, limit in settings:
        pruning = (
            f"-search-algorithm 1 -cube-pruning-pop-limit {limit} -s {max(limit, 100)}"
            if search == "cube"
            else f"-search-algorithm 0 -s {limit}"
        )
        command = (
            f"{program} -f {name}.ini -threads {threads} {pruning} -n-best-list nbest 1 -v 0"
        ).split()

        def timed(text: str, command: list[str] = command) -> tuple[float, float]:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            begun = time.perf_counter()
            with (place / text).open() as lines, (place / "output").open("w") as output:
                subprocess.run(
                    command,
                    stdin=lines,
                    stdout=output,
                    stderr=subprocess.DEVNULL,
                    cwd=place,
                    check=True,
                )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            return time.perf_counter() - begun, cpu

        load, load_cpu = timed("empty")
        seconds, cpu = timed("source")
        scores = [
            float(line.split(" ||| ")[3]) for line in (place / "nbest").read_text().splitlines()
        ]
        outputs = [
            re.sub(r"\s+", " ", line).strip()
            for line in (place / "output").read_text().splitlines()
        ]
        rows.append(
            Row(
                name,
                f"{search} {limit}",
                threads,
                words / max(1e-9, seconds - load),
                words / max(1e-9, cpu - load_cpu),
                sum(scores) / len(source),
                bleu(outputs, references),
                load,
                resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
            )
        )
        print_row(rows[-1])
    return rows


def print_row(row: Row) -> None:
    print(
        f"{row.decoder:9} {row.setting:24} {row.threads:2d} {row.words_per_second:9,.0f} "
        f"{row.cpu_words_per_second:9,.0f} {row.model_score:10.4f} {row.bleu:6.2f} "
        f"{row.load_seconds:6.2f} {row.peak_mb:7.0f} {row.hypotheses_per_second / 1e6:7.2f}",
        flush=True,
    )


def compare(rows: list[Row]) -> None:
    """For each setting of a peer: the fastest of ours that scores at least as high."""
    for peer in rows:
        if peer.decoder == "dragoman":
            continue
        good = [
            row
            for row in rows
            if row.decoder == "dragoman"
            and row.threads == peer.threads
            and row.model_score >= peer.model_score
        ]
        if not good:
            print(f"{peer.decoder} {peer.setting}: none of ours scores as high")
            continue
        best = max(good, key=lambda row: row.cpu_words_per_second)
        ratio = best.cpu_words_per_second / peer.cpu_words_per_second
        print(
            f"{peer.decoder} {peer.setting}, {peer.threads} threads: {best.setting} is "
            f"{ratio:.1f} times as fast (processor time)"
        )


def draw(rows: list[Row], path: Path) -> None:
    """Average model score over words per second, as decoders are compared in the field."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 5), layout="constrained")
    axes = figure.subplots()
    kinds = sorted({(row.decoder, row.setting.split()[0]) for row in rows})
    for kind in kinds:
        chosen = [row for row in rows if (row.decoder, row.setting.split()[0]) == kind]
        chosen.sort(key=lambda row: row.cpu_words_per_second)
        axes.plot(
            [row.cpu_words_per_second for row in chosen],
            [row.model_score for row in chosen],
            "o-",
            label=" ".join(kind),
        )
    axes.set_xscale("log")
    axes.set_xlabel("words per second of processor time")
    axes.set_ylabel("average model score")
    axes.legend()
    figure.savefig(path, dpi=120)


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2])
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("source", type=Path)
    parser.add_argument("reference", type=Path)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--sentences", type=int, default=None)
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()
    source = options.source.read_text("utf-8").splitlines()[: options.sentences]
    references = options.reference.read_text("utf-8").splitlines()[: options.sentences]
    bundle = Bundle.open(options.model)
    if any(name.startswith("reorder.") for name in bundle.features):
        parser.error("the model has a reordering model; take one without")
    print(
        "decoder   setting                thr   words/s  w/cpu-s      score   BLEU   load    "
        "RSS MB  Mhyp/s"
    )
    rows: list[Row] = []
    programs = {name: find(name) for name in ("moses", "moses2", "CreateProbingPT2")}
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        if programs["moses"] or programs["moses2"]:
            export(options.model, place)
        for threads in options.threads:
            rows += own_rows(options.model, source, references, threads)
            if programs["moses"]:
                table = (
                    "PhraseDictionaryMemory name=TranslationModel0 num-features=4 "
                    f"path=phrase-table.gz table-limit={TTABLE_LIMIT}"
                )
                rows += peer_rows(
                    "moses",
                    programs["moses"],
                    moses_ini(bundle, table),
                    MOSES,
                    place,
                    source,
                    references,
                    threads,
                )
            if programs["moses2"] and programs["CreateProbingPT2"]:
                if not (place / "probing").exists():
                    subprocess.run(
                        [
                            programs["CreateProbingPT2"],
                            "--input-pt",
                            "phrase-table.gz",
                            "--output-dir",
                            "probing",
                            "--num-scores",
                            "4",
                            "--log-prob",
                        ],
                        cwd=place,
                        check=True,
                        capture_output=True,
                    )
                table = (
                    "ProbingPT name=TranslationModel0 num-features=4 path=probing "
                    f"input-factor=0 output-factor=0 table-limit={TTABLE_LIMIT}"
                )
                rows += peer_rows(
                    "moses2",
                    programs["moses2"],
                    moses_ini(bundle, table),
                    MOSES2,
                    place,
                    source,
                    references,
                    threads,
                )
    for program, path in programs.items():
        if path is None:
            print(f"{program} was not found on PATH or in MOSES_BIN and is left out")
    compare(rows)
    if options.picture:
        draw(rows, options.picture)


if __name__ == "__main__":
    main()
