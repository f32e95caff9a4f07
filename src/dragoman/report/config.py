"""What the report about a training can be told."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.declared import Options, option


@dataclass(frozen=True)
class ReportConfig(Options):
    """Writes a page about the model and its training."""

    section = "report"

    samples: int = option(20, "How many translations of dev sentences are shown.", low=0)
    alignments: int = option(6, "How many alignments of training sentences are shown.", low=0)
