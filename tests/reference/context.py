"""A lexicon that looks at the context, from its definition: weights by name instead of hashes, and
doubles instead of singles."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

Words = Sequence[str]
Links = Sequence[tuple[int, int]]

NONE = ""  # stands among the translations of a word for having none
ADDED, FIRST_SQUARE, SETTLED, LEAST = 0.1, 0.1, 0.01, -10.0


def around(source: Words, place: int, window: int) -> list[Hashable]:
    """What a word's translation is judged by."""
    before = source[place - 1] if place > 0 else "<s>"
    after = source[place + 1] if place + 1 < len(source) else "</s>"
    found: list[Hashable] = [("before", before), ("after", after)]
    found += [("before", before, source[place]), ("after", after, source[place])]
    found += [("left", word) for word in source[max(0, place - window) : place]]
    found += [("right", word) for word in source[place + 1 : place + 1 + window]]
    return found


def linked(target: Words, links: Links, place: int) -> list[str]:
    """The target words that a place is linked to, or that there are none."""
    return [target[other] for one, other in links if one == place] or [NONE]


@dataclass
class SlowLexicon:
    """Learns from pairs of sentences in the order in which they come."""

    translations: int
    window: int
    rate: float
    decay: float
    counts: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    weights: Counter[Hashable] = field(default_factory=Counter)
    squares: defaultdict[Hashable, float] = field(
        default_factory=lambda: defaultdict(lambda: FIRST_SQUARE)
    )

    def count(self, pairs: Sequence[tuple[Words, Words, Links]]) -> None:
        """Of each word, the most frequent translations."""
        for source, target, links in pairs:
            for place, word in enumerate(source):
                found = linked(target, links, place)
                for one in found:
                    self.counts[word][one] += 1 / len(found)  # type: ignore[assignment]
        for word, counts in self.counts.items():
            self.counts[word] = Counter(dict(counts.most_common(self.translations)))

    def probabilities(self, source: Words, place: int) -> dict[str, float]:
        """Of the translations of a word where it stands."""
        counts = self.counts[source[place]]
        scores = {
            one: math.log(count + ADDED)
            + sum(self.weights[name, one] for name in around(source, place, self.window))
            for one, count in counts.items()
        }
        total = math.fsum(math.exp(score) for score in scores.values())
        return {one: math.exp(score) / total for one, score in scores.items()}

    def learn(self, source: Words, target: Words, links: Links) -> float:
        """A step for each word; the log-probability of what words were linked to, before."""
        log_prob = 0.0
        for place, word in enumerate(source):
            if len(self.counts[word]) < 2:
                continue
            found = linked(target, links, place)
            wanted = {one: found.count(one) / len(found) for one in self.counts[word]}
            probabilities = self.probabilities(source, place)
            log_prob += sum(share * math.log(probabilities[one]) for one, share in wanted.items())
            for one, share in wanted.items():
                slope = share - sum(wanted.values()) * probabilities[one]
                if abs(slope) < SETTLED:
                    continue
                for name in around(source, place, self.window):
                    gradient = slope - self.decay * self.weights[name, one]
                    self.squares[name, one] += gradient**2
                    self.weights[name, one] += (  # type: ignore[assignment]
                        self.rate * gradient / math.sqrt(self.squares[name, one])
                    )
        return log_prob

    def log_probs(self, source: Words, place: int) -> dict[str, float]:
        """As the lexicon keeps them."""
        return {
            one: max(LEAST, math.log(probability))
            for one, probability in self.probabilities(source, place).items()
        }
