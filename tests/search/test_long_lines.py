"""Lines as long as lines may be: no recursion, nothing that grows with the square."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from dragoman._core import Demands, GivenTranslation
from dragoman.model.bundle import Bundle
from dragoman.search.choice import make_search

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def bundle(trained: Path) -> Bundle:
    return Bundle.open(trained)


def test_lists_of_a_line_of_strangers(bundle: Bundle) -> None:
    """With half a megabyte of stack, where ordinary threads have eight."""
    line = " ".join(f"stranger{number % 100}" for number in range(30_000))
    found = []

    def decode() -> None:
        found.extend(make_search(bundle).decode([line], nbest=3, features=False))

    before = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=decode)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    (result,) = found
    assert result.best.target == line
    assert len(result.nbest) >= 1


def test_a_wall_and_a_zone_at_every_word(bundle: Bundle) -> None:
    """Tags nested 10,000 deep are such a line."""

    def seconds(words: int) -> float:
        line = " ".join(f"tag{number}" for number in range(words))
        zones = [(at, words - at) for at in range(words // 2)]
        given = [GivenTranslation(at, at + 1, f"<{at}>") for at in range(words)]
        begun = time.process_time()
        (result,) = make_search(bundle).decode(
            [line], demands=[Demands(given, zones, list(range(words)))], features=False
        )
        assert result.best.target == " ".join(f"<{at}>" for at in range(words))
        return time.process_time() - begun

    seconds(100)
    # Four times as long: sixteen times as slow if each word were compared with each.
    assert seconds(20_000) < 10 * seconds(5_000) + 1
