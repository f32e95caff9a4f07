"""One model for all tests of re-estimation."""

import random

import pytest
from tests.learning.reestimation.material import open_original, sentence

from dragoman.corpus.config import PrepareConfig
from dragoman.corpus.read import ParallelFile
from dragoman.rules.config import RulesConfig
from dragoman.training.config import Config
from dragoman.training.plan import Material
from dragoman.training.train import run_training
from dragoman.tuning.config import TuneConfig


@pytest.fixture(scope="package")
def model(tmp_path_factory):
    directory = tmp_path_factory.mktemp("reestimate")
    chance = random.Random(7)
    pairs = list(dict.fromkeys(sentence(chance) for _ in range(200)))
    files = {}
    for name, chosen in (("train", pairs[20:]), ("dev", pairs[:20])):
        for side, extension in ((0, "de"), (1, "en")):
            path = directory / f"{name}.{extension}"
            path.write_text("".join(f"{pair[side]}\n" for pair in chosen))
            files[name, side] = path
    config = Config(
        prepare=PrepareConfig(tokeniser="whitespace", drop_duplicates=False),
        rules=RulesConfig(bilingual_order=2, reordering=("phrase", "hierarchical")),
        tune=TuneConfig(max_iterations=1),
    )
    run_training(
        Material(
            [ParallelFile.plain(files["train", 0], files["train", 1])],
            ParallelFile.plain(files["dev", 0], files["dev", 1]),
        ),
        directory / "model",
        config,
        threads=2,
    )
    return directory / "model"


@pytest.fixture
def original(model):
    return open_original(model)
