"""Forms with files in them (RFC 7578), read whole; they are no larger than the server allows."""

from __future__ import annotations

import re
from dataclasses import dataclass

from starlette.exceptions import HTTPException

MULTIPART = "multipart/form-data"
_MOST_FIELDS = 50
_BOUNDARY = re.compile(r"""boundary=(?:"([^"]{1,200})"|([^\s;,"]{1,200}))""", re.IGNORECASE)
_NAME = re.compile(r"""[;\s]name="((?:[^"\\]|\\.)*)\"""", re.IGNORECASE)
_FILE = re.compile(r"""[;\s]filename="((?:[^"\\]|\\.)*)\"""", re.IGNORECASE)


@dataclass(frozen=True)
class FormField:
    """A field of a form; `file` is the name of a file, empty for plain text."""

    name: str
    file: str
    content: bytes


def read_multipart(content_type: str, body: bytes) -> dict[str, FormField]:
    """The fields of a form by their names."""
    boundary = _BOUNDARY.search(content_type)
    if boundary is None:
        raise HTTPException(422, "the form does not say what separates its fields (boundary)")
    mark = b"\r\n--" + (boundary[1] or boundary[2]).encode("latin-1", "replace")
    parts = (b"\r\n" + body).split(mark, _MOST_FIELDS + 2)
    if len(parts) < 3 or len(parts) > _MOST_FIELDS + 2 or not parts[-1].startswith(b"--"):
        raise HTTPException(422, "the form is cut, or has too many fields")
    found: dict[str, FormField] = {}
    for part in parts[1:-1]:
        head, there, content = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        said = head.decode("utf-8", "replace")
        name, file = _NAME.search(said), _FILE.search(said)
        if not there or name is None:
            raise HTTPException(422, "a field of the form has no name")
        if name[1] in found:
            raise HTTPException(422, f"{name[1][:100]}: given more than once")
        # Old browsers send the whole path.
        shown = re.split(r"[/\\]", file[1])[-1] if file else ""
        found[name[1]] = FormField(name[1], shown[:200], content)
    return found
