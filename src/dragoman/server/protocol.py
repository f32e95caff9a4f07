"""HTTP with a time limit on sending: who begins a request and does not end it is hung up on."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LAST_SECONDS = 5.0  # for a request under way when the server is told to stop


def timed_protocol(seconds: float) -> type[HttpToolsProtocol]:
    """The protocol for a server that waits so long for a whole request, head and body."""

    class TimedProtocol(HttpToolsProtocol):
        _deadline: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._wait_for_request()

        def on_message_begin(self) -> None:
            super().on_message_begin()
            self._wait_for_request()

        def on_message_complete(self) -> None:
            self._stop_waiting()
            super().on_message_complete()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_waiting()
            super().connection_lost(exc)

        def shutdown(self) -> None:
            # Who is in the middle of sending may end, but not at leisure.
            if self._deadline is not None:
                self._wait_for_request(min(seconds, LAST_SECONDS))
            super().shutdown()

        def _wait_for_request(self, most: float = seconds) -> None:
            self._stop_waiting()
            self._deadline = self.loop.call_later(most, self._hang_up)

        def _stop_waiting(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

        def _hang_up(self) -> None:
            self._stop_waiting()
            if not self.transport.is_closing():
                self.transport.abort()

    return TimedProtocol
