"""The target side's model as a stage of training."""

import bz2
import gzip
import lzma

from dragoman.corpus.config import PrepareConfig
from dragoman.corpus.read import ParallelFile
from dragoman.files import sha256
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


def test_further_text_may_be_compressed_and_larger_than_memory(tmp_path, write):
    lines = [f"the ferry number {n} is late" for n in range(60)]
    spelt = {"s": "\n".join(lines).upper(), "t": "\n".join(lines)}
    files = [write(f"{part}.{side}", spelt[side]) for part in ("train", "dev") for side in "st"]
    more = "".join(f"the ferry to island {n % 50} leaves at {n % 24}\n" for n in range(3000))
    prepare = PrepareConfig(tokeniser="whitespace", dev_size=0, test_size=0)
    found = set()
    for name, content, memory in [
        ("plain", more.encode(), None),
        ("more.gz", gzip.compress(more.encode()), None),
        ("more.bz2", bz2.compress(more.encode()), 1 << 14),
        ("more.xz", lzma.compress(more.encode()), 1 << 14),
    ]:
        directory = ModelDirectory(tmp_path / f"model.{name}")
        text = prepare.resolved()
        stages = [
            prepare_stage(text, [ParallelFile.plain(*files[:2])], ParallelFile.plain(*files[2:])),
            lm_stage(LmConfig(order=3), directory, text.text, [write(name, content)]),
        ]
        pipeline.run(directory, stages, memory=memory)
        found.add(sha256(directory.file(LANGUAGE_MODEL)))
    assert len(found) == 1
