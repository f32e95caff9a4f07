"""Words that nothing is known of, in the translation as they were written."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dragoman.text.case import CaseHabits
from dragoman.translation.written import _Writer


@pytest.mark.parametrize(
    ("written", "tokens", "steps", "order", "truecases", "copies", "expected"),
    [
        # As it was written, whatever its case among the tokens.
        ("the XyZzy", "le xyzzy", [(1, 1, 2, True)], None, False, 1.0, "le XyZzy"),
        # What a source offers instead stays as it is.
        ("the XyZzy", "le autre", [(1, 1, 2, True)], None, False, 1.0, "le autre"),
        ("the XyZzy", "le xyzzy", [(1, 1, 2, False)], None, False, 1.0, "le xyzzy"),
        ("the XyZzy", "le xyzzy yzzyx", [(1, 1, 3, True)], None, False, 1.0, "le xyzzy yzzyx"),
        # Its place in a sentence that was put in another order.
        ("XyZzy the", "le xyzzy", [(1, 1, 2, True)], [1, 0], False, 1.0, "le XyZzy"),
        # A capital stays where training keeps them.
        ("the Xyzzy", "le xyzzy", [(1, 1, 2, True)], None, True, 0.5, "le Xyzzy"),
        ("the Xyzzy", "le xyzzy", [(1, 1, 2, True)], None, True, 0.4, "le xyzzy"),
        ("the Xyzzy", "le xyzzy", [(1, 1, 2, True)], None, False, 0.4, "le Xyzzy"),
    ],
)
def test_unknown_words(written, tokens, steps, order, truecases, copies, expected):
    line = SimpleNamespace(written=written.split())
    writing = SimpleNamespace(case=CaseHabits(copies=copies))
    entry = SimpleNamespace(
        steps=[
            SimpleNamespace(source=(place, place + 1), target_span=(begin, end), unknown=unknown)
            for place, begin, end, unknown in steps
        ]
    )
    writer = _Writer(
        SimpleNamespace(truecases=truecases, writing=writing),  # type: ignore[arg-type]
        SimpleNamespace(line=SimpleNamespace(order=order)),  # type: ignore[arg-type]
        entry,  # type: ignore[arg-type]
        None,  # type: ignore[arg-type]
    )
    assert writer._copied(tokens.split(), line) == expected.split()  # type: ignore[arg-type]
