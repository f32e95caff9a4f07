"""Trains a small model with the installed package, translates, and asks the server.

Needs nothing but the package and its ``serve`` extra, so that wheels can be tried where they are
built:  python tests/try_installed.py
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import urllib.request
from itertools import product
from pathlib import Path

import dragoman._core

NOUNS = {"house": "maison", "table": "table", "car": "voiture", "flower": "fleur"}
ADJECTIVES = {"small": "petite", "big": "grande", "old": "vieille", "new": "nouvelle"}
VERBS = {"see": "vois", "want": "veux", "sell": "vends", "paint": "peins"}
UNSEEN = ("I sell the old flower", "je vends la vieille fleur")
COMMAND = Path(sys.executable).with_name("dragoman")


def write_corpus(directory: Path) -> None:
    words = product(VERBS.items(), ADJECTIVES.items(), NOUNS.items())
    pairs = [(f"I {v} the {a} {n}", f"je {w} la {b} {m}") for (v, w), (a, b), (n, m) in words]
    pairs.remove(UNSEEN)
    for name, side in (("train.en", 0), ("train.fr", 1)):
        (directory / name).write_text("".join(f"{pair[side]}\n" for pair in pairs), "utf-8")


def ask_server(directory: Path, text: str) -> str:
    server = subprocess.Popen(
        [COMMAND, "serve", "model", "--port", "0"],
        cwd=directory,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stderr is not None
        address = server.stderr.readline().split()[3]
        body = json.dumps({"q": text, "source": "en", "target": "fr"}).encode()
        request = urllib.request.Request(
            f"{address}/translate", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return str(json.load(answer)["translatedText"])
    finally:
        server.terminate()
        server.communicate()


def main() -> None:
    assert Path(dragoman._core.__file__).is_relative_to(sys.prefix), "not the installed package"
    source, wanted = UNSEEN
    with tempfile.TemporaryDirectory() as place:
        directory = Path(place)
        write_corpus(directory)
        train = [
            COMMAND,
            "train",
            "-s",
            "train.en",
            "-t",
            "train.fr",
            "--from",
            "en",
            "--to",
            "fr",
        ]
        subprocess.run(
            [*train, "--tokeniser", "whitespace", "-o", "model"], cwd=directory, check=True
        )
        translate = subprocess.run(
            [COMMAND, "translate", "model"],
            cwd=directory,
            input=f"{source}\n",
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        for name, answer in (
            ("translate", translate.stdout.rstrip("\n")),
            ("serve", ask_server(directory, source)),
        ):
            print(f"{name}: {source} -> {answer}")
            if answer != wanted:
                sys.exit(f"{name} was to give: {wanted}")


if __name__ == "__main__":
    main()
