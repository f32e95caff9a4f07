"""Phrase extraction, scoring, reordering and binary table: how fast, how large, against Moses.

    python bench/tables.py [--corpus multi30k] [--from de] [--to en] [--links FILE] [--repeat N]

The text comes from DRAGOMAN_DATA (or ../shared/data beside the checkout). Without --links, the
links are made by fast_align and atools (grow-diag-final-and), which must then be on PATH. Moses'
`extract`, `score`, `consolidate`, `extract-lex` and `lexical-reordering-score` are run when they
are on PATH, as train-model.perl runs them: sorting and both halves two at a time.

With --repeat N the corpus is N copies of itself, in each of which all but the most frequent
words get other names, so that phrase pairs keep growing; Moses is then left out.
"""

from __future__ import annotations

import argparse
import gzip
import os
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

from programs import Cost, run

DATA = Path(
    os.environ.get("DRAGOMAN_DATA", Path(__file__).resolve().parents[1].parent / "shared" / "data")
)
FREQUENT = 200


def shell(*commands: str, cwd: Path) -> Cost:
    """Run shell commands at the same time."""
    return run(*(["bash", "-c", f"set -o pipefail; {command}"] for command in commands), cwd=cwd)


def make_links(place: Path) -> Cost:
    """Links by fast_align in both directions, symmetrised."""
    if not (shutil.which("fast_align") and shutil.which("atools")):
        sys.exit("no links: give --links, or put fast_align and atools on PATH")
    with (place / "s").open() as source, (place / "t").open() as target:
        lines = [f"{s.strip()} ||| {t.strip()}\n" for s, t in zip(source, target, strict=True)]
    (place / "both").write_text("".join(lines))
    took = shell(
        "fast_align -d -o -v -i both > fwd",
        "fast_align -d -o -v -r -i both > rev",
        cwd=place,
    )
    return took.then(shell("atools -i fwd -j rev -c grow-diag-final-and > links", cwd=place))


def repeat(place: Path, times: int) -> None:
    """The corpus N times, with other rare words each time."""
    for name in ("s", "t"):
        lines = [line.split() for line in (place / name).open()]
        common = Counter(word for line in lines for word in line).most_common(FREQUENT)
        keep = {word for word, _ in common}
        with (place / name).open("w") as file:
            for copy in range(times):
                for line in lines:
                    words = (w if w in keep else f"{w}.{copy}" for w in line)
                    file.write(" ".join(words) + "\n")
    links = (place / "links").read_text()
    with (place / "links").open("w") as file:
        for _ in range(times):
            file.write(links)


def run_ours(place: Path, reordering: str, memory: str, threads: int) -> Cost:
    """The command a user gives, interpreter start and all; the corpus is prepared already."""
    shutil.rmtree(place / "model" / "rules", ignore_errors=True)
    return shell(
        f"{sys.executable} -m dragoman rules extract model --links links --quiet "
        f"--reordering {reordering} --lexical-weights links --smoothing none --bilingual 0 "
        f"--memory {memory} -j {threads}",
        cwd=place,
    )


def run_moses(place: Path) -> dict[str, Cost]:
    """train-model.perl's steps 4 to 7 by hand; the step that is not on PATH is left out."""
    sort = "zcat extract{0}.gz | LC_ALL=C sort -S 1G | gzip -c > extract{0}.sorted.gz"
    steps = {
        "lexical table": shell("extract-lex t s links lex.f2e lex.e2f", cwd=place),
        "extract": shell(
            "extract t s links extract 7 orientation --model wbe-msd --GZOutput", cwd=place
        ),
        "sort": shell(sort.format(""), sort.format(".inv"), cwd=place),
        "score": shell(
            "score extract.sorted.gz lex.f2e half.f2e.gz",
            "score extract.inv.sorted.gz lex.e2f /dev/stdout --Inverse "
            "| LC_ALL=C sort -S 1G | gzip -c > half.e2f.gz",
            cwd=place,
        ),
        "consolidate": shell(
            "consolidate half.f2e.gz half.e2f.gz /dev/stdout | gzip -c > phrase-table.gz",
            cwd=place,
        ),
        "sort orientations": shell(sort.format(".o"), cwd=place),
    }
    if shutil.which("lexical-reordering-score"):
        steps["reordering"] = shell(
            "lexical-reordering-score extract.o.sorted.gz 0.5 reordering-table. "
            '--model "wbe msd wbe-msd-bidirectional-fe"',
            cwd=place,
        )
    return steps


def read_moses(path: Path) -> dict[tuple[str, str], list[float]]:
    """Phrase pairs and their four scores."""
    table = {}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            source, target, scores, *_ = (part.strip() for part in line.split(" ||| "))
            table[source, target] = [float(score) for score in scores.split()[:4]]
    return table


def compare(place: Path) -> None:
    """Our table and Moses': the same phrase pairs, the same relative frequencies?"""
    shell(f"{sys.executable} -m dragoman export moses model -o ours --quiet", cwd=place)
    ours = read_moses(place / "ours" / "phrase-table.gz")
    theirs = read_moses(place / "phrase-table.gz")
    both = ours.keys() & theirs.keys()
    print(f"phrase pairs: ours {len(ours):,}, Moses {len(theirs):,}, in both {len(both):,}")
    for name, rest in (("ours", ours.keys() - both), ("Moses'", theirs.keys() - both)):
        for source, target in sorted(rest)[:5]:
            print(f"  only {name}: {source} ||| {target}")
    for column, name in enumerate(("p(s|t)", "lex(s|t)", "p(t|s)", "lex(t|s)")):
        gaps = [abs(ours[pair][column] - theirs[pair][column]) for pair in both]
        off = sum(gap > 1e-5 for gap in gaps)
        print(f"  {name:9} largest difference {max(gaps):.2g}, above 1e-5 in {off:,}")
    print("  (lexical weights differ by definition; see docs/reference/phrase-tables.md)")


def show(name: str, took: Cost, pairs: int) -> None:
    print(
        f"{name:34}{took.wall:>9.2f} s{took.cpu:>9.2f} CPU s{pairs / took.wall:>12,.0f} pairs/s"
        f"{took.peak / 1e6:>9,.0f} MB"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", default="multi30k")
    parser.add_argument("--from", dest="source", default="de")
    parser.add_argument("--to", dest="target", default="en")
    parser.add_argument("--links", type=Path)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--memory", default="2G")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    files = [DATA / options.corpus / f"train.{side}" for side in (options.source, options.target)]
    if not all(file.exists() for file in files):
        print(f"no {files[0]}: nothing to measure (set DRAGOMAN_DATA)")
        return
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as name:
        place = Path(name)
        shutil.copy(files[0], place / "s")
        shutil.copy(files[1], place / "t")
        if options.links:
            shutil.copy(options.links, place / "links")
        else:
            make_links(place)
        if options.repeat > 1:
            repeat(place, options.repeat)
        prepare = (
            "corpus prepare -s s -t t -o model --quiet --tokeniser whitespace --keep-duplicates "
            "--keep-copies --dev-size 0 --test-size 0 --max-words 1000 --max-ratio 1000"
        )
        shell(f"{sys.executable} -m dragoman {prepare}", cwd=place)
        with (place / "s").open("rb") as file:
            pairs = sum(1 for _ in file)
        print(f"{options.corpus} {options.source}-{options.target}: {pairs:,} pairs, ", end="")
        print(f"{options.threads} threads, memory {options.memory}, best of {options.runs}")
        models = ["word", "word,phrase,hierarchical"] if options.repeat == 1 else ["hierarchical"]
        for reordering in models:
            best = min(
                (
                    run_ours(place, reordering, options.memory, options.threads)
                    for _ in range(options.runs)
                ),
                key=lambda took: took.wall,
            )
            show(f"dragoman {reordering}", best, pairs)
            size = (place / "model" / "rules" / "phrases.table").stat().st_size
            print(f"{'  its table':34}{size / 1e6:>9.1f} MB")
        needed = ("extract", "score", "consolidate", "extract-lex")
        missing = [program for program in needed if not shutil.which(program)]
        if options.repeat > 1:
            return
        if missing:
            print(f"Moses: not on PATH: {', '.join(missing)}")
            return
        # Both within one stretch of time, because the machine may have other work.
        ours = run_ours(place, "word", options.memory, options.threads)
        steps = run_moses(place)
        ours = ours.then(run_ours(place, "word", options.memory, options.threads))
        ours = Cost(ours.wall / 2, ours.cpu / 2, ours.peak)
        total = Cost()
        for step, took in steps.items():
            show(f"  Moses {step}", took, pairs)
            total = total.then(took)
        if "reordering" not in steps:
            print("  Moses reordering: lexical-reordering-score is not on PATH, left out")
        show("Moses", total, pairs)
        show("dragoman word, before and after", ours, pairs)
        print(f"ratio: {total.wall / ours.wall:.1f} (CPU seconds: {total.cpu / ours.cpu:.1f})")
        compare(place)


if __name__ == "__main__":
    main()
