"""Models of every kind, as the doors' tests have them."""

from tests.doors.conftest import model_of

__all__ = ["model_of"]
