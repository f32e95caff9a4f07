"""The first mention of each word of the glossary, on every page of the site, explains itself.

A hook of MkDocs (mkdocs.yml names it). A word is linked to its row of the glossary, with the
meaning as a tooltip; headings, code and what is a link already stay as they are.
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

GLOSSARY = "reference/glossary.md"
ROW = re.compile(r"^\| (?!word \||---)(?P<words>[^|]+) \| (?P<meaning>[^|]+) \|$", re.M)
# Words whose everyday sense is the likelier one in running text.
EVERYDAY = {
    *("extra", "gap", "member", "order", "p", "reference", "rule"),
    *("score", "search", "source", "span", "target", "threshold", "unit", "weight"),
}
SILENT = {"a", "code", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "th", "script", "style", "svg"}


def anchor(word: str) -> str:
    return "term-" + re.sub(r"\W+", "-", word.lower()).strip("-")


def read_glossary(markdown: str) -> dict[str, tuple[str, str]]:
    """Each word, and each of several that share a row: the row's anchor and the meaning."""
    found = {}
    for row in ROW.finditer(markdown):
        meaning = re.sub(r"\s*\(?\[[^\]]*\]\([^)]*\)\)?", "", row["meaning"]).replace("`", "")
        for word in re.sub(r"\([^)]*\)", "", row["words"]).split(","):
            found[word.strip()] = (anchor(row["words"]), meaning.strip())
    return found


def explained(page: str, words: dict[str, tuple[str, str]], glossary: str) -> str:
    """A page of HTML in which the first mention of each word leads to its row."""
    left = {row: [word for word in words if words[word][0] == row] for row, _ in words.values()}
    silent: list[str] = []
    parts = re.split(r"(<[^>]+>)", page)
    for place, part in enumerate(parts):
        if tag := re.match(r"<(/?)(\w+)", part):
            if tag[2] in SILENT and not tag[1]:
                silent.append(tag[2])
            elif silent and tag[1] and silent[-1] == tag[2]:
                silent.pop()
        elif not silent and part.strip():
            parts[place] = _with_links(part, left, words, glossary)
    return "".join(parts)


def _with_links(
    text: str, left: dict[str, list[str]], words: dict[str, tuple[str, str]], glossary: str
) -> str:
    def link(found: re.Match[str]) -> str:
        word = by_spelling[found[1].lower()]
        row, meaning = words[word]
        if row not in left:
            return found[0]
        del left[row]
        title = html.escape(f"{word}: {meaning}", quote=True)
        return f'<a class="glossary" href="{glossary}#{row}" title="{title}">{found[0]}</a>'

    by_spelling = {word.lower(): word for row in left.values() for word in row}
    for word in EVERYDAY:
        by_spelling.pop(word, None)
    if not by_spelling:
        return text
    longest = sorted(map(re.escape, by_spelling), key=len, reverse=True)
    return re.sub(rf"(?<![\w-])({'|'.join(longest)})(?:s|es)?(?![\w-])", link, text, flags=re.I)


def with_anchors(page: str) -> str:
    """The glossary itself, in which each row can be led to."""

    def row(found: re.Match[str]) -> str:
        plain = html.unescape(re.sub(r"<[^>]+>", "", found[1]))
        return f'<tr id="{anchor(plain)}">\n<td>{found[1]}</td>'

    return re.sub(r"<tr>\s*<td>(.*?)</td>", row, page)


def on_page_content(page_html: str, page: Any, config: Any, files: Any) -> str:
    from mkdocs.utils import get_relative_url  # the tests of the rest do without MkDocs

    if page.file.src_uri == GLOSSARY:
        return with_anchors(page_html)
    words = read_glossary((Path(config["docs_dir"]) / GLOSSARY).read_text("utf-8"))
    place = get_relative_url(files.get_file_from_path(GLOSSARY).url, page.url)
    return explained(page_html, words, place)
