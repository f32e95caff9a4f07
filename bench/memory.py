"""Look-ups a second in a translation memory.

A memory of so many segments is built from a parallel corpus; where the corpus is smaller, its
sentences come again with one word in eight replaced by another of the same corpus. Then segments
are looked up that are in the memory, such in which some words are changed, and such as are not in
it, one after the other, as a translator works: exact matches, and fuzzy ones from 70 percent on.

    python bench/memory.py --source train.en --target train.fr --segments 1000000
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from dragoman.corpus.memory import MemoryWriter
from dragoman.text.config import TextConfig
from dragoman.text.form import TextForm
from dragoman.text.normalise import normalise
from dragoman.translation.memory import Memory
from dragoman.translation.source import Source


def main() -> None:
    """Build, look up, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--target", type=Path, required=True)
    parser.add_argument("--segments", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    pairs = list(
        zip(
            map(normalise, options.source.read_text("utf-8").splitlines()),
            map(normalise, options.target.read_text("utf-8").splitlines()),
            strict=True,
        )
    )
    chance = random.Random(1)
    form = TextForm(TextConfig())
    report: dict[str, float] = {"pairs of the corpus": len(pairs), "segments": options.segments}
    with tempfile.TemporaryDirectory() as place:
        files = [Path(place) / "index", Path(place) / "vocabulary"]
        begun = time.perf_counter()
        writer = MemoryWriter(form, Path(place))
        kept: list[str] = []
        for source, target in segments(pairs, options.segments, chance):
            writer.add(source, target)
            if chance.random() < 3 * options.queries / options.segments:
                kept.append(source)
        writer.write(files)
        report["seconds to build"] = time.perf_counter() - begun
        report["megabytes"] = sum(file.stat().st_size for file in files) / 1e6
        begun = time.perf_counter()
        memory = Memory(files, form)
        report["seconds to open"] = time.perf_counter() - begun
        words = [word for source, _ in pairs[:20_000] for word in source.split()]
        chosen = chance.sample(kept, min(len(kept), options.queries))
        kinds = {
            "the same": chosen,
            "some words changed": [changed(text, words, 5, chance) for text in chosen],
            "most words changed": [changed(text, words, 2, chance) for text in chosen],
        }
        for name, queries in kinds.items():
            for least in (100, 70):
                look_up(memory, queries, least, f"{name}, {least} percent", report)
    if options.json:
        print(json.dumps(report, indent=1))
        return
    for name, value in report.items():
        print(f"{name:45} {value:12,.2f}")


def segments(
    pairs: list[tuple[str, str]], wanted: int, chance: random.Random
) -> Iterator[tuple[str, str]]:
    """The corpus, and the same with words replaced until there are enough."""
    words = [word for source, _ in pairs[:20_000] for word in source.split()]
    for number in range(wanted):
        source, target = pairs[number % len(pairs)]
        yield (source if number < len(pairs) else changed(source, words, 8, chance)), target


def changed(text: str, words: list[str], one_in: int, chance: random.Random) -> str:
    """A text with one word in so many replaced."""
    return " ".join(
        chance.choice(words) if chance.randrange(one_in) == 0 else word for word in text.split()
    )


def look_up(
    memory: Memory, queries: list[str], least: int, name: str, report: dict[str, float]
) -> None:
    """Look everything up once; rate, slowest twentieth, and how many had a match."""
    seconds: list[float] = []
    found = 0
    for query in queries:
        begun = time.perf_counter()
        found += bool(memory.matches(Source.of_line(query), least=least))
        seconds.append(time.perf_counter() - begun)
    report[f"{name}: look-ups a second"] = len(queries) / sum(seconds)
    report[f"{name}: 95th percentile, ms"] = 1000 * statistics.quantiles(seconds, n=20)[-1]
    report[f"{name}: with a match"] = found / len(queries)


if __name__ == "__main__":
    main()
