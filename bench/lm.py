"""Language models against KenLM: estimation, queries, size, in one run.

    python bench/lm.py [--text FILE] [--other FILE] [--order 5] [--repeat 3] [--memory]

Text and other text default to the English sides of tatoeba and multi30k in $DRAGOMAN_DATA (or
../shared/data). Peers are taken from PATH (lmplz, build_binary, query) and from the installed
`kenlm` package; what is missing is left out. Times are the best of several runs; CPU seconds
(user + system) mean more than wall seconds on a machine that does other work.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from dragoman.lm import LanguageModel
from programs import Cost, run

DRAGOMAN = [sys.executable, "-m", "dragoman", "lm"]


def call(work: Callable[[], object]) -> Cost:
    """Call a function."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Cost(time.perf_counter() - wall, time.process_time() - cpu)


def alternate(contestants: dict[str, Callable[[], Cost]], repeat: int) -> dict[str, Cost]:
    """The best of `repeat` runs of each, taken in turns so that all meet the same weather."""
    best: dict[str, Cost] = {}
    for _ in range(repeat):
        for name, contestant in contestants.items():
            cost = contestant()
            best[name] = best[name].best(cost) if name in best else cost
    return best


def table(title: str, tokens: int, costs: dict[str, Cost], reference: str) -> None:
    print(f"\n{title}")
    print(f"{'':34}{'wall s':>9}{'cpu s':>9}{'tokens/cpu s':>14}{'peak MB':>9}{'cpu ratio':>11}")
    for name, cost in costs.items():
        ratio = f"{costs[reference].cpu / cost.cpu:.2f}" if reference in costs else "-"
        peak = f"{cost.peak / 1e6:,.0f}" if cost.peak else "-"
        print(
            f"{name:34}{cost.wall:>9.2f}{cost.cpu:>9.2f}{tokens / cost.cpu:>14,.0f}{peak:>9}"
            f"{ratio:>11}"
        )


def estimation(options: argparse.Namespace, place: Path, tokens: int) -> None:
    threads = os.cpu_count() or 1
    ours = [*DRAGOMAN, "estimate", options.text, "--order", options.order, "--quiet", "-o"]
    contestants: dict[str, Callable[[], Cost]] = {}
    if shutil.which("lmplz"):
        contestants["lmplz (text to ARPA)"] = lambda: run(
            ["lmplz", "-o", options.order, "-S", "2G", "-T", place],
            stdin=options.text,
            stdout=[place / "lmplz.arpa"],
        )
    contestants["dragoman -j 1 (text to model)"] = lambda: run([*ours, place / "lm", "-j", 1])
    contestants[f"dragoman -j {threads}"] = lambda: run([*ours, place / "lm", "-j", threads])
    contestants[f"dragoman -j {threads} --arpa"] = lambda: run(
        [*ours, place / "lm", "-j", threads, "--arpa", place / "lm.arpa"]
    )
    if options.memory:
        contestants[f"dragoman -j {threads} --memory 20M"] = lambda: run(
            [*ours, place / "lm", "-j", threads, "--memory", "20M", "--temporary", place]
        )
    costs = alternate(contestants, options.repeat)
    table(
        f"estimation: order {options.order}, {tokens:,} words",
        tokens,
        costs,
        "lmplz (text to ARPA)",
    )


def sizes(options: argparse.Namespace, place: Path) -> None:
    ngrams = sum(LanguageModel.open(place / "lm").counts)
    print(f"\nsize: {ngrams:,} n-grams")
    rows = {"dragoman": place / "lm", "ARPA": place / "lm.arpa"}
    if shutil.which("build_binary"):
        for kind in ("probing", "trie"):
            rows[f"KenLM {kind}"] = place / kind
            run(["build_binary", "-T", place / "t", kind, place / "lm.arpa", place / kind])
    for name, path in rows.items():
        size = path.stat().st_size
        print(f"{name:34}{size / 1e6:>9.1f} MB{size / ngrams:>9.1f} bytes per n-gram")
    cost = call(lambda: LanguageModel.open(place / "lm"))
    print(f"{'dragoman, to open':34}{cost.wall * 1000:>9.2f} ms")


def queries(title: str, text: Path, options: argparse.Namespace, place: Path) -> None:
    lines = text.read_text("utf-8").split("\n")[:-1]
    model = LanguageModel.open(place / "lm")
    ids, offsets = model.native.encode(lines)
    tokens = len(ids) + len(lines)
    contestants: dict[str, Callable[[], Cost]] = {}
    reference = "kenlm package, full_scores loop"
    try:
        import kenlm
    except ImportError:
        print("\n(the kenlm package is not installed)")
    else:
        binary = place / "probing"
        theirs = kenlm.Model(str(binary if binary.exists() else place / "lm.arpa"))

        def loop() -> None:
            for line in lines:
                for _ in theirs.full_scores(line):
                    pass

        contestants[reference] = lambda: call(loop)
        contestants["kenlm package, score loop"] = lambda: call(
            lambda: [theirs.score(line) for line in lines]
        )
    contestants["dragoman score(lines)"] = lambda: call(lambda: model.score(lines))
    contestants["dragoman score(ids)"] = lambda: call(lambda: model.native.score(ids, offsets))
    costs = alternate(contestants, options.repeat)
    result = model.perplexity(lines)
    heading = f"queries: {title}, {tokens:,} tokens, one thread"
    table(heading, tokens, costs, reference)
    print(
        f"perplexity {result.including_unknown:.2f} including unknown words, "
        f"{result.excluding_unknown:.2f} without; {result.unknown:,} unknown"
    )
    if (place / "probing").exists() and shutil.which("query"):
        command = [*DRAGOMAN, "score", "--summary", "-j", 1, place / "lm"]
        programs = alternate(
            {
                "query (probing), whole program": lambda: run(
                    ["query", "-v", "summary", place / "probing"], stdin=text
                ),
                "dragoman lm score, whole program": lambda: run(command, stdin=text),
            },
            options.repeat,
        )
        table("whole programs, start-up included", tokens, programs, next(iter(programs)))


def main() -> None:
    root = Path(__file__).resolve().parents[1]
    data = Path(os.environ.get("DRAGOMAN_DATA", root.parent / "shared" / "data"))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--text", type=Path, default=data / "tatoeba" / "train.en")
    parser.add_argument("--other", type=Path, default=data / "multi30k" / "train.en")
    parser.add_argument("--order", type=int, default=5)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--memory", action="store_true", help="also measure spilling")
    options = parser.parse_args()
    for path in (options.text, options.other):
        if not path.exists():
            print(f"{path}: not found; set DRAGOMAN_DATA or give --text and --other")
            return
    tokens = len(options.text.read_text("utf-8").split())
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        estimation(options, place, tokens)
        sizes(options, place)
        queries("the text itself", options.text, options, place)
        queries("other text", options.other, options, place)


if __name__ == "__main__":
    main()
