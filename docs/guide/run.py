"""Runs the commands of guide pages as a reader would, and writes what they print into the pages.

Run as  python docs/guide/run.py  to try all pages that have the line <!-- run by the tests -->,
with --write to renew what they show, or with names of pages. Blocks of a page marked as sh or
python run in order, in one folder; a block marked as text below one of them is what it printed. A
block below a line <!-- not run: REASON --> is only shown. Every page but the first begins where
first.md ended.
"""

from __future__ import annotations

import argparse
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

GUIDE = Path(__file__).resolve().parent
ROOT = GUIDE.parents[1]
FIRST = GUIDE / "first.md"
MARK = "<!-- run by the tests -->"
BLOCK = re.compile(r"(<!-- not run: [^\n]+-->\n+)?```(sh|python|text)\n(.*?)```\n", re.DOTALL)


@dataclass(frozen=True)
class Step:
    """A block that runs, and where the page shows what it prints; nowhere if `shown` is None."""

    code: str
    language: str
    shown: tuple[int, int] | None


def steps(text: str) -> list[Step]:
    """The blocks of a page that run."""
    found: list[Step] = []
    end = -1
    for block in BLOCK.finditer(text):
        if block[2] == "text":
            if found and not text[end : block.start()].strip():
                last = found.pop()
                found.append(Step(last.code, last.language, block.span(3)))
        elif not block[1]:
            found.append(Step(block[3], block[2], None))
            end = block.end()
            continue
        end = -1
    return found


def runnable(page: Path) -> bool:
    """Whether a page says that it runs."""
    return MARK in page.read_text("utf-8")


def begin(place: Path) -> None:
    """What a reader has before the first page: the examples."""
    (place / "examples").symlink_to(ROOT / "examples")


def run_page(page: Path, place: Path, *, environment: dict[str, str] | None = None) -> list[str]:
    """What each step of a page prints, run in the folder `place`; raises when one fails."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    outputs = place / ".printed"
    outputs.mkdir(exist_ok=True)
    script = ["set -e", "trap 'kill $(jobs -p) 2> /dev/null || true' EXIT"]
    found = steps(page.read_text("utf-8"))
    for number, step in enumerate(found):
        code = step.code.replace("8000", port)
        script.append(f"exec > .printed/{number} 2>&1")
        script.append(
            f"python - <<'DRAGOMAN'\n{code}DRAGOMAN" if step.language == "python" else code
        )
    ended = subprocess.run(
        ["bash", "-c", "\n".join(script)], cwd=place, env=environment, check=False
    )
    files = [outputs / str(number) for number in range(len(found))]
    printed = [file.read_text("utf-8").replace(port, "8000") for file in files if file.exists()]
    if ended.returncode:
        step = found[len(printed) - 1]
        raise RuntimeError(f"{page.name}: this failed:\n{step.code}\n{printed[-1]}")
    shutil.rmtree(outputs)
    return printed


def renewed(text: str, printed: list[str]) -> str:
    """A page that shows what its steps printed."""
    found = steps(text)
    for step, output in reversed(list(zip(found, printed, strict=True))):
        if step.shown is not None:
            start, end = step.shown
            kept = "\n".join(line.rstrip() for line in output.strip("\n").splitlines())
            text = f"{text[:start]}{kept}\n{text[end:]}"
    return text


def main() -> None:
    """Run pages, perhaps renew them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    pages = options.pages or sorted(GUIDE.glob("*.md"))
    with tempfile.TemporaryDirectory(prefix="dragoman-guide-") as scratch:
        walked = Path(scratch) / "first"
        walked.mkdir()
        begin(walked)
        ready = run_page(FIRST, walked)
        for page in pages:
            if page.resolve() == FIRST:
                printed = ready
            elif runnable(page):
                place = Path(scratch) / page.stem
                shutil.copytree(walked, place, symlinks=True)
                printed = run_page(page, place)
            else:
                continue
            print(f"{page.name}: {len(printed)} steps ran", file=sys.stderr)
            if options.write:
                page.write_text(renewed(page.read_text("utf-8"), printed), "utf-8")


if __name__ == "__main__":
    main()
