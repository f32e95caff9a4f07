"""Errors that say what to do."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from dragoman.errors import MissingExtraError


class Installed:
    """A distribution that was installed in some way."""

    def __init__(self, origin: Any) -> None:
        self._origin = origin

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return json.dumps(self._origin) if self._origin is not None else None


@pytest.mark.parametrize(
    ("origin", "command"),
    [
        (None, "pip install 'dragoman[serve]'"),
        ({"url": "file:///a/dragoman-1.whl", "archive_info": {}}, "'dragoman[serve]'"),
        ({"url": "https://example.org/d.git", "vcs_info": {}}, "'dragoman[serve]'"),
        ({"url": "file:///a/check%20out", "dir_info": {}}, "pip install '/a/check out[serve]'"),
        ({"url": Path.cwd().as_uri(), "dir_info": {}}, "pip install '.[serve]'"),
    ],
)
def test_the_command_fits_the_installation(
    origin: Any, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metadata, "distribution", lambda _: Installed(origin))
    assert command in str(MissingExtraError("dragoman serve", "serve"))
