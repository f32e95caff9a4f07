"""Fuzzing of the Python readers that goes where code has not been (Atheris, libFuzzer).

    python -m tests.fuzz.covered KIND [--seconds N] [--place DIRECTORY]

What is found to reach something new is kept in DIRECTORY, and used the next time.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from pathlib import Path

import atheris


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.covered", description=__doc__)
    parser.add_argument("kind", help="a folder of tests/fuzz/corpora")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--place", type=Path, default=Path("build/fuzz/found"))
    chosen = parser.parse_args()
    found = chosen.place / chosen.kind
    found.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(dir=chosen.place))
    path = scratch / f"input.{chosen.kind}"
    with atheris.instrument_imports(include=["dragoman"]):
        from tests.fuzz.readers import CORPORA, READERS, samples

        from dragoman.errors import DragomanError

        def try_one(data: bytes) -> None:
            path.write_bytes(data)
            for read in READERS[chosen.kind]:
                with contextlib.suppress(DragomanError):
                    read(path)

        for sample in samples(chosen.kind):  # what is loaded when it is needed is needed now
            try_one(sample)

    bounds = [f"-max_total_time={chosen.seconds}", "-timeout=10", "-rss_limit_mb=2048"]
    bounds += ["-max_len=4096", "-print_final_stats=1", f"-artifact_prefix={chosen.place}/"]
    places = [str(found), str(CORPORA / chosen.kind)]
    atheris.Setup([sys.argv[0], *bounds, *places], try_one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
