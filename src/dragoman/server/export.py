"""A page about sentences that needs no server and nothing from elsewhere."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

STATIC = Path(__file__).parent / "static"
SCRIPTS = ("draw.js", "features.js", "story.js", "stacks.js", "export.js")


def sentence_page(title: str, explained: dict[str, Any]) -> str:
    """What `Translator.explain` found, as one HTML file."""
    style = (STATIC / "style.css").read_text("utf-8")
    scripts = "\n".join((STATIC / name).read_text("utf-8") for name in SCRIPTS)
    # "</script>" inside the data must not end it.
    data = json.dumps(explained, ensure_ascii=False).replace("<", "\\u003c")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><title>{html.escape(title)}</title>'
        f"<style>\n{style}</style></head><body>"
        f'<header class="top"><h1>{html.escape(title)}</h1></header>'
        '<main id="explained"></main>'
        f'<script type="application/json" id="data">{data}</script>'
        f"<script>\n{scripts}</script></body></html>\n"
    )
