"""Some of the moments of which tests/torture tries all: killed there, a training of each kind
resumes to the same bytes and leaves nothing behind."""

import pytest
from tests.torture.resumed import filled_everywhere, resumed_everywhere
from tests.torture.trainings import KINDS


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_some_moments(kind, tmp_path):
    most = 4 if kind == "best" else 10  # that one trains three models
    assert resumed_everywhere(tmp_path, kind, most) >= most


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["joint", "re-estimated"])
def test_some_full_disks(kind, tmp_path):
    assert filled_everywhere(tmp_path, kind, most=6) >= 6
