"""Whatever the bytes, a reader gives something or a DragomanError that names the file, soon.

DRAGOMAN_FUZZ_ROUNDS sets how many files of each kind are tried; `make fuzz` tries many.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.fuzz.mutants import mutant
from tests.fuzz.readers import CORPORA, READERS, samples

from dragoman.errors import DragomanError
from dragoman.server.api import Settings
from dragoman.server.app import create_app, open_models
from dragoman.server.log import Log

pytestmark = pytest.mark.slow

ROUNDS = int(os.environ.get("DRAGOMAN_FUZZ_ROUNDS", "150"))
SECONDS = 10.0  # for one file of a few kilobytes, on a busy machine


def mutants(kind: str) -> Iterator[bytes]:
    sound = samples(kind)
    others = [one for directory in sorted(CORPORA.iterdir()) for one in samples(directory.name)]
    chance = random.Random(kind)
    yield from sound
    for _ in range(ROUNDS):
        yield mutant(chance.choice(sound), others, chance)


@pytest.mark.parametrize("kind", READERS)
def test_a_reader_and_what_went_wrong(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"mutant.{kind}"
    refused = 0
    for content in mutants(kind):
        path.write_bytes(content)
        for read in READERS[kind]:
            begun = time.process_time()
            try:
                read(path)
            except DragomanError as problem:
                refused += 1
                assert str(path) in str(problem)
            assert time.process_time() - begun < SECONDS, content[:200]
    assert kind == "markup" or refused > 0


def test_a_server_and_what_was_sent(trained: Path) -> None:
    from starlette.testclient import TestClient

    settings = Settings(log=Log(None))
    app = create_app(open_models([trained], threads=1, settings=settings), settings)
    statuses = set()
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
        for content in mutants("http"):
            path = "/corrections" if b"correct" in content else "/translate"
            answer = client.post(
                path, content=content, headers={"Content-Type": "application/json"}
            )
            assert answer.status_code < 500, (content, answer.text)
            json.loads(answer.content)
            statuses.add(answer.status_code)
    assert 200 in statuses
    assert len(statuses) > 1
