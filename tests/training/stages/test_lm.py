"""The target side's model as a stage of training."""

from dragoman.corpus.config import PrepareConfig
from dragoman.corpus.read import ParallelFile
from dragoman.layout import LANGUAGE_MODEL
from dragoman.lm import LanguageModel
from dragoman.lm.config import LmConfig
from dragoman.model.directory import ModelDirectory
from dragoman.training import pipeline
from dragoman.training.stages.lm import lm_stage
from dragoman.training.stages.prepare import prepare_stage


def test_the_stage_runs_once(tmp_path, write):
    lines = [f"the ferry number {n} is late" for n in range(60)]
    source = write("source", "\n".join(f"die fähre nummer {n} ist spät" for n in range(60)))
    target = write("target", "\n".join(lines))
    directory = ModelDirectory(tmp_path / "model")
    prepare = prepare_stage(
        PrepareConfig(tokeniser="whitespace", dev_size=0, test_size=0),
        [ParallelFile.plain(source, target)],
    )
    stages = [prepare, lm_stage(LmConfig(order=3), directory)]
    outcomes = pipeline.run(directory, stages)
    assert [outcome.ran for outcome in outcomes] == [True, True]
    assert LanguageModel.open(directory.file(LANGUAGE_MODEL)).order == 3
    assert [outcome.ran for outcome in pipeline.run(directory, stages)] == [False, False]
    stages[1] = lm_stage(LmConfig(order=2), directory)
    assert [outcome.ran for outcome in pipeline.run(directory, stages)] == [False, True]
    assert LanguageModel.open(directory.file(LANGUAGE_MODEL)).order == 2
