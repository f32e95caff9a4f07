"""What kind of model it is: asked of a model directory, or of the plan for one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dragoman import layout

Kind = Literal["phrase", "hiero"]


@dataclass(frozen=True)
class Shape:
    """Which files a model has, and hence what they are made from."""

    kind: Kind = "phrase"
    preordered: bool = False  # its phrases or rules come from a reordered bitext
    bilingual: bool = False  # it has a bilingual language model
    classes: bool = False  # it has a language model over word classes
    language_models: tuple[str, ...] = (layout.LANGUAGE_MODEL,)
    search: bool = False  # it has search options of its own
    members: tuple[str, ...] = ()  # models in it that it translates together with
    context: bool = False  # it has a lexicon that looks at the words around
    unknown: bool = False  # it has sources of translations for words never seen

    @property
    def hierarchical(self) -> bool:
        """Whether it has rules with gaps, for a chart search; else phrases."""
        return self.kind == "hiero"

    @property
    def table(self) -> str:
        """The table that its phrases or rules are written to."""
        return layout.HIERO if self.hierarchical else layout.PHRASES

    @property
    def bitext(self) -> str:
        """What its phrases or rules are extracted from."""
        return layout.PREORDERED_BITEXT if self.preordered else layout.BITEXT

    @property
    def dev_source(self) -> str:
        """The dev set's source as the decoder sees it."""
        if self.preordered:
            return layout.preordered_source("dev")
        return layout.held_out_files("dev")[0]

    def search_files(self, table: str = "") -> tuple[str, ...]:
        """All that a search reads but weights; `table`: another one than it was written to."""
        return (
            table or self.table,
            layout.SOURCE_VOCABULARY,
            layout.TARGET_VOCABULARY,
            *self.language_models,
            *((layout.CLASS_MODEL, layout.WORD_CLASSES) if self.classes else ()),
            *((layout.BILINGUAL_VOCABULARY, layout.BILINGUAL_MODEL) if self.bilingual else ()),
            *((layout.CONTEXT_LEXICON,) if self.context else ()),
            *((layout.SEARCH,) if self.search else ()),
            *(layout.UNKNOWN_FILES if self.unknown else ()),
        )
