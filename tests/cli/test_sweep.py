"""``dragoman sweep`` with a trained model."""

import json
import shutil
import tomllib

import pytest

from dragoman.cli.sweep import sweep as command
from dragoman.errors import MissingExtraError, UsageError
from dragoman.model.directory import ModelDirectory

pytestmark = pytest.mark.slow

DEV = [("The room is cold.", "La chambre est froide."), ("Good evening!", "Bonsoir !")]


@pytest.fixture
def sweep(trained, tmp_path, write):
    """Sweeps a copy of the model over some raw text and returns the copy."""
    model = tmp_path / "model"
    shutil.copytree(trained, model)
    source = write("dev.en", "".join(f"{first}\n" for first, _ in DEV))
    target = write("dev.fr", "".join(f"{second}\n" for _, second in DEV))

    def run(reference=target, **options):
        command(model, dev=(source, reference), max_points=1, **options)
        return model

    return run


def early_bleu(model):
    points = json.loads((model / "sweep" / "sweep.json").read_text())["points"]
    [bleu] = {point["bleu"] for point in points if point["search"] == "early"}
    return bleu


def test_a_pick_is_written_where_nothing_can_be_drawn(sweep, monkeypatch, capsys):
    monkeypatch.setattr("dragoman.report.sweep_plots.find_spec", lambda name: None)
    model = sweep(pick="best", distortion_limit=5, give_up=False)
    printed = capsys.readouterr()
    assert "no pictures: drawing the sweep needs" in printed.err
    assert "written to" in printed.out
    assert not list((model / "sweep").glob("*.png"))
    chosen = tomllib.loads((model / "search.toml").read_text())
    assert chosen["ttable_threshold"] == 1.5
    assert chosen["early_threshold"] == "none"
    assert chosen["distortion_limit"] == 5
    assert chosen["give_up"]


def test_pictures_that_are_asked_for_are_missed_before_the_work(sweep, monkeypatch, tmp_path):
    monkeypatch.setattr("dragoman.report.sweep_plots.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError):
        sweep(plots=True)
    assert not (tmp_path / "model" / "sweep").exists()


def test_a_pick_that_means_nothing_is_refused_before_the_work(sweep, tmp_path):
    with pytest.raises(UsageError, match="--pick takes best, fast or milliseconds"):
        sweep(pick="quick")
    assert not (tmp_path / "model" / "sweep").exists()


def test_raw_text_is_prepared_as_the_model_prepares_it(sweep, write):
    model = sweep(plots=False, quiet=True, give_up=False)
    bleu = early_bleu(model)
    assert bleu > 0
    # Tokens of the references, which the model's tokeniser leaves as they are.
    form = ModelDirectory.open(model).text_form()
    tokens = write("dev.tok", "".join(f"{form.prepare_reference(two)}\n" for _, two in DEV))
    assert tokens.read_text().split() != " ".join(two for _, two in DEV).split()
    assert early_bleu(sweep(tokens, plots=False, quiet=True)) == bleu
