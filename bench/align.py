"""Alignment error rate, time and memory of `dragoman align` and of the aligners on PATH.

    python bench/align.py [--threads 2] [--sets kftt hansards] [--examples] [--pairs 1000000]

Data: DRAGOMAN_DATA or ../shared/data beside the checkout; hand-made links of the `gold` folder,
appended to the training text that its README names (`roen` and `zhen` have none and are aligned
alone). The phrasebook of examples/ is aligned whole. Peers, when found: fast_align (both
directions at once, then atools), eflomal-align (default settings, then atools) and MGIZA (mkcls,
Model 1, HMM, Models 3 and 4, then atools).

With --examples, instead: what hand-made links of some pairs are worth for the others.
With --pairs, instead: time and peak memory on that many made-up pairs.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from corpus import write_text
from dragoman.alignment import Links, score
from dragoman.alignment.score import parse_gold
from programs import Cost, run

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("DRAGOMAN_DATA", ROOT.parent / "shared" / "data"))
PHRASEBOOK = ROOT / "examples" / "phrasebook"

# Name: training text without its language suffix (or None), gold, languages, lower-case?
GOLD_SETS: dict[str, tuple[str | None, str, str, bool]] = {
    "kftt": ("kftt/train", "ja", "en", True),
    "hansards": ("libreoffice/train", "en", "fr", False),
    "roen": (None, "ro", "en", False),
    "zhen": (None, "zh", "en", False),
}
PHRASEBOOK_SETS = {"phrasebook-fr": "fr", "phrasebook-ja": "ja"}


def dragoman(
    source: Path, target: Path, out: Path, threads: int, symmetry: str, *more: object
) -> Cost:
    files = ["-s", source, "-t", target, "-o", out]
    settings = ["--threads", threads, "--symmetry", symmetry, "--quiet", *more]
    return run([sys.executable, "-m", "dragoman", "align", *files, *settings])


def combine(forward: Path, backward: Path, out: Path) -> Cost:
    command = ["atools", "-i", str(forward), "-j", str(backward), "-c", "grow-diag-final-and"]
    return run(command, stdout=[out])


def fast_align(source: Path, target: Path, out: Path, threads: int) -> Cost:
    joined = out.with_suffix(".joined")
    with joined.open("w", encoding="utf-8") as file:
        pairs = zip(_lines(source), _lines(target), strict=True)
        file.writelines(f"{left} ||| {right}\n" for left, right in pairs)
    command = ["fast_align", "-d", "-o", "-v", "-i", str(joined)]
    directions = [out.with_suffix(".forward"), out.with_suffix(".backward")]
    environment = {"OMP_NUM_THREADS": str(max(1, threads // 2))}
    both = run(command, [*command, "-r"], stdout=directions, environment=environment)
    return both.then(combine(*directions, out))


def eflomal(source: Path, target: Path, out: Path, threads: int) -> Cost:
    directions = [out.with_suffix(".forward"), out.with_suffix(".backward")]
    command = ["eflomal-align", "--overwrite", "-s", str(source), "-t", str(target)]
    command += ["-f", str(directions[0]), "-r", str(directions[1])]
    trained = run(command, environment={"OMP_NUM_THREADS": str(threads)})
    return trained.then(combine(*directions, out))


def mgiza(source: Path, target: Path, out: Path, threads: int) -> Cost:
    """The usual chain: classes, Model 1, HMM, Models 3 and 4, in each direction."""
    place = out.with_suffix(".work")
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for side, path in (("s", source), ("t", target)):
        (place / side).write_bytes(path.read_bytes())
    total = run(["plain2snt", "s", "t"], cwd=place)
    total = total.then(
        run(
            *[["mkcls", "-c50", "-n2", f"-p{side}", f"-V{side}.vcb.classes"] for side in "st"],
            cwd=place,
        )
    )
    directions = []
    for left, right in (("s", "t"), ("t", "s")):
        text, cooc, name = f"{left}_{right}.snt", f"{left}{right}.cooc", f"{left}{right}"
        total = total.then(run(["snt2cooc", cooc, f"{left}.vcb", f"{right}.vcb", text], cwd=place))
        command = ["mgiza", "-S", f"{left}.vcb", "-T", f"{right}.vcb", "-C", text]
        command += ["-CoocurrenceFile", cooc, "-o", name, "-ncpus", str(threads)]
        command += ["-m1", "5", "-hmm", "5", "-m2", "0", "-m3", "3", "-m4", "3"]
        command += ["-onlyaldumps", "1", "-nsmooth", "4", "-model4smoothfactor", "0.4"]
        total = total.then(run(command, cwd=place))
        directions.append(out.with_suffix(f".{name}"))
        _giza_links(place, name, len(_lines(source)), directions[-1], turned=left == "t")
    return total.then(combine(*directions, out))


def _giza_links(place: Path, name: str, pairs: int, out: Path, turned: bool) -> None:
    """From GIZA's own notation, each word with the places of its partners, to Pharaoh's."""
    found = [""] * pairs
    for part in sorted(place.glob(f"{name}.A3.final.part*")):
        lines = _lines(part)
        for title, _, words in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
            number = int(title.split("(", 1)[1].split(")", 1)[0])
            links = []
            # The first group is that of the null word.
            for at, group in enumerate(words.split("({")[2:]):
                for partner in group.split("})", 1)[0].split():
                    one, other = at, int(partner) - 1
                    links.append(f"{other}-{one}" if turned else f"{one}-{other}")
            found[number - 1] = " ".join(links)
    out.write_text("".join(f"{line}\n" for line in found), "utf-8")


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").split("\n")[:-1]


# Both sides of a set, and the hand-made links of the last of its pairs.
Lines = tuple[list[str], list[str], list[str]]


def read_set(name: str) -> Lines | None:
    """The lines of a set; None when the data are not there."""
    if name in PHRASEBOOK_SETS:
        language = PHRASEBOOK_SETS[name]
        endings = ("en", language, f"en-{language}.links")
        splits = ("dev", "train", "test")
        found = [[x for s in splits for x in _lines(PHRASEBOOK / f"{s}.{e}")] for e in endings]
        return found[0], found[1], found[2]
    training, left, right, lower = GOLD_SETS[name]
    gold = DATA / "gold" / f"{name}.links"
    if not gold.exists():
        return None
    sides = []
    for language in (left, right):
        text = (DATA / f"{training}.{language}").read_text("utf-8") if training else ""
        text = text.lower() if lower else text
        text += (DATA / "gold" / f"{name}.{language}").read_text("utf-8")
        sides.append(text.split("\n")[:-1])
    return sides[0], sides[1], _lines(gold)


def write_lines(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def bench_set(name: str, lines: Lines, threads: int, place: Path) -> None:
    source, target = (write_lines(place / f"{name}.{k}", lines[k]) for k in (0, 1))
    gold = parse_gold(lines[2])
    rows: list[tuple[str, Cost, Path]] = []
    for symmetry in ("grow-diag-final-and", "posterior"):
        out = place / f"dragoman.{symmetry}"
        rows.append(
            (f"dragoman {symmetry}", dragoman(source, target, out, threads, symmetry), out)
        )
    for peer, program, needs in (
        ("fast_align", fast_align, ("fast_align", "atools")),
        ("eflomal", eflomal, ("eflomal-align", "atools")),
        ("mgiza", mgiza, ("mgiza", "mkcls", "snt2cooc", "plain2snt", "atools")),
    ):
        if all(map(shutil.which, needs)):
            out = place / peer
            rows.append(
                (f"{peer} grow-diag-final-and", program(source, target, out, threads), out)
            )
        else:
            print(f"({peer} is not on PATH)")
    ours = rows[0][1]
    print(f"\n{name}: {len(_lines(source)):,} pairs, {len(gold):,} with hand-made links")
    print(f"{'':32}     AER  precision  recall  seconds  CPU s  peak MB  ours is faster by (CPU)")
    for label, usage, out in rows:
        links = Links.read(out)
        result = score(links.slice(len(links) - len(gold), len(links)), gold)
        ratio = (
            ""
            if label.startswith("dragoman")
            else f"{usage.wall / ours.wall:17.2f} ({usage.cpu / ours.cpu:.2f})"
        )
        print(
            f"{label:32}  {result.aer:6.4f}     {result.precision:6.4f}  {result.recall:6.4f}"
            f"  {usage.wall:7.1f}  {usage.cpu:5.1f}  {usage.peak / 1e6:7.0f}"
            f"{ratio}",
            flush=True,
        )


def bench_examples(name: str, lines: Lines, threads: int, place: Path) -> None:
    """What hand-made links of some pairs are worth for the others.

    Examples are the first half of the pairs that have such links, of the phrasebook its dev set;
    all others are scored. Text without links is used in full.
    """
    gold = lines[2]
    count = 500 if name in PHRASEBOOK_SETS else len(gold) // 2
    begin = len(lines[0]) - len(gold)
    source, target = (
        write_lines(
            place / f"{name}.{k}",
            lines[k][begin : begin + count] + lines[k][:begin] + lines[k][begin + count :],
        )
        for k in (0, 1)
    )
    print(f"\n{name}: {len(lines[0]):,} pairs, {len(gold) - count:,} of them scored")
    print("examples     AER  precision  recall")
    for examples in (0, count // 4, count // 2, count):
        known = write_lines(place / f"{name}.examples", gold[:examples])
        out = place / f"{name}.links"
        dragoman(source, target, out, threads, "grow-diag-final-and", "--examples", known)
        links = Links.read(out)
        scored = len(gold) - count
        result = score(links.slice(len(links) - scored, len(links)), parse_gold(gold[count:]))
        print(
            f"{examples:8}  {result.aer:6.4f}     {result.precision:6.4f}  {result.recall:6.4f}",
            flush=True,
        )


def bench_size(pairs: int, words: int, threads: int, place: Path) -> None:
    """Memory and time on made-up text; the links mean nothing."""
    sides = [place / "source", place / "target"]
    for seed, side in enumerate(sides):
        write_text(side, pairs, words, seed)
    usage = dragoman(sides[0], sides[1], place / "links", threads, "grow-diag-final-and")
    print(f"\n{pairs:,} made-up pairs of about {words} words, {threads} threads")
    print(
        f"{usage.wall:.0f} s ({pairs / usage.wall:,.0f} pairs/s), "
        f"CPU {usage.cpu:.0f} s, peak RSS {usage.peak / 1e9:.2f} GB"
    )


def main() -> None:
    every = [*GOLD_SETS, *PHRASEBOOK_SETS]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--sets", nargs="+", choices=every, default=every, metavar="SET")
    parser.add_argument("--pairs", type=int, help="made-up pairs, instead of the sets")
    parser.add_argument("--words", type=int, default=20)
    parser.add_argument(
        "--examples", action="store_true", help="instead: learning from pairs linked by hand"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        if options.pairs is not None:
            bench_size(options.pairs, options.words, options.threads, Path(name))
            return
        bench = bench_examples if options.examples else bench_set
        for one in options.sets:
            lines = read_set(one)
            if lines is None:
                print(f"\n{one}: no data in {DATA}; set DRAGOMAN_DATA")
            else:
                bench(one, lines, options.threads, Path(name))


if __name__ == "__main__":
    main()
