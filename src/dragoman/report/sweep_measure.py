"""Decoding a dev set with some setting, and what that costs."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dragoman.corpus.read import read_lines
from dragoman.errors import UsageError
from dragoman.evaluation.metrics import make_metric
from dragoman.model.bundle import Bundle
from dragoman.model.directory import ModelDirectory
from dragoman.report.sweep_points import Measurement
from dragoman.search.options import SearchOptions
from dragoman.search.result import Totals
from dragoman.search.stack import PhraseSearch
from dragoman.translation.preordering import ModelPreordering

# Dev sets drawn with replacement, for the intervals.
RESAMPLED = 1000


@dataclass(frozen=True)
class DevMeasure:
    """Measures settings on a dev set in tokens; travels to those who help."""

    bundle: Bundle
    source: Sequence[str]
    reference: Sequence[str]
    repeat: int = 1  # how often each setting is timed; the fastest counts
    threads: int = 1

    @classmethod
    def of(
        cls,
        model: ModelDirectory,
        dev: tuple[Path, Path],
        sentences: int = 0,
        repeat: int = 1,
        threads: int = 1,
    ) -> DevMeasure:
        """From files of text as the model takes it; only so many `sentences`, 0: all."""
        source, reference = ([*read_lines(path)][: sentences or None] for path in dev)
        if len(source) != len(reference):
            raise UsageError(f"{dev[0]} has {len(source)} lines, {dev[1]} {len(reference)}")
        if not source:
            raise UsageError(f"{dev[0]}: empty; there is nothing to measure on")
        # As the model sees text, like the dev set of tuning.
        form = model.text_form()
        pairs = zip(source, reference, strict=True)
        reference = [form.prepare_pair(*pair)[1] for pair in pairs]
        source = [form.prepare_source(line) for line in source]
        preordering = ModelPreordering.of_model(model)
        if preordering is not None:
            source = preordering.reordered(source, threads)
        return cls(Bundle.open(model), source, reference, repeat, threads)

    def __call__(self, options: SearchOptions) -> Measurement:
        """What one setting gives."""
        # These are tokens on purpose; sacrebleu would say so at every setting.
        logging.getLogger("sacrebleu").setLevel(logging.ERROR)
        metric = make_metric("bleu", tokenize="none")
        search = PhraseSearch(self.bundle, options, threads=self.threads)
        # The first time, phrases are looked up and kept; that is measured apart in bench/.
        outputs = [result.best.target for result in search.decode(self.source, features=False)]
        # Processor time, so that other work on the machine does not count.
        seconds = math.inf
        for _ in range(self.repeat):
            totals = Totals()
            begun = time.process_time()
            for _ in search.decode(self.source, features=False, totals=totals):
                pass
            seconds = min(seconds, time.process_time() - begun)
        totals.seconds = seconds
        report = totals.report(options)
        rows = metric.rows(outputs, [self.reference])
        size = len(self.source)
        # The same for each setting, so that differences between settings are paired.
        drawn = np.random.default_rng(1).multinomial(size, np.full(size, 1 / size), size=RESAMPLED)
        return Measurement(
            metric.score(rows.sum(axis=0)),
            report["ms_per_word"],
            report["hypotheses_per_word"],
            report["model_score"],
            report["lm_lookups_per_word"],
            metric.scores(drawn @ rows),
        )
