"""Real Dask workers, as processes on the loopback interface."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.cluster import crew_for
from dragoman.cluster.crew import DaskCrew


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shared")


@pytest.fixture(scope="module")
def crew(place: Path) -> Iterator[DaskCrew]:
    pytest.importorskip("distributed")
    with crew_for("local:2", place) as found:
        assert isinstance(found, DaskCrew)
        yield found


@pytest.fixture(autouse=True)
def everything_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the caller would do sooner goes to the workers, too."""
    monkeypatch.setattr("dragoman.cluster.crew.SEND_ALL", True)
