"""Is a gain of re-estimation (paper 002) the systems' or the dev set's?

    python bench/reestimate_splits.py [--data DIR] [--work DIR] [--corpus multi30k] [--held 1000]
                                      [--rounds 6] [--smoothing kneser-ney]

One dev and one test set of a thousand sentences cannot tell: tuning on another thousand moves
test BLEU by as much as the systems differ. So the last pairs of the training text become two
more held-out sets, every system is tuned on each of the four, and scored on the other three.
What is finished lies in the work directory and is not done again.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np

from dragoman.learning.reestimation.config import DeriveConfig
from dragoman.search.stack import PhraseSearch
from reestimate import ALL, PT_IN, PT_IN_BILM, PT_RE, PT_SEL, SMALL, SMALL_DERIVE
from reestimate_study import LANGUAGES, METRIC, Study, arguments_of_a_study

Sides = tuple[list[str], list[str]]
# The paper's way; the package's, mixed and small; its rival; and the small table of both.
SYSTEMS = (
    (
        "OB1",
        DeriveConfig(leave_one_out=False),
        {
            "PT_re": replace(PT_RE, count="all"),
            "PT_in+BiLM_re": replace(PT_IN_BILM, count="all"),
        },
    ),
    ("OB_LO1", DeriveConfig(), {"all": ALL}),
    ("count1_n10", DeriveConfig(min_count=1, nbest=10), {"PT_select": PT_SEL}),
    ("both", SMALL_DERIVE, {"PT_re": SMALL}),
    ("FD_LO1", DeriveConfig(method="forced"), {"PT_re": PT_RE, "PT_in": PT_IN}),
)


def split(data: Path, place: Path, languages: tuple[str, str], held: int) -> dict[str, Sides]:
    """Training text without its last pairs in `place`, and all held-out sets by name."""
    place.mkdir(parents=True, exist_ok=True)
    train = [(data / f"train.{x}").read_text("utf-8").splitlines() for x in languages]
    for language, lines in zip(languages, train, strict=True):
        (place / f"train.{language}").write_text("\n".join(lines[: -2 * held]) + "\n", "utf-8")
    sets: dict[str, Sides] = {
        "held 1": (train[0][-2 * held : -held], train[1][-2 * held : -held]),
        "held 2": (train[0][-held:], train[1][-held:]),
    }
    for part in ("dev", "test"):
        files = [f"{part}.{language}" for language in languages]
        for file in files:
            shutil.copyfile(data / file, place / file)
        source, target = ((data / file).read_text("utf-8").splitlines() for file in files)
        sets[part] = source, target
    return sets


def matrix(study: Study, name: str, model: Path, sets: dict[str, Sides]) -> np.ndarray:
    """BLEU by the set that was tuned on and the set that is scored."""
    note = study.work / f"{name}.matrix.json"
    found: list[list[float]] = json.loads(note.read_text()) if note.exists() else []
    bundle = study.bundle(model)
    for tuned_on in list(sets)[len(found) :]:
        weights = study.tuned(bundle, *sets[tuned_on], seed=1)
        search = PhraseSearch(bundle, weights=weights, threads=study.threads)
        found.append(
            [
                METRIC.score(METRIC.rows(search.translate(sources), [references]).sum(axis=0))
                for sources, references in sets.values()
            ]
        )
        note.write_text(json.dumps(found))
    return np.array(found)


def main() -> None:
    parser = arguments_of_a_study(__doc__.splitlines()[0], "build/bench-reestimate-splits")
    parser.add_argument("--corpus", default="multi30k", choices=LANGUAGES)
    parser.add_argument("--held", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=6, help="of tuning")
    arguments = parser.parse_args()
    data = arguments.data / arguments.corpus
    if not data.is_dir():
        print(f"{data} is not there; set DRAGOMAN_DATA to where the data is")
        return
    place = arguments.work / "data" / arguments.corpus
    sets = split(data, place, LANGUAGES[arguments.corpus], arguments.held)
    arguments.data, arguments.models, arguments.seeds = place.parent, None, 1
    study = Study(arguments.corpus, arguments)
    others = ~np.eye(len(sets), dtype=bool)
    baseline = matrix(study, "baseline", study.model, sets)
    print(
        "| system | set tuned on | other sets | gain | spread | table |\n|---|---|---|---|---|---|"
    )

    def show(name: str, scores: np.ndarray, share: float) -> None:
        gains = (scores - baseline)[others]
        print(
            f"| {name} | {scores.diagonal().mean():.2f} | {scores[others].mean():.2f} "
            f"| {gains.mean():+.2f} | {gains.std():.2f} | {share:.1%} |",
            flush=True,
        )

    show("baseline", baseline, 1.0)
    for derivation, config, systems in SYSTEMS:
        found = study.derive(derivation, config)
        for label, models in systems.items():
            name = f"{derivation} {label}"
            renewed = study.build(name, found, models)
            scores = matrix(study, name, study.work / name, sets)
            show(name, scores, renewed.written / renewed.rows)
            shutil.rmtree(study.work / name, ignore_errors=True)


if __name__ == "__main__":
    main()
