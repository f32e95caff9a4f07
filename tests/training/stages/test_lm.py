"""The target side's model as a stage of training."""

import bz2
import gzip
import lzma

import pytest

from dragoman._core import load_word_classes
from dragoman.corpus.bitext import Bitext
from dragoman.corpus.config import PrepareConfig
from dragoman.corpus.read import ParallelFile
from dragoman.files import sha256
from dragoman.layout import (
    BITEXT,
    CLASS_MODEL,
    LANGUAGE_MODEL,
    SOURCE_VOCABULARY,
    TARGET_VOCABULARY,
    WORD_CLASSES,
)
from dragoman.lm import LanguageModel
from dragoman.lm.config import LmConfig
from dragoman.model.directory import ModelDirectory
from dragoman.model.shape import Shape
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
    stages = [prepare, lm_stage(LmConfig(order=3), directory, Shape())]
    outcomes = pipeline.run(directory, stages)
    assert [outcome.ran for outcome in outcomes] == [True, True]
    assert LanguageModel.open(directory.file(LANGUAGE_MODEL)).order == 3
    assert [outcome.ran for outcome in pipeline.run(directory, stages)] == [False, False]
    stages[1] = lm_stage(LmConfig(order=2), directory, Shape())
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
            lm_stage(LmConfig(order=3), directory, Shape(), text.text, [write(name, content)]),
        ]
        pipeline.run(directory, stages, memory=memory)
        found.add(sha256(directory.file(LANGUAGE_MODEL)))
    assert len(found) == 1


def test_a_second_model_reads_classes_in_the_place_of_words(tmp_path, write):
    """Ferries and trains are late on all days alike: what was never seen together is likely."""
    names = [("the", "ferry", day) for day in ("monday", "tuesday", "friday")]
    names += [("a", "train", day) for day in ("monday", "tuesday")]
    lines = [f"{one} {what} of {day} is late" for one, what, day in names] * 10
    source, target = write("source", "\n".join(lines).upper()), write("target", "\n".join(lines))
    directory = ModelDirectory(tmp_path / "model")
    prepare = prepare_stage(
        PrepareConfig(tokeniser="whitespace", dev_size=0, test_size=0, drop_duplicates=False),
        [ParallelFile.plain(source, target)],
    )
    config = LmConfig(order=3, classes=7, class_order=4)
    pipeline.run(directory, [prepare, lm_stage(config, directory, Shape(classes=True))])
    assert directory.shape.classes
    text = Bitext.open(*map(directory.file, (BITEXT, SOURCE_VOCABULARY, TARGET_VOCABULARY)))
    classes = load_word_classes(str(directory.file(WORD_CLASSES)))
    assert len(classes) == len(text.target_vocabulary)

    def in_classes(line: str) -> str:
        return " ".join(str(classes[text.target_vocabulary.find(word)]) for word in line.split())

    model = LanguageModel.open(directory.file(CLASS_MODEL))
    assert model.order == 4
    first = text.target.native.class_text(classes, 0, 1).decode()
    assert first == in_classes(text.target_text(0)) + "\n"
    seen, new, wrong = model.score(
        [
            in_classes(line)
            for line in (lines[3], "a train of friday is late", "late is a of train")
        ]
    )
    assert new == pytest.approx(seen)
    assert wrong < new - 5
