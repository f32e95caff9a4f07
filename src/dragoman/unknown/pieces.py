"""Pieces of words, for languages that put a sentence into a word: every text has new ones.

Words are cut into pieces that are learnt from the text, and the pieces aligned with the words of
the other language. What is linked to the pieces of one word makes a pair with it, and such pairs
train a phrase model that translates new words: stems that were only seen with other endings, and
endings that are words of their own elsewhere. Training costs as much as aligning, so it is done
only where many words are new.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from dragoman._core import Vocabulary
from dragoman.alignment.aligner import bitext_of
from dragoman.alignment.aligner import train as train_aligner
from dragoman.alignment.config import AlignConfig
from dragoman.corpus.bitext import Bitext, SentenceIds
from dragoman.text.tokenise import Pieces
from dragoman.unknown.known import RESERVED
from dragoman.unknown.word_model_training import train_word_model

# Pieces that are learnt: one for so many words, but no more than that, lest every word be a piece
# of its own.
WORDS_OF_A_PIECE = 8
MOST_PIECES = 4000
# From words counted no more than so many times.
MOST_REPEATS = 50
# With fewer known words there is nothing to learn.
FEWEST_WORDS = 2000
LONGEST_TARGET = 5
LONGEST_PHRASE = 5
ORDER = 3
# Half of what words get: pieces are many, and their links only make pairs of words.
ALIGNMENT = AlignConfig(model1_iterations=4, hmm_iterations=2)

Link = tuple[int, int]
# The pieces of a word, the words that translate it, and their links.
WordPair = tuple[str, str, tuple[Link, ...]]


def pieces_serve(vocabulary: Vocabulary, least_new: float) -> bool:
    """Whether so many of the words of new text will be new that it needs pieces, and there is
    enough to learn from: more pieces than letters, of which some languages have thousands."""
    if len(vocabulary) < FEWEST_WORDS or new_words(vocabulary) < least_new:
        return False
    words = (vocabulary.word(number) for number in range(RESERVED, len(vocabulary)))
    return 2 * len(set().union(*words)) <= most_pieces(vocabulary)


def most_pieces(vocabulary: Vocabulary) -> int:
    """How many pieces are learnt from a vocabulary."""
    return min(MOST_PIECES, len(vocabulary) // WORDS_OF_A_PIECE)


def new_words(vocabulary: Vocabulary) -> float:
    """The share of the running words of a new text that will be new: that of the words seen once
    (Good 1953)."""
    counts = [vocabulary.count(number) for number in range(RESERVED, len(vocabulary))]
    return counts.count(1) / max(1, sum(counts))


def train_pieces(text: Bitext, files: Sequence[Path], threads: int) -> int:
    """Write how words are cut and a word model of pieces; returns from how many pairs."""
    vocabularies = text.source_vocabulary, text.target_vocabulary
    source, target = ([side.word(n) for n in range(len(side))] for side in vocabularies)
    repeated = (
        word
        for number, word in enumerate(source)
        if number >= RESERVED
        for _ in range(min(text.source_vocabulary.count(number), MOST_REPEATS))
    )
    pieces = Pieces.learn(repeated, most_pieces(text.source_vocabulary), roughly=True)
    cut = [pieces.cut(word) for word in source]
    lines = [
        " ".join(piece for word in words for piece in cut[word])
        for words in _sentences(text.source)
    ]
    spelt = [" ".join(target[word] for word in words) for words in _sentences(text.target)]
    links = train_aligner(bitext_of(lines, spelt), ALIGNMENT, threads=threads).links
    sizes = ([len(cut[word]) for word in words] for words in _sentences(text.source))
    pairs = [
        pair
        for line, other, row, size in zip(lines, spelt, links, sizes, strict=True)
        for pair in word_pairs(
            line.split(), other.split(), [(i, j) for i, j in row.tolist()], size
        )
    ]
    files[0].write_bytes(pieces.model)
    train_word_model(
        bitext_of([pair[0] for pair in pairs], [pair[1] for pair in pairs]),
        links.of(pair[2] for pair in pairs),
        (pair[1] for pair in pairs),
        files[1:],
        longest=LONGEST_PHRASE,
        order=ORDER,
        threads=threads,
    )
    return len(pairs)


def _sentences(side: SentenceIds) -> Iterator[list[int]]:
    return (side[number].tolist() for number in range(len(side)))


def word_pairs(
    pieces: Sequence[str], target: Sequence[str], links: Sequence[Link], sizes: Sequence[int]
) -> Iterator[WordPair]:
    """Each word of so many pieces with the words that are linked to it and to no other."""
    of_piece: list[list[Link]] = [[] for _ in pieces]
    linked = [0] * len(target)
    for link in links:
        of_piece[link[0]].append(link)
        linked[link[1]] += 1
    begin = 0
    for size in sizes:
        end = begin + size
        own = [link for piece in of_piece[begin:end] for link in piece]
        if own:
            first, last = min(j for _, j in own), max(j for _, j in own)
            inside = last - first < LONGEST_TARGET and sum(linked[first : last + 1]) == len(own)
            if inside:
                moved = tuple((i - begin, j - first) for i, j in own)
                yield " ".join(pieces[begin:end]), " ".join(target[first : last + 1]), moved
        begin = end
