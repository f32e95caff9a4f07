"""Sound files with their parts lost, doubled or exchanged."""

from __future__ import annotations

import random
import re

_PARTS = re.compile(rb"<[^<>]*>|\[[^\]\n]*\]|\"[^\"\n]*\"|\w+|\s|[^\w\s]", re.ASCII)
# What readers of text stumble over, whatever the format.
ODD = (
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xed\xa0\x80",
    "\u2028".encode(),
    "\u202e".encode(),
    "e\u0301".encode(),
    b"\r",
    b"\n\n",
    b"\t",
    b"'",
    b'"',
    b"\\",
    b"&#0;",
    b"&amp",
    b"]]>",
    b"<![CDATA[",
    b"-->",
    b"<!--",
    b"nan",
    b"-1",
    b"1e999",
    b"9" * 40,
    b"|||",
    b"{" * 50,
    b"[" * 50,
    b"true",
    b"null",
    b"%s" * 5,
    b"a" * 5000,
)


def mutant(sound: bytes, others: list[bytes], chance: random.Random) -> bytes:
    """One to eight changes: of parts mostly, of bytes sometimes; parts of `others` get in."""
    parts = _PARTS.findall(sound)
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        if not parts:
            break
        at = chance.randrange(len(parts))
        match chance.randrange(9):
            case 0:
                del parts[at : at + chance.choice((1, 1, 5, 50))]
            case 1:
                parts[at:at] = parts[at : at + chance.choice((1, 5, 50))]
            case 2:
                other = chance.randrange(len(parts))
                parts[at], parts[other] = parts[other], parts[at]
            case 3 | 4:
                parts[at:at] = [chance.choice(ODD)]
            case 5:
                parts[at] = chance.choice(ODD)
            case 6:
                stranger = _PARTS.findall(chance.choice(others))
                start = chance.randrange(len(stranger))
                parts[at:at] = stranger[start : start + chance.choice((1, 5, 20))]
            case 7:
                parts[at:at] = parts[at : at + 3] * chance.choice((10, 200))
            case _:
                raw = bytearray(parts[at])
                raw[chance.randrange(len(raw))] = chance.randrange(256)
                parts[at] = bytes(raw)
    changed = b"".join(parts)
    return (
        changed[: chance.randrange(len(changed))] if changed and chance.random() < 0.1 else changed
    )
