"""How many requests a client may send."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

# Clients that are remembered; the one that was quiet longest is forgotten first.
REMEMBERED = 10_000


class RateLimit:
    """A bucket for each client that fills at a steady rate and is emptied by requests."""

    def __init__(self, per_minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._size, self._rate, self._clock = max(1.0, per_minute), per_minute / 60, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # level, when

    def wait(self, client: str) -> float:
        """Count a request; 0 when it may pass, else after how many seconds the next one may."""
        now = self._clock()
        level, then = self._buckets.pop(client, (self._size, now))
        level = min(self._size, level + (now - then) * self._rate)
        allowed = level >= 1
        self._buckets[client] = (level - 1 if allowed else level, now)
        while len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - level) / self._rate
