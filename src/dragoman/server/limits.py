"""What one client may ask for; everything beyond is refused with a reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Bounds of a server; the command line sets the first nine."""

    body_bytes: int = 1 << 20
    file_bytes: int = 20 << 20  # of a document that is sent
    sentences: int = 2000  # of one request
    words: int = 200  # of one sentence
    waiting: int = 20_000  # sentences in a queue
    seconds: float = 60.0  # until a request is given up
    connections: int = 1000  # open at once
    requests_per_minute: float = 0.0  # of one client; 0: no limit
    sending: float = 20.0  # seconds for a whole request to come
    batch: int = 32  # sentences of one call of the decoder
    batch_characters: int = 6000
    # Requests with searches of their own, traces or n-best lists.
    special_sentences: int = 100
    special_words: int = 80
    typed_sentences: int = 16  # whose search graphs are kept while somebody types
