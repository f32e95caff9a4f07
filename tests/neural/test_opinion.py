"""What the network thinks of candidates, whichever model of a consensus lists them."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.doors.kinds import config_of

from dragoman import Translator
from dragoman.alignment.links import Links
from dragoman.corpus.bitext import Bitext
from dragoman.errors import ModelError
from dragoman.files import sha256
from dragoman.layout import (
    BITEXT,
    LINKS,
    NETWORK,
    ORDERS,
    SOURCE_VOCABULARY,
    TARGET_VOCABULARY,
)
from dragoman.model.directory import ModelDirectory
from dragoman.neural.learn import learn
from dragoman.preorder.orders import Orders, order_between, original_links
from dragoman.training.pipeline import run
from dragoman.training.stages.neural import neural_stage
from dragoman.translation.consensus import Consensus

LINES = ["Where is the station?", "I would like a room, please.", "The zwieback is cold.", "x"]


def consensus_of(translator: Translator) -> Consensus:
    assert translator.consensus is not None
    return translator.consensus


def test_the_feature_is_the_score_along_the_words_own_links(model_of: Callable[[str], Path]):
    best = Translator.open(model_of("best"))
    network = consensus_of(best).network
    assert network is not None
    assert best.features[-1] == "network"
    members = set()
    for line in LINES:
        tokens = best.prepare(best.source_of(line)).line.text
        for found in best.nbest(line, 30):
            expected = network.score(tokens, " ".join(found.words), found.alignment)
            assert found.features["network"] == pytest.approx(expected, abs=1e-4)
            members.add(found._entry.member)
    assert len(members) > 1  # that of the preordered model among them, whose words move


def test_threads_and_batches_change_nothing(model_of: Callable[[str], Path]):
    model = model_of("best")
    lines = LINES * 3
    expected = [Translator.open(model).translate(line) for line in lines]
    best = Translator.open(model, threads=3)
    assert best.translate_lines(lines) == best.translate_lines(lines) == expected


def test_a_damaged_network_is_named(model_of: Callable[[str], Path], tmp_path: Path):
    model = Path(shutil.copytree(model_of("best"), tmp_path / "best"))
    place = model / "neural" / "network.bin"
    content = bytearray(place.read_bytes())
    content[-5] ^= 1
    place.write_bytes(content)
    with pytest.raises(ModelError, match=r"network\.bin"):
        Translator.open(model)
    place.unlink()
    with pytest.raises(ModelError, match=r"network\.bin"):
        Translator.open(model)
    Translator.open(model, alone=True)


def test_orders_can_be_told_from_words():
    assert order_between("a b c", "a b c") is None
    assert order_between("a b c", "c a b") == [2, 0, 1]
    assert order_between("a b a c", "c a a b") == [3, 0, 2, 1]


def test_it_sees_sentences_as_people_write_them(model_of: Callable[[str], Path], tmp_path: Path):
    model = ModelDirectory(Path(shutil.copytree(model_of("btg"), tmp_path / "btg")))
    config = config_of("best").neural
    run(model, [neural_stage(config, model, model.shape)])
    written = Bitext.open(*map(model.file, (BITEXT, SOURCE_VOCABULARY, TARGET_VOCABULARY)))
    orders = Orders(np.load(model.file(ORDERS)), written.source.offsets)
    links = original_links(Links.open(model.file(LINKS)), orders)
    learn(written, links, tmp_path / "network", config)
    assert sha256(tmp_path / "network") == sha256(model.file(NETWORK))
