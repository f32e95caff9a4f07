"""Dragoman's native core; use it through the dragoman package."""

import array
from collections.abc import Sequence
import enum

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

class VocabularyBuilder:
    """Counts the words of a text."""

    def __init__(self) -> None: ...

    def add(self, text: bytes) -> None:
        """Whole lines of tokens."""

    def finish(self) -> Vocabulary:
        """When there is no more to add."""

def build_vocabulary(lines: list[str], min_count: int = 1) -> Vocabulary: ...

class Apostrophe(enum.Enum):
    """Where a word is cut at an apostrophe."""

    inside = 0

    before = 1

    behind = 2

def cut_words(text: str, apostrophe: Apostrophe = ...) -> tuple[list[str], list[str]]:
    """
    The tokens of a text, and the white space before, between and behind them.
    """

class Sentences:
    """Sentences of word ids, in NumPy's arrays."""

    def __init__(self, ids: numpy.typing.NDArray[numpy.int32], offsets: numpy.typing.NDArray[numpy.uint64]) -> None:
        """Sentence n has the ids [offsets[n], offsets[n + 1])."""

    def __len__(self) -> int: ...

    def text(self, vocabulary: Vocabulary, first: int, last: int) -> bytes:
        """Sentences [first, last) in words, a line each."""

    def class_text(self, classes: numpy.typing.NDArray[numpy.uint16], first: int, last: int) -> bytes:
        """The same with the number of its class in the place of each word."""

class ParallelText:
    """Sentences and their translations."""

    def __init__(self, source: Sentences, target: Sentences) -> None: ...

    def __len__(self) -> int: ...

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

class SegmentMatch:
    """A segment that is like what was asked for."""

    @property
    def segment(self) -> int: ...

    @property
    def edits(self) -> int:
        """Words to insert, delete or replace."""

    @property
    def length(self) -> int:
        """Of the longer source, in words."""

    @property
    def similarity(self) -> float: ...

class SegmentIndex:
    """A translation memory: segments found by the words of their source."""

    def __init__(self, path: str, vocabulary_path: str) -> None: ...

    def __len__(self) -> int: ...

    def source(self, segment: int) -> str: ...

    def target(self, segment: int) -> str: ...

    def count(self, segment: int) -> int:
        """How often the pair was seen."""

    def last_seen(self, segment: int) -> int:
        """Its last number among the pairs as they came."""

    def search(self, words: str, least: float, most: int) -> list[SegmentMatch]:
        """
        Segments at least so similar (0 to 1), nearest first, then by count, then latest.
        """

class SegmentIndexBuilder:
    """Takes pairs, writes a translation memory."""

    def __init__(self, spool: str) -> None: ...

    def __len__(self) -> int: ...

    def add(self, words: str, source: str, target: str) -> None: ...

    def finish(self, path: str, vocabulary_path: str) -> None: ...

class WordClusterer:
    """Word classes by the exchange algorithm; sweep until little moves."""

    def __init__(self, text: Sentences, vocabulary: int, classes: int, min_count: int) -> None: ...

    def sweep(self) -> int:
        """Moves every word to where it fits best; returns how many moved."""

    @property
    def objective(self) -> float: ...

    def classes(self) -> numpy.typing.NDArray[numpy.uint16]:
        """The class of each word id; 0 for rare words."""

def save_word_classes(path: str, classes: numpy.typing.NDArray[numpy.uint16]) -> None:
    """Writes the class of each id of a vocabulary."""

def load_word_classes(path: str) -> numpy.typing.NDArray[numpy.uint16]:
    """Reads them again."""

class LinkSets:
    """Links of sentence pairs, in NumPy's arrays."""

    def __init__(self, links: numpy.typing.NDArray[numpy.uint16], offsets: numpy.typing.NDArray[numpy.uint64]) -> None:
        """
        Pair n has the links [offsets[n], offsets[n + 1]), each a row of two positions.
        """

    def __len__(self) -> int: ...

class AlignedText:
    """A parallel text with links."""

    def __init__(self, text: ParallelText, links: LinkSets) -> None: ...

    def __len__(self) -> int: ...

def symmetrise_links(forward: LinkSets, backward: LinkSets, symmetry: str) -> tuple[numpy.typing.NDArray[numpy.uint16], numpy.typing.NDArray[numpy.uint64]]: ...

def parse_links(lines: list[str], name: str, first_line: int) -> tuple[numpy.typing.NDArray[numpy.uint16], numpy.typing.NDArray[numpy.uint64]]:
    """Links of Pharaoh lines; errors name the file and the line."""

def format_links(links: LinkSets) -> str:
    """Pharaoh lines, each with its end of line."""

class LinksFile:
    """Links mapped from a file."""

    def __init__(self, path: str) -> None: ...

    @property
    def links(self) -> numpy.typing.NDArray[numpy.uint16]: ...

    @property
    def offsets(self) -> numpy.typing.NDArray[numpy.uint64]: ...

def save_links(links: LinkSets, path: str) -> None: ...

class LexicalTable:
    """p(word | given), sparse; the null word is given word -1."""

    @staticmethod
    def open(path: str) -> LexicalTable: ...

    def save(self, path: str) -> None: ...

    def __len__(self) -> int: ...

    @property
    def given_words(self) -> int: ...

    def prob(self, given: int, word: int) -> float:
        """0 for a pair that is not there."""

    def probs(self, given: numpy.typing.NDArray[numpy.int32], words: numpy.typing.NDArray[numpy.int32]) -> numpy.typing.NDArray[numpy.float32]: ...

    def row(self, given: int) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float32]]:
        """The words a given word generates, by id, and their probabilities."""

def lexical_table_from_links(text: AlignedText, direction: str) -> LexicalTable: ...

class AlignmentModel:
    """A trained aligner, mapped from a file."""

    @staticmethod
    def open(path: str) -> AlignmentModel: ...

    def save(self, path: str) -> None: ...

    @property
    def word_pairs(self) -> int: ...

    def align(self, text: ParallelText, symmetry: str, threshold: float, threads: int) -> tuple[numpy.typing.NDArray[numpy.uint16], numpy.typing.NDArray[numpy.uint64]]: ...

    def lexical_table(self, direction: str) -> LexicalTable: ...

class AlignmentParameters:
    """What an aligner can be told."""

    def __init__(self, *, lexical_prior: float = ..., null_probability: float = ...) -> None: ...

    @property
    def lexical_prior(self) -> float:
        """Weight of a word pair before it is seen."""

    @lexical_prior.setter
    def lexical_prior(self, arg: float, /) -> None: ...

    @property
    def null_probability(self) -> float:
        """That a word is generated by no other."""

    @null_probability.setter
    def null_probability(self, arg: float, /) -> None: ...

class AlignmentExamples:
    """Links made by hand of the first pairs of a text."""

    def __init__(self, sure: LinkSets, possible: LinkSets, weight: int) -> None:
        """
        Each counts as `weight` pairs; possible links are for the model to decide.
        """

class AlignTrainer:
    """Trains both directions of an alignment model together."""

    def __init__(self, text: ParallelText, parameters: AlignmentParameters, examples: AlignmentExamples, threads: int) -> None: ...

    def __len__(self) -> int: ...

    @property
    def word_pairs(self) -> int: ...

    @property
    def skipped(self) -> int: ...

    def sweep(self, stage: str, begin: int, end: int, threads: int) -> None:
        """One part of a sweep over the corpus; the stage is "model1" or "hmm"."""

    def finish_sweep(self, stage: str) -> None: ...

    def align(self, begin: int, end: int, symmetry: str, threshold: float, threads: int) -> tuple[numpy.typing.NDArray[numpy.uint16], numpy.typing.NDArray[numpy.uint64]]: ...

    def model(self, min_count: float) -> AlignmentModel: ...

    @staticmethod
    def of_part(text: ParallelText, parameters: AlignmentParameters, source_words: numpy.typing.NDArray[numpy.uint64], target_words: numpy.typing.NDArray[numpy.uint64], threads: int) -> AlignTrainer:
        """For a part of a corpus; how often words occur in the whole."""

    @property
    def fraction_bits(self) -> int: ...

    def word_pair_table(self) -> tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.int32]]:
        """
        Where the word pairs of each source word begin, and their target words.
        """

    def added(self) -> tuple[numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint64]]:
        """
        What the pairs of a part have added in a sweep: by word pair, and all else.
        """

    def finish_sweep_with(self, stage: str, counts: numpy.typing.NDArray[numpy.uint32], source_totals: numpy.typing.NDArray[numpy.float64], target_totals: numpy.typing.NDArray[numpy.float64], sums: numpy.typing.NDArray[numpy.uint64]) -> None:
        """With what all parts have added."""

    def cells(self) -> numpy.typing.NDArray[numpy.uint16]:
        """What each cell added in the last sweep."""

    def set_cells(self, cells: numpy.typing.NDArray[numpy.uint16]) -> None: ...

    def whole_model(self, min_count: float, row_starts: numpy.typing.NDArray[numpy.uint64], words: numpy.typing.NDArray[numpy.int32], counts: numpy.typing.NDArray[numpy.uint32]) -> AlignmentModel:
        """What all parts have learnt, from the counts of their word pairs."""

class Model1Trainer:
    """IBM Model 1, one direction, plain EM."""

    def __init__(self, text: ParallelText, direction: str, threads: int, memory: int | None = None) -> None:
        """
        The direction is "forward", p(target | source), or "backward". Where noting the word pair of each cell takes more than `memory` bytes, sweeps find it.
        """

    def __len__(self) -> int: ...

    def sweep(self, begin: int, end: int, threads: int) -> None: ...

    def finish_sweep(self) -> float:
        """The log-likelihood before this update, up to a constant."""

    def table(self, min_probability: float) -> LexicalTable: ...

class PermutationTree:
    """How a permutation is composed; inner nodes in post-order."""

    @property
    def permutation(self) -> numpy.typing.NDArray[numpy.int32]:
        """Counted from 0."""

    @property
    def child_offsets(self) -> numpy.typing.NDArray[numpy.uint32]:
        """Where the children of each node begin."""

    @property
    def children(self) -> numpy.typing.NDArray[numpy.int32]:
        """Positions, or inner nodes counted from their number on."""

    @property
    def order(self) -> numpy.typing.NDArray[numpy.int32]:
        """Each child's place among its siblings by value."""

    @property
    def kinds(self) -> numpy.typing.NDArray[numpy.uint8]:
        """0 straight, 1 inverted, 2 simple."""

    @property
    def begins(self) -> numpy.typing.NDArray[numpy.int32]:
        """First positions."""

    @property
    def ends(self) -> numpy.typing.NDArray[numpy.int32]:
        """Positions behind the last."""

    @property
    def rank(self) -> int: ...

def permutation_tree(values: numpy.typing.NDArray[numpy.int64], canonical: bool, sorting: bool) -> PermutationTree: ...

def compose_tree(leaves: int, offsets: numpy.typing.NDArray[numpy.uint32], children: numpy.typing.NDArray[numpy.int32], order: numpy.typing.NDArray[numpy.int32]) -> numpy.typing.NDArray[numpy.int32]:
    """The permutation, from 0, that the nodes of a tree compose."""

class GrammarRule:
    """One rule, for looking at."""

    @property
    def left(self) -> str: ...

    @property
    def text(self) -> str:
        """Without the probability."""

    @property
    def log_probability(self) -> float: ...

    @property
    def rank(self) -> int: ...

    @property
    def line(self) -> int:
        """Where it was read, from 1; 0 for made rules."""

class SynchronousGrammar:
    """Rules with linked nonterminals; immutable."""

    @staticmethod
    def read(data: bytes, origin: str, format: str, score: str) -> SynchronousGrammar: ...

    @staticmethod
    def guess_format(data: bytes) -> str: ...

    def __len__(self) -> int: ...

    def write(self, format: str) -> bytes: ...

    def rule(self, index: int) -> GrammarRule: ...

    @property
    def start(self) -> str: ...

    def check_productive(self) -> None: ...

    def rank_histogram(self) -> tuple[list[int], int]:
        """Rules of each rank, and the number of right-hand side symbols."""

    def factor(self) -> tuple[SynchronousGrammar, numpy.typing.NDArray[numpy.int32]]:
        """
        The factored grammar and, per rule, the rule it stands for; -1 for fresh ones.
        """

class ParseNode:
    """A rule at work."""

    @property
    def rule(self) -> int: ...

    @property
    def source(self) -> tuple[int, int]: ...

    @property
    def target(self) -> tuple[int, int]: ...

    @property
    def children(self) -> list[int]:
        """In source order."""

class ParseResult:
    """What is known about one pair."""

    @property
    def generated(self) -> bool: ...

    @property
    def log_inside(self) -> float:
        """Of all derivations; if generated."""

    @property
    def log_best(self) -> float: ...

    @property
    def derivation(self) -> list[ParseNode]:
        """The best one, in pre-order."""

    @property
    def items(self) -> int:
        """How much work it was."""

    @property
    def combinations(self) -> int: ...

class SynchronousParser:
    """Parses sentence pairs with one grammar."""

    def __init__(self, grammar: SynchronousGrammar) -> None: ...

    def parse(self, start: str, source: str, target: str, max_items: int) -> ParseResult: ...

class AlignmentRanks:
    """The trees of alignments, by pair."""

    @property
    def rank(self) -> numpy.typing.NDArray[numpy.uint16]:
        """Of the minimal rules."""

    @property
    def straight(self) -> numpy.typing.NDArray[numpy.uint16]:
        """Binary nodes."""

    @property
    def inverted(self) -> numpy.typing.NDArray[numpy.uint16]:
        """Binary nodes."""

    @property
    def simple(self) -> numpy.typing.NDArray[numpy.uint16]:
        """All others."""

def alignment_ranks(links: LinkSets, threads: int) -> AlignmentRanks: ...

class MinimalRuleCounter:
    """Counts the minimal rules of aligned sentence pairs."""

    def __init__(self) -> None: ...

    def add(self, source: list[str], target: list[str], links: LinkSets) -> None: ...

    def finish(self) -> SynchronousGrammar:
        """The rules with their relative frequencies."""

    def counts(self) -> numpy.typing.NDArray[numpy.uint64]: ...

class LmState:
    """
    What a language model remembers of the words so far; equal states give equal futures.
    """

    def __len__(self) -> int: ...

    def __hash__(self) -> int: ...

    def __eq__(self, other: object, /) -> bool: ...

class ScoredWord:
    """What a model says of one word."""

    @property
    def log_prob(self) -> float: ...

    @property
    def state(self) -> LmState:
        """Behind the word."""

    @property
    def matched(self) -> int:
        """Words of the n-gram that was found."""

    @property
    def independent_left(self) -> bool:
        """Whether no words further to the left could have changed it."""

class SentenceScores:
    """By sentence, and a sum."""

    @property
    def log_probs(self) -> numpy.typing.NDArray[numpy.float64]:
        """Of all words."""

    @property
    def unknown_log_probs(self) -> numpy.typing.NDArray[numpy.float64]:
        """The share of unknown words in it."""

    @property
    def unknowns(self) -> numpy.typing.NDArray[numpy.uint32]:
        """How many words are unknown."""

    @property
    def words(self) -> int:
        """Of all sentences, sentence ends included."""

class LmDiscounts:
    """Of the counts of one order."""

    @property
    def one(self) -> float: ...

    @property
    def two(self) -> float: ...

    @property
    def more(self) -> float:
        """Of counts from 3 on."""

    @property
    def fallback_reason(self) -> str:
        """Why they are the fall-back; empty when they were estimated."""

class NgramModel:
    """A back-off language model mapped from a file; scores are natural logs."""

    @staticmethod
    def open(path: str, verify: bool = True) -> NgramModel: ...

    @property
    def order(self) -> int: ...

    @property
    def path(self) -> str: ...

    @property
    def counts(self) -> list[int]:
        """How many n-grams of each order."""

    def __len__(self) -> int: ...

    def find(self, word: str) -> int:
        """The word's id, or 0 (<unk>)."""

    def word(self, id: int) -> str: ...

    def begin_state(self) -> LmState:
        """The state behind <s>."""

    def null_state(self) -> LmState:
        """The state when nothing is known."""

    def score_word(self, state: LmState, word: int) -> ScoredWord: ...

    def encode(self, lines: list[str]) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.uint64]]:
        """The model's ids and the offsets of lines of space-separated tokens."""

    def score(self, ids: numpy.typing.NDArray[numpy.int32], offsets: numpy.typing.NDArray[numpy.uint64], begin: bool = True, end: bool = True, threads: int = 1) -> SentenceScores: ...

    def score_lines(self, lines: list[str], begin: bool = True, end: bool = True, threads: int = 1) -> SentenceScores:
        """The same from lines of space-separated tokens."""

    def score_text(self, text: bytes, name: str, first_line: int, threads: int = 1) -> SentenceScores:
        """
        The same from whole lines of UTF-8; name and number of the first are for messages.
        """

    def score_words(self, ids: numpy.typing.NDArray[numpy.int32], offsets: numpy.typing.NDArray[numpy.uint64], begin: bool = True, end: bool = True, threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.uint8]]:
        """
        Per word, with a sentence end behind each sentence if `end`: log-probability and length of the n-gram found.
        """

class EstimateOptions:
    """How to estimate a language model."""

    def __init__(self, *, order: int = ..., prune: Sequence[int] = ..., fallback: Sequence[float] = ..., memory: int = ..., spool: str = ..., threads: int = ...) -> None: ...

    @property
    def order(self) -> int:
        """Words of the longest n-grams."""

    @order.setter
    def order(self, arg: int, /) -> None: ...

    @property
    def prune(self) -> list[int]:
        """
        N-grams seen so often or less are left out, by order; the last holds for higher ones.
        """

    @prune.setter
    def prune(self, arg: Sequence[int], /) -> None: ...

    @property
    def fallback(self) -> list[float]:
        """Discounts of counts 1, 2, 3+ where they cannot be estimated."""

    @fallback.setter
    def fallback(self, arg: Sequence[float], /) -> None: ...

    @property
    def memory(self) -> int:
        """Bytes, beyond which files are used."""

    @memory.setter
    def memory(self, arg: int, /) -> None: ...

    @property
    def spool(self) -> str:
        """The directory of these files."""

    @spool.setter
    def spool(self, arg: str, /) -> None: ...

    @property
    def threads(self) -> int:
        """So many at once."""

    @threads.setter
    def threads(self, arg: int, /) -> None: ...

class LmEstimator:
    """Counts text, then smooths order by order, then writes a model."""

    def __init__(self, options: EstimateOptions) -> None: ...

    def begin_file(self, name: str, lines_before: int = 0) -> None: ...

    def add(self, piece: bytes) -> None: ...

    def end_file(self) -> None: ...

    def put_away_words(self, path: str) -> None:
        """Write the words seen so far, in their order, for other estimators."""

    def take_up_words(self, path: str) -> None:
        """Know the words of another estimator."""

    def put_away(self, path: str) -> None:
        """Write all that was counted here, which is not there any longer."""

    def take_up(self, path: str) -> None:
        """Go on with what an estimator that knows the same words has put away."""

    def merge(self, limit: int) -> bool:
        """Merges up to `limit` more n-grams; whether there are more."""

    def smooth(self, order: int) -> None: ...

    def write(self, path: str) -> None: ...

    @property
    def order(self) -> int:
        """After merging: the longest n-gram there is."""

    @property
    def tokens(self) -> int: ...

    @property
    def sentences(self) -> int: ...

    @property
    def skipped(self) -> int: ...

    @property
    def spilled(self) -> int: ...

    def discounts(self, order: int) -> LmDiscounts: ...

class ArpaReader:
    """Reads an ARPA file in pieces, writes a model."""

    def __init__(self, name: str) -> None: ...

    def add(self, piece: bytes) -> None: ...

    def write(self, path: str, threads: int = 1) -> None: ...

class ArpaPieces:
    """The pieces of a model's ARPA file."""

    def __init__(self, model: NgramModel) -> None: ...

    def next(self) -> bytes | None:
        """None behind the last piece."""

class Mixture:
    """Language models over the union of their words."""

    def __init__(self, models: list[NgramModel]) -> None: ...

    def __len__(self) -> int: ...

    @property
    def words(self) -> int: ...

    def word_log_probs(self, lines: list[str], threads: int = 1) -> numpy.typing.NDArray[numpy.float64]:
        """Of every word and sentence end, model after model."""

    def write(self, weights: Sequence[float], path: str, *, threads: int, memory: int, spool: str) -> None:
        """
        When lists of all n-grams would take more than `memory` bytes, they go to unnamed
        files in the directory `spool`.
        """

class Trees:
    """Binary trees of sentences, one after the other."""

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    def read_brackets(self, lines: list[str], name: str, first_line: int, binarisation: str, head_side: str) -> None:
        """Adds the trees of some lines of a file."""

    def read_conllu(self, lines: list[str], name: str, first_line: int, binarisation: str) -> None:
        """Adds the trees of whole sentences of a file."""

    def select(self, indices: numpy.typing.NDArray[numpy.int64]) -> Trees:
        """These trees in this order; -1 stands for an empty tree."""

    def text(self, index: int) -> str:
        """The words of a tree, separated by spaces."""

    def brackets(self, index: int) -> str: ...

    def nodes(self, index: int) -> list[tuple[int, int, int, int, str]]:
        """
        Begin, split, end, head and label of each node, children before parents.
        """

    @property
    def token_offsets(self) -> numpy.typing.NDArray[numpy.uint64]: ...

    @property
    def node_offsets(self) -> numpy.typing.NDArray[numpy.uint64]: ...

    def check_words(self, sentences: list[str], name: str) -> numpy.typing.NDArray[numpy.uint8]:
        """
        Marks empty trees of sentences with words; InputError where words differ.
        """

    def oracle(self, links: LinkSets) -> numpy.typing.NDArray[numpy.int64]:
        """The score s(v) of every node: negative for those to turn over."""

    def reorder(self, turned: numpy.typing.NDArray[numpy.uint8]) -> numpy.typing.NDArray[numpy.int32]:
        """
        The orders of all sentences, one behind the other, when the marked nodes are turned.
        """

def order_concordance(orders: Sentences, links: LinkSets) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]]:
    """
    Of sentences of positions: pairs of aligned words in rising order of their target positions, and how many words are aligned.
    """

class NodeClassifier:
    """Says which nodes to turn over; mapped from a file."""

    def __init__(self, path: str, verify: bool = True) -> None: ...

    @staticmethod
    def save(path: str, sets: int, binarisation: str, head_side: str, bias: float, weights: numpy.typing.NDArray[numpy.float32]) -> None: ...

    @property
    def sets(self) -> int: ...

    @property
    def binarisation(self) -> str: ...

    @property
    def head_side(self) -> str: ...

    @property
    def buckets(self) -> int: ...

    def scores(self, trees: Trees, threads: int) -> numpy.typing.NDArray[numpy.float32]:
        """The log odds of each node for being turned over."""

def count_node_features(trees: Trees, wanted: numpy.typing.NDArray[numpy.uint8], sets: int, counts: numpy.typing.NDArray[numpy.uint8]) -> None:
    """Adds to each bucket how often the wanted nodes have it, up to 255."""

def node_feature_rows(trees: Trees, wanted: numpy.typing.NDArray[numpy.uint8], sets: int, columns: numpy.typing.NDArray[numpy.int32], threads: int) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int64]]:
    """
    The features of the wanted nodes as a sparse matrix: columns, and where each row begins.
    """

class BtgOptions:
    """How to learn to split and exchange."""

    def __init__(self, *, bits: int = ..., sharpness: float = ..., rate: float = ..., seed: int = ..., max_words: int = ...) -> None: ...

    @property
    def bits(self) -> int:
        """2 to this power: places for features."""

    @bits.setter
    def bits(self, arg: int, /) -> None: ...

    @property
    def sharpness(self) -> float:
        """Of regrets."""

    @sharpness.setter
    def sharpness(self, arg: float, /) -> None: ...

    @property
    def rate(self) -> float:
        """Of steps."""

    @rate.setter
    def rate(self, arg: float, /) -> None: ...

    @property
    def seed(self) -> int:
        """Of the order of sentences."""

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

    @property
    def max_words(self) -> int:
        """Longer sentences are not learnt from."""

    @max_words.setter
    def max_words(self, arg: int, /) -> None: ...

class BtgTrainer:
    """Learns to split and exchange, from word alignments."""

    def __init__(self, source: Sentences, links: LinkSets, vocabulary: Vocabulary, classes: numpy.typing.NDArray[numpy.uint16], options: BtgOptions) -> None: ...

    def __len__(self) -> int: ...

    def begin_round(self) -> None: ...

    def learn(self, begin: int, end: int) -> tuple[float, float]:
        """
        Learns from some sentences; the regret of the decisions, and the pairs of words.
        """

    def save(self, path: str) -> None: ...

class BtgParser:
    """Reorders sentences without a parser."""

    def __init__(self, path: str, verify: bool = True) -> None: ...

    @property
    def words(self) -> int: ...

    def orders(self, lines: list[str], threads: int) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.uint64]]:
        """The order of each line's words, one behind the other."""

def extract_phrases(source_length: int, target_length: int, links: numpy.typing.NDArray[numpy.uint16], max_length: int = 7, reordering: list[str] = []) -> numpy.typing.NDArray[numpy.int32]:
    """
    Phrase pairs of one sentence pair, a row each: source begin and end, target begin and
    end, then the backward and forward orientation (0 monotone, 1 swap, 2 discontinuous) of
    the word, phrase and hierarchical models.
    """

class WorkResources:
    """What counting may use."""

    def __init__(self, *, memory: int = ..., directory: str = ..., threads: int = ...) -> None: ...

    @property
    def memory(self) -> int:
        """Bytes, for records in flight."""

    @memory.setter
    def memory(self, arg: int, /) -> None: ...

    @property
    def directory(self) -> str:
        """For temporary files."""

    @directory.setter
    def directory(self, arg: str, /) -> None: ...

    @property
    def threads(self) -> int:
        """So many at once."""

    @threads.setter
    def threads(self, arg: int, /) -> None: ...

class ExtractionOptions:
    """Which phrase pairs to extract."""

    def __init__(self, *, max_length: int = ..., reordering: Sequence[str] = ..., times: Sequence[int] = ...) -> None: ...

    @property
    def max_length(self) -> int:
        """Words of a phrase on either side."""

    @max_length.setter
    def max_length(self, arg: int, /) -> None: ...

    @property
    def reordering(self) -> list[str]:
        """Reordering models to count for: word, phrase, hierarchical."""

    @reordering.setter
    def reordering(self, arg: Sequence[str], /) -> None: ...

    @property
    def times(self) -> list[int]:
        """How often each sentence pair counts; empty: once each."""

    @times.setter
    def times(self, arg: Sequence[int], /) -> None: ...

class ScoringOptions:
    """How to score phrase pairs."""

    def __init__(self, *, lexical_weights: str = ..., source_words: int = ..., target_words: int = ..., reordering_smoothing: float = ...) -> None: ...

    @property
    def lexical_weights(self) -> str:
        """Whose links they go along: those of Model 1, or the text's."""

    @lexical_weights.setter
    def lexical_weights(self, arg: str, /) -> None: ...

    @property
    def source_words(self) -> int:
        """The size of the source vocabulary."""

    @source_words.setter
    def source_words(self, arg: int, /) -> None: ...

    @property
    def target_words(self) -> int:
        """The size of the target vocabulary."""

    @target_words.setter
    def target_words(self, arg: int, /) -> None: ...

    @property
    def reordering_smoothing(self) -> float:
        """Added to each orientation count."""

    @reordering_smoothing.setter
    def reordering_smoothing(self, arg: float, /) -> None: ...

class PhraseTableBuilder:
    """From a bitext with links to a phrase table, stage by stage."""

    def __init__(self, text: AlignedText, options: ExtractionOptions, smoothing: str, resources: WorkResources) -> None: ...

    @property
    def phrase_pairs(self) -> int: ...

    @property
    def smoothing_fallback(self) -> str: ...

    def begin_scoring(self, forward: LexicalTable, backward: LexicalTable, options: ScoringOptions) -> None:
        """After all is joined, with p(target | source) and p(source | target)."""

    @property
    def pairs(self) -> int: ...

    @property
    def partitions(self) -> int: ...

    @property
    def instances(self) -> int: ...

    @property
    def spilled_bytes(self) -> int: ...

    @property
    def written(self) -> int: ...

    def extract(self, first: int, last: int) -> None:
        """Find what sentence pairs [first, last) hold."""

    def aggregate(self, first: int, last: int) -> None:
        """Count partitions [first, last), after all is extracted."""

    def join(self, first: int, last: int) -> None:
        """Total target sides of partitions [first, last), after all is counted."""

    def score(self, first: int, last: int) -> None:
        """Score partitions [first, last), after all is joined."""

    def put_away_counts(self, path: str) -> None:
        """
        Write what was extracted, counted and joined here, for builders that go on with it.
        """

    def take_up_counts(self, path: str) -> None:
        """Go on with what a builder with the same text and options has put away."""

    def put_away_scores(self, path: str) -> None:
        """Write what was scored here."""

    def take_up_scores(self, path: str) -> None:
        """Go on with what another builder has scored."""

    def write(self, path: str) -> bool:
        """Write a part of the table; True when it is whole."""

def bilingual_lines(text: AlignedText, source_words: Vocabulary, target_words: Vocabulary, first: int, last: int) -> list[str]:
    """Bilingual tokens of sentence pairs [first, last), a line each."""

class RuleExtractionOptions:
    """Which hierarchical rules to extract."""

    def __init__(self, *, max_span: int = ..., max_symbols: int = ..., max_gaps: int = ..., min_gap: int = ..., tight: bool = ...) -> None: ...

    @property
    def max_span(self) -> int:
        """Words of a rule with its gaps."""

    @max_span.setter
    def max_span(self, arg: int, /) -> None: ...

    @property
    def max_symbols(self) -> int:
        """Words and gaps of a side."""

    @max_symbols.setter
    def max_symbols(self, arg: int, /) -> None: ...

    @property
    def max_gaps(self) -> int:
        """So many, 2 at most."""

    @max_gaps.setter
    def max_gaps(self, arg: int, /) -> None: ...

    @property
    def min_gap(self) -> int:
        """Source words under a gap."""

    @min_gap.setter
    def min_gap(self, arg: int, /) -> None: ...

    @property
    def tight(self) -> bool:
        """Only from phrase pairs without loose words at their edges."""

    @tight.setter
    def tight(self, arg: bool, /) -> None: ...

class RuleScoringOptions:
    """How to score rules."""

    def __init__(self, *, lexical_weights: str = ..., source_words: int = ..., target_words: int = ..., min_count: float = ..., discount: float = ..., max_options: int = ...) -> None: ...

    @property
    def lexical_weights(self) -> str:
        """Whose links they go along: those of Model 1, or the text's."""

    @lexical_weights.setter
    def lexical_weights(self, arg: str, /) -> None: ...

    @property
    def source_words(self) -> int:
        """The size of the source vocabulary."""

    @source_words.setter
    def source_words(self, arg: int, /) -> None: ...

    @property
    def target_words(self) -> int:
        """The size of the target vocabulary."""

    @target_words.setter
    def target_words(self, arg: int, /) -> None: ...

    @property
    def min_count(self) -> float:
        """Rules with gaps that count less are left out."""

    @min_count.setter
    def min_count(self, arg: float, /) -> None: ...

    @property
    def discount(self) -> float:
        """
        Taken off each count and spread, as Kneser-Ney smoothing does; 0: nothing.
        """

    @discount.setter
    def discount(self, arg: float, /) -> None: ...

    @property
    def max_options(self) -> int:
        """Rules of a source side; 0: all."""

    @max_options.setter
    def max_options(self, arg: int, /) -> None: ...

def extract_rules(source_length: int, target_length: int, links: numpy.typing.NDArray[numpy.uint16], options: RuleExtractionOptions | None = None) -> list[tuple[tuple[int, int, int, int], list[tuple[int, int, int, int]], int]]:
    """
    The rules of one sentence pair: source begin and end, target begin and end; the same of
    each gap; and among how many rules of its phrase pair the count is shared.
    """

class RuleTableBuilder:
    """From a bitext with links to a table of hierarchical rules."""

    def __init__(self, text: AlignedText, options: RuleExtractionOptions, resources: WorkResources) -> None: ...

    @property
    def rules(self) -> int: ...

    @property
    def rules_with_gaps(self) -> int: ...

    def begin_scoring(self, forward: LexicalTable, backward: LexicalTable, options: RuleScoringOptions) -> None:
        """After all is joined, with p(target | source) and p(source | target)."""

    @property
    def pairs(self) -> int: ...

    @property
    def partitions(self) -> int: ...

    @property
    def instances(self) -> int: ...

    @property
    def spilled_bytes(self) -> int: ...

    @property
    def written(self) -> int: ...

    def extract(self, first: int, last: int) -> None:
        """Find what sentence pairs [first, last) hold."""

    def aggregate(self, first: int, last: int) -> None:
        """Count partitions [first, last), after all is extracted."""

    def join(self, first: int, last: int) -> None:
        """Total target sides of partitions [first, last), after all is counted."""

    def score(self, first: int, last: int) -> None:
        """Score partitions [first, last), after all is joined."""

    def put_away_counts(self, path: str) -> None:
        """
        Write what was extracted, counted and joined here, for builders that go on with it.
        """

    def take_up_counts(self, path: str) -> None:
        """Go on with what a builder with the same text and options has put away."""

    def put_away_scores(self, path: str) -> None:
        """Write what was scored here."""

    def take_up_scores(self, path: str) -> None:
        """Go on with what another builder has scored."""

    def write(self, path: str) -> bool:
        """Write a part of the table; True when it is whole."""

class PhraseCounts:
    """How often was extracted:"""

    @property
    def joint(self) -> float:
        """the pair,"""

    @property
    def source(self) -> float:
        """its source phrase,"""

    @property
    def target(self) -> float:
        """its target phrase."""

class SpanRows:
    """A part of a sentence that has options."""

    @property
    def begin(self) -> int: ...

    @property
    def end(self) -> int: ...

    @property
    def rows(self) -> tuple[int, int]:
        """Rows [begin, end) of the table."""

class SourcePhrases:
    """Source phrases of a table."""

    @property
    def ids(self) -> numpy.typing.NDArray[numpy.int32]:
        """Of all, one behind the other."""

    @property
    def offsets(self) -> numpy.typing.NDArray[numpy.uint64]:
        """Where each begins."""

    @property
    def rows(self) -> numpy.typing.NDArray[numpy.uint32]:
        """Rows [begin, end) of each."""

class PhraseTableFile:
    """A mapped phrase table."""

    def __init__(self, path: str, verify: bool = True) -> None: ...

    def __len__(self) -> int: ...

    @property
    def source_phrases(self) -> int: ...

    @property
    def max_source_length(self) -> int: ...

    @property
    def max_target_length(self) -> int: ...

    @property
    def source_words(self) -> int: ...

    @property
    def target_words(self) -> int: ...

    @property
    def bilingual_words(self) -> int: ...

    @property
    def quantised(self) -> bool: ...

    @property
    def hierarchical(self) -> bool: ...

    @property
    def first_words(self) -> int: ...

    @property
    def features(self) -> list[str]: ...

    @property
    def reorderings(self) -> list[str]: ...

    @property
    def sort_weights(self) -> list[float]: ...

    def find(self, phrase: numpy.typing.NDArray[numpy.int32]) -> tuple[int, int]:
        """
        The rows [begin, end) of a source phrase's options; empty when it has none.
        """

    def spans(self, sentence: numpy.typing.NDArray[numpy.int32]) -> list[SpanRows]:
        """All spans of the sentence that have options."""

    def sources(self, first: int, last: int) -> SourcePhrases:
        """
        Source phrases whose first words are numbered [first, last) of `first_words`.
        """

    def target(self, row: int) -> numpy.typing.NDArray[numpy.int32]: ...

    def bilingual(self, row: int) -> numpy.typing.NDArray[numpy.int32]: ...

    def alignment(self, row: int) -> list[tuple[int, int]]: ...

    def counts(self, row: int) -> PhraseCounts: ...

    def scores(self, first: int, last: int) -> numpy.typing.NDArray[numpy.float32]:
        """Natural logs of rows [first, last), one column per feature."""

    def reordering(self, first: int, last: int, model: int) -> numpy.typing.NDArray[numpy.float32]:
        """
        Natural logs of rows [first, last) under one reordering model: backward monotone,
        swap, discontinuous, then forward.
        """

    def significances(self, text: ParallelText, threads: int) -> numpy.typing.NDArray[numpy.float32]:
        """-ln of each row's p-value under Fisher's exact test on the bitext."""

    def bilingual_tokens(self, source_words: Vocabulary, target_words: Vocabulary) -> tuple[list[str], numpy.typing.NDArray[numpy.uint32]]:
        """
        The different bilingual tokens of all rows, and the number of each in the order of
        rows and target words.
        """

def negative_log_p_value(both: int, source: int, target: int, pairs: int) -> float:
    """-ln p of Fisher's exact test."""

class PhraseTableRewriter:
    """Writes a table anew: sorted, thinned out, extended or quantised."""

    def __init__(self, table: PhraseTableFile, path: str, *, sort_weights: list[float], column_names: list[str], columns: list[numpy.typing.NDArray[numpy.float32]], keep: numpy.typing.NDArray[numpy.uint8] | None, limit: int, quantise: bool, bilingual: numpy.typing.NDArray[numpy.int32] | None, bilingual_words: int, reordering: numpy.typing.NDArray[numpy.float32] | None = None, counts: numpy.typing.NDArray[numpy.float32] | None = None) -> None: ...

    def run(self) -> bool:
        """Do a part of the work; True when the file is whole."""

    @property
    def written(self) -> int: ...

class MosesImporter:
    """Text tables of Moses on their way in."""

    def __init__(self, phrase_table_name: str) -> None: ...

    def __len__(self) -> int: ...

    @property
    def without_reordering(self) -> int: ...

    def add_phrases(self, lines: bytes) -> None: ...

    def begin_reordering(self, model: str, file_name: str) -> None: ...

    def add_reordering(self, lines: bytes) -> None: ...

    def finish(self, table_path: str, source_vocabulary_path: str, target_vocabulary_path: str, weights: Sequence[float]) -> None: ...

def moses_phrases(table: PhraseTableFile, source_words: Vocabulary, target_words: Vocabulary, first: int, last: int) -> bytes:
    """Lines of a Moses phrase table, for first words numbered [first, last)."""

def moses_reordering(table: PhraseTableFile, source_words: Vocabulary, target_words: Vocabulary, model: int, first: int, last: int) -> bytes:
    """
    Lines of a Moses reordering table, for first words numbered [first, last).
    """

class Lexicon:
    """The words that a table translates on their own."""

    def __init__(self, table: PhraseTableFile, source_vocabulary: Vocabulary, target_vocabulary: Vocabulary) -> None: ...

    def form_of(self, word: str) -> int:
        """
        The id of the word, or of the same in another case; 0 when nothing is known.
        """

    def meanings(self, id: int) -> list[tuple[str, float]]:
        """Translations of a known word and their probabilities, the best ones."""

    def overlap(self, first: int, second: int) -> float:
        """How much two known words mean the same, between 0 and 1."""

    def count(self, id: int) -> int:
        """How often training has seen a word."""

    def target_count(self, word: str) -> int:
        """How often the target side of training has a word."""

def word_kind(word: str) -> int:
    """
    What can be seen of a word from outside: 0 number, 1 code, 2 sign, 3 capital, 4 Latin, 5 other letters.
    """

class SourceKnowledge:
    """What was learnt about words never seen."""

    def __init__(self) -> None: ...

    def set_relatives(self, *, ends: Sequence[tuple[str, str, float]], beginnings: Sequence[tuple[str, str, float]], stems: Sequence[float], shortest_stem: int) -> None: ...

    def set_parts(self, *, links: Sequence[tuple[str, str, float]], sizes: Sequence[float], shortest_part: int, patterns: Sequence[tuple[str, float]], ends: Sequence[float], beginnings: Sequence[float]) -> None: ...

    def set_spelling(self, *, edits: Sequence[tuple[str, str, float]], other: float, sizes: Sequence[float], shortest: int) -> None: ...

    def set_copied(self, copied: Sequence[float]) -> None: ...

class WordOffer:
    """A translation of one unknown word."""

    @property
    def source(self) -> int: ...

    @property
    def target(self) -> str: ...

    @property
    def log_prob(self) -> float: ...

    @property
    def bilingual(self) -> list[int]: ...

    @property
    def why(self) -> str: ...

class WordSources:
    """What is offered for words that a table does not know."""

    def __init__(self, table: PhraseTableFile, source_vocabulary: Vocabulary, target_vocabulary: Vocabulary, knowledge: SourceKnowledge) -> None: ...

    def offers(self, word: str, left_out: bool = False) -> list[WordOffer]:
        """
        Source by source, best first; `left_out`: as if the word had never been seen.
        """

class ContextOptions:
    """How to learn from the words around."""

    def __init__(self, *, translations: int = ..., rate: float = ..., decay: float = ..., seed: int = ...) -> None: ...

    @property
    def translations(self) -> int:
        """Of a word, at most."""

    @translations.setter
    def translations(self, arg: int, /) -> None: ...

    @property
    def rate(self) -> float:
        """Of steps."""

    @rate.setter
    def rate(self, arg: float, /) -> None: ...

    @property
    def decay(self) -> float:
        """By which weights are drawn to zero."""

    @decay.setter
    def decay(self, arg: float, /) -> None: ...

    @property
    def seed(self) -> int:
        """Of the order of sentences."""

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

class ContextTrainer:
    """Learns how words are translated beside others."""

    def __init__(self, text: AlignedText, source_words: int, target_words: int, *, bits: int, window: int, options: ContextOptions) -> None:
        """
        `bits`: 2 to this power are the places for weights; `window`: words on each side.
        """

    def __len__(self) -> int: ...

    def begin_round(self) -> None: ...

    def learn(self, begin: int, end: int) -> tuple[float, int]:
        """
        Learns from pairs of the round's order; the log-probability of links, and of how many words.
        """

    def save(self, path: str) -> None: ...

class ContextLexicon:
    """How words are translated where they stand."""

    def __init__(self, path: str, verify: bool = True) -> None: ...

    def log_probs(self, source_words: Vocabulary, target_words: Vocabulary, line: str) -> list[list[tuple[str, float]]]:
        """
        For each word of a tokenised line its translations, '' for none, and their log-probabilities.
        """

class NetworkShape:
    """How large a network is, and what it sees."""

    def __init__(self, *, history: int, window: int, dimensions: int, hidden: int, source_words: int, target_words: int) -> None: ...

    @property
    def history(self) -> int: ...

    @property
    def window(self) -> int: ...

    @property
    def dimensions(self) -> int: ...

    @property
    def hidden(self) -> int: ...

    @property
    def source_words(self) -> int: ...

    @property
    def target_words(self) -> int: ...

    @property
    def inputs(self) -> int:
        """How many words it sees."""

def network_examples(text: AlignedText, shape: NetworkShape, step: int = 1) -> numpy.typing.NDArray[numpy.uint16]:
    """
    Of every so manieth sentence pair a row for each target word and the end: what a network sees of its place, then the word itself.
    """

def save_network(path: str, shape: NetworkShape, *, source: numpy.typing.NDArray[numpy.float32], target: numpy.typing.NDArray[numpy.float32], first: numpy.typing.NDArray[numpy.float32], bias: numpy.typing.NDArray[numpy.float32], output: numpy.typing.NDArray[numpy.float32], frequency: numpy.typing.NDArray[numpy.float32]) -> None:
    """Writes the weights of a network, each matrix row after row."""

class NetworkJudge:
    """A network that scores translations."""

    def __init__(self, path: str, source_vocabulary: Vocabulary, target_vocabulary: Vocabulary) -> None: ...

    @property
    def shape(self) -> NetworkShape: ...

    def score(self, source: str, target: str, links: Sequence[tuple[int, int]]) -> float:
        """
        The log probability of one translation, of which links between positions are known.
        """

class Tokens(enum.Enum):
    """What a language model is over."""

    WORDS = 0

    CLASSES = 1

    BILINGUAL = 2

class TranslationModel:
    """Phrase table, language models and vocabularies, mapped."""

    def __init__(self, phrase_table: str, source_vocabulary: str, target_vocabulary: str, sequences: Sequence[tuple[str, str, Tokens]], bilingual_vocabulary: str = '', word_classes: str = '', context: str = '', sources: Sequence[str] = [], verify: bool = True) -> None:
        """
        `sequences`: name of the feature, file, and what it is over; `sources`: the features of sources of translations for unknown words.
        """

    def strangers(self, lines: Sequence[str]) -> list[list[int]]:
        """
        For each tokenised line the places of words that the table does not translate.
        """

    @property
    def features(self) -> list[str]:
        """The names of the features, in the order of weights and values."""

    @property
    def hierarchical(self) -> bool:
        """Whether the table holds rules with gaps."""

    @property
    def phrase_pairs(self) -> int: ...

    @property
    def max_source_length(self) -> int: ...

class SearchOptions:
    """What a stack search can be told."""

    def __init__(self, *, search: str = ..., ttable_threshold: float = ..., beam_threshold: float = ..., ttable_limit: int = ..., beam_limit: int = ..., early_threshold: float | None = ..., give_up: bool = ..., estimate_margin: float = ..., pop_limit: int = ..., distortion_limit: int | None = ..., gap_limit: int | None = ..., unknown: str = ..., unknown_sources: bool = ...) -> None: ...

    @property
    def search(self) -> str:
        """The algorithm."""

    @search.setter
    def search(self, arg: str, /) -> None: ...

    @property
    def ttable_threshold(self) -> float:
        """How much worse than the best option of a phrase; infinity: all."""

    @ttable_threshold.setter
    def ttable_threshold(self, arg: float, /) -> None: ...

    @property
    def beam_threshold(self) -> float:
        """How much worse than the best of a stack; infinity: all."""

    @beam_threshold.setter
    def beam_threshold(self, arg: float, /) -> None: ...

    @property
    def ttable_limit(self) -> int:
        """Options of a phrase; 0: all."""

    @ttable_limit.setter
    def ttable_limit(self, arg: int, /) -> None: ...

    @property
    def beam_limit(self) -> int:
        """Hypotheses of a stack; 0: all."""

    @beam_limit.setter
    def beam_limit(self, arg: int, /) -> None: ...

    @property
    def early_threshold(self) -> float | None:
        """Early pruning's own threshold; None: that of the options."""

    @early_threshold.setter
    def early_threshold(self, arg: float | None, /) -> None: ...

    @property
    def give_up(self) -> bool:
        """Whether extensions that have become too bad are given up half-way."""

    @give_up.setter
    def give_up(self, arg: bool, /) -> None: ...

    @property
    def estimate_margin(self) -> float:
        """
        How far below its stack an extension's estimate may lie in early pruning.
        """

    @estimate_margin.setter
    def estimate_margin(self, arg: float, /) -> None: ...

    @property
    def pop_limit(self) -> int:
        """Cube pruning: extensions that may enter a stack; 0: beam_limit."""

    @pop_limit.setter
    def pop_limit(self, arg: int, /) -> None: ...

    @property
    def distortion_limit(self) -> int | None:
        """The longest jump."""

    @distortion_limit.setter
    def distortion_limit(self, arg: int | None, /) -> None: ...

    @property
    def gap_limit(self) -> int | None:
        """Most runs of uncovered words."""

    @gap_limit.setter
    def gap_limit(self, arg: int | None, /) -> None: ...

    @property
    def unknown(self) -> str:
        """What becomes of unknown words."""

    @unknown.setter
    def unknown(self, arg: str, /) -> None: ...

    @property
    def unknown_sources(self) -> bool:
        """Whether they are translated as the model's sources offer."""

    @unknown_sources.setter
    def unknown_sources(self, arg: bool, /) -> None: ...

class ChartOptions:
    """What a chart search can be told."""

    def __init__(self, *, ttable_threshold: float = ..., ttable_limit: int = ..., beam_threshold: float = ..., pop_limit: int = ..., span_limit: int = ..., unknown: str = ..., unknown_sources: bool = ...) -> None: ...

    @property
    def ttable_threshold(self) -> float:
        """How much worse than the best rule of a source side; infinity: all."""

    @ttable_threshold.setter
    def ttable_threshold(self, arg: float, /) -> None: ...

    @property
    def ttable_limit(self) -> int:
        """Rules of a source side; 0: all."""

    @ttable_limit.setter
    def ttable_limit(self, arg: int, /) -> None: ...

    @property
    def beam_threshold(self) -> float:
        """How much worse than the best of a cell; infinity: all."""

    @beam_threshold.setter
    def beam_threshold(self, arg: float, /) -> None: ...

    @property
    def pop_limit(self) -> int:
        """Derivations that may enter a cell; 0: all."""

    @pop_limit.setter
    def pop_limit(self, arg: int, /) -> None: ...

    @property
    def span_limit(self) -> int:
        """Words that a rule may span with its gaps; 0: no limit."""

    @span_limit.setter
    def span_limit(self, arg: int, /) -> None: ...

    @property
    def unknown(self) -> str:
        """What becomes of unknown words."""

    @unknown.setter
    def unknown(self, arg: str, /) -> None: ...

    @property
    def unknown_sources(self) -> bool:
        """Whether they are translated as the model's sources offer."""

    @unknown_sources.setter
    def unknown_sources(self, arg: bool, /) -> None: ...

class DecodeWants:
    """What to return beside the best translation."""

    def __init__(self, *, nbest: int = ..., distinct: bool = ..., graph: bool = ..., graph_values: bool = ..., features: bool = ..., picture: bool = ...) -> None: ...

    @property
    def nbest(self) -> int:
        """So many translations."""

    @nbest.setter
    def nbest(self, arg: int, /) -> None: ...

    @property
    def distinct(self) -> bool:
        """Of each target only one."""

    @distinct.setter
    def distinct(self, arg: bool, /) -> None: ...

    @property
    def graph(self) -> bool:
        """The hypergraph."""

    @graph.setter
    def graph(self, arg: bool, /) -> None: ...

    @property
    def graph_values(self) -> bool:
        """With the feature values of its edges."""

    @graph_values.setter
    def graph_values(self, arg: bool, /) -> None: ...

    @property
    def features(self) -> bool:
        """Feature values of translations."""

    @features.setter
    def features(self, arg: bool, /) -> None: ...

    @property
    def picture(self) -> bool:
        """The stacks, to be drawn."""

    @picture.setter
    def picture(self, arg: bool, /) -> None: ...

class GivenTranslation:
    """A translation that the user gave for words [begin, end)."""

    def __init__(self, begin: int, end: int, target: str, log_prob: float = 0.0, exclusive: bool = True) -> None: ...

    @property
    def begin(self) -> int: ...

    @property
    def end(self) -> int: ...

    @property
    def target(self) -> str:
        """Tokens separated by spaces."""

    @property
    def log_prob(self) -> float:
        """The value of each feature of the phrase table."""

    @property
    def exclusive(self) -> bool:
        """
        Whether the words must be translated so; else it competes with the model's own.
        """

    def __eq__(self, other: object, /) -> bool: ...

    def __repr__(self) -> str: ...

class Demands:
    """What the user demands of one line."""

    def __init__(self, given: Sequence[GivenTranslation] = [], zones: Sequence[tuple[int, int]] = [], walls: Sequence[int] = []) -> None: ...

    @property
    def given(self) -> list[GivenTranslation]: ...

    @property
    def zones(self) -> list[tuple[int, int]]:
        """
        Words [begin, end) that are translated together, nothing else in between.
        """

    @property
    def walls(self) -> list[int]:
        """What is before a wall comes before what is behind it."""

class OfferedTranslation:
    """A translation that a source offers for one word."""

    def __init__(self, place: int, target: str, log_prob: float, source: int, copied: bool = False, bilingual: Sequence[int] = []) -> None:
        """
        `source`: its place among the features of sources; `bilingual`: ids of the table's tokens, one for each target word.
        """

    @property
    def place(self) -> int: ...

    @property
    def target(self) -> str: ...

class SearchStats:
    """What a search did."""

    @property
    def evaluated(self) -> int:
        """
        Partial hypotheses that were scored in context, also those given up half-way.
        """

    @property
    def lm_lookups(self) -> int:
        """Words that language models were asked for while extending hypotheses."""

    @property
    def recombined(self) -> int: ...

    @property
    def pruned_threshold(self) -> int: ...

    @property
    def pruned_limit(self) -> int: ...

    @property
    def early_begins(self) -> int: ...

    @property
    def early_ends(self) -> int: ...

    @property
    def early_options(self) -> int: ...

    @property
    def retried(self) -> int: ...

class PhraseStep:
    """One phrase pair of a translation."""

    @property
    def source(self) -> tuple[int, int]: ...

    @property
    def target_span(self) -> tuple[int, int]: ...

    @property
    def target(self) -> str: ...

    @property
    def row(self) -> int | None: ...

    @property
    def unknown(self) -> bool:
        """Whether the word was copied."""

    @property
    def source_number(self) -> int | None:
        """Of the source of unknown words that offered it, if one did."""

    @property
    def alignment(self) -> list[tuple[int, int]]:
        """Source and target positions, from the begins of the spans on."""

class PhraseTranslation:
    """A translation and where it is from."""

    @property
    def target(self) -> str: ...

    @property
    def score(self) -> float: ...

    @property
    def features(self) -> numpy.typing.NDArray[numpy.float64]: ...

    @property
    def steps(self) -> list[PhraseStep]: ...

    @property
    def member(self) -> int:
        """Of a consensus: the model whose translation it is."""

class PicturedHypothesis:
    """What survived in a stack."""

    @property
    def covered(self) -> int:
        """Covered words: its stack."""

    @property
    def back(self) -> int | None:
        """The place of what it extends."""

    @property
    def total(self) -> float:
        """Score with estimate."""

    @property
    def source(self) -> tuple[int, int]:
        """The source span of its last phrase."""

    @property
    def target(self) -> str:
        """The translation of its last phrase."""

    @property
    def coverage(self) -> str:
        """1 for each covered word, else 0."""

    @property
    def best(self) -> bool:
        """Whether it is on the way to the translation chosen."""

class SearchPicture:
    """The stacks of a search, to be drawn."""

    @property
    def stacks(self) -> list[SearchStats]:
        """Counters by number of covered words."""

    @property
    def hypotheses(self) -> list[PicturedHypothesis]:
        """What survived, by stack and best first."""

class DecodeResult:
    """What came of one line."""

    @property
    def error(self) -> str: ...

    @property
    def found(self) -> bool: ...

    @property
    def words(self) -> int: ...

    @property
    def best(self) -> PhraseTranslation: ...

    @property
    def nbest(self) -> list[PhraseTranslation]: ...

    @property
    def graph(self) -> Hypergraph: ...

    @property
    def picture(self) -> SearchPicture: ...

    @property
    def stats(self) -> SearchStats: ...

class HypergraphEdge:
    """One way to make a node from others."""

    @property
    def head(self) -> int: ...

    @property
    def tails(self) -> list[int]: ...

    @property
    def score(self) -> float:
        """Weights times features of this edge alone."""

    @property
    def source(self) -> tuple[int, int]: ...

    @property
    def target(self) -> str:
        """* stands for a tail."""

    @property
    def row(self) -> int | None:
        """Of the table; None for what is not in it."""

class Derivation:
    """One derivation of a hypergraph."""

    @property
    def score(self) -> float: ...

    @property
    def target(self) -> str: ...

    @property
    def edges(self) -> list[int]:
        """Tails before heads, in target order where there is one."""

class BleuCounts:
    """What BLEU is computed from."""

    def __init__(self) -> None: ...

    @property
    def matches(self) -> list[float]:
        """Of n-grams, by n."""

    @matches.setter
    def matches(self, arg: Sequence[float], /) -> None: ...

    @property
    def totals(self) -> list[float]: ...

    @totals.setter
    def totals(self, arg: Sequence[float], /) -> None: ...

    @property
    def length(self) -> float: ...

    @length.setter
    def length(self, arg: float, /) -> None: ...

    @property
    def reference_length(self) -> float: ...

    @reference_length.setter
    def reference_length(self, arg: float, /) -> None: ...

class OracleOptions:
    """How to look for the derivation nearest to a reference."""

    def __init__(self, *, beam: int = ..., bleu_weight: float = ..., model_weight: float = ..., scale: float = ..., background: BleuCounts = ...) -> None: ...

    @property
    def beam(self) -> int:
        """Profiles of matches that each node keeps."""

    @beam.setter
    def beam(self, arg: int, /) -> None: ...

    @property
    def bleu_weight(self) -> float:
        """Of BLEU in what is maximised."""

    @bleu_weight.setter
    def bleu_weight(self, arg: float, /) -> None: ...

    @property
    def model_weight(self) -> float:
        """Of the model's score in it."""

    @model_weight.setter
    def model_weight(self, arg: float, /) -> None: ...

    @property
    def scale(self) -> float:
        """By which BLEU is multiplied."""

    @scale.setter
    def scale(self, arg: float, /) -> None: ...

    @property
    def background(self) -> BleuCounts:
        """
        Counts of other sentences; all zero: BLEU of the sentence, one added to the counts beyond single words.
        """

    @background.setter
    def background(self, arg: BleuCounts, /) -> None: ...

class Oracle:
    """The derivation nearest to a reference."""

    @property
    def bleu(self) -> float: ...

    @property
    def counts(self) -> BleuCounts: ...

    @property
    def derivation(self) -> Derivation: ...

class Posteriors:
    """How probable nodes and edges are; natural logarithms."""

    @property
    def log_total(self) -> float:
        """
        Of the sum over all derivations; with an infinite scale, the best score.
        """

    @property
    def nodes(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        By node; with an infinite scale, by how much the best derivation through it is worse than the best of all.
        """

    @property
    def edges(self) -> numpy.typing.NDArray[numpy.float64]:
        """The same by edge."""

class WordPosterior:
    """How sure a search is of a word."""

    @property
    def word(self) -> str: ...

    @property
    def word_probability(self) -> float:
        """That some translation of the same source words has this word."""

    @property
    def phrase_probability(self) -> float:
        """That the whole phrase or rule which it comes from is used."""

    @property
    def phrase_words(self) -> int: ...

    @property
    def unknown(self) -> bool: ...

class Hypergraph:
    """
    States and extensions of a search, packed; nodes come after those they are made of.
    """

    @property
    def nodes(self) -> int: ...

    @property
    def edges(self) -> int: ...

    @property
    def goal(self) -> int: ...

    def edge(self, index: int) -> HypergraphEdge: ...

    def values(self, index: int) -> numpy.typing.NDArray[numpy.float64]:
        """Feature values of an edge."""

    def reweight(self, weights: numpy.typing.NDArray[numpy.float64]) -> None:
        """Score every edge anew."""

    def kbest(self, k: int, distinct: bool = False) -> list[Derivation]:
        """The best derivations."""

    def posteriors(self, scale: float = 1.0) -> Posteriors:
        """With scores times `scale`, which may be infinite."""

    def word_posteriors(self, scale: float) -> list[WordPosterior]:
        """Of the words of the best derivation."""

    def oracle(self, reference: str, options: OracleOptions | None = None) -> Oracle:
        """The derivation nearest to the reference."""

class Completion:
    """How a translation goes on."""

    @property
    def score(self) -> float:
        """Of the whole translation, less the edits."""

    @property
    def last(self) -> str:
        """What stands for the last word typed; empty: nothing."""

    @property
    def words(self) -> list[str]:
        """What comes behind it."""

class PrefixSearch:
    """
    Completions of translations that somebody has begun; one graph, asked again and again, from one thread at a time.
    """

    def __init__(self, graph: Hypergraph) -> None: ...

    @property
    def words(self) -> list[str]:
        """Those of the graph, each once."""

    def complete(self, costs: numpy.typing.NDArray[numpy.float32], *, edit_cost: float, most: int = 1) -> list[Completion]:
        """
        `costs`: a row for each word typed, what it costs that each of `words` stands for it.
        """

class Decoder:
    """A model with weights and search options."""

    def decode(self, lines: Sequence[str], wants: DecodeWants | None = None, *, demands: list[Demands | None] | None = None, references: Sequence[str] | None = None, offers: list[list[OfferedTranslation] | None] | None = None, threads: int = 1) -> list[DecodeResult]:
        """
        Translate tokenised lines. `demands` has an entry for each line. With `references`, only derivations of exactly these tokens are looked for. `offers`: translations of words that the table does not know. A chart search knows no references and draws no picture.
        """

class PhraseDecoder(Decoder):
    """A phrase model, searched stack by stack."""

    def __init__(self, model: TranslationModel, weights: array.array[float] | numpy.typing.NDArray[numpy.float64], options: SearchOptions) -> None: ...

class ChartDecoder(Decoder):
    """A hierarchical model, searched over a chart."""

    def __init__(self, model: TranslationModel, weights: array.array[float] | numpy.typing.NDArray[numpy.float64], options: ChartOptions) -> None: ...

class NbestArrays:
    """N-best lists of many lines without their derivations."""

    @property
    def texts(self) -> list[str]:
        """The translations of all lines."""

    @property
    def sizes(self) -> numpy.typing.NDArray[numpy.int64]:
        """How many each line has."""

    @property
    def features(self) -> numpy.typing.NDArray[numpy.float64]:
        """A row of feature values for each translation."""

def decode_nbest(decoder: Decoder, lines: Sequence[str], *, nbest: int, distinct: bool = False, offers: list[list[OfferedTranslation] | None] | None = None, threads: int = 1) -> NbestArrays: ...

def consensus(models: list[list[DecodeResult]], scale: float, weights: numpy.typing.NDArray[numpy.float64], *, nbest: int = 0, threads: int = 1, network: NetworkJudge | None = None, sources: list[str] | None = None, orders: list[list[list[int] | None]] | None = None) -> list[DecodeResult]:
    """
    What models agree on, sentence by sentence, from their lists of different translations. A network that has a say needs the tokens, and the order in which each model has seen them.
    """

def consensus_candidates(models: list[list[DecodeResult]], scale: float, *, threads: int = 1, network: NetworkJudge | None = None, sources: list[str] | None = None, orders: list[list[list[int] | None]] | None = None) -> NbestArrays:
    """All translations that a consensus chooses from, with their features."""

def translation_edits(hypotheses: Sequence[str], references: Sequence[str], threads: int = 1) -> numpy.typing.NDArray[numpy.float64]:
    """
    How many edits, with moves of words, turn each hypothesis into its reference.
    """

class BleuReferences:
    """Tokenised references, their n-grams counted once."""

    def __init__(self, references: Sequence[Sequence[str]]) -> None:
        """A list of lines for each reference file."""

    def __len__(self) -> int: ...

    def statistics(self, hypotheses: Sequence[str], sentences: numpy.typing.NDArray[numpy.int64], threads: int = 1) -> numpy.typing.NDArray[numpy.float64]:
        """
        Ten values for each hypothesis, as sacrebleu orders them; `sentences` says which sentence each translates.
        """

class CandidateRows:
    """Feature values and metric statistics of n-best lists."""

    def __init__(self, features: numpy.typing.NDArray[numpy.float64], statistics: numpy.typing.NDArray[numpy.float64], starts: numpy.typing.NDArray[numpy.int64]) -> None:
        """Sentence n has the rows [starts[n], starts[n + 1]) of both; a view."""

    def best(self, weights: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.int64]:
        """
        The row of each sentence's best candidate, the first of those whose scores differ by no more than rounding.
        """

class CandidateSet:
    """Which candidates have been seen before."""

    def __init__(self) -> None: ...

    def add(self, sizes: numpy.typing.NDArray[numpy.int64], texts: Sequence[str], features: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.int64]:
        """
        Take n-best lists, sizes[n] candidates of sentence n; the rows of those that are new.
        """

    def latest(self) -> numpy.typing.NDArray[numpy.uint64]:
        """What tells apart the candidates that the last call found new."""

    def restore(self, keys: numpy.typing.NDArray[numpy.uint64]) -> None:
        """Take up what `latest` has given."""

class MiraStep:
    """How far MIRA moves the weights."""

    def __init__(self, *, aggressiveness: float = ..., decay: float = ..., margin: bool = ...) -> None: ...

    @property
    def aggressiveness(self) -> float:
        """The largest step."""

    @aggressiveness.setter
    def aggressiveness(self, arg: float, /) -> None: ...

    @property
    def decay(self) -> float:
        """How fast the background forgets."""

    @decay.setter
    def decay(self, arg: float, /) -> None: ...

    @property
    def margin(self) -> bool:
        """Whether to ask for a margin."""

    @margin.setter
    def margin(self, arg: bool, /) -> None: ...

class MiraEpoch:
    """What came of one pass."""

    @property
    def average(self) -> numpy.typing.NDArray[numpy.float64]:
        """Of the weights after each sentence."""

    @property
    def weights(self) -> numpy.typing.NDArray[numpy.float64]:
        """The last ones."""

    @property
    def background(self) -> numpy.typing.NDArray[numpy.float64]:
        """What was chosen before."""

def mira_epoch(candidates: CandidateRows, metric: str, step: MiraStep, order: numpy.typing.NDArray[numpy.int64], lowest: numpy.typing.NDArray[numpy.float64], weights: numpy.typing.NDArray[numpy.float64], background: numpy.typing.NDArray[numpy.float64]) -> MiraEpoch:
    """One pass over the sentences in `order`."""

def sentence_gains(candidates: CandidateRows, metric: str, background: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]:
    """
    What each candidate would add to the corpus score, in units of its size.
    """

def line_searches(candidates: CandidateRows, metric: str, weights: numpy.typing.NDArray[numpy.float64], directions: numpy.typing.NDArray[numpy.float64], threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
    """
    How far to go from the weights in each direction, and the score (of 1) there.
    """

class TableRowFacts:
    """The rows of a table, by row."""

    @property
    def sources(self) -> numpy.typing.NDArray[numpy.uint32]:
        """The number of the source phrase."""

    @property
    def targets(self) -> numpy.typing.NDArray[numpy.uint32]:
        """The number of the target phrase."""

    @property
    def source_lengths(self) -> numpy.typing.NDArray[numpy.uint8]:
        """Words of the source phrase."""

    @property
    def counts(self) -> numpy.typing.NDArray[numpy.float32]:
        """Of the pair, its source and its target."""

def table_row_facts(table: PhraseTableFile) -> TableRowFacts: ...

def match_table_rows(table: PhraseTableFile, other: PhraseTableFile) -> numpy.typing.NDArray[numpy.uint32]:
    """
    For each row, the row of the other table with the same phrases, or 2**32 - 1.
    """

class DerivedText:
    """The target sides of derivations, and their links."""

    @property
    def ids(self) -> numpy.typing.NDArray[numpy.int32]:
        """Of all derivations, one behind the other."""

    @property
    def offsets(self) -> numpy.typing.NDArray[numpy.uint64]:
        """Where each begins."""

    @property
    def links(self) -> numpy.typing.NDArray[numpy.uint16]:
        """A row each."""

    @property
    def link_offsets(self) -> numpy.typing.NDArray[numpy.uint64]:
        """Where each one's begin."""

def derived_text(table: PhraseTableFile, steps: numpy.typing.NDArray[numpy.uint32], spans: numpy.typing.NDArray[numpy.uint16], rows: numpy.typing.NDArray[numpy.uint32]) -> DerivedText:
    """Steps, spans and rows as in ShardDerivations."""

class ShardDerivations:
    """Derivations of consecutive sentence pairs, as arrays."""

    @property
    def outcomes(self) -> numpy.typing.NDArray[numpy.uint8]:
        """By pair: 0 derived, 1 no derivation, 2 refused."""

    @property
    def derivations(self) -> numpy.typing.NDArray[numpy.uint32]:
        """By pair: how many derivations."""

    @property
    def model_counts(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        By pair: BLEU's matches, totals, length, reference length of the model's best translation.
        """

    @property
    def best_counts(self) -> numpy.typing.NDArray[numpy.float64]:
        """The same of the first derivation."""

    @property
    def objectives(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        By pair: of the model's best, of the best of its list (0 without one), of the first derivation.
        """

    @property
    def problems(self) -> list[tuple[int, str]]:
        """Refused pairs, and why."""

    @property
    def steps(self) -> numpy.typing.NDArray[numpy.uint32]:
        """By derivation: how many steps."""

    @property
    def scores(self) -> numpy.typing.NDArray[numpy.float64]:
        """By derivation: the model's score."""

    @property
    def spans(self) -> numpy.typing.NDArray[numpy.uint16]:
        """By step: source begin, source end, number of target words."""

    @property
    def rows(self) -> numpy.typing.NDArray[numpy.uint32]:
        """By step: row of the table, 2**32 - 1 for copied words."""

class RederiveOptions:
    """How to derive sentence pairs."""

    def __init__(self, *, forced: bool = ..., nbest: int = ..., mu: float = ..., beam: int = ..., leave_one_out: bool = ..., max_phrase_length: int = ..., compare_with: int = ...) -> None: ...

    @property
    def forced(self) -> bool:
        """Only derivations of exactly the reference."""

    @forced.setter
    def forced(self, arg: bool, /) -> None: ...

    @property
    def nbest(self) -> int:
        """Derivations of each pair."""

    @nbest.setter
    def nbest(self, arg: int, /) -> None: ...

    @property
    def mu(self) -> float:
        """Weight of the model's score beside BLEU."""

    @mu.setter
    def mu(self, arg: float, /) -> None: ...

    @property
    def beam(self) -> int:
        """Of the oracle."""

    @beam.setter
    def beam(self, arg: int, /) -> None: ...

    @property
    def leave_one_out(self) -> bool:
        """Leave out what a pair itself has contributed to the table."""

    @leave_one_out.setter
    def leave_one_out(self, arg: bool, /) -> None: ...

    @property
    def max_phrase_length(self) -> int:
        """Of that table."""

    @max_phrase_length.setter
    def max_phrase_length(self, arg: int, /) -> None: ...

    @property
    def compare_with(self) -> int:
        """Also look for the best objective among so many best by the model."""

    @compare_with.setter
    def compare_with(self, arg: int, /) -> None: ...

class RederiveShard:
    """Sentence pairs to derive."""

    def __init__(self, sources: Sequence[str], references: Sequence[str], links: LinkSets | None = None) -> None: ...

    def __len__(self) -> int: ...

class Rederiver:
    """Derives sentence pairs with a model."""

    def __init__(self, decoder: PhraseDecoder, options: RederiveOptions) -> None:
        """Takes model, weights and search options of the decoder."""

    def run(self, shards: Sequence[RederiveShard], threads: int = 1) -> list[ShardDerivations]:
        """The same whatever the number of threads."""

class JointOptions:
    """What joint training can be told."""

    def __init__(self, *, max_length: int = ..., k: float = ..., folds: int = ..., forced_beam: int = ..., null_rules: bool = ..., distortion_limit: int | None = ..., gap_limit: int | None = ...) -> None: ...

    @property
    def max_length(self) -> int:
        """Words of a phrase on either side."""

    @max_length.setter
    def max_length(self, arg: int, /) -> None: ...

    @property
    def k(self) -> float:
        """How much short phrases are favoured."""

    @k.setter
    def k(self, arg: float, /) -> None: ...

    @property
    def folds(self) -> int:
        """
        Weights are learnt from a pair with the rules of the other folds; 1: with all.
        """

    @folds.setter
    def folds(self, arg: int, /) -> None: ...

    @property
    def forced_beam(self) -> int:
        """Hypotheses of a stack in forced decoding; 0: all."""

    @forced_beam.setter
    def forced_beam(self, arg: int, /) -> None: ...

    @property
    def null_rules(self) -> bool:
        """Whether words may be deleted and inserted."""

    @null_rules.setter
    def null_rules(self, arg: bool, /) -> None: ...

    @property
    def distortion_limit(self) -> int | None:
        """The longest jump."""

    @distortion_limit.setter
    def distortion_limit(self, arg: int | None, /) -> None: ...

    @property
    def gap_limit(self) -> int | None:
        """Most runs of uncovered words."""

    @gap_limit.setter
    def gap_limit(self, arg: int | None, /) -> None: ...

class RuleTableOptions:
    """Which rules go into a table."""

    def __init__(self, *, min_count: float = ..., without: int | None = ..., limit: int = ..., sparse: bool = ..., source_words: int = ..., target_words: int = ...) -> None: ...

    @property
    def min_count(self) -> float:
        """Rules below it are left out."""

    @min_count.setter
    def min_count(self, arg: float, /) -> None: ...

    @property
    def without(self) -> int | None:
        """A fold that does not count."""

    @without.setter
    def without(self, arg: int | None, /) -> None: ...

    @property
    def limit(self) -> int:
        """Options of a source phrase; 0: all."""

    @limit.setter
    def limit(self, arg: int, /) -> None: ...

    @property
    def sparse(self) -> bool:
        """With the rules' own weights as a column."""

    @sparse.setter
    def sparse(self, arg: bool, /) -> None: ...

    @property
    def source_words(self) -> int:
        """The size of the vocabulary."""

    @source_words.setter
    def source_words(self, arg: int, /) -> None: ...

    @property
    def target_words(self) -> int:
        """The size of the vocabulary."""

    @target_words.setter
    def target_words(self, arg: int, /) -> None: ...

class ForcedCounts:
    """What came of forced decoding some pairs."""

    @property
    def pairs(self) -> int: ...

    @property
    def reachable(self) -> int: ...

    @property
    def empty(self) -> int: ...

    @property
    def score(self) -> float: ...

    @property
    def evaluated(self) -> int: ...

class FoundRules:
    """What forced decoding found, not yet counted."""

    @property
    def counts(self) -> ForcedCounts: ...

    def save(self, path: str) -> None: ...

    @staticmethod
    def open(path: str) -> FoundRules: ...

class Lessons:
    """What came of real decoding some pairs."""

    @property
    def pairs(self) -> int: ...

    @property
    def reachable(self) -> int: ...

    @property
    def correct(self) -> int: ...

    @property
    def violations(self) -> int: ...

    @property
    def violation(self) -> float: ...

    @property
    def difference(self) -> numpy.typing.NDArray[numpy.float64]: ...

class JointTrainer:
    """
    Forced decoding over all phrase pairs, and learning from the difference to real decoding.
    """

    def __init__(self, text: ParallelText, forward: LexicalTable, backward: LexicalTable, options: JointOptions) -> None: ...

    def __len__(self) -> int: ...

    @property
    def rules(self) -> int:
        """How many rules there are, null rules left out."""

    @property
    def null_rules(self) -> int: ...

    def counts(self) -> numpy.typing.NDArray[numpy.float64]:
        """The counts of all rules, null rules left out."""

    def rule(self, source: numpy.typing.NDArray[numpy.int32], target: numpy.typing.NDArray[numpy.int32]) -> tuple[float, float, float] | None:
        """
        Count and log-probabilities (forward, backward) of a rule; an empty side is null.
        """

    def find(self, begin: int, end: int, weights: numpy.typing.NDArray[numpy.float64], scale: float, min_posterior: float, threads: int) -> FoundRules:
        """
        Forced decoding. Weights: tm.fwd tm.bwd lex.fwd lex.bwd sparse phrases distortion null.
        """

    def add(self, found: FoundRules) -> None:
        """Counts what was found, which must come in the order of the pairs."""

    def finish_counting(self, unite: bool = False) -> None:
        """
        What was counted are the rules now; with `unite`, what was known before as well.
        """

    def learn(self, pairs: numpy.typing.NDArray[numpy.uint32], least_count: float, model: TranslationModel, weights: numpy.typing.NDArray[numpy.float64], options: SearchOptions, threads: int = 1) -> Lessons:
        """
        Forced and real decoding; the summed updates at the steps of greatest violation.
        """

    def finish_learning(self, sparse_rate: float = 0.0) -> None: ...

    def write_table(self, path: str, options: RuleTableOptions) -> int:
        """An ordinary phrase table; returns how many rules are in it."""

    def save_rules(self, path: str) -> None: ...

    def load_rules(self, path: str) -> None: ...

    def derivations(self, pair: int, weights: numpy.typing.NDArray[numpy.float64], scale: float = 1.0) -> list[tuple[int, int, tuple[tuple[int, int], tuple[int, int]], float, float]]:
        """
        Edges of the forced derivations of a pair: head, tail, source and target span (both empty for the jump to the end), score, log-posterior.
        """

    def best_derivation(self, pair: int, weights: numpy.typing.NDArray[numpy.float64]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        """
        Source and target spans of the best forced derivation, in target order.
        """
