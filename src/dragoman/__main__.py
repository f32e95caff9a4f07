"""``python -m dragoman``."""

from dragoman.cli.main import run

run()
