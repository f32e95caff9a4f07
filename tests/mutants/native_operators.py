"""Plausible bugs of C++ source, made token by token; clang-format sees to it that they look alike.

Comments, texts, messages and what is decided while compiling are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# A comparison has a space on both sides, a template's bracket has not.
SWAPPED = {
    " < ": " <= ",
    " <= ": " < ",
    " > ": " >= ",
    " >= ": " > ",
    " == ": " != ",
    " != ": " == ",
    " + ": " - ",
    " - ": " + ",
    " * ": " / ",
    " += ": " -= ",
    " && ": " || ",
    " || ": " && ",
    "std::min(": "std::max(",
    "std::max(": "std::min(",
    "true": "false",
    "false": "true",
    "break;": ";",
    "continue;": ";",
    "if (!": "if (",
}
_TOKEN = re.compile(
    r"(?<=\S)(?: (?:[<>]=?|[=!]=|[+*-]|\+=|&&|\|\|) )(?=\S)|std::(?:min|max)\(|\b(?:true|false)\b"
    r"|\b(?:break|continue);|if \(!"
)
_NUMBER = re.compile(r"(?<![\w.'])\d+(?![\w.'])")
# A call or an assignment that stands whole in its line.
_STATEMENT = re.compile(r"^ +(?:[\w:.\[\]*]|->)+(?:\(.*\)| [+*-]?= .*);$")
_HIDDEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
_LEFT_ALONE = re.compile(
    r"^\s*#|^(?:using|namespace|template|\})|throw |Error\(|static_assert|constexpr"
    r"|reserve\(|assert\(|threads|noexcept|return \*this| = default|operator"
)


def changes_of(source: str) -> Iterator[tuple[int, str, str]]:
    """The line of each change, what it is, and the whole text with it."""
    seen = _HIDDEN.sub(lambda hidden: re.sub(r"[^\n]", "~", hidden.group()), source)
    begin = 0
    for number, line in enumerate(seen.split("\n"), 1):
        if not _LEFT_ALONE.search(line):
            for start, end, new in _changes(line):
                at = begin + start
                before = source[at : begin + end]
                shown = f"{before.strip()} -> {new.strip() or 'nothing'}"
                where = source[begin : begin + len(line)].strip()
                changed = source[:at] + new + source[begin + end :]
                yield number, f"{shown} in {where[:80]}", changed
        begin += len(line) + 1


def _changes(line: str) -> Iterator[tuple[int, int, str]]:
    for token in _TOKEN.finditer(line):
        yield token.start(), token.end(), SWAPPED[token.group()]
    for number in _NUMBER.finditer(line):
        yield number.start(), number.end(), str(int(number.group()) + 1)
    if _STATEMENT.match(line) and line.count("(") == line.count(")"):
        indent = len(line) - len(line.lstrip())
        yield indent, len(line), ";"
