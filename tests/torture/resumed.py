"""Trainings resumed from what kills leave."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.torture.moments import full_disk, watched
from tests.torture.trainings import make_training

from dragoman.errors import DragomanError

AT_ONCE = 20  # copies of a model that lie on the disk at a time
LOCK = ".lock"  # is there for good; it holds nothing


def content(model: Path) -> dict[str, bytes | None]:
    """Every file and folder below a directory."""
    return {
        path.relative_to(model).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(model.rglob("*"))
        if path.name != LOCK
    }


def resumed_everywhere(place: Path, kind: str, most: int | None = None) -> int:
    """Train, then go on from each moment of it, or from `most` of them, spread evenly; how many.
    Raises AssertionError where that ends in something else."""
    train = make_training(place, kind)
    model = place / "model"
    with watched(model, place / "moments") as moments:
        train(model)
    expected = content(model)
    numbers = range(0, moments.count, 1 if most is None else max(1, moments.count // most))
    wrong = []
    for first in range(0, len(numbers), AT_ONCE):
        some = numbers[first : first + AT_ONCE]
        shutil.rmtree(model)
        with watched(model, place / "moments", wanted=some) as moments:
            train(model)
        assert content(model) == expected, "trained twice it is not the same"
        assert len(moments.found) == len(some), "trained twice it had other moments"
        for what, left in moments.found:
            shutil.rmtree(model)
            left.rename(model)
            try:
                train(model)
            except Exception as problem:
                wrong.append(f"{left.name}, before {what}: {type(problem).__name__}: {problem}")
                continue
            now = content(model)
            if now != expected:
                differing = [
                    name
                    for name in sorted(now.keys() | expected.keys())
                    if now.get(name, b"-") != expected.get(name, b"-")
                ]
                wrong.append(f"{left.name}, before {what}: {', '.join(differing)}")
    assert not wrong, f"{len(wrong)} of {len(numbers)}:\n" + "\n".join(wrong)
    return len(numbers)


def filled_everywhere(place: Path, kind: str, most: int | None = None) -> int:
    """Train on a disk that fills up after each number of operations, or after `most` of them;
    how many. That must be told as an error of the user's kind, and with room again the training
    must end in the same bytes."""
    train = make_training(place, kind)
    model = place / "model"
    with full_disk(model) as disk:
        train(model)
    expected = content(model)
    wrong = []
    tried = range(0, disk.count, 1 if most is None else max(1, disk.count // most))
    for passes in tried:
        shutil.rmtree(model, ignore_errors=True)
        try:
            with full_disk(model, passes):
                train(model)
            wrong.append(f"{passes}: no error")
        except DragomanError as problem:
            if "no room" not in str(problem):
                wrong.append(f"{passes}: {problem}")
        except Exception as problem:
            wrong.append(f"{passes}: {type(problem).__name__}: {problem}")
        train(model)
        if content(model) != expected:
            wrong.append(f"{passes}: another model")
    assert not wrong, f"{len(wrong)} of {len(tried)}:\n" + "\n".join(wrong)
    return len(tried)
