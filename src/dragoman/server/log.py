"""Log lines for machines: one JSON object each, and never a word of what users send."""

from __future__ import annotations

import json
import logging
import sys
import threading
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

_spell = json.JSONEncoder(ensure_ascii=False).encode


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
        line = _spell({"time": time, "event": event, **fields})
        with self._lock:
            self._stream.write(line + "\n")
            self._stream.flush()


class Relay(logging.Handler):
    """Takes over what libraries log. Of exceptions it tells kind and place, not the message: that
    might quote what somebody sent."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        fields: dict[str, object] = {"level": record.levelname.lower(), "logger": record.name}
        if record.exc_info and record.exc_info[0] is not None:
            frames = traceback.extract_tb(record.exc_info[2])[-5:]
            fields["error"] = record.exc_info[0].__name__
            fields["at"] = [f"{Path(one.filename).name}:{one.lineno} {one.name}" for one in frames]
        else:
            fields["message"] = record.getMessage()
        self._log.write("notice", **fields)
