"""Running text cut into the sentences a model translates, and what stands between them."""

from __future__ import annotations

import re
from collections.abc import Container
from functools import lru_cache

# The end of a sentence: its mark, closing quotes and brackets, perhaps tags, then white space;
# scripts without spaces need none. Everything is bounded, so that no text makes the search slow.
_END = re.compile(
    r"""[.!?…]{1,9}["'”’»)\]]{0,9}(?=[\U000f0000-\U000ffffd]{0,9}\s)|[。！？]{1,9}["”’」』）]{0,9}"""
)
_OPENING = " \t\"'“‘«„([¿¡—–-"
_LAST_WORD = re.compile(r"(\S+)\.$")


def split_sentences(line: str, language: str = "", *, tags: Container[str] = "") -> list[str]:
    """The parts of a line; joined, they are the line again.

    Every second part is what stands between two sentences: white space, or nothing. `tags`:
    characters that belong to the sentence before, if they stand right behind its end, as the
    mark of a footnote does.
    """
    parts: list[str] = []
    begin = 0
    for match in _END.finditer(line):
        end = match.end()
        while end < len(line) and line[end] in tags:
            end += 1
        if match[0][0] not in "。！？" and not line[end : end + 1].isspace():
            continue
        after = end
        while after < len(line) and line[after].isspace():
            after += 1
        if after == len(line) or not _ends(line, begin, match, after, language):
            continue
        parts += [line[begin:end], line[end:after]]
        begin = after
    return [*parts, line[begin:]]


def _ends(line: str, begin: int, match: re.Match[str], after: int, language: str) -> bool:
    if match[0][0] in "。！？":
        return True
    following = line[after : after + 9].lstrip(_OPENING)[:1]
    # Letters of scripts without capitals may begin a sentence anywhere.
    if following.isalpha() and following.islower():
        return False
    if not (following.isalnum() or ord(following or " ") >= 0xF0000):
        return False
    if match[0] != ".":
        return True
    word = _LAST_WORD.search(line[max(begin, match.start() - 40) : match.end()])
    if word is None:
        return True
    stem = word[1].lstrip("\"'(“‘«[")
    if len(stem) == 1 and stem.isalpha() and stem.isupper():
        return False  # an initial
    plain, numeric = _abbreviations(language)
    return stem not in plain and not (stem in numeric and following.isdigit())


@lru_cache(maxsize=64)
def _abbreviations(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Words whose dot ends no sentence, and those of which that holds before numbers."""
    from sacremoses.corpus import NonbreakingPrefixes

    code = language.replace("_", "-").split("-")[0].lower() or "en"
    prefixes = NonbreakingPrefixes()
    if code not in prefixes.available_langs.values():
        code = "en"
    words = set(prefixes.words(lang=code))
    numeric = {word.removesuffix("#NUMERIC_ONLY#").strip() for word in words if "#" in word}
    return frozenset(word for word in words if "#" not in word), frozenset(numeric)
