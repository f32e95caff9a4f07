"""Dragoman's native core; use it through the dragoman package."""

import numpy
import numpy.typing


class Vocabulary:
    """Words and their ids; immutable, mapped from a file."""

    @staticmethod
    def open(path: str) -> Vocabulary: ...

    def save(self, path: str) -> None: ...

    def __len__(self) -> int: ...

    def find(self, word: str) -> int:
        """The word's id, or 0 (<unk>)."""

    def word(self, id: int) -> str: ...

    def count(self, id: int) -> int:
        """How often the word was seen in training."""

    def encode(self, lines: list[str]) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.uint64]]:
        """Ids and offsets of lines of space-separated tokens."""

    def decode(self, ids: numpy.typing.NDArray[numpy.int32]) -> str:
        """The words of the ids, separated by spaces."""

def build_vocabulary(lines: list[str], min_count: int = 1) -> Vocabulary: ...

class BitextFile:
    """A mapped bitext: ids and sentence offsets of both sides."""

    def __init__(self, path: str) -> None: ...

    def __len__(self) -> int: ...

    @property
    def source_ids(self) -> numpy.typing.NDArray[numpy.int32]: ...

    @property
    def source_offsets(self) -> numpy.typing.NDArray[numpy.uint64]: ...

    @property
    def target_ids(self) -> numpy.typing.NDArray[numpy.int32]: ...

    @property
    def target_offsets(self) -> numpy.typing.NDArray[numpy.uint64]: ...

class BitextBuilder:
    """Takes sentence pairs, writes a bitext and its vocabularies."""

    def __init__(self, spool: str) -> None: ...

    def __len__(self) -> int: ...

    def add(self, source: list[str], target: list[str]) -> None: ...

    def finish(self, bitext_path: str, source_vocabulary_path: str, target_vocabulary_path: str) -> None: ...

class SeenSet:
    """Remembers which strings were seen, in 16 bytes each."""

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    def insert(self, text: str) -> bool:
        """Whether the text was new."""

    def __contains__(self, arg: str, /) -> bool: ...
