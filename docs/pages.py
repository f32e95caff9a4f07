"""Pages of the site that are not in docs/: notebooks, and those at the top of the repository.

A hook of MkDocs (mkdocs.yml names it). Pages that the navigation does not name come last in the
section of their folder, so that a new page is never lost. Links to files that the site does not
have become plain text.
"""

from __future__ import annotations

import json
import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[1]
TOP = {
    "CHANGELOG.md": "project/changes.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
}
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
SECTIONS = {"guide": "Guide", "reference": "Reference", "lab": "Lab", "notebooks": "Notebooks"}


def on_config(config: Any) -> None:
    """Complete the navigation."""
    docs = ROOT / "docs"
    named = set(re.findall(r"[\w./-]+\.md", json.dumps(config["nav"])))
    pages = sorted(path.relative_to(docs).as_posix() for path in docs.rglob("*.md"))
    pages += [f"notebooks/{path.stem}.md" for path in NOTEBOOKS] + list(TOP.values())
    sections = {name: part for item in config["nav"] for name, part in item.items()}
    for page in pages:
        if page not in named:
            sections[SECTIONS.get(page.split("/")[0], "Development")].append(page)


def on_files(files: Any, config: Any) -> None:
    """Add what is not in docs/."""
    for name, page in TOP.items():
        files.append(File.generated(config, page, content=(ROOT / name).read_text("utf-8")))
    for path in NOTEBOOKS:
        page = f"notebooks/{path.stem}.md"
        files.append(File.generated(config, page, content=notebook(path)))


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Lead links to where the site has their pages."""
    here = page.file.src_uri
    place = {moved: name for name, moved in TOP.items()}.get(here)
    base = "" if place else posixpath.join("docs", posixpath.dirname(here))

    def moved(link: re.Match[str]) -> str:
        text, path, anchor = link[1], link[2], link[3] or ""
        target = posixpath.normpath(posixpath.join(base, path))
        if path.startswith("../notebooks/") and path.endswith(".md"):
            return link[0]
        if target.startswith("examples/notebooks/") and target.endswith(".ipynb"):
            target = f"docs/notebooks/{Path(target).stem}.md"
        elif target in TOP:
            target = f"docs/{TOP[target]}"
        elif not target.startswith("docs/"):
            return text
        found = posixpath.relpath(target.removeprefix("docs/"), posixpath.dirname(here) or ".")
        return f"[{text}]({found}{anchor})"

    return re.sub(r"\[([^\]]+)\]\(([^):#\s]+)(#[^)\s]*)?\)", moved, markdown)


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    """Leave out the roles of names in docstrings, which Markdown does not know."""
    return re.sub(r":(?:class|func|meth):(?=<code>)", "", html)


def on_post_page(html: str, page: Any, config: Any) -> str:
    """No other host is asked for anything: what lets search work from the disk is our own."""
    own = (ROOT / "docs" / "worker.js").read_text("utf-8")
    html = re.sub(r'<script src="https://[^"]*iframe-worker[^"]*"></script>', "", html)
    asked = re.search(r'<(?:script|link|img|iframe)[^>]* (?:src|href)="https?://[^"]*', html)
    if asked and 'rel="canonical"' not in asked[0]:
        raise PluginError(f"{page.file.src_uri}: another host is asked: {asked[0]}")
    return html.replace("</head>", f"<script>{own}</script></head>", 1)


def notebook(path: Path) -> str:
    """A notebook as a page: text, code, and what it printed and drew."""
    parts = []
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text)
            continue
        parts.append(f"```python\n{text}\n```")
        for output in cell["outputs"]:
            if "text" in output:
                parts.append(f"```text\n{''.join(output['text']).rstrip()}\n```")
            elif "image/svg+xml" in output.get("data", {}):
                drawing = "".join(output["data"]["image/svg+xml"])  # in black, for white paper
                parts.append(f'<div style="background: white; overflow-x: auto">{drawing}</div>')
            elif "text/plain" in output.get("data", {}):
                parts.append(f"```text\n{''.join(output['data']['text/plain'])}\n```")
    return "\n\n".join(parts)
