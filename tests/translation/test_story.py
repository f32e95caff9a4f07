"""What is told of a sentence agrees with the search: scores, rivals, stacks, graphs; and the
outputs of a job."""

import io
import json
import math
import sys

import pytest
from tests.search.tiny import make_model, sentence

from dragoman.errors import UsageError
from dragoman.search.options import SearchOptions
from dragoman.search.stack import PhraseSearch
from dragoman.translation import story as module
from dragoman.translation.demands import Demands
from dragoman.translation.explain import explain
from dragoman.translation.job import Job, run
from dragoman.translation.story import picture
from dragoman.translation.trace import alignment_of, places_of
from dragoman.translation.translator import Translator

LINE = sentence(3, 6)


@pytest.fixture(scope="module")
def translator(tmp_path_factory):
    files, directory = tmp_path_factory.mktemp("files"), tmp_path_factory.mktemp("model")
    return Translator.open(make_model(files, directory, options=6))


@pytest.fixture(scope="module")
def told(translator):
    return explain(translator, LINE, Demands(), nbest=4)


def test_scores_add_up(translator, told):
    (one,) = told["sentences"]
    weights = told["weights"]
    [best] = PhraseSearch(translator.bundle, translator.options).decode([LINE])
    assert one["score"] == pytest.approx(best.best.score)
    assert one["target"] == best.best.target
    assert one["score"] == pytest.approx(
        sum(weights[name] * value for name, value in one["features"].items()), abs=1e-4
    )
    for phrase in one["phrases"]:
        assert phrase["score"] == pytest.approx(
            sum(weights[name] * value for name, value in phrase["features"].items())
        )
        begin, end = phrase["source_span"]
        assert phrase["source"] == " ".join(LINE.split()[begin:end])
        first, last = phrase["target_span"]
        assert phrase["target"] == " ".join(one["target_tokens"][first:last])
        assert not phrase["given"]
        assert phrase["unknown"] == (phrase["source"] == "s4")
    assert [entry["score"] for entry in one["nbest"]] == sorted(
        (entry["score"] for entry in one["nbest"]), reverse=True
    )
    assert one["nbest"][0]["score"] == pytest.approx(one["score"])
    assert len({entry["target"] for entry in one["nbest"]}) == len(one["nbest"]) == 4
    assert one["evaluated"] == best.stats.evaluated


def test_rivals_are_other_translations_the_nearest_first(translator, told, monkeypatch):
    (one,) = told["sentences"]
    seen = False
    for phrase in one["phrases"]:
        rivals = phrase["rivals"]
        assert all(rival["target"] != phrase["target"] for rival in rivals)
        behind = [rival["behind"] for rival in rivals]
        known = [value for value in behind if value is not None]
        assert behind[: len(known)] == known == sorted(known)
        assert all(0 <= value <= module.FARTHEST for value in known)
        worth = [rival["worth"] for rival in rivals[len(known) :]]
        assert worth == sorted(worth, reverse=True)
        seen |= bool(known) and bool(worth)
        for rival in rivals:
            own = sum(told["weights"][k] * v for k, v in rival["features"].items())
            assert rival["worth"] != 0
            assert "reorder" not in "".join(rival["features"])
            assert isinstance(own, float)
        # By how much the best sentence with it is worse: one that is in the list is that one.
        for entry in one["nbest"][1:]:
            pieces = {tuple(piece[:2]): piece[2] for piece in entry["phrases"]}
            other = pieces.get(tuple(phrase["source_span"]))
            for rival in rivals:
                if rival["target"] == other and rival["behind"] is not None:
                    assert rival["behind"] <= one["score"] - entry["score"] + 1e-5
    monkeypatch.setattr(module, "RIVALS", 1)
    (fewer,) = explain(translator, LINE, Demands())["sentences"]
    assert all(len(phrase["rivals"]) <= 1 for phrase in fewer["phrases"])
    assert [p["rivals"] for p in fewer["phrases"]] == [p["rivals"][:1] for p in one["phrases"]]


def test_stacks_are_told_with_their_best(translator, told, monkeypatch):
    (one,) = told["sentences"]
    assert [drawn["search"] for drawn in one["searches"]] == ["pharaoh", "estimate", "early"]
    options = SearchOptions(search="estimate", beam_limit=20)
    [result] = PhraseSearch(translator.bundle, options).decode([LINE], picture=True)
    whole = picture(result)
    drawn = result.picture
    assert len(whole["hypotheses"]) == len(drawn.hypotheses)
    counts = [sum(h.covered == k for h in drawn.hypotheses) for k in range(7)]
    assert [stack["survived"] for stack in whole["stacks"]] == counts
    assert [stack["covered"] for stack in whole["stacks"]] == list(range(7))
    assert sum(stack["evaluated"] for stack in whole["stacks"]) == whole["evaluated"] > 0
    assert max(counts) > 5
    monkeypatch.setattr(module, "PICTURED", 2)
    short = picture(result)
    assert [stack["survived"] for stack in short["stacks"]] == counts
    for covered in range(7):
        shown = [h for h in short["hypotheses"] if h["stack"] == covered]
        assert sum(not h["best"] for h in shown) <= 2
        assert sum(h["best"] for h in shown) == sum(
            h["best"] for h in whole["hypotheses"] if h["stack"] == covered
        )
        assert [h["total"] for h in shown][:2] == [
            h["total"] for h in whole["hypotheses"] if h["stack"] == covered
        ][:2]
    # Where it comes from is told by its place in the list, if it is there.
    for h in short["hypotheses"]:
        if h["back"] is not None:
            parent = short["hypotheses"][h["back"]]
            assert parent["stack"] < h["stack"]
            begin, end = h["source_span"]
            assert parent["stack"] + end - begin == h["stack"]
    assert short["hypotheses"][0]["back"] is None
    assert module.RIVALS == 8
    assert whole["retried"] is False


def test_hypotheses_told_of_are_forty_and_the_best():
    assert (module.PICTURED, module.FARTHEST) == (40, 4.0)


def test_places_of_preordered_phrases():
    order = [2, 0, 3, 1]
    assert places_of((1, 3), None) == {"source_span": [1, 3]}
    assert places_of((0, 1), order) == {"source_span": [2, 3]}
    assert places_of((1, 2), order) == {"source_span": [0, 1]}
    assert places_of((1, 3), order) == {"source_span": [0, 4], "source_positions": [0, 3]}
    assert places_of((0, 4), order) == {"source_span": [0, 4]}
    assert places_of((2, 2), order) == {"source_span": [2, 2]}


def test_alignments_are_the_users(translator):
    [result] = PhraseSearch(translator.bundle, translator.options).decode([LINE])
    plain = alignment_of(result.best)
    assert plain == sorted(plain)
    backwards = alignment_of(result.best, [5, 4, 3, 2, 1, 0])
    assert backwards == sorted((5 - source, target) for source, target in plain)


def job_of(translator, tmp_path, text, **options):
    source = tmp_path / "in"
    source.write_bytes(text if isinstance(text, bytes) else text.encode())
    run(translator, Job(input=source, output=tmp_path / "out", **options))
    return (tmp_path / "out").read_text("utf-8")


def test_lists_have_the_length_asked_for(translator, tmp_path):
    path = tmp_path / "nbest"
    out = job_of(translator, tmp_path, LINE, nbest=2, nbest_file=path)
    assert len(path.read_text().splitlines()) == 2
    assert len(out.splitlines()) == 1
    alone = job_of(translator, tmp_path, LINE, nbest=3)
    assert len(alone.splitlines()) == 3


def test_lines_without_a_translation_have_no_trace_and_no_graph(translator, tmp_path):
    trace, graph = tmp_path / "trace", tmp_path / "graph"
    walled = '<t term="x">s0 s1</t> s2\n' + "<zone>s0\n" + LINE + "\n"
    out = job_of(
        translator,
        tmp_path,
        walled.encode() + b"\xff\n",
        demands=Demands(markup=True),
        trace=trace,
        graph=graph,
    )
    assert len(out.splitlines()) == 4
    assert [json.loads(line)["sentence"] for line in trace.read_text().splitlines()] == [
        0,
        1,
        2,
        3,
    ]
    heads = [json.loads(line) for line in graph.read_text().splitlines()]
    assert [one["sentence"] for one in heads if "goal" in one] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"nbest_file": "x"}, "--nbest-file needs --nbest"),
        ({"distinct": True}, "--distinct needs --nbest"),
        ({"graph_dot": True}, "--graph-format needs --graph"),
        ({"nbest": 1, "distinct": True}, None),
        ({"nbest": 1, "nbest_file": "x"}, None),
        ({}, None),
    ],
)
def test_options_that_would_do_nothing(options, problem):
    if problem is None:
        Job(**options).check()
    else:
        with pytest.raises(UsageError, match=problem):
            Job(**options).check()


def test_ten_are_listed_unless_told(translator):
    (one,) = explain(translator, LINE, Demands())["sentences"]
    assert len(one["nbest"]) == 10


def test_each_batch_is_sent_before_the_next_is_read(translator, tmp_path, monkeypatch):
    """Who waits for an answer before asking on would wait for ever."""
    source = tmp_path / "in"
    source.write_text(f"{LINE}\n{LINE}\n")
    stream = io.StringIO()
    sent = []
    monkeypatch.setattr(stream, "flush", lambda: sent.append(stream.getvalue().count("\n")))
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr("dragoman.translation.job.BATCH", 1)
    run(translator, Job(input=source))
    assert sent == [1, 2]


def test_what_is_worth_nothing_is_not_told(told):
    (one,) = told["sentences"]
    assert all(value != 0 for value in one["features"].values())
    assert all(math.isfinite(value) for value in one["features"].values())
