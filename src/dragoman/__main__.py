"""``python -m dragoman``, and where the ``dragoman`` program begins."""

import os
import sys

INTERRUPTED = 130  # the code with which programs end after Ctrl-C


def main() -> None:
    """Run the program. Ctrl-C ends it quietly even while it is still loading."""
    _occupy_standard_files()
    try:
        from dragoman.cli.run import run

        run()
    except (KeyboardInterrupt, SystemExit) as end:
        if isinstance(end, SystemExit) and end.code != INTERRUPTED:
            raise
        if _came_from_numpy(end) and _memory_is_limited():
            print("dragoman: error: not enough memory to load NumPy", file=sys.stderr)
            sys.exit(1)
        sys.exit(INTERRUPTED)


def _occupy_standard_files() -> None:
    """If somebody has closed one, let no other file get its number, to be written over."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free


def _came_from_numpy(end: BaseException | None) -> bool:
    """Whether NumPy was being loaded: its OpenBLAS interrupts the process that gives it no memory
    for a thread. Commands turn an interruption into an exit."""
    while end is not None and not isinstance(end, KeyboardInterrupt):
        end = end.__cause__ or end.__context__
    trace = end.__traceback__ if end is not None else None
    while trace is not None:
        if str(trace.tb_frame.f_globals.get("__name__", "")).split(".")[0] == "numpy":
            return True
        trace = trace.tb_next
    return False


def _memory_is_limited() -> bool:
    try:
        import resource
    except ImportError:  # no such limits on this system
        return False

    limits = (resource.RLIMIT_AS, resource.RLIMIT_DATA)
    return any(resource.getrlimit(limit)[0] != resource.RLIM_INFINITY for limit in limits)


if __name__ == "__main__":
    main()
