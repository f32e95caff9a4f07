"""Chart decoders on the same rules, language model and weights: speed beside score and BLEU.

    python bench/chart.py MODEL SOURCE REFERENCE [--threads 1] [--sentences N] [--pops 200 ...]

MODEL is a hierarchical model; the rules that can apply to SOURCE and the language model are
exported to Moses' formats. `moses_chart` is taken from PATH or from the directory MOSES_BIN; when
it is missing that is said. Both are given the same pop limit and span limit. Moses counts its
glue rules differently, so that its scores differ by a constant, which is taken off. Loading is
measured apart, as the time for an empty input, and taken off. CPU: words per second of processor
time.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import resource
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path

from decode_score import bleu
from dragoman.layout import LANGUAGE_MODEL
from dragoman.lm.arpa import write_arpa
from dragoman.lm.query import LanguageModel
from dragoman.model.bundle import Bundle
from dragoman.model.directory import ModelDirectory
from dragoman.search.chart import ChartSearch
from dragoman.search.options import ChartOptions
from programs import Cost, find_moses, in_own_process, run

TTABLE_LIMIT = 20
GAPS = (1, 2)  # ids


@dataclass(frozen=True)
class Row:
    """One decoder with one setting."""

    decoder: str
    pops: int
    threads: int
    words_per_second: float
    cpu_words_per_second: float
    model_score: float
    bleu: float
    load_seconds: float
    peak_mb: float


def own_row(
    model: Path,
    source: list[str],
    references: list[str],
    pops: int,
    span_limit: int,
    threads: int,
) -> Row:
    """Ours, in a process of its own, so that peak memory is that of one setting."""
    job = [str(model), source, references, pops, span_limit, threads]
    return Row(**in_own_process(__file__, job))


def child(path: str) -> None:
    """Measure one of our settings."""
    model, source, references, pops, span_limit, threads = json.loads(Path(path).read_text())
    begun = time.perf_counter()
    bundle = Bundle.open(model)
    options = ChartOptions(ttable_limit=TTABLE_LIMIT, pop_limit=pops, span_limit=span_limit)
    decoder = ChartSearch(bundle, options, threads=threads)
    loaded = time.perf_counter() - begun
    begun, cpu = time.perf_counter(), time.process_time()
    results = list(decoder.decode(source, features=False))
    seconds, cpu = time.perf_counter() - begun, time.process_time() - cpu
    words = sum(len(line.split()) for line in source)
    row = Row(
        "dragoman",
        pops,
        threads,
        words / seconds,
        words / cpu,
        sum(result.best.score for result in results) / len(source),
        bleu([result.best.target for result in results], references),
        loaded,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    )
    print(json.dumps(asdict(row)))


def export(model: Path, source: list[str], place: Path) -> int:
    """The rules whose words all stand in one of the sentences, and the language model."""
    table = ModelDirectory.open(model).phrase_table()
    file = table.file
    occurs: dict[str, set[int]] = defaultdict(set)
    for number, line in enumerate(source):
        for word in line.split():
            occurs[word].add(number)
    order = [file.features.index(name) for name in ("tm.bwd", "lex.bwd", "tm.fwd", "lex.fwd")]

    def spell(vocabulary: object, ids: list[int]) -> str:
        words = ["[X][X]" if i in GAPS else vocabulary.word(i) for i in ids]  # type: ignore[attr-defined]
        return " ".join(words)

    rules = 0
    with gzip.open(place / "rule-table.gz", "wt", encoding="utf-8", compresslevel=1) as out:
        for first in range(0, file.first_words, 1000):
            sources = file.sources(first, min(first + 1000, file.first_words))
            sides, offsets = sources.ids.tolist(), sources.offsets.tolist()
            for number, (begin, end) in enumerate(sources.rows.tolist()):
                side = sides[offsets[number] : offsets[number + 1]]
                places: set[int] | None = None
                for i in side:
                    if i in GAPS:
                        continue
                    here = occurs.get(table.source_vocabulary.word(i), set())
                    places = here if places is None else places & here
                if not places:
                    continue
                left = spell(table.source_vocabulary, side)
                scores = file.scores(begin, end)[:, order]
                for row in range(begin, end):
                    target = file.target(row).tolist()
                    links = " ".join(
                        f"{side.index(gap)}-{target.index(gap)}" for gap in GAPS if gap in side
                    )
                    values = " ".join(f"{2.718281828459045**v:.9g}" for v in scores[row - begin])
                    right = spell(table.target_vocabulary, target)
                    out.write(f"{left} [X] ||| {right} [X] ||| {values} ||| {links} ||| 1 1 1\n")
                    rules += 1
    (place / "glue").write_text(
        "<s> [X] ||| <s> [S] ||| 1 ||| ||| 0\n"
        "[X][S] </s> [X] ||| [X][S] </s> [S] ||| 1 ||| 0-0 ||| 0\n"
        "[X][S] [X][X] [X] ||| [X][S] [X][X] [S] ||| 2.718281828 ||| 0-0 1-1 ||| 0\n"
    )
    write_arpa(LanguageModel.open(model / LANGUAGE_MODEL), place / "lm.arpa")
    return rules


def moses_ini(weights: dict[str, float], span_limit: int) -> str:
    """The same weights in Moses' names and signs; its phrase penalty counts glue rules too."""
    columns = " ".join(repr(weights[n]) for n in ("tm.bwd", "lex.bwd", "tm.fwd", "lex.fwd"))
    table = f"input-factor=0 output-factor=0 table-limit={TTABLE_LIMIT}"
    return f"""[input-factors]
0
[mapping]
0 T 0
1 T 1
[non-terminals]
X
[search-algorithm]
3
[inputtype]
3
[max-chart-span]
{span_limit}
1000
[feature]
UnknownWordPenalty
WordPenalty
PhrasePenalty
PhraseDictionaryMemory name=TranslationModel0 num-features=4 path=rule-table.gz {table}
PhraseDictionaryMemory name=TranslationModel1 num-features=1 path=glue {table}
KENLM name=LM0 factor=0 path=lm.arpa order=5
[weight]
UnknownWordPenalty0= {weights["unknown"] / -100}
WordPenalty0= {-weights["words"]}
PhrasePenalty0= {weights["rules"]}
TranslationModel0= {columns}
TranslationModel1= {weights["glue"] - weights["rules"]}
LM0= {weights["lm"]}
"""


def moses_row(
    program: str,
    weights: dict[str, float],
    place: Path,
    source: list[str],
    references: list[str],
    pops: int,
    span_limit: int,
    threads: int,
) -> Row:
    (place / "moses.ini").write_text(moses_ini(weights, span_limit))
    (place / "source").write_text("\n".join(source) + "\n")
    (place / "empty").write_text("")
    words = sum(len(line.split()) for line in source)
    command = [program, "-f", "moses.ini", "-threads", str(threads), "-v", "0"]
    command += ["-cube-pruning-pop-limit", str(pops), "-n-best-list", "nbest", "1"]

    def timed(text: str) -> Cost:
        return run(command, stdin=place / text, stdout=[place / "output"], cwd=place)

    load, whole = timed("empty"), timed("source")
    scores = [float(line.split(" ||| ")[3]) for line in (place / "nbest").read_text().splitlines()]
    outputs = [
        re.sub(r"\s+", " ", line).strip() for line in (place / "output").read_text().splitlines()
    ]
    # One glue rule more, the rules for <s> and </s>, and these two as words.
    offset = weights["glue"] + 2 * weights["rules"] + 2 * weights["words"]
    return Row(
        "moses_chart",
        pops,
        threads,
        words / max(1e-9, whole.wall - load.wall),
        words / max(1e-9, whole.cpu - load.cpu),
        sum(scores) / len(source) - offset,
        bleu(outputs, references),
        load.wall,
        whole.peak / 2**20,
    )


def print_row(row: Row) -> None:
    print(
        f"{row.decoder:11} {row.pops:6d} {row.threads:3d} {row.words_per_second:9,.0f} "
        f"{row.cpu_words_per_second:9,.0f} {row.model_score:10.4f} {row.bleu:6.2f} "
        f"{row.load_seconds:6.2f} {row.peak_mb:7.0f}",
        flush=True,
    )


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2])
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("source", type=Path)
    parser.add_argument("reference", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--sentences", type=int, default=None)
    parser.add_argument("--pops", type=int, nargs="+", default=[30, 100, 200, 500])
    parser.add_argument("--span-limit", type=int, default=ChartOptions().span_limit)
    options = parser.parse_args()
    source = options.source.read_text("utf-8").splitlines()[: options.sentences]
    references = options.reference.read_text("utf-8").splitlines()[: options.sentences]
    bundle = Bundle.open(options.model)
    if not bundle.hierarchical:
        parser.error("the model is not hierarchical")
    weights = bundle.named_weights()
    settings = (options.span_limit, options.threads)
    print("decoder       pops thr   words/s   w/cpu-s      score   BLEU   load  RSS MB")
    own = []
    for pops in options.pops:
        own.append(own_row(options.model, source, references, pops, *settings))
        print_row(own[-1])
    program = find_moses("moses_chart")
    if program is None:
        print("moses_chart was not found on PATH or in MOSES_BIN and is left out")
        return
    with tempfile.TemporaryDirectory() as name:
        rules = export(options.model, source, Path(name))
        print(f"{rules:,} rules given to moses_chart")
        for pops in options.pops:
            peer = moses_row(program, weights, Path(name), source, references, pops, *settings)
            print_row(peer)
            good = [row for row in own if row.model_score >= peer.model_score]
            if good:
                best = max(good, key=lambda row: row.cpu_words_per_second)
                ratio = best.cpu_words_per_second / peer.cpu_words_per_second
                print(f"  {best.pops} pops of ours score as high, {ratio:.1f} times as fast")
            else:
                print("  none of ours scores as high")


if __name__ == "__main__":
    main()
