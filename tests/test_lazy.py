"""Packages whose names are loaded on use: they are there, and nothing hides them."""

import importlib
import pkgutil
from types import ModuleType

import pytest

PACKAGES = [
    "dragoman",
    "dragoman.alignment",
    "dragoman.grammar",
    "dragoman.lm",
    "dragoman.preorder",
]


@pytest.mark.parametrize("name", PACKAGES)
def test_every_name_is_there_whatever_was_imported_before(name):
    package = importlib.import_module(name)
    assert set(package.__all__) == {one for one in dir(package) if not one.startswith("__")}
    for part in pkgutil.iter_modules(package.__path__, f"{name}."):
        if part.name not in ("dragoman.__main__", "dragoman._core"):
            importlib.import_module(part.name)
    for one in package.__all__:
        assert not isinstance(getattr(package, one), ModuleType), one


def test_a_name_that_does_not_exist():
    import dragoman

    with pytest.raises(AttributeError, match="module 'dragoman' has no attribute 'transalte'"):
        _ = dragoman.transalte
