"""Language codes: "en" asks for "en-GB" too, "en-GB" only for itself."""

from __future__ import annotations


def matches(wanted: str, found: str) -> bool:
    """Whether text marked `found` answers a request for `wanted`."""
    wanted, found = wanted.lower().replace("_", "-"), found.lower().replace("_", "-")
    return found == wanted or found.startswith(wanted + "-")
