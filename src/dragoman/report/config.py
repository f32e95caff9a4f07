"""What the report about a training can be told."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.declared import Options, option


@dataclass(frozen=True)
class ReportConfig(Options):
    """From a finished model to a page about it."""

    section = "report"

    samples: int = option(20, "Translations of dev sentences to show.", low=0)
    alignments: int = option(6, "Alignments of training sentences to show.", low=0)
