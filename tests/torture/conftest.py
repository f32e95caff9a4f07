"""Hard tests, bounded and seeded, that `make torture` runs and ordinary runs leave out."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.doors.conftest import model_of  # noqa: F401


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.torture)
            item.add_marker(pytest.mark.slow)  # another -m replaces the one that excludes them
