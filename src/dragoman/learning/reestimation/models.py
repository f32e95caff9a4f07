"""Models counted from derivations: phrase table, reordering models, bilingual language model.

Paper 002, sections 3.2 and 4.2. Phrase pairs are counted as the derivations use them. Reordering
models and the bilingual language model are trained, by the same code as the first time, on the
source sentences and the translations the derivations give, linked as inside the phrase pairs. A
pair with k derivations counts once all the same: each of them a k-th where counts may be
fractions, and one of them, another for each pair, where they may not.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman._core import (
    PhraseTableFile,
    build_vocabulary,
    derived_text,
    match_table_rows,
    table_row_facts,
)
from dragoman.alignment.links import Links
from dragoman.corpus.bitext import Bitext, SentenceIds
from dragoman.learning.reestimation.config import ReestimateConfig
from dragoman.learning.reestimation.derivations import NO_ROW, Derivations
from dragoman.learning.reestimation.smoothing import Floats, conditionals, sums
from dragoman.lm.estimate import estimate_from_lines
from dragoman.lm.mix import mix
from dragoman.lm.query import LanguageModel
from dragoman.progress import SILENT, Progress
from dragoman.rules.bilingual import attach_bilingual, bilingual_text
from dragoman.rules.config import RulesConfig, SmoothingName
from dragoman.rules.extract import extract_table
from dragoman.rules.table import open_file
from dragoman.rules.thin import rewrite

FORWARD, BACKWARD = "tm.fwd", "tm.bwd"
LEAST_SHARE = 1e-9
EM_ROUNDS = 200

# A pair's orientations count so often in all, however many derivations it has; large enough for
# shares of one, and never so large that 32 bits are too few.
MOST_TIMES = 5040


@dataclass(frozen=True)
class TableRows:
    """Facts about the rows of a phrase table, each an array with a place per row."""

    sources: NDArray[np.uint32]  # numbers of source phrases
    targets: NDArray[np.uint32]
    source_lengths: NDArray[np.uint8]
    counts: NDArray[np.float32]  # three columns: of the pair, its source, its target

    @classmethod
    def of(cls, table: PhraseTableFile) -> TableRows:
        facts = table_row_facts(table)
        return cls(facts.sources, facts.targets, facts.source_lengths, facts.counts)

    def __len__(self) -> int:
        return len(self.sources)

    def with_last_words(self, keep: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """`keep` and the first row of every source word that would be left without one."""
        words = np.flatnonzero(self.source_lengths == 1)
        left = np.zeros(int(self.sources.max(initial=0)) + 1, dtype=bool)
        left[self.sources[keep]] = True
        lost = words[~left[self.sources[words]]]
        _, first = np.unique(self.sources[lost], return_index=True)
        kept = keep.copy()
        kept[lost[first]] = True
        return kept


def frequent_rows(rows: TableRows, min_count: int, keep_words: bool) -> NDArray[np.bool_]:
    """The rows that are left when rare phrase pairs are taken away (eq. 4).

    A table without counts, as an imported one, keeps all its rows.
    """
    joint = rows.counts[:, 0]
    if not joint.any():
        return np.ones(len(rows), dtype=bool)
    keep: NDArray[np.bool_] = joint >= min_count
    return rows.with_last_words(keep) if keep_words else keep


@dataclass(frozen=True)
class UsedPhrases:
    """How often derivations use each row, and the conditional probabilities that follow."""

    counts: Floats
    source_counts: Floats  # by row, of its source phrase
    target_counts: Floats
    forward: Floats  # p(target | source) by row; 0 where the source was not used
    backward: Floats  # p(source | target) by row; 0 where the target was not used

    @classmethod
    def of(
        cls,
        rows: TableRows,
        derivations: Derivations,
        smoothing: SmoothingName = "none",
        counted: NDArray[np.bool_] | None = None,
    ) -> UsedPhrases:
        """Probabilities with the `smoothing` of the table; of all steps or only of those that
        are `counted`."""
        known = derivations.rows != NO_ROW
        if counted is not None:
            known &= counted
        counts = sums(derivations.rows[known], derivations.step_weights[known], len(rows))
        return cls(
            counts,
            sums(rows.sources, counts)[rows.sources],
            sums(rows.targets, counts)[rows.targets],
            *conditionals(counts, rows.sources, rows.targets, smoothing),
        )


def most_used(rows: TableRows, counts: Floats, most: int, keep_words: bool) -> NDArray[np.bool_]:
    """The `most` rows that are used most often, of equal ones those that were extracted more
    often; more of them only if every source word shall keep a translation."""
    order = np.lexsort((-rows.counts[:, 0], -counts))
    room = min(most, int((counts > 0).sum()))
    while True:
        keep = np.zeros(len(rows), dtype=bool)
        keep[order[:room]] = True
        if keep_words:
            keep = rows.with_last_words(keep)
        excess = int(keep.sum()) - most
        if excess <= 0 or room == 0:
            return keep
        room = max(0, room - excess)


def confirmed_steps(
    derivations: Derivations, derived: Bitext, bitext: Bitext
) -> NDArray[np.bool_]:
    """Which steps say what the reference says: its words stand there, one behind the other.

    `derived` has the translations of the derivations. Phrases are compared by 64-bit hashes of
    their words and their sentence.
    """
    lengths = derivations.spans[:, 2].astype(np.int64)
    begins = np.cumsum(lengths) - lengths
    pairs = np.repeat(derivations.numbers[derivations.pair_of_derivation], derivations.steps)
    ends = bitext.target.offsets.astype(np.int64)
    places = np.arange(len(bitext.target.ids))
    sentences = np.repeat(np.arange(len(bitext)), np.diff(ends))
    confirmed = np.zeros(len(lengths), dtype=bool)
    for length in np.unique(lengths[lengths > 0]).tolist():
        steps = np.flatnonzero(lengths == length)
        whole = places[places + length <= ends[1:][sentences]]
        said = _phrase_hashes(derived.target.ids, begins[steps], pairs[steps], length)
        written = _phrase_hashes(bitext.target.ids, whole, sentences[whole], length)
        confirmed[steps] = np.isin(said, written)
    return confirmed


def _phrase_hashes(
    ids: NDArray[np.int32], begins: NDArray[np.int64], sentences: NDArray[np.int64], length: int
) -> NDArray[np.uint64]:
    odd = np.uint64(0x9E3779B97F4A7C15)
    hashes = (sentences.astype(np.uint64) + np.uint64(1)) * odd
    for offset in range(length):
        hashes = (hashes ^ (hashes >> np.uint64(29))) * odd
        hashes += ids[begins + offset].astype(np.uint64)
    return hashes


def interpolated(new: Floats, old: Floats, seen: NDArray[np.bool_], weight: float) -> Floats:
    """weight * new + (1 - weight) * old; old alone where nothing new was `seen`."""
    mixed: Floats = np.where(seen, weight * new + (1 - weight) * old, old)
    return mixed


def best_weight(new: Floats, old: Floats, counts: Floats) -> float:
    """The share of `new` under which events of such counts are likeliest, by expectation
    maximisation; a half when there are none."""
    possible = (counts > 0) & (new + old > 0)
    if not possible.any():
        return 0.5
    new, old, counts = new[possible], old[possible], counts[possible]
    weight = 0.5
    for _ in range(EM_ROUNDS):
        share = weight * new / (weight * new + (1 - weight) * old)
        weight = float((counts * share).sum() / counts.sum())
        # Neither side is ruled out by rounding, or what only it knows would be impossible.
        weight = min(max(weight, LEAST_SHARE), 1 - LEAST_SHARE)
    return weight


@dataclass(frozen=True)
class Renewed:
    """What came of a re-estimation."""

    rows: int  # of the old table
    used: int  # by derivations
    written: int
    confirmed: float | None = None  # share of the uses, by the references, where that was asked
    forward_weight: float | None = None  # of the new probabilities, where they were mixed
    backward_weight: float | None = None
    reordered: int = 0  # rows with new reordering scores
    bilingual_weight: float | None = None


@dataclass(frozen=True)
class Baseline:
    """The model that is re-estimated, as far as re-estimation reads it."""

    table: PhraseTableFile
    bitext: Bitext
    derivations: Derivations
    rules: RulesConfig
    # Of the dev set: they say how much the new probabilities are worth.
    dev_bitext: Bitext | None = None
    dev_derivations: Derivations | None = None
    # For a bilingual language model: the links of the bitext, and the model made of them.
    links: Links | None = None
    bilingual: Path | None = None


def derived_bitext(
    table: PhraseTableFile, bitext: Bitext, derivations: Derivations
) -> tuple[Bitext, Links]:
    """Source sentences with the translations of their derivations, and their links."""
    derived = derived_text(
        table, derivations.steps, derivations.spans.reshape(-1), derivations.rows
    )
    numbers = derivations.numbers[derivations.pair_of_derivation]
    starts = bitext.source.offsets[numbers].astype(np.int64)
    lengths = bitext.source.offsets[numbers + 1].astype(np.int64) - starts
    ends = np.cumsum(lengths)
    # Where each source word of each derivation stands in the bitext.
    places = np.repeat(starts - (ends - lengths), lengths) + np.arange(int(lengths.sum()))
    source = SentenceIds(
        np.ascontiguousarray(bitext.source.ids[places]),
        np.concatenate(([0], ends)).astype(np.uint64),
    )
    return (
        Bitext(
            source,
            SentenceIds(derived.ids, derived.offsets),
            bitext.source_vocabulary,
            bitext.target_vocabulary,
        ),
        Links(derived.links, derived.link_offsets),
    )


def renew(
    baseline: Baseline,
    config: ReestimateConfig,
    output: Callable[[str], Path],
    *,
    keep_words: bool = True,
    threads: int = 1,
    progress: Progress = SILENT,
) -> Renewed:
    """Write the models anew: ``output("phrases")`` and, if there is a bilingual model,
    ``output("bilingual vocabulary")`` and ``output("bilingual model")``.

    The latter two are written only when `config` renews them.
    """
    table = baseline.table
    rows = TableRows.of(table)
    derived = derived_bitext(table, baseline.bitext, baseline.derivations)
    confirmed: NDArray[np.bool_] | None = None
    if config.count == "confirmed":
        confirmed = confirmed_steps(baseline.derivations, derived[0], baseline.bitext)
    used = UsedPhrases.of(rows, baseline.derivations, baseline.rules.smoothing, counted=confirmed)
    is_used = used.counts > 0
    renewed = Renewed(
        rows=len(rows),
        used=int(is_used.sum()),
        written=len(rows),
        confirmed=None if confirmed is None else float(confirmed.mean()),
    )
    columns: dict[str, NDArray[np.float32]] = {}
    keep: NDArray[np.bool_] | None = None
    counts: NDArray[np.float32] | None = None
    if config.table in ("replace", "select"):
        keep = most_used(rows, used.counts, int(config.size * len(rows)), keep_words)
    if config.table == "replace":
        columns = _replaced(table, used, is_used)
        counts = np.where(
            is_used[:, None],
            np.stack([used.counts, used.source_counts, used.target_counts], axis=1),
            rows.counts,
        ).astype(np.float32)
    elif config.table in ("interpolate", "select"):
        columns, weights = _interpolated(baseline, config, rows, used)
        renewed = replace(renewed, forward_weight=weights[0], backward_weight=weights[1])
    reordering: NDArray[np.float32] | None = None
    if config.reordering != "keep" and table.reorderings:
        reordering, reordered = _reordering(
            baseline, config, *derived, output("phrases").parent, threads, progress
        )
        renewed = replace(renewed, reordered=reordered)
    written = rewrite(
        table,
        output("phrases"),
        columns=columns,
        keep=None if keep is None else keep.astype(np.uint8),
        quantise=table.quantised,
        reordering=reordering,
        counts=counts,
        progress=progress,
    )
    renewed = replace(renewed, written=written)
    if config.bilm != "keep" and baseline.bilingual is not None:
        weight = _bilingual(baseline, config, *derived, output, threads, progress)
        renewed = replace(renewed, bilingual_weight=weight)
    return renewed


def _log(probabilities: Floats) -> NDArray[np.float32]:
    return np.log(np.maximum(probabilities, 1e-30)).astype(np.float32)


def _old(table: PhraseTableFile, column: str) -> Floats:
    scores = table.scores(0, len(table))
    old: Floats = np.exp(scores[:, table.features.index(column)].astype(np.float64))
    return old


def _replaced(
    table: PhraseTableFile, used: UsedPhrases, is_used: NDArray[np.bool_]
) -> dict[str, NDArray[np.float32]]:
    """New probabilities where there are some; rows kept for their words' sake keep theirs."""
    return {
        name: _log(np.where(is_used, new, _old(table, name)))
        for name, new in ((FORWARD, used.forward), (BACKWARD, used.backward))
        if name in table.features
    }


def _interpolated(
    baseline: Baseline, config: ReestimateConfig, rows: TableRows, used: UsedPhrases
) -> tuple[dict[str, NDArray[np.float32]], list[float | None]]:
    columns: dict[str, NDArray[np.float32]] = {}
    weights: list[float | None] = []
    dev = baseline.dev_derivations
    wanted = UsedPhrases.of(rows, dev).counts if dev is not None else np.zeros(len(rows))
    for name, new, seen in (
        (FORWARD, used.forward, used.source_counts > 0),
        (BACKWARD, used.backward, used.target_counts > 0),
    ):
        if name not in baseline.table.features:
            weights.append(None)
            continue
        old = _old(baseline.table, name)
        weight = config.weight
        if weight is None:
            weight = best_weight(new[seen], old[seen], wanted[seen])
        columns[name] = _log(interpolated(new, old, seen, weight))
        weights.append(weight)
    return columns, weights


def _reordering(
    baseline: Baseline,
    config: ReestimateConfig,
    bitext: Bitext,
    links: Links,
    directory: Path,
    threads: int,
    progress: Progress,
) -> tuple[NDArray[np.float32], int]:
    """Reordering scores of all rows, and how many of them are new."""
    table = baseline.table
    unit = max(1, min(MOST_TIMES, (2**32 - 1) // max(1, len(bitext.target.ids))))
    times = np.rint(unit * baseline.derivations.shares).astype(np.uint32)
    # Lexical weights of this table are not used; those of links cost nothing to train.
    rules = replace(
        baseline.rules,
        lexical_weights="links",
        smoothing="none",
        significance="off",
        quantise=False,
        reordering_smoothing=unit * baseline.rules.reordering_smoothing,
    )
    with tempfile.TemporaryDirectory(dir=directory) as scratch:
        path = Path(scratch) / "derived.table"
        extract_table(
            bitext,
            links,
            path,
            rules,
            times=np.maximum(times, 1).tolist(),
            threads=threads,
            progress=progress,
        )
        derived = open_file(path)
        matches = match_table_rows(table, derived)
        found = matches != NO_ROW
        blocks = []
        for number, name in enumerate(table.reorderings):
            scores = table.reordering(0, len(table), number).copy()
            new = derived.reordering(0, len(derived), derived.reorderings.index(name))
            if config.reordering == "interpolate":
                weight = 0.5 if config.weight is None else config.weight
                mixed = interpolated(
                    np.exp(new[matches[found]].astype(np.float64)),
                    np.exp(scores[found].astype(np.float64)),
                    np.ones((int(found.sum()), 1), dtype=bool),
                    weight,
                )
                scores[found] = _log(mixed)
            else:
                scores[found] = new[matches[found]]
            blocks.append(scores)
        del derived
    return np.concatenate(blocks, axis=1), int(found.sum())


def _bilingual(
    baseline: Baseline,
    config: ReestimateConfig,
    bitext: Bitext,
    links: Links,
    output: Callable[[str], Path],
    threads: int,
    progress: Progress,
) -> float | None:
    """The bilingual language model of the derivations, and its tokens in the new table."""
    assert baseline.bilingual is not None
    every = list(chain.from_iterable(bilingual_text(bitext, links, progress)))
    # Kneser-Ney wants whole counts, and counts of counts that mean something.
    lines = [every[number] for number in baseline.derivations.in_turn.tolist()]
    old = LanguageModel.open(baseline.bilingual)
    model = output("bilingual model")
    weight: float | None = None

    def estimate(path: Path) -> None:
        estimate_from_lines(
            lines,
            path,
            order=old.order,
            spool=path.parent,
            threads=threads,
            progress=progress,
            name="bilingual tokens",
        )

    if config.bilm == "interpolate" and baseline.links is not None:
        with tempfile.TemporaryDirectory(dir=model.parent) as scratch:
            estimate(Path(scratch) / "new.bin")
            new = LanguageModel.open(Path(scratch) / "new.bin")
            mixture = mix(
                [new, old],
                _dev_lines(baseline, progress) or lines[:1000],
                model,
                weights=None if config.weight is None else [config.weight, 1 - config.weight],
                threads=threads,
                progress=progress,
            )
            weight = mixture.weights[0]
        first = chain.from_iterable(bilingual_text(baseline.bitext, baseline.links, progress))
        lines = [*first, *lines]
    else:
        estimate(model)
    vocabulary = build_vocabulary(lines)
    vocabulary.save(str(output("bilingual vocabulary")))
    table = output("phrases")
    attach_bilingual(
        open_file(table),
        table,
        bitext.source_vocabulary,
        bitext.target_vocabulary,
        vocabulary.find,
        len(vocabulary),
        progress,
    )
    return weight


def _dev_lines(baseline: Baseline, progress: Progress) -> list[str]:
    if baseline.dev_bitext is None or baseline.dev_derivations is None:
        return []
    dev = derived_bitext(baseline.table, baseline.dev_bitext, baseline.dev_derivations)
    return list(chain.from_iterable(bilingual_text(*dev, progress)))
