"""Combining the links of the two directions."""

from __future__ import annotations

from dragoman._core import symmetrise_links
from dragoman.alignment.config import AlignConfig
from dragoman.alignment.links import Links


def symmetrise(forward: Links, backward: Links, method: str = AlignConfig.symmetry) -> Links:
    """One set of links from two.

    The methods are intersection, union, grow-diag, grow-diag-final and grow-diag-final-and, as
    defined by Koehn et al. (2005); `forward` and `backward` give back the one or the other.
    """
    return Links(*symmetrise_links(forward.native, backward.native, method))
