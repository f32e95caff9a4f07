"""Mutation testing: do the tests notice a plausible bug?

    python -m tests.mutants [PACKAGE ...] [--count N] [--seed S] [--processes N] [--near]

For each package some of all possible changes are drawn, the same for the same seed. Each is made
in a copy of the package, and those tests are run against it that call the changed function; the
first that fails has killed the mutant. Survivors are listed with their lines. Which test calls
what is recorded once, and again for test files that have changed since.
"""

from __future__ import annotations

import argparse
import sys

from tests.mutants.calls import DECLARED, CallMap
from tests.mutants.operators import Mutant
from tests.mutants.runner import PACKAGE, Runner, Verdict, drawn

PACKAGES = {
    "tuning": ["tuning"],
    "learning": ["learning"],
    "translation": ["translation"],
    "documents": ["documents"],
    "evaluation": ["evaluation"],
    "server": ["server"],
    "report": ["report"],
    "sweep": ["report/sweep*.py", "cli/sweep.py"],
    "unknown": ["unknown"],
    "neural": ["neural"],
    "lm": ["lm", "corpus/classes.py", "training/stages/lm.py"],
    "cluster": ["cluster"],
    "pack": ["model/pack.py", "archives.py"],
    "training": ["training"],
    "search": ["search"],
    "text": ["text"],
    "model": ["model"],
    "corpus": ["corpus"],
    "rules": ["rules"],
    "alignment": ["alignment"],
    "preorder": ["preorder"],
    "grammar": ["grammar"],
    "context": ["context"],
    "cli": ["cli"],
}
NEAR = {
    "sweep": "tests/report/",
    "pack": "tests/model/",
}  # where a package's own tests are, if not where its name says


def files_of(name: str) -> list[str]:
    """The modules of a package, as paths in dragoman."""
    found = set()
    for pattern in PACKAGES[name]:
        places = PACKAGE.glob(pattern) if "*" in pattern else (PACKAGE / pattern).rglob("*.py")
        found |= {path.relative_to(PACKAGE).as_posix() for path in places}
    if name == "report":
        found -= set(files_of("sweep"))
    return sorted(found)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=", ".join(PACKAGES))
    parser.add_argument("--count", type=int, default=25, help="mutants of each package")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--budget", type=float, default=60.0, help="seconds of tests for each")
    parser.add_argument("--least", type=float, default=0.0, help="per cent killed in each, or 1")
    parser.add_argument("--near", action="store_true", help="ask a package's own tests alone")
    chosen = parser.parse_args()
    for name in set(chosen.packages) - set(PACKAGES):
        parser.error(f"there is no package {name!r}; there are {', '.join(PACKAGES)}")

    names = chosen.packages or [*PACKAGES]
    near = {name: NEAR.get(name, f"tests/{name}/") for name in names}
    places = (*near.values(), *DECLARED) if chosen.near else ("tests/",)
    calls = CallMap.current(chosen.processes, places)
    lowest = 100.0
    with Runner(calls, chosen.processes, chosen.budget) as runner:
        for name in names:
            mutants = drawn(files_of(name), chosen.count, f"{chosen.seed}/{name}")
            verdicts: dict[Mutant, Verdict] = {}
            for mutant, verdict in runner.run(mutants, near[name]):
                verdicts[mutant] = verdict
                if verdict is Verdict.SURVIVED:
                    print(f"  survived  {mutant}", flush=True)
            killed = sum(verdict is not Verdict.SURVIVED for verdict in verdicts.values())
            late = sum(verdict is Verdict.TIMED_OUT for verdict in verdicts.values())
            share = 100 * killed / len(verdicts)
            lowest = min(lowest, share)
            print(
                f"{name:12} {killed:4} of {len(verdicts):4} killed, {share:5.1f} % "
                f"({late} by time)",
                flush=True,
            )
    return 1 if lowest < chosen.least else 0


if __name__ == "__main__":
    sys.exit(main())
