"""Every feature that a model can have is explained to those who look at one on the page."""

import re
from importlib.resources import files

from dragoman.rules.table import reordering_features
from dragoman.unknown.sources import FEATURES as SOURCES

NAMES = ["tm.fwd", "tm.bwd", "lex.fwd", "lex.bwd", "lm", "lm.2", "lm.classes", "bilm"]
NAMES += ["context.words", "context.none"]
NAMES += ["words", "phrases", "rules", "glue", "distortion", "unknown", *SOURCES]
NAMES += [*reordering_features("word"), *reordering_features("hierarchical")]


def test_each_has_a_meaning():
    script = files("dragoman.server").joinpath("static", "features.js").read_text("utf-8")
    patterns = re.findall(r"^ +\[/(.+)/, \".+\"\],$", script, re.MULTILINE)
    assert len(patterns) > 20
    assert [n for n in NAMES if not any(re.search(one, n) for one in patterns)] == []
