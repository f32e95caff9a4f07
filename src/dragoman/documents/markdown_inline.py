"""The inside of a paragraph of Markdown: what is emphasised, linked, code; and as text again."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass

from dragoman.documents.format_marks import FormatMarks, Mark, without_marks


@dataclass(eq=False)
class Markup:
    """Something inside a paragraph, as the file writes its beginning and its end."""

    before: str
    behind: str = ""


# In the order of preference; everything is bounded, so that no text makes the search slow.
_TOKEN = re.compile(
    r"""(?P<escape>\\[!-/:-@\[-`{-~])
    |(?P<code>(?<!`)(?P<ticks>`{1,9})(?!`)(?:(?!(?<!`)(?P=ticks)(?!`))[^\n]){1,2000}(?<!`)(?P=ticks)(?!`))
    |(?P<math>(?<![\w$])\$\$?(?=[^\s$])[^$\n]{1,500}(?<=[^\s$])\$\$?(?![\w$]))
    |(?P<auto><(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]{0,1000}|[\w.+-]{1,64}@[\w.-]{1,250})>)
    |(?P<html></?[A-Za-z][\w-]{0,40}(?:\s[^<>]{0,1000})?/?>|<!--.{0,1000}?-->)
    |(?P<url>(?:https?://|www\.)[^\s<>)\]]{1,500}[^\s<>)\].,;:!?'"*_~])
    |(?P<note>\[\^[^\]\s]{1,100}\])
    |(?P<open>!?\[)
    |(?P<close>\](?:\((?:[^()\n\\]|\\.|\([^()\n]{0,500}\)){0,2000}\)|\[[^\[\]\n]{0,500}\])?)
    |(?P<emphasis>\*{1,3}|(?<![^\W_])_{1,3}|_{1,3}(?![^\W_])|~~)""",
    re.VERBOSE,
)


def read_inline(text: str, references: Container[str] = ()) -> FormatMarks[Markup]:
    """A paragraph as a passage in which marks stand for what is no text; `references`: names of
    links that the document defines."""
    marks: FormatMarks[Markup] = FormatMarks()
    text = without_marks(text)
    tokens = list(_TOKEN.finditer(text))
    pairs = _pairs(text, tokens, references)
    out, at = "", 0
    for number, match in enumerate(tokens):
        if marks.full:
            break
        out += text[at : match.start()]
        at = match.end()
        kind = match.lastgroup
        if kind == "escape":
            out += match[0][1]
        elif number in pairs:
            opens, what = pairs[number]
            out += marks.opening(what) if opens else marks.closing(what)
        elif kind in ("open", "close", "emphasis"):
            out += match[0]  # a bracket, or a star, that is one
        else:
            out += marks.piece(Markup(match[0]))
    marks.passage.add_text(out + text[at:])
    return marks


def _pairs(
    text: str, tokens: list[re.Match[str]], references: Container[str]
) -> dict[int, tuple[bool, Markup]]:
    """Which tokens begin and end an emphasis or a link, and what it is."""
    found: dict[int, tuple[bool, Markup]] = {}
    opened: list[tuple[int, str]] = []
    for number, match in enumerate(tokens):
        kind = match.lastgroup
        if kind == "open":
            opened.append((number, "["))
        elif kind == "close":
            while opened and opened[-1][1] != "[":
                opened.pop()
            if opened:
                first = opened.pop()[0]
                behind = match[0]
                if behind in ("]", "[]", "][]"):
                    # The name of the link is its text, which will be another.
                    label = text[tokens[first].end() : match.start()]
                    known = reference_name(label) in references
                    behind = f"][{label}]" if known else ""
                if behind:
                    what = Markup(tokens[first][0], behind)
                    found[first], found[number] = (True, what), (False, what)
        elif kind == "emphasis":
            before = text[match.start() - 1 : match.start()]
            behind = text[match.end() : match.end() + 1]
            places = [place for place, (_, sign) in enumerate(opened) if sign == match[0]]
            if places and before and not before.isspace():
                first = opened[places[-1]][0]
                del opened[places[-1] :]
                what = Markup(match[0], match[0])
                found[first], found[number] = (True, what), (False, what)
            elif behind and not behind.isspace():
                opened.append((number, match[0]))
    return found


def reference_name(label: str) -> str:
    """The name of a link as documents compare them."""
    return " ".join(label.split()).casefold()


# What begins or ends something in the middle of a text.
_SPECIAL = re.compile(
    r"""\\(?=[!-/:-@\[-`{-~]|$)|`|(?<!\s)\*|\*(?!\s)|\](?=[(\[:])|~(?=~)|<(?=[A-Za-z/!?])
    |(?<![^\W_])_|_(?![^\W_])""",
    re.VERBOSE,
)
_FIRST = re.compile(r"([-+>=]|#{1,6}(?=\s|$)|(\d{1,9})([.)])(?=\s|$))")


def written_inline(marks: FormatMarks[Markup], translated: str, *, cell: bool = False) -> str:
    """A translation as Markdown; `cell`: in a table, where bars separate."""
    out = ""
    parts = _tight(marks.parts(translated))
    for part in parts:
        if isinstance(part, str):
            out += _SPECIAL.sub(lambda match: "\\" + match[0], part)
        elif part.role == "close":
            out += part.what.behind
        else:
            out += part.what.before
    if parts and isinstance(parts[0], str):
        out = _FIRST.sub(_escaped_first, out, count=1) if _FIRST.match(out) else out
    return re.sub(r"(?<!\\)\|", r"\\|", out) if cell else out


def _escaped_first(match: re.Match[str]) -> str:
    """What would make a list, a heading or a quotation of a paragraph."""
    return f"{match[2]}\\{match[3]}" if match[2] else "\\" + match[0]


def _tight(parts: list[str | Mark[Markup]]) -> list[str | Mark[Markup]]:
    """No emphasis of nothing, and none that begins or ends with a space: it would be none."""
    out: list[str | Mark[Markup]] = []
    for part in parts:
        last = out[-1] if out else ""
        if isinstance(part, str):
            bare = part.lstrip()
            place = len(out)
            while place and _is_emphasis(out[place - 1], "open"):
                place -= 1
            out.insert(place, part[: len(part) - len(bare)])
            out.append(bare)
        elif _is_emphasis(part, "close") and isinstance(last, str):
            while out and out[-1] == "":
                out.pop()
            last = out[-1] if out else ""
            if isinstance(last, str):
                bare = last.rstrip()
                out[-1:] = [bare, part, last[len(bare) :]]
            elif last.role == "open" and last.what is part.what:
                out.pop()
            else:
                out.append(part)
        elif isinstance(last, Mark) and last.what is part.what and _is_emphasis(part, "close"):
            out.pop()
        else:
            out.append(part)
    return [part for part in out if part != ""]


def _is_emphasis(part: str | Mark[Markup], role: str) -> bool:
    return (
        isinstance(part, Mark) and part.role == role and part.what.before == part.what.behind != ""
    )
