"""What the estimation of language models can be told."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.declared import Options, option, require


@dataclass(frozen=True)
class LmConfig(Options):
    """From the target side of the bitext to a language model."""

    section = "lm"

    order: int = option(5, "Words of the longest n-grams.", low=1, high=8)
    prune: tuple[int, ...] = option(
        (0,),
        "N-grams seen so often or less are left out: a threshold per order, the last one also "
        "for higher orders; the first is 0.",
        low=0,
    )

    classes: int = option(
        100,
        "Into so many classes the words of the bitext are put, for a second language model, over "
        "the classes of words; 0: none.",
        low=0,
        high=10_000,
    )
    class_order: int = option(7, "Words of the longest n-grams of that one.", low=1, high=8)

    def check(self) -> None:
        require(
            len(self.prune) <= self.order
            and self.prune[:1] in ((), (0,))
            and list(self.prune) == sorted(self.prune),
            f"lm.prune must hold at most one threshold per order, 0 first, not falling; not "
            f"{list(self.prune)}",
        )
