"""Where the files of a model directory are. Names are made here and nowhere else."""

from __future__ import annotations

from fnmatch import fnmatch
from typing import Literal

MANIFEST = "model.toml"
STAGING = ".unfinished"
LOCK = ".lock"

# What the preparation of the corpus writes.
BITEXT = "corpus/train.bitext"
SOURCE_VOCABULARY = "corpus/source.vocab"
TARGET_VOCABULARY = "corpus/target.vocab"
SOURCE_TRUECASE = "corpus/truecase.source.json"
TARGET_TRUECASE = "corpus/truecase.target.json"
# Spacing, capitals and accelerators; and how words are cut, where that is learnt.
WRITING = "corpus/writing.json"
SOURCE_PIECES = "corpus/pieces.source.model"
TARGET_PIECES = "corpus/pieces.target.model"
CORPUS_REPORT = "corpus/report.json"
# The pairs as they were written, to be found by their words: the index and its vocabulary.
MEMORY = ("corpus/memory.index", "corpus/memory.vocab")

# Preordering: the training bitext with its source in the new order, the order of each of its
# sentences, and what orders: one of the last two.
PREORDER = "preorder"
PREORDERED_BITEXT = "preorder/train.bitext"
ORDERS = "preorder/train.orders.npy"
PREORDER_REPORT = "preorder/report.json"
CLASSIFIER = "preorder/classifier"
BTG = "preorder/btg"

# Alignment; the lexicons are p(target | source) and p(source | target) from links.
LINKS = "align/links"
ALIGNER = "align/aligner"
FORWARD_LEXICON = "align/lexicon.forward"
BACKWARD_LEXICON = "align/lexicon.backward"

LANGUAGE_MODEL = "lm/target.bin"
EXTRA_LANGUAGE_MODELS = "lm/extra.*.bin"  # features lm.2, lm.3, ... by name of the file
BILINGUAL_MODEL = "lm/bilingual.bin"
# A language model over classes of words, and the class of each word of the target vocabulary.
CLASS_MODEL = "lm/classes.bin"
WORD_CLASSES = "lm/words.classes"

PHRASES = "rules/phrases.table"
HIERO = "rules/hiero.table"
BILINGUAL_VOCABULARY = "rules/bilingual.vocab"
# The phrase table sorted and thinned out under the tuned weights.
SORTED_PHRASES = "rules/sorted.table"

# How words are translated beside others.
CONTEXT_LEXICON = "context/lexicon.bin"

# What was learnt about words never seen.
UNKNOWN_SOURCES = "unknown/sources.json"
# A phrase model of letters for names and loans; empty files where there is nothing to learn.
LETTER_TABLE = "unknown/letters.table"
SOURCE_LETTERS = "unknown/letters.source.vocab"
TARGET_LETTERS = "unknown/letters.target.vocab"
LETTER_MODEL = "unknown/letters.lm"
# How words are cut into pieces, and a small phrase model of these.
PIECES = "unknown/pieces.model"
PIECE_TABLE = "unknown/pieces.table"
SOURCE_WORDS_OF_PIECES = "unknown/pieces.source.vocab"
TARGET_WORDS_OF_PIECES = "unknown/pieces.target.vocab"
PIECE_MODEL = "unknown/pieces.lm"
LETTER_FILES = (LETTER_TABLE, SOURCE_LETTERS, TARGET_LETTERS, LETTER_MODEL)
PIECE_FILES = (PIECES, PIECE_TABLE, SOURCE_WORDS_OF_PIECES, TARGET_WORDS_OF_PIECES, PIECE_MODEL)
UNKNOWN_FILES = (UNKNOWN_SOURCES, *LETTER_FILES, *PIECE_FILES)

WEIGHTS = "weights.toml"
SEARCH = "search.toml"
# How the dev score rose, round by round.
TUNING_HISTORY = "tuning.json"
# How posteriors of words become confidences.
CONFIDENCE = "confidence.json"
REPORT = "report.html"
# What the test set said.
TEST_SCORES = "test.json"
# Of a model that has learnt from everything: the one that its weights were tuned for.
TUNED_MODEL = "tuned"

# Joint training: how reachability, rules and the dev score went; the perceptron's weights.
JOINT_HISTORY = "joint.json"
JOINT_WEIGHTS = "rules/joint.weights.toml"

DERIVATIONS = "reestimate/derivations.npz"
REESTIMATE_REPORT = "reestimate/report.json"

# A network that has a say in a consensus.
NETWORK = "neural/network.bin"

# How the models of a consensus agree, and where those beside the first are.
CONSENSUS = "consensus.toml"
CONSENSUS_REPORT = "consensus.json"
MEMBERS = "members"

# What users have taught the model since.
CORRECTIONS = "corrections.db"
# Settings of the search that were measured, and their pictures.
SWEEP = "sweep"
# What the workers of a cluster did when: no part of the model, since it holds times.
CLUSTER_REPORT = "cluster.html"

# In one that was packed: what of it is there.
PACK = "pack.toml"

HeldOutName = Literal["dev", "test"]


def held_out_files(name: HeldOutName) -> tuple[str, str, str]:
    """Where a held-out set lies: source and target as the model sees them, and the target as
    people read it."""
    return f"corpus/{name}.source", f"corpus/{name}.target", f"corpus/{name}.reference"


def held_out_text(name: HeldOutName) -> str:
    """Where the source of a held-out set lies as people write it."""
    return f"corpus/{name}.text"


def preordered_source(name: HeldOutName) -> str:
    """Where the source of a held-out set lies in its new order."""
    return f"{PREORDER}/{name}.source"


def member_directory(name: str) -> str:
    """Where a further model of a consensus lies."""
    return f"{MEMBERS}/{name}"


def language_model_file(number: int) -> str:
    """Where the language model of this number, from 1, lies."""
    return LANGUAGE_MODEL if number == 1 else f"lm/extra.{number}.bin"


def is_language_model(name: str) -> bool:
    """Whether a file is a language model of the target language."""
    return name == LANGUAGE_MODEL or fnmatch(name, EXTRA_LANGUAGE_MODELS)


# What a model that only translates can do without, beside the unsorted table: what it was made
# from, and what it was taught since.
TRAINING_ONLY = frozenset(
    (
        BITEXT,
        *held_out_files("dev"),
        *held_out_files("test"),
        held_out_text("test"),
        PREORDERED_BITEXT,
        ORDERS,
        preordered_source("dev"),
        preordered_source("test"),
        LINKS,
        ALIGNER,
        FORWARD_LEXICON,
        BACKWARD_LEXICON,
        JOINT_WEIGHTS,
        DERIVATIONS,
        CORRECTIONS,
    )
)
# What a model tells of its training; no translation depends on it.
TOLD_ONLY = frozenset(
    (
        CORPUS_REPORT,
        PREORDER_REPORT,
        TUNING_HISTORY,
        JOINT_HISTORY,
        REESTIMATE_REPORT,
        CONSENSUS_REPORT,
        TEST_SCORES,
        REPORT,
    )
)
