"""Found on PYTHONPATH, so that programs which a test starts are recorded with it."""

import atexit
import os

if "PYTEST_CURRENT_TEST" in os.environ:
    from tests.mutants import recorder

    recorder.begin()
    atexit.register(recorder.end, os.environ["PYTEST_CURRENT_TEST"].rpartition(" ")[0])
