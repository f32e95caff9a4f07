"""``python -m dragoman``, and where the ``dragoman`` program begins."""

import sys


def main() -> None:
    """Run the program. Ctrl-C ends it quietly even while it is still loading."""
    try:
        from dragoman.cli.main import run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
