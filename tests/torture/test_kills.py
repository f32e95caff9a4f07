"""Killed at every moment at which a training touches its directory, it resumes to the same
bytes and leaves nothing behind."""

import pytest
from tests.torture.resumed import resumed_everywhere
from tests.torture.trainings import KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_every_moment(kind, tmp_path):
    assert resumed_everywhere(tmp_path, kind) > 100
