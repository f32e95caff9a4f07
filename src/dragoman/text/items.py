"""Names of held items: the tokens that stand for them in a model's text.

A model learns where an address or a placeholder goes, not each one that there is. The first of
its kind in a sentence is ``⟨url⟩``, the next ``⟨url2⟩``; the same item has the same name on both
sides.
"""

from __future__ import annotations

import re

_ITEM = re.compile(r"⟨([a-z]+)(\d*)⟩")


def item_name(kind: str, number: int) -> str:
    """The token of the item of this number, from 1, among those of its kind."""
    return f"⟨{kind}{number if number > 1 else ''}⟩"


def item_kind(token: str) -> str:
    """The kind of item that a token stands for; empty for words."""
    if not token.startswith("⟨"):
        return ""
    match = _ITEM.fullmatch(token)
    return match[1] if match else ""
