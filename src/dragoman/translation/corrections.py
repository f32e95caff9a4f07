"""What users have taught a model since its training: terms and corrected sentences.

They live in ``corrections.db``, an SQLite file in the model directory, and are forced upon
translations at once. For retraining they are written as TSV or TMX.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, cast
from xml.sax.saxutils import escape, quoteattr

from dragoman._core import GivenTranslation
from dragoman.errors import DragomanError, FileError, InputError
from dragoman.text.form import TextForm
from dragoman.text.normalise import normalise
from dragoman.translation.demands import MarkedLine
from dragoman.translation.terms import Terms
from dragoman.unknown.forms import NO_FORMS, Forms

Kind = Literal["term", "sentence"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS corrections (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('term', 'sentence')),
  source TEXT NOT NULL,
  target TEXT NOT NULL,
  created TEXT NOT NULL,
  UNIQUE (kind, source)
)
"""


@dataclass(frozen=True)
class Correction:
    """One entry: the source, how to translate it, and since when."""

    id: int
    kind: Kind
    source: str
    target: str
    created: str


class Corrections:
    """The corrections of one model; safe to use from several threads."""

    def __init__(self, path: Path, form: TextForm, forms: Forms = NO_FORMS) -> None:
        """`path`: their file; it need not be there yet. `forms`: of the words of terms."""
        self.path = path
        self._form, self._forms = form, forms
        self._lock = threading.Lock()
        self._terms = Terms.of([], form)
        self._sentences: dict[tuple[str, ...], Correction] = {}
        self._seen: tuple[int, int] | None = None
        if self.path.exists():
            self._load()

    def __reduce__(self) -> tuple[type[Corrections], tuple[Path, TextForm, Forms]]:
        """To other processes it travels as the name of its file."""
        return type(self), (self.path.absolute(), self._form, self._forms)

    def add(self, kind: Kind, source: str, target: str) -> Correction:
        """Keep an entry; one with the same kind and source is replaced."""
        source, target = normalise(source), normalise(target)
        if not source or not target:
            raise InputError("a correction needs a source and a target")
        created = datetime.now(UTC).isoformat(timespec="seconds")
        with self._lock:
            with self._open() as database:
                row = database.execute(
                    "INSERT INTO corrections (kind, source, target, created) VALUES (?, ?, ?, ?) "
                    "ON CONFLICT (kind, source) DO UPDATE SET target = excluded.target, "
                    "created = excluded.created RETURNING id",
                    (kind, source, target, created),
                ).fetchone()
            self._load()
        return Correction(int(row[0]), kind, source, target, created)

    def remove(self, number: int) -> bool:
        """Forget an entry; whether there was one."""
        with self._lock:
            if not self.path.exists():
                return False
            with self._open() as database:
                gone = database.execute("DELETE FROM corrections WHERE id = ?", (number,)).rowcount
            self._load()
        return gone > 0

    def entries(self) -> list[Correction]:
        """All of them, oldest first."""
        if not self.path.exists():
            return []
        with self._open() as database:
            rows = database.execute(
                "SELECT id, kind, source, target, created FROM corrections ORDER BY id"
            ).fetchall()
        return [Correction(row[0], cast(Kind, row[1]), *row[2:]) for row in rows]

    def apply(self, marked: MarkedLine) -> str | None:
        """Force what is known about a line upon it; the translation itself when all of it is.

        What others have taught the model meanwhile, be it another process or whoever served it
        before it was opened anew, is known too.
        """
        if self.stamp() != self._seen:
            with self._lock:
                self._load()
        terms, sentences = self._terms, self._sentences
        if not terms.entries and not sentences:
            return None
        if not (marked.given or marked.zones or marked.walls or marked.source.tags):
            found = sentences.get(_key(marked.tokens))
            if found is not None and not marked.source.items:
                target = self._form.prepare_target(found.target)
                marked.given.append(GivenTranslation(0, len(marked.tokens), target))
                return found.target
        terms.apply(marked)
        return None

    def stamp(self) -> tuple[int, int] | None:
        """Changes with the file; None while there is none."""
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size

    def _load(self) -> None:
        form = self._form
        # Taken before reading, so that what comes meanwhile is read again; told after it, so that
        # nobody takes what was there before for what is there now.
        stamp = self.stamp()
        entries = self.entries()
        terms = ((entry.source, entry.target, None) for entry in entries if entry.kind == "term")
        self._terms = Terms.of(terms, form, self._forms)
        self._sentences = {
            _key(form.prepare_source(entry.source).split()): entry
            for entry in entries
            if entry.kind == "sentence"
        }
        self._seen = stamp

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            database = sqlite3.connect(self.path, timeout=10)
            try:
                with database:
                    database.execute(_SCHEMA)
                    yield database
            finally:
                database.close()
        except sqlite3.OperationalError as problem:
            raise FileError(f"{self.path}: {problem}") from problem
        except sqlite3.DatabaseError as problem:
            raise DragomanError(f"{self.path}: no database of corrections: {problem}") from problem


def _key(tokens: Sequence[str]) -> tuple[str, ...]:
    """A sentence in whatever case it is written."""
    return tuple(token.lower() for token in tokens)


def as_tsv(entries: list[Correction]) -> str:
    """Pairs as `dragoman train --tsv` and `dragoman translate --terms` read them."""
    return "".join(f"{entry.source}\t{entry.target}\n" for entry in entries)


def as_tmx(entries: list[Correction], source_language: str, target_language: str) -> str:
    """Pairs as translation tools and `dragoman train --tmx` read them."""
    from importlib.metadata import version

    source_language, target_language = source_language or "und", target_language or "und"
    units = "".join(
        f'<tu creationdate="{_tmx_date(entry.created)}"><prop type="x-kind">{entry.kind}</prop>'
        f"<tuv xml:lang={quoteattr(source_language)}><seg>{escape(entry.source)}</seg></tuv>"
        f"<tuv xml:lang={quoteattr(target_language)}><seg>{escape(entry.target)}</seg></tuv>"
        "</tu>\n"
        for entry in entries
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<tmx version="1.4">\n'
        f'<header creationtool="dragoman" creationtoolversion="{version("dragoman")}" '
        'segtype="sentence" o-tmf="dragoman" adminlang="en" datatype="plaintext" '
        f"srclang={quoteattr(source_language)}/>\n"
        f"<body>\n{units}</body>\n</tmx>\n"
    )


def _tmx_date(created: str) -> str:
    return datetime.fromisoformat(created).strftime("%Y%m%dT%H%M%SZ")
