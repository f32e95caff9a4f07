"""Where the time of tuning goes: translating the dev set, learning from it, and the rest.

    python bench/tuning.py MODEL [--threads 1] [--seeds 1 2 3] [--rounds 8]

Tunes a trained model again, as `dragoman train` does, without writing to it, and prints seconds
of wall and of processor time, the dev score of each round, and a digest of the weights, which
tells whether two versions of the program have learnt the same.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dragoman.evaluation.metric import Metric
from dragoman.evaluation.metrics import make_metric
from dragoman.layout import held_out_files
from dragoman.model.bundle import Bundle
from dragoman.model.directory import ModelDirectory
from dragoman.model.weights import Vector, default_weights, lowest_weights, normalised
from dragoman.search.choice import make_search, model_options
from dragoman.tuning.loop import make_optimiser, tune
from dragoman.tuning.pool import Candidates, NbestLists


class Clock:
    """Wall and processor seconds by what they were spent on."""

    def __init__(self) -> None:
        self.seconds: dict[str, tuple[float, float]] = {}

    def __call__(self, name: str, work: Callable[..., Any], *arguments: Any) -> Any:
        wall, processor = time.perf_counter(), time.process_time()
        done = work(*arguments)
        before = self.seconds.get(name, (0.0, 0.0))
        self.seconds[name] = (
            before[0] + time.perf_counter() - wall,
            before[1] + time.process_time() - processor,
        )
        return done

    def lines(self, whole: str) -> list[str]:
        """A line for each part, and one for what is left of the whole."""
        parts = {name: spent for name, spent in self.seconds.items() if name != whole}
        known = [sum(spent[i] for spent in parts.values()) for i in (0, 1)]
        total = self.seconds[whole]
        rest = {"the rest": (total[0] - known[0], total[1] - known[1])}
        rows = {**parts, **rest, whole: total}
        return [f"  {name:10} {wall:8.2f} {cpu:8.2f}" for name, (wall, cpu) in rows.items()]


def once(directory: ModelDirectory, seed: int, threads: int, rounds: int) -> None:
    bundle = Bundle.of_files(directory.model_files(full_table=True))
    names = (directory.shape.dev_source, held_out_files("dev")[1])
    sources, target = (directory.file(name).read_text("utf-8").splitlines() for name in names)
    options = model_options(directory)
    optimiser = make_optimiser("mira", threads, lowest_weights(bundle.features))
    clock = Clock()

    def decode(weights: Vector) -> NbestLists:
        search = make_search(
            bundle, options, weights=normalised(bundle.features, weights), threads=threads
        )
        return NbestLists.joined(search.decode_nbest(sources, 100), len(bundle.features))

    class Timed:
        def optimise(
            self, candidates: Candidates, weights: Vector, metric: Metric, seed: int
        ) -> Vector:
            found: Vector = clock(
                "learning", optimiser.optimise, candidates, weights, metric, seed
            )
            return found

    def run(place: Path) -> Any:
        return tune(
            lambda weights: clock("decoding", decode, weights),
            [target],
            default_weights(bundle.features),
            make_metric("bleu", tokenize="none"),
            Timed(),
            max_iterations=rounds,
            seed=seed,
            resume=place,
            threads=threads,
        )

    with tempfile.TemporaryDirectory() as place:
        result = clock("all", run, Path(place))
    print(f"seed {seed}: {'':6} wall s  processor s")
    print(*clock.lines("all"), sep="\n")
    scores = " ".join(f"{entry.score:.2f}" for entry in result.iterations)
    digest = hashlib.sha256(result.weights.tobytes()).hexdigest()[:12]
    print(f"  best {result.score:.2f} of {scores}; weights {digest}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--rounds", type=int, default=8)
    options = parser.parse_args()
    directory = ModelDirectory.open(options.model)
    for seed in options.seeds:
        once(directory, seed, options.threads, options.rounds)


if __name__ == "__main__":
    main()
