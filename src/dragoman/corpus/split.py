"""Setting pairs aside for tuning and testing, the same ones whenever the corpus is the same."""

from __future__ import annotations

import hashlib
import heapq
from dataclasses import dataclass

# However small the corpus, at most this part of it is set aside for each set.
LARGEST_SHARE = 1 / 20


@dataclass(frozen=True)
class HeldOut:
    """Which pairs (numbers in the cleaned corpus) are set aside."""

    dev: frozenset[int]
    test: frozenset[int]


class HoldOut:
    """Chooses pairs by a hash of their source sentence, in one pass and little memory.

    The choice does not depend on the order of the corpus, and hardly changes when pairs are
    added. Of several pairs with the same source only the first can be chosen.
    """

    def __init__(self, dev_size: int, test_size: int) -> None:
        self._dev_size, self._test_size = dev_size, test_size
        self._count = 0
        # The smallest hashes so far, as a heap whose top is the largest: (-hash, -number).
        self._chosen: list[tuple[int, int]] = []
        self._hashes: set[int] = set()

    def offer(self, source: str) -> None:
        """Consider the next pair."""
        number = self._count
        self._count += 1
        wanted = self._dev_size + self._test_size
        if wanted == 0:
            return
        digest = hashlib.blake2b(source.encode(), digest_size=8).digest()
        value = int.from_bytes(digest, "big")
        if value in self._hashes:
            return
        if len(self._chosen) < wanted:
            heapq.heappush(self._chosen, (-value, -number))
            self._hashes.add(value)
        elif value < -self._chosen[0][0]:
            dropped, _ = heapq.heapreplace(self._chosen, (-value, -number))
            self._hashes.remove(-dropped)
            self._hashes.add(value)

    def finish(self) -> HeldOut:
        """The choice: dev and test by turns in the order of hashes."""
        limit = int(self._count * LARGEST_SHARE)
        dev_size, test_size = min(self._dev_size, limit), min(self._test_size, limit)
        order = [-number for _, number in sorted(self._chosen, reverse=True)]
        return HeldOut(
            frozenset(order[:dev_size]), frozenset(order[dev_size : dev_size + test_size])
        )
