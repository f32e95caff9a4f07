"""Killed at every moment at which a training touches its directory, it resumes to the same
bytes and leaves nothing behind."""

import pytest
from tests.torture.resumed import filled_everywhere, resumed_everywhere
from tests.torture.trainings import KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_every_moment(kind, tmp_path):
    assert resumed_everywhere(tmp_path, kind) > 100


@pytest.mark.parametrize("kind", KINDS)
def test_a_full_disk_at_every_moment(kind, tmp_path):
    assert filled_everywhere(tmp_path, kind) > 50
