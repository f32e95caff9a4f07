"""How long a program takes to say its first word: importing, its help, one line translated.

    python bench/start.py MODEL [--line "ein hund läuft ."] [--repeat 12]

Every figure is of whole processes, one after another, with files that are in memory already:
the best, the middle and the worst of them, and the most memory that one took.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from programs import Cost, run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("--line", default="ein hund läuft über eine wiese .")
    parser.add_argument("--repeat", type=int, default=12)
    options = parser.parse_args()
    commands: dict[str, list[object]] = {
        "python": [sys.executable, "-c", "pass"],
        "import dragoman": [sys.executable, "-c", "import dragoman"],
        "dragoman --version": [sys.executable, "-m", "dragoman", "--version"],
        "dragoman --help": [sys.executable, "-m", "dragoman", "--help"],
        "dragoman translate": [sys.executable, "-m", "dragoman", "translate", options.model],
    }
    with tempfile.TemporaryDirectory() as place:
        text = Path(place, "text")
        text.write_text(f"{options.line}\n", "utf-8")
        print(f"{'':20}  best s  middle s  worst s  peak MB")
        for name, command in commands.items():
            costs: list[Cost] = [run(command, stdin=text) for _ in range(options.repeat)]
            wall = [cost.wall for cost in costs]
            print(
                f"{name:20}  {min(wall):6.3f}  {statistics.median(wall):8.3f}  {max(wall):7.3f}"
                f"  {max(cost.peak for cost in costs) / 1e6:7.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
