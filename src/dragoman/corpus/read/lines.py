"""Lines of a text file: decompressed, decoded, checked."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from io import BufferedIOBase
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from dragoman.errors import FileError, InputError

# A line longer than this is no sentence; most likely the file has no line ends at all.
MAX_LINE_BYTES = 512 * 1024

_BOM = b"\xef\xbb\xbf"


_COMPRESSED: tuple[tuple[bytes, Callable[[BinaryIO], BufferedIOBase]], ...] = (
    (b"\x1f\x8b", lambda raw: gzip.GzipFile(fileobj=raw)),
    (b"BZh", bz2.BZ2File),
    (b"\xfd7zXZ\x00", lzma.LZMAFile),
)
_ZSTD = b"\x28\xb5\x2f\xfd"


# What Python knows as encodings and no file is written in.
_NO_FILES = frozenset({"idna", "punycode", "undefined", "raw-unicode-escape", "unicode-escape"})


def find_encoding(name: str, path: Path) -> str:
    """The name under which Python knows an encoding that a file declares."""
    try:
        found = codecs.lookup(name)
    except (LookupError, UnicodeError) as problem:
        raise InputError.at(path, None, f"declares the unknown encoding {name}") from problem
    # Hex, zlib and the like are codecs to Python, and no encodings of text.
    if found.name in _NO_FILES or not getattr(found, "_is_text_encoding", True):
        raise InputError.at(path, None, f"declares the encoding {name}, in which no text is")
    return found.name


def decoded(raw: bytes, encoding: str, path: Path) -> str:
    """The text of a file that is read whole."""
    try:
        return raw.decode(encoding)
    except UnicodeError as problem:
        raise InputError.at(path, None, f"not valid {encoding}: {problem}") from problem


@contextmanager
def open_bytes(path: Path) -> Iterator[IO[bytes]]:
    """A file's bytes, decompressed when they begin like gzip, bzip2, xz or Zstandard.

    What goes wrong while reading, a cut archive included, is raised as a DragomanError.
    """
    try:
        with path.open("rb") as raw:
            start = raw.read(6)
            raw.seek(0)
            for magic, decompress in _COMPRESSED:
                if start.startswith(magic):
                    with decompress(raw) as stream:
                        yield cast(IO[bytes], stream)
                    return
            if start.startswith(_ZSTD):
                zstd = _zstd(path)
                try:
                    with zstd.ZstdFile(raw) as stream:
                        yield cast(IO[bytes], stream)
                except zstd.ZstdError as problem:
                    raise _damaged(path, problem) from problem
                return
            yield raw
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as problem:
        raise _damaged(path, problem) from problem
    except OSError as problem:
        # bz2 reports damage as an OSError without an errno.
        if problem.errno is None:
            raise _damaged(path, problem) from problem
        raise FileError.of(problem, path) from problem


def _zstd(path: Path) -> Any:
    """What decompresses Zstandard: Python itself from 3.14 on, before that a package."""
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return import_module(name)
        except ImportError:
            continue
    raise InputError.at(
        path,
        None,
        "compressed with Zstandard, which this Python cannot read; "
        "pip install 'dragoman[zstd]', or decompress it with zstd -d",
    )


def _damaged(path: Path, problem: Exception) -> InputError:
    return InputError.at(path, None, f"the compressed file is cut or damaged: {problem}")


def read_lines(path: Path, encoding: str = "utf-8") -> Iterator[str]:
    """The lines of a file without their ends; only a line feed ends a line."""
    with open_bytes(path) as stream:
        number = 0
        while raw := stream.readline(MAX_LINE_BYTES + 1):
            number += 1
            if len(raw) > MAX_LINE_BYTES:
                raise InputError.at(
                    path,
                    number,
                    f"longer than {MAX_LINE_BYTES:,} bytes; expected one sentence a line",
                )
            if number == 1 and raw.startswith(_BOM):
                raw = raw[len(_BOM) :]
            if b"\0" in raw:
                raise InputError.at(
                    path,
                    number,
                    f"NUL byte at byte {raw.index(0) + 1} of the line; is this a text file, "
                    "and in UTF-8?",
                )
            try:
                line = raw.decode(encoding)
            except UnicodeDecodeError as problem:
                raise InputError.at(
                    path,
                    number,
                    f"invalid {encoding.upper()}: byte 0x{raw[problem.start]:02x} at byte "
                    f"{problem.start + 1} of the line; convert the file, e.g. with iconv",
                ) from problem
            yield line.removesuffix("\n").removesuffix("\r")
