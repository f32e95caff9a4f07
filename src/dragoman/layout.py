"""Where the files of a model directory are.

Apart from the stages that write them, so that whoever only opens a model, as `dragoman translate`
does in a fraction of a second, need not import what trains one.
"""

from __future__ import annotations

from dragoman.workspace import Workspace

BITEXT = "corpus/train.bitext"
SOURCE_VOCABULARY = "corpus/source.vocab"
TARGET_VOCABULARY = "corpus/target.vocab"
SOURCE_TRUECASE = "corpus/truecase.source.json"
TARGET_TRUECASE = "corpus/truecase.target.json"

LANGUAGE_MODEL = "lm/target.bin"
BILINGUAL_MODEL = "lm/bilingual.bin"

PHRASES = "rules/phrases.table"
HIERO = "rules/hiero.table"
BILINGUAL_VOCABULARY = "rules/bilingual.vocab"


def table_name(workspace: Workspace) -> str:
    """Which table a model translates with: the one that its stage "rules" has made."""
    record = workspace.read_manifest().stages.get("rules")
    if record is not None:
        return HIERO if HIERO in record.outputs else PHRASES
    only_rules = workspace.file(HIERO).exists() and not workspace.file(PHRASES).exists()
    return HIERO if only_rules else PHRASES
