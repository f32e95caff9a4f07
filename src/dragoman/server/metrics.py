"""What Prometheus is told."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

CONTENT_TYPE = CONTENT_TYPE_LATEST


class Metrics:
    """The counters of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        self.requests = Counter(
            "dragoman_requests", "Requests answered.", ["path", "status"], registry=self._registry
        )
        self.seconds = Histogram(
            "dragoman_request_seconds",
            "Time from request to answer.",
            ["path"],
            registry=self._registry,
            buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60),
        )
        self.sentences = Counter(
            "dragoman_sentences", "Sentences translated.", ["model"], registry=self._registry
        )
        self.batches = Histogram(
            "dragoman_batch_sentences",
            "Sentences given to the decoder at once.",
            registry=self._registry,
            buckets=(1, 2, 4, 8, 16, 32, 64),
        )
        self._waiting = Gauge(
            "dragoman_waiting_sentences", "Sentences in queues.", registry=self._registry
        )

    def watch_queue(self, length: Callable[[], float]) -> None:
        """Ask this function for the length of the queues."""
        self._waiting.set_function(length)

    def text(self) -> bytes:
        """As it is scraped."""
        return generate_latest(self._registry)
