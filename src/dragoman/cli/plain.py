"""What is asked for most, done without loading what understands every option.

Typer and what it needs take longer to load than a line takes to translate. So the plainest calls
are taken here, and whatever is not as plain goes the usual way, mistakes included:

    dragoman --version
    dragoman translate MODEL [-i FILE] [-o FILE] [-j N]
"""

from __future__ import annotations

import os
from collections.abc import Sequence

_FLAGS = {
    "-i": "input",
    "--input": "input",
    "-o": "output",
    "--output": "output",
    "-j": "threads",
    "--threads": "threads",
}


def run(arguments: Sequence[str]) -> bool:
    """Do what is asked for if it is plain; returns whether it was."""
    if "_DRAGOMAN_COMPLETE" in os.environ:  # a shell asks what could come next
        return False
    if list(arguments) == ["--version"]:
        print_version()
        return True
    given = parse(arguments[1:]) if arguments and arguments[0] == "translate" else None
    if given is None:
        return False
    _translate(**given)
    return True


def print_version() -> None:
    """Say which Dragoman this is."""
    from importlib.metadata import version

    print(f"dragoman {version('dragoman')}")


def parse(words: Sequence[str]) -> dict[str, str] | None:
    """What follows ``translate`` by name; None when it is not plain."""
    given: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        name = _FLAGS.get(word, "model")
        value = word if name == "model" else next(rest, "")
        if name in given or not value or value.startswith("-"):
            return None
        given[name] = value
    if "input" in given:
        from pathlib import Path

        from dragoman.documents.document import known_format

        # Somebody who gives a document as lines is told so.
        if known_format(Path(given["input"])) not in (None, "text"):
            return None
    threads = given.get("threads", "1")
    whole = threads.isascii() and threads.isdigit() and 1 <= int(threads[:5]) <= 1024
    return given if "model" in given and whole else None


def _translate(model: str, input: str = "", output: str = "", threads: str = "1") -> None:
    from pathlib import Path

    from dragoman.crew import Here
    from dragoman.progress import beside_output
    from dragoman.translation.job import Job, run
    from dragoman.translation.translator import Translator

    crew = Here(int(threads))
    translator = Translator.open(Path(model), threads=crew.threads)
    job = Job(input=Path(input) if input else None, output=Path(output) if output else None)
    run(translator, job, crew, beside_output(to_file=bool(output)))
