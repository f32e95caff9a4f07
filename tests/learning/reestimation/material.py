"""A small language whose words can stand in two orders, and what is asked of its models."""

import numpy as np

from dragoman.files import sha256
from dragoman.layout import STAGING
from dragoman.learning.reestimation.derivations import Derivations
from dragoman.model.directory import ModelDirectory
from dragoman.training.stages.reestimate import Derived
from dragoman.training.train import Reestimation, run_reestimation

NOUNS = {"hund": "dog", "katze": "cat", "vogel": "bird", "fisch": "fish", "pferd": "horse"}
VERBS = {"sieht": "sees", "jagt": "hunts", "mag": "likes", "frisst": "eats"}
ADJECTIVES = {"rote": "red", "alte": "old", "kleine": "small"}


def sentence(chance):
    """German puts the verb last after "dass"; some English sentences add a word."""
    one, two = chance.sample(sorted(NOUNS), 2)
    verb, adjective = chance.choice(sorted(VERBS)), chance.choice(sorted(ADJECTIVES))
    if chance.random() < 0.4:
        source = f"dass der {one} den {adjective} {two} {verb}"
        target = f"that the {NOUNS[one]} {VERBS[verb]} the {ADJECTIVES[adjective]} {NOUNS[two]}"
    else:
        source = f"der {adjective} {one} {verb} den {two}"
        target = f"the {ADJECTIVES[adjective]} {NOUNS[one]} {VERBS[verb]} the {NOUNS[two]}"
    if chance.random() < 0.2:
        target += " now"
    return source, target


def open_original(model):
    return Derived.of(ModelDirectory(model)).original()


def reestimate(model, output, threads=1, **how):
    return run_reestimation(model, output, Reestimation(**how), threads=threads)


def tree(directory):
    return {
        str(path.relative_to(directory)): sha256(path)
        for path in sorted(directory.rglob("*"))
        if path.is_file() and STAGING not in path.parts  # notes of an unfinished run
    }


def same(one, other):
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in Derivations.__dataclass_fields__
    )
