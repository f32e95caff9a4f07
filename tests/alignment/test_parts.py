"""Training in parts gives what training on the whole gives."""

from pathlib import Path

import numpy as np
import pytest

from dragoman.alignment import parts
from dragoman.alignment.aligner import MIN_SAVED_COUNT, train, train_parts
from dragoman.alignment.config import AlignConfig
from dragoman.corpus.bitext import BitextFiles, write_bitext
from dragoman.crew import Here
from dragoman.errors import InputError
from dragoman.progress import SILENT

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    place = tmp_path_factory.mktemp("bitext")
    sides = [
        (ROOT / "examples" / "phrasebook" / f"train.{language}").read_text("utf-8").splitlines()
        for language in ("en", "fr")
    ]
    pairs = list(zip(*sides, strict=True))[:300]
    pairs[7] = ("", "rien")  # nothing to align
    pairs[70] = ("long " * 1100, "long " * 1100)  # too long to be trained on
    found = BitextFiles(place / "bitext", place / "source", place / "target")
    write_bitext(pairs, found.bitext, found.source_vocabulary, found.target_vocabulary)
    return found


# Blocks of 64 pairs are rounded together, so parts must begin where they do.
@pytest.mark.parametrize("size", [64, 128, 320])
@pytest.mark.parametrize("threads", [1, 3])
def test_parts_give_what_the_whole_gives(files, tmp_path, monkeypatch, size, threads):
    monkeypatch.setattr(parts, "PART", size)
    config = AlignConfig(model1_iterations=2, hmm_iterations=2)
    whole = train(files.open(), config, threads=2)
    place = tmp_path / "place"
    place.mkdir()
    found = train_parts(files, config, place, Here(threads))
    assert np.array_equal(found.links.array, whole.links.array)
    assert np.array_equal(found.links.offsets, whole.links.offsets)
    assert (found.word_pairs, found.skipped) == (whole.word_pairs, whole.skipped)
    assert found.skipped == 1
    for name, one in (("whole", whole), ("parts", found)):
        one.aligner.model.save(str(tmp_path / name))
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "parts").read_bytes()
    assert list(place.iterdir()) == []


def test_word_pairs_are_looked_at_some_at_a_time(files, tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "PART", 64)
    config = AlignConfig(model1_iterations=2, hmm_iterations=1)
    whole = train(files.open(), config, threads=2)
    whole.aligner.model.save(str(tmp_path / "whole"))
    for at_once, sampled in ((64, 16), (1, 1), (1024, 1024)):
        monkeypatch.setattr(parts, "AT_ONCE", at_once)
        monkeypatch.setattr(parts, "SAMPLED", sampled)
        place = tmp_path / str(at_once)
        place.mkdir()
        found = train_parts(files, config, place, Here(1))
        assert found.word_pairs == whole.word_pairs
        found.aligner.model.save(str(tmp_path / "parts"))
        assert (tmp_path / "whole").read_bytes() == (tmp_path / "parts").read_bytes()


def test_a_trainer_takes_the_place_of_another(files, tmp_path, monkeypatch):
    """Whether trainers are kept from sweep to sweep changes nothing."""
    monkeypatch.setattr(parts, "PART", 64)
    config = AlignConfig(model1_iterations=1, hmm_iterations=2)
    found = []
    for kept in (0, 2, 8):
        monkeypatch.setattr(parts, "KEPT", kept)
        crew = Here(1)
        monkeypatch.setattr(crew, "elsewhere", True, raising=False)
        place = tmp_path / str(kept)
        place.mkdir()
        result = parts.train_in_parts(files, config, place, crew, MIN_SAVED_COUNT, SILENT)
        found.append(result.links.array.tobytes())
    assert found[0] == found[1] == found[2]


def test_more_word_pairs_than_numbers(files, tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "MOST_WORD_PAIRS", 10)
    with pytest.raises(InputError, match="distinct word pairs"):
        train_parts(files, AlignConfig(), tmp_path, Here(1))


def test_cells_are_counted(files):
    bitext = files.open()
    lengths = [(len(bitext.source[n]), len(bitext.target[n])) for n in range(len(bitext))]
    assert parts.cells(bitext) == sum(a * b for a, b in lengths)
