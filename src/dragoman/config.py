"""Parameters: one frozen dataclass per stage, read from and written to TOML.

A configuration file has one table per stage::

    [prepare]
    tokeniser = "moses"
    max_words = 100

Whatever is not said keeps its default; a key that does not exist is an error that suggests the
nearest one that does. Values are checked where the dataclass is made, so a configuration that
exists is a valid one.
"""

from __future__ import annotations

import dataclasses
import difflib
import tomllib
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeVar

from dragoman.errors import ConfigError, FileError

Section = TypeVar("Section")

TokeniserName = Literal["moses", "whitespace", "char", "mecab", "jieba"]
SymmetryName = Literal[
    "grow-diag-final-and",
    "grow-diag-final",
    "grow-diag",
    "intersection",
    "union",
    "forward",
    "backward",
    "posterior",
]
ReorderingName = Literal["word", "phrase", "hierarchical"]
MethodName = Literal["pipeline", "joint"]
ModelName = Literal["phrase", "hiero"]


def require(condition: bool, problem: str) -> None:
    """Raise ConfigError unless `condition` holds."""
    if not condition:
        raise ConfigError(problem)


@dataclass(frozen=True)
class PrepareConfig:
    """From files of parallel text to a clean bitext."""

    # Codes such as "en" or "pt-BR"; they choose tokeniser rules and the direction in TMX.
    source_language: str = ""
    target_language: str = ""
    # How text is cut into words; kept in the model and used again on what is translated.
    tokeniser: TokeniserName = "moses"
    # Lower-case sentence beginnings as the word is usually written. "auto": where the
    # tokeniser takes raw text ("moses"), but not for text that comes ready ("whitespace").
    truecase: Literal["auto", "yes", "no"] = "auto"
    # Pairs with a side of more words are dropped.
    max_words: int = 100
    # Pairs are dropped when one side has more than this many times the words of the other;
    # a slack of a few words keeps short sentences.
    max_ratio: float = 9.0
    # Drop pairs seen before, and pairs whose two sides are the same text.
    drop_duplicates: bool = True
    drop_copies: bool = True
    # How many pairs to set aside when no dev or test set is given; at most a twentieth of the
    # corpus each.
    dev_size: int = 1000
    test_size: int = 1000

    def __post_init__(self) -> None:
        require(
            1 <= self.max_words <= 65_535,
            f"prepare.max_words must lie between 1 and 65535, not {self.max_words}",
        )
        require(self.max_ratio >= 1, f"prepare.max_ratio must be at least 1, not {self.max_ratio}")
        require(
            self.dev_size >= 0 and self.test_size >= 0,
            "prepare.dev_size and prepare.test_size must not be negative",
        )

    @property
    def truecases(self) -> bool:
        """Whether sentence beginnings are truecased."""
        if self.truecase == "auto":
            return self.tokeniser == "moses"
        return self.truecase == "yes"


@dataclass(frozen=True)
class PreorderConfig:
    """Source words in the order of the target language, before anything else sees them.

    docs/preordering.md says what the numbers do.
    """

    # "trees": turn over nodes of given trees (paper 004); "btg": trees induced from alignments.
    method: Literal["off", "trees", "btg"] = "off"
    # How the links that labels come from are made (see AlignConfig.symmetry).
    symmetry: SymmetryName = "grow-diag-final-and"
    # How often to align, learn and reorder: in reordered text the aligner finds more of the links
    # that labels are made of.
    passes: int = 3
    # Of constituents of more than two parts; and which part is the head if the tree says nothing.
    binarisation: Literal["left", "right", "head"] = "head"
    head_side: Literal["first", "last"] = "last"
    # Sets of templates of "trees" (see dragoman.preorder.features).
    features: tuple[str, ...] = ("spans", "sigma", "sigma-r", "sigma-t", "sigma-w", "heads")
    # Features seen more rarely are left out.
    min_count: int = 2
    # Weights are kept in 2 to the power of so many buckets.
    hash_bits: int = 22
    # Of the logistic regression: C, and how often it goes over the labelled nodes.
    inverse_penalty: float = 0.1
    epochs: int = 10
    # Of more labelled nodes only a sample is used, so that memory is bounded.
    max_nodes: int = 1_000_000
    # The training text is put in order by models that have not seen the sentences in question:
    # so many of them, each trained without its share. 1: by the model itself, which knows the
    # training text better than any other and would promise the decoder too much.
    folds: int = 2
    # A spaCy pipeline that parses what is translated, such as "ja_ginza".
    parser: str = ""
    # Of "btg": word classes; rounds over the corpus; how hard decisions are told apart; the size
    # of steps; sentences longer than this are not learnt from.
    word_classes: int = 64
    rounds: int = 2
    sharpness: float = 1.0
    rate: float = 0.02
    max_words: int = 60
    seed: int = 1

    def __post_init__(self) -> None:
        require(
            1 <= self.min_count <= 255,
            f"preorder.min_count must lie between 1 and 255, not {self.min_count}",
        )
        require(
            8 <= self.hash_bits <= 28,
            f"preorder.hash_bits must lie between 8 and 28, not {self.hash_bits}",
        )
        require(
            self.inverse_penalty > 0,
            f"preorder.inverse_penalty must be above 0, not {self.inverse_penalty}",
        )
        require(
            1 <= self.word_classes <= 10_000,
            f"preorder.word_classes must lie between 1 and 10000, not {self.word_classes}",
        )
        require(
            self.sharpness > 0 and self.rate > 0,
            "preorder.sharpness and preorder.rate must be above 0",
        )
        for name in ("epochs", "max_nodes", "rounds", "max_words", "folds", "passes"):
            value = getattr(self, name)
            require(value >= 1, f"preorder.{name} must be at least 1, not {value}")
        require(self.seed >= 0, f"preorder.seed must not be negative, not {self.seed}")


@dataclass(frozen=True)
class AlignConfig:
    """From a bitext to word links; docs/alignment.md says what the numbers do."""

    # How the links of the two directions become one set.
    symmetry: SymmetryName = "grow-diag-final-and"
    # For "posterior": a link needs this geometric mean of both directions' probabilities.
    posterior_threshold: float = 0.3
    # Sweeps over the corpus with each model.
    model1_iterations: int = 8
    hmm_iterations: int = 4
    # Weight of a word pair before it is seen; small values make translations sparse.
    lexical_prior: float = 0.001
    # Probability that a word has no counterpart.
    null_probability: float = 0.1

    def __post_init__(self) -> None:
        require(
            0 <= self.posterior_threshold <= 1,
            f"align.posterior_threshold must lie between 0 and 1, not {self.posterior_threshold}",
        )
        require(
            0 <= self.model1_iterations <= 1000 and 1 <= self.hmm_iterations <= 1000,
            "align.model1_iterations must lie between 0 and 1000, align.hmm_iterations between "
            "1 and 1000",
        )
        require(
            1e-9 <= self.lexical_prior <= 1000,
            f"align.lexical_prior must lie between 1e-9 and 1000, not {self.lexical_prior}",
        )
        require(
            0 < self.null_probability < 1,
            f"align.null_probability must lie between 0 and 1, not {self.null_probability}",
        )


@dataclass(frozen=True)
class LmConfig:
    """From the target side of the bitext to a language model."""

    # Words of the longest n-grams.
    order: int = 5
    # N-grams seen so often or less are left out: a threshold per order, the last one also for
    # higher orders; the first is 0.
    prune: tuple[int, ...] = (0,)

    def __post_init__(self) -> None:
        require(1 <= self.order <= 8, f"lm.order must lie between 1 and 8, not {self.order}")
        require(
            len(self.prune) <= self.order
            and self.prune[:1] in ((), (0,))
            and list(self.prune) == sorted(self.prune),
            f"lm.prune must hold at most one threshold per order, 0 first, not falling; not "
            f"{list(self.prune)}",
        )


@dataclass(frozen=True)
class RulesConfig:
    """From links to a phrase table."""

    # Longest phrase on either side, in words.
    max_length: int = 7
    # Of phrase probabilities (Foster, Kuhn & Johnson 2006).
    smoothing: Literal["none", "good-turing", "kneser-ney"] = "kneser-ney"
    # Every word takes its best partner under IBM Model 1 (Moore & Quirk 2007), or the mean over
    # its links (Koehn et al. 2003).
    lexical_weights: Literal["viterbi", "links"] = "viterbi"
    # How orientations are counted: from links, from phrase pairs, or from blocks of any size.
    reordering: tuple[ReorderingName, ...] = ("hierarchical",)
    # Added to each orientation count of a phrase pair.
    reordering_smoothing: float = 0.5
    # Fisher's exact test (Johnson et al. 2007): "strict" drops pairs that occur once, of phrases
    # that occur once; "lenient" keeps them.
    significance: Literal["off", "lenient", "strict"] = "off"
    # Scores in one byte each instead of four.
    quantise: bool = False
    # Order of the bilingual language model (Niehues et al. 2011); 0: none.
    bilingual_order: int = 5

    def __post_init__(self) -> None:
        require(
            1 <= self.max_length <= 255,
            f"rules.max_length must lie between 1 and 255, not {self.max_length}",
        )
        require(
            self.reordering_smoothing > 0,
            f"rules.reordering_smoothing must be above 0, not {self.reordering_smoothing}",
        )
        require(
            len(set(self.reordering)) == len(self.reordering),
            "rules.reordering names a model twice",
        )
        require(
            0 <= self.bilingual_order <= 8,
            f"rules.bilingual_order must lie between 0 and 8, not {self.bilingual_order}",
        )


@dataclass(frozen=True)
class HieroConfig:
    """From links to hierarchical rules (Chiang 2007), for models of the kind "hiero"."""

    # Longest phrase pair that rules are made from, in words on either side.
    max_span: int = 10
    # Words and gaps of a rule's source side, and how many of them may be gaps.
    max_symbols: int = 5
    max_gaps: int = 2
    # Source words that a gap must stand for at least.
    min_gap: int = 1
    # Whether phrase pairs must begin and end with linked words.
    tight: bool = True
    # Rules with gaps that count less than this are left out; counts are fractions.
    min_count: float = 0.0
    # Of each source side, so many rules by estimated score are kept; 0: all.
    max_options: int = 100
    # As in RulesConfig.
    lexical_weights: Literal["viterbi", "links"] = "viterbi"
    quantise: bool = False

    def __post_init__(self) -> None:
        for name, low, high in (
            ("max_span", 1, 15),
            ("max_symbols", 1, 15),
            ("max_gaps", 0, 2),
            ("min_gap", 1, 15),
        ):
            value = getattr(self, name)
            require(
                low <= value <= high,
                f"hiero.{name} must lie between {low} and {high}, not {value}",
            )
        require(self.min_count >= 0, f"hiero.min_count must not be negative: {self.min_count}")
        require(
            0 <= self.max_options < 1 << 31,
            f"hiero.max_options must not be negative, not {self.max_options}",
        )


@dataclass(frozen=True)
class TuneConfig:
    """From a model with default weights to one whose weights suit the dev set."""

    method: Literal["mira", "mert", "pro", "perceptron"] = "mira"
    # What is made as high as possible: a metric of sacrebleu, or RIBES.
    metric: Literal["bleu", "chrf", "ter", "ribes"] = "bleu"
    # Translations per dev sentence that each round adds.
    nbest: int = 100
    # Rounds at most, and how many without a better score before giving up. Scores hardly rise
    # after the fifth round.
    max_iterations: int = 8
    patience: int = 3
    seed: int = 1

    def __post_init__(self) -> None:
        for name in ("nbest", "max_iterations", "patience"):
            value = getattr(self, name)
            require(value >= 1, f"tune.{name} must be at least 1, not {value}")
        require(self.seed >= 0, f"tune.seed must not be negative, not {self.seed}")


@dataclass(frozen=True)
class ResortConfig:
    """From the phrase table to one sorted under the tuned weights."""

    # Translations of a source phrase that are kept, the best ones; 0: all.
    limit: int = 100

    def __post_init__(self) -> None:
        require(self.limit >= 0, f"resort.limit must not be negative, not {self.limit}")


@dataclass(frozen=True)
class ReportConfig:
    """From a finished model to a page about it."""

    # Translations of dev sentences, and alignments of training sentences, to show.
    samples: int = 20
    alignments: int = 6

    def __post_init__(self) -> None:
        for name in ("samples", "alignments"):
            value = getattr(self, name)
            require(value >= 0, f"report.{name} must not be negative, not {value}")


@dataclass(frozen=True)
class DeriveConfig:
    """How a model derives its own training bitext (paper 002; docs/papers/002.md)."""

    # The derivations nearest to the references, those of exactly the references, or both: lists
    # of the former, and of the latter the best alone (docs/papers/002.md).
    method: Literal["oracle", "forced", "both"] = "oracle"
    # Derivations of each sentence pair.
    nbest: int = 1
    # The oracle maximises (1 - mu) * BLEU + mu * model score (eq. 3); 0 is pure BLEU.
    mu: float = 0.5
    # Oracles do not use phrase pairs that were extracted less often (eq. 4). What is forced may:
    # a reference often cannot be reached without them.
    min_count: int = 2
    # A source word keeps its last translation, however rare, here and in a smaller table.
    keep_words: bool = True
    # Lower the probabilities of what a pair itself has contributed (Wuebker et al. 2010). The
    # paper has it for forced decoding only; with 30,000 pairs oracles need it as well.
    leave_one_out: bool = True
    # So many pairs, evenly spread over the bitext; 0: all.
    sample: int = 0
    # Partial derivations that the oracle keeps at each node of the hypergraph.
    beam: int = 50
    # Hypotheses in each stack of the search; 0: as usual with the oracle, 100 when forced.
    stack: int = 0

    def __post_init__(self) -> None:
        require(self.nbest >= 1, f"nbest must be at least 1, not {self.nbest}")
        require(0 <= self.mu <= 1, f"mu must lie between 0 and 1, not {self.mu}")
        for name in ("min_count", "sample", "stack"):
            value = getattr(self, name)
            require(value >= 0, f"{name} must not be negative, not {value}")
        require(self.beam >= 1, f"beam must be at least 1, not {self.beam}")

    def parts(self) -> list[DeriveConfig]:
        """One for each method, for those who derive by one at a time."""
        if self.method != "both":
            return [self]
        return [replace(self, method="oracle"), replace(self, method="forced", nbest=1)]


Renewal = Literal["keep", "replace", "interpolate"]


@dataclass(frozen=True)
class ReestimateConfig:
    """What becomes of each model when derivations are counted (paper 002)."""

    # "replace" keeps only what the derivations use; "interpolate" mixes with what was there;
    # "select" keeps only what they use, with the mixed probabilities.
    table: Literal["keep", "replace", "interpolate", "select"] = "interpolate"
    # What the table keeps where it keeps only what is used, as a share of its rows: of those in
    # use, the most used.
    size: float = 1.0
    reordering: Renewal = "interpolate"
    bilm: Renewal = "interpolate"
    # The share of the new probabilities; None: what fits the dev set's own derivations.
    weight: float | None = 0.5
    # Uses of phrase pairs that count: those whose target the reference has, or all (the paper's).
    # An oracle is as near to its reference as the model can get; what it says otherwise is often
    # wrong, and counting it confirms the model in its mistakes.
    count: Literal["confirmed", "all"] = "confirmed"

    def __post_init__(self) -> None:
        require(
            self.weight is None or 0 <= self.weight <= 1,
            f"the weight must lie between 0 and 1, not {self.weight}",
        )
        require(0 < self.size <= 1, f"size must lie between 0 and 1, not {self.size}")
        require(
            self.size == 1 or self.table in ("replace", "select"),
            f"a table of another size must be replace or select, not {self.table}",
        )


@dataclass(frozen=True)
class JointConfig:
    """Rules and weights learnt in one loop, instead of extraction and tuning (paper 003).

    Names of the paper's variants: reordering = "distortion" is its dl-based decoding,
    "gap" its gap-based one.
    """

    # Longest phrase on either side, in words.
    max_length: int = 3
    # What limits reordering, in forced and real decoding: the number of gaps, or the jumps.
    reordering: Literal["gap", "distortion"] = "gap"
    gap_limit: int = 2
    distortion_limit: int = 6
    # Whether forced decoding may delete source words and insert target words. The paper's search
    # needs it to reach its references; here it only makes rules rarer (docs/papers/003.md).
    null_rules: bool = False
    # Of the rule probabilities: the larger, the better for short phrases.
    k: float = 4.0
    # Hypotheses per stack in forced decoding, and in real decoding of the training text.
    forced_beam: int = 10
    real_beam: int = 30
    # Rules count as often as they are probable in forced derivations, which are as probable as
    # their score times this, in the scale in which weights are kept.
    scale: float = 5.0
    # Rules with a smaller count are left out of the table, and more options of a source phrase
    # than this.
    min_count: float = 0.01
    options: int = 100
    # The word translation probabilities that guide: from the aligner's links, or IBM Model 1.
    lexicon: Literal["links", "model1"] = "links"
    # Weights are learnt from each part of the training text with what the others have taught,
    # rules as well as language model; 1: with everything, as in the paper.
    folds: int = 4
    # Iterations at most, and how many without a better score on the dev set before giving up.
    max_iterations: int = 10
    patience: int = 2
    # The perceptron: sentence pairs per update, and how far an update goes.
    batch: int = 8
    rate: float = 1.0
    # Whether the weight of "words" is set so that translations of the dev set are as long as
    # their references.
    match_length: bool = True
    # Before the first update: all zero as in the paper, or those of a model before tuning.
    start: Literal["default", "zero"] = "default"
    # Pairs with more words on a side are cut into segments by IBM Model 1.
    max_words: int = 40
    # A weight for every rule of its own, beside the few dense ones; overfits.
    sparse: bool = False
    # Tune the weights on the dev set afterwards, as [tune] says.
    tune: bool = True
    seed: int = 1

    def __post_init__(self) -> None:
        require(
            1 <= self.max_length <= 7,
            f"joint.max_length must lie between 1 and 7, not {self.max_length}",
        )
        for name, lowest in (
            ("gap_limit", 1),
            ("distortion_limit", 0),
            ("forced_beam", 1),
            ("real_beam", 1),
            ("options", 1),
            ("max_iterations", 1),
            ("patience", 1),
            ("batch", 1),
            ("folds", 1),
            ("seed", 0),
        ):
            value = getattr(self, name)
            require(
                lowest <= value <= 65_535,
                f"joint.{name} must lie between {lowest} and 65535, not {value}",
            )
        for name in ("k", "scale", "rate"):
            value = getattr(self, name)
            require(0 < value < 1e6, f"joint.{name} must lie between 0 and 1e6, not {value}")
        require(
            0 <= self.min_count < 1e6,
            f"joint.min_count must lie between 0 and 1e6, not {self.min_count}",
        )
        require(
            5 <= self.max_words <= 1000,
            f"joint.max_words must lie between 5 and 1000, not {self.max_words}",
        )


@dataclass(frozen=True)
class Config:
    """All stages."""

    # What translates: phrases put in order, or rules with gaps put into each other.
    model: ModelName = "phrase"
    # How phrase table and weights come about: extraction from links, then tuning; or "joint",
    # both in one loop.
    method: MethodName = "pipeline"
    prepare: PrepareConfig = field(default_factory=PrepareConfig)
    preorder: PreorderConfig = field(default_factory=PreorderConfig)
    align: AlignConfig = field(default_factory=AlignConfig)
    lm: LmConfig = field(default_factory=LmConfig)
    rules: RulesConfig = field(default_factory=RulesConfig)
    hiero: HieroConfig = field(default_factory=HieroConfig)
    tune: TuneConfig = field(default_factory=TuneConfig)
    resort: ResortConfig = field(default_factory=ResortConfig)
    report: ReportConfig = field(default_factory=ReportConfig)
    joint: JointConfig = field(default_factory=JointConfig)


def load(path: str | Path) -> Config:
    """Read a TOML configuration file."""
    try:
        with Path(path).open("rb") as file:
            mapping = tomllib.load(file)
    except OSError as problem:
        raise FileError.of(problem, path) from problem
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise ConfigError(f"{path}: not valid TOML: {problem}") from problem
    return from_mapping(Config, mapping, str(path))


def dumps(config: Config) -> str:
    """The configuration as TOML; :func:`load` reads it back."""
    import tomli_w

    return tomli_w.dumps(to_mapping(config))


def to_mapping(section: Any) -> dict[str, Any]:
    """A dataclass as nested plain values; None, which TOML cannot say, is left out."""
    plain = dataclasses.asdict(section)
    return {key: value for key, value in plain.items() if value is not None}


def from_mapping(kind: type[Section], mapping: Mapping[str, Any], where: str) -> Section:
    """Make a dataclass from plain values, refusing unknown keys and wrong types."""
    hints = typing.get_type_hints(kind)
    for key in mapping:
        if key not in hints:
            nearest = difflib.get_close_matches(key, hints, n=1)
            guess = f"; did you mean {nearest[0]!r}?" if nearest else ""
            raise ConfigError(f"{where}: unknown key {key!r}{guess}")
    values = {
        key: _convert(value, hints[key], f"{where}: {key}") for key, value in mapping.items()
    }
    try:
        return kind(**values)
    except ConfigError as problem:
        raise ConfigError(f"{where}: {problem}") from problem


def _convert(value: Any, hint: Any, where: str) -> Any:
    """`value` as the type `hint` says, or ConfigError."""
    if dataclasses.is_dataclass(hint):
        if not isinstance(value, Mapping):
            raise ConfigError(f"{where} must be a table, not {value!r}")
        return from_mapping(typing.cast(type, hint), value, where)
    origin = typing.get_origin(hint)
    if origin is Literal:
        choices = typing.get_args(hint)
        if value not in choices:
            allowed = ", ".join(map(repr, choices))
            raise ConfigError(f"{where} must be one of {allowed}, not {value!r}")
        return value
    if origin is types.UnionType:  # only "X | None" is used
        return None if value is None else _convert(value, typing.get_args(hint)[0], where)
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise ConfigError(f"{where} must be a list, not {value!r}")
        item = typing.get_args(hint)[0]
        return tuple(_convert(one, item, where) for one in value)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    # bool is an int to Python, but not to somebody who writes max_words = true.
    if not isinstance(value, hint) or (isinstance(value, bool) and hint is not bool):
        raise ConfigError(f"{where} must be of type {hint.__name__}, not {value!r}")
    return value
