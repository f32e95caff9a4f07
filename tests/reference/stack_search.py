"""Paper 000's three searches with their pruning, word by word in plain Python."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from tests.reference.exhaustive_search import Option, Phrase, SlowModel, allowed

from dragoman.lm.query import LanguageModel
from dragoman.search.options import SearchOptions

# Thresholds must not tell apart sums of the same numbers in another order (footnote 6).
ROUNDING = 1e-7


@dataclass(frozen=True)
class Partial:
    """A partial hypothesis; `total` is its score and the estimate of what is left."""

    covered: frozenset[int]
    last: tuple[int, int]
    state: object
    target: Phrase
    score: float
    total: float


@dataclass(frozen=True)
class Scored:
    option: Option
    fixed: float
    estimate: float  # with the language model, nothing known before the phrase


class PrunedSearch:
    """One language model, no reordering model, as in the paper."""

    def __init__(
        self,
        model: SlowModel,
        lm: LanguageModel,
        weights: dict[str, float],
        options: SearchOptions,
    ) -> None:
        self.model, self.lm, self.weights, self.options = model, lm, weights, options
        self.evaluated = 0
        self.lookups = 0

    def best(self, words: Phrase) -> Partial:
        """Sections 3 to 6: stacks by number of covered words."""
        self.words = words
        self.spans = dict(self._scored())
        self.runs = self._runs()
        start = Partial(
            frozenset(), (0, 0), self.lm.begin_state(), (), 0.0, self.runs[0, len(words)]
        )
        stacks: list[list[Partial]] = [[start], *([] for _ in words)]
        for number, stack in enumerate(stacks):
            stacks[number] = self._pruned(stack)
            if number < len(words) and stacks[number]:
                top = max(one.total for one in stacks[number])
                for one in stacks[number]:
                    for extended in self._extensions(one, top):
                        stacks[len(extended.covered)].append(extended)
        return stacks[-1][0]

    def _scored(self) -> Iterator[tuple[tuple[int, int], list[Scored]]]:
        for begin in range(len(self.words)):
            for end in range(begin + 1, len(self.words) + 1):
                scored = [self._score(one) for one in self.model.options(self.words, begin, end)]
                if not scored:
                    continue
                scored.sort(key=lambda one: -one.estimate)
                scored = scored[: self.options.ttable_limit or None]
                lowest = scored[0].estimate - self.options.ttable_threshold
                yield (begin, end), [one for one in scored if one.estimate >= lowest]

    def _score(self, option: Option) -> Scored:
        fixed = self.weights["phrases"] + self.weights["words"] * len(option.target)
        fixed += self.weights["unknown"] * option.unknown
        fixed += sum(
            self.weights[name] * score
            for name, score in zip(self.model.columns, option.scores, strict=True)
        )
        state, log_prob = self.lm.null_state(), 0.0
        for word in option.target:
            more, state = self.lm.score_word(state, word)
            log_prob += more
        return Scored(option, fixed, fixed + self.weights["lm"] * log_prob)

    def _runs(self) -> dict[tuple[int, int], float]:
        """The best estimate of every run of words."""
        runs: dict[tuple[int, int], float] = {}
        for length in range(1, len(self.words) + 1):
            for begin in range(len(self.words) - length + 1):
                end = begin + length
                own = self.spans.get((begin, end))
                ways = [own[0].estimate] if own else []
                ways += [runs[begin, cut] + runs[cut, end] for cut in range(begin + 1, end)]
                runs[begin, end] = max(ways, default=-math.inf)
        return runs

    def _left(self, covered: frozenset[int]) -> float:
        total, begin = 0.0, None
        for place in range(len(self.words) + 1):
            free = place < len(self.words) and place not in covered
            if free and begin is None:
                begin = place
            if not free and begin is not None:
                total += self.runs[begin, place]
                begin = None
        return total

    def _jump_cost(self, one: Partial, begin: int, end: int) -> float:
        if self.options.search == "pharaoh":
            return -self.weights["distortion"] * abs(begin - one.last[1])
        first = min(set(range(len(self.words))) - one.covered)
        if begin == first:
            distance = 0
        elif end <= one.last[0]:
            distance = 2 * (end - begin)
        elif one.last[1] <= first:
            distance = 2 * (begin - first + end - begin)
        else:
            distance = 2 * (begin - one.last[1] + end - begin)
        return -self.weights["distortion"] * distance

    def _extensions(self, one: Partial, top: float) -> Iterator[Partial]:
        early = self.options.search == "early"
        acceptable = top - self.options.ttable_threshold - ROUNDING if early else -math.inf
        for begin in range(len(self.words)):
            if begin in one.covered:
                continue
            if one.total + self._jump_cost(one, begin, begin + 1) < acceptable:
                break
            for end in range(begin + 1, len(self.words) + 1):
                if end - 1 in one.covered:
                    break
                if (begin, end) not in self.spans or not allowed(
                    one.covered,
                    one.last[1],
                    begin,
                    end,
                    len(self.words),
                    self.options.distortion_limit,
                    None,
                ):
                    continue
                jump = self._jump_cost(one, begin, end)
                if one.total + jump < acceptable:
                    break
                covered = one.covered | set(range(begin, end))
                left = self._left(covered)
                for scored in self.spans[begin, end]:
                    if one.score + jump + scored.estimate + left < acceptable:
                        break
                    yield self._extended(one, scored, (begin, end), jump, left)

    def _extended(
        self, one: Partial, scored: Scored, span: tuple[int, int], jump: float, left: float
    ) -> Partial:
        self.evaluated += 1
        covered = one.covered | set(range(*span))
        score, state = one.score + jump + scored.fixed, one.state
        forgotten = False  # whether what stands before the phrase still matters
        for number, word in enumerate(scored.option.target, 1):
            log_prob, state = self.lm.score_word(state, word)
            score += self.weights["lm"] * log_prob
            self.lookups += not forgotten
            forgotten = forgotten or len(state) <= number
        if len(covered) == len(self.words):
            score += self.weights["lm"] * self.lm.score_word(state, "</s>")[0]
            self.lookups += 1
            if self.options.search == "pharaoh":
                score -= self.weights["distortion"] * abs(span[1] - len(self.words))
        return Partial(
            covered, span, state, one.target + scored.option.target, score, score + left
        )

    def _pruned(self, stack: list[Partial]) -> list[Partial]:
        kept: list[Partial] = []
        for one in sorted(stack, key=lambda one: -one.total):
            complete = len(one.covered) == len(self.words)
            if not any(
                one.covered == other.covered
                and (complete or (one.last[1], one.state) == (other.last[1], other.state))
                for other in kept
            ):
                kept.append(one)
        kept = kept[: self.options.beam_limit or None]
        return [one for one in kept if one.total >= kept[0].total - self.options.beam_threshold]
