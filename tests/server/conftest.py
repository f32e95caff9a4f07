"""A small model, and servers for it."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from dragoman.server.api import Settings
from dragoman.server.app import create_app, open_models
from dragoman.server.limits import Limits
from dragoman.server.log import Log


@pytest.fixture
def model(trained: Path, tmp_path: Path) -> Path:
    """A copy of the model that a test may teach."""
    return Path(shutil.copytree(trained, tmp_path / "phrasebook"))


@dataclass
class Served:
    """A server in this process, its client and its log."""

    client: TestClient
    app: Any
    log: io.StringIO

    def post(self, path: str, **body: Any) -> Any:
        return self.client.post(path, json=body)

    def ok(self, path: str, **body: Any) -> Any:
        answer = self.post(path, **body)
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture(scope="session")
def start() -> Iterator[Callable[..., Served]]:
    """Serve model directories until the end of the tests."""
    clients: list[TestClient] = []

    def serve(*models: Path, limits: Limits | None = None, api_key: str | None = None) -> Served:
        log = io.StringIO()
        settings = Settings(limits=limits or Limits(), api_key=api_key, log=Log(log))
        app = create_app(open_models(models, threads=2, settings=settings), settings)
        client = TestClient(app, base_url="http://localhost", raise_server_exceptions=False)
        client.__enter__()
        clients.append(client)
        return Served(client, app, log)

    yield serve
    for client in clients:
        client.__exit__(None, None, None)


@pytest.fixture(scope="session")
def served(trained: Path, start: Callable[..., Served]) -> Served:
    """A server that tests must not teach anything."""
    return start(trained)
