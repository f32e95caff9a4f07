"""What the estimation of language models can be told."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.declared import Options, option, require


@dataclass(frozen=True)
class LmConfig(Options):
    """Estimates language models, which say how probable a sentence of the target language is."""

    section = "lm"

    order: int = option(5, "How many words the longest n-grams have.", low=1, high=8)
    prune: tuple[int, ...] = option(
        (0,),
        "N-grams that occur this often or less are left out: a number for each order, of "
        "which the first is 0 and the last holds for higher orders as well.",
        low=0,
    )

    classes: int = option(
        100,
        "Into how many classes words are put for a second language model of a phrase model, which "
        "is over these classes and sees further back; 0: there is no such model.",
        low=0,
        high=10_000,
    )
    class_order: int = option(
        7,
        "How many words the longest n-grams of the language model over classes have.",
        low=1,
        high=8,
    )

    def check(self) -> None:
        require(
            len(self.prune) <= self.order
            and self.prune[:1] in ((), (0,))
            and list(self.prune) == sorted(self.prune),
            f"lm.prune must hold at most one threshold per order, 0 first, not falling; not "
            f"{list(self.prune)}",
        )
