"""Options of native code: the same names and defaults as where users find them."""

from __future__ import annotations

import math
from dataclasses import fields

import pytest

from dragoman import _core
from dragoman.alignment.config import AlignConfig
from dragoman.errors import InputError
from dragoman.learning.joint.config import JointConfig
from dragoman.learning.joint.learner import search_options
from dragoman.learning.reestimation.config import DeriveConfig
from dragoman.lm.config import LmConfig
from dragoman.lm.estimate import FALLBACK
from dragoman.preorder.config import PreorderConfig
from dragoman.rules.config import HieroConfig, RulesConfig
from dragoman.search.options import ChartOptions, SearchOptions
from dragoman.tuning.mira import Mira

# What belongs to a run and not to a configuration: sizes of vocabularies, threads, files, parts.
OF_THE_RUN = {
    "source_words",
    "target_words",
    "memory",
    "spool",
    "threads",
    "forced",
    "without",
    "compare_with",
    "times",
}
# Options that have another name or form where users find them: what they are by default.
LIMITS = search_options(JointConfig())
OTHERWISE = {
    ("BtgOptions", "bits"): PreorderConfig().hash_bits - 2,
    ("JointOptions", "distortion_limit"): LIMITS.distortion_limit,
    ("JointOptions", "gap_limit"): LIMITS.gap_limit,
    ("RuleTableOptions", "limit"): JointConfig().options,
    ("RederiveOptions", "max_phrase_length"): RulesConfig().max_length,
    ("EstimateOptions", "fallback"): list(FALLBACK),
    ("EstimateOptions", "prune"): [],  # the same as the configuration's [0]
}


def names_of(group):
    return {name for name in dir(group) if not name.startswith("_")}


@pytest.mark.parametrize("ours", [SearchOptions, ChartOptions])
def test_names_and_defaults_of_searches_are_the_same(ours):
    native = type(ours().native())
    assert {field.name for field in fields(ours)} == names_of(native)
    for made in (native(), ours().native()):
        for field in fields(ours):
            assert getattr(made, field.name) == field.default, field.name


@pytest.mark.parametrize(
    ("name", "config"),
    [
        ("AlignmentParameters", AlignConfig()),
        ("ExtractionOptions", RulesConfig()),
        ("ScoringOptions", RulesConfig()),
        ("RuleExtractionOptions", HieroConfig()),
        ("RuleScoringOptions", HieroConfig()),
        ("BtgOptions", PreorderConfig()),
        ("EstimateOptions", LmConfig()),
        ("MiraStep", Mira()),
        ("JointOptions", JointConfig()),
        ("RuleTableOptions", JointConfig()),
        ("RederiveOptions", DeriveConfig()),
    ],
)
def test_defaults_are_those_of_the_configuration(name, config):
    made = getattr(_core, name)()
    for option in sorted(names_of(made) - OF_THE_RUN):
        wanted = OTHERWISE.get((name, option))
        if (name, option) not in OTHERWISE:
            wanted = getattr(config, option)
        found = getattr(made, option)
        assert found == (list(wanted) if isinstance(found, list) else wanted), option


def test_every_option_arrives():
    ours = SearchOptions("cube", 1.5, 2.5, 7, 8, 0.5, False, 0.25, 9, None, 3, "mark")
    native = ours.native()
    assert [getattr(native, field.name) for field in fields(ours)] == [
        getattr(ours, field.name) for field in fields(ours)
    ]
    native.distortion_limit, native.gap_limit, native.early_threshold = 4, None, None
    assert (native.distortion_limit, native.gap_limit, native.early_threshold) == (4, None, None)
    assert ChartOptions(span_limit=0, beam_threshold=math.inf).native().span_limit == 0
    assert _core.RuleTableOptions(without=2).without == 2
    assert _core.ExtractionOptions(reordering=["word"]).reordering == ["word"]


def test_what_is_no_option_is_refused():
    with pytest.raises(TypeError, match="SearchOptions has no option beam$"):
        _core.SearchOptions(beam=3)
    with pytest.raises(TypeError, match="SearchOptions: beam_limit must be int"):
        _core.SearchOptions(beam_limit="many")
    with pytest.raises(InputError, match="unknown search 'fast'; there are pharaoh, estimate"):
        _core.SearchOptions(search="fast")
    with pytest.raises(AttributeError):
        _core.SearchOptions().beam = 3
