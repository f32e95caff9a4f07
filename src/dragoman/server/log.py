"""Log lines for machines: one JSON object each, and never a word of what users send."""

from __future__ import annotations

import json
import sys
import threading
from datetime import UTC, datetime
from typing import TextIO


class Log:
    """Writes events; safe to use from several threads."""

    def __init__(self, stream: TextIO | None = None, *, quiet: bool = False) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._lock = threading.Lock()
        self._quiet = quiet

    def write(self, event: str, **fields: object) -> None:
        """One line."""
        if self._quiet:
            return
        time = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"time": time, "event": event, **fields}, ensure_ascii=False)
        with self._lock:
            self._stream.write(line + "\n")
            self._stream.flush()
