"""All derivations of a short sentence, one by one: the slow oracle of the stack search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

Phrase = tuple[str, ...]


@dataclass(frozen=True)
class Option:
    target: Phrase
    scores: tuple[float, ...]  # natural logs, by table column
    reordering: tuple[tuple[float, ...], ...] = ()  # natural logs, six for each model
    unknown: bool = False
    in_table: bool = True
    links: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Step:
    begin: int
    end: int
    option: Option


@dataclass
class SlowModel:
    """Everything as plain Python: phrases to options, sentences to log-probabilities."""

    table: dict[Phrase, list[Option]]
    columns: list[str]
    language_models: dict[str, Callable[[str], float]]  # by feature; of a whole sentence
    reorderings: list[str] = field(default_factory=list)
    # For each word of a sentence, the log-probability of each translation; "" is for having none.
    context: Callable[[Phrase], list[dict[str, float]]] | None = None

    def options(self, words: Phrase, begin: int, end: int) -> list[Option]:
        found = self.table.get(words[begin:end], [])
        if not found and end == begin + 1:
            zeros = (0.0,) * len(self.columns)
            return [Option((words[begin],), zeros, unknown=True, in_table=False)]
        return found


def uncovered_runs(covered: frozenset[int], length: int) -> int:
    return sum(
        position not in covered and (position == 0 or position - 1 in covered)
        for position in range(length)
    )


def allowed(
    covered: frozenset[int],
    last_end: int,
    begin: int,
    end: int,
    length: int,
    distortion_limit: int | None,
    gap_limit: int | None,
) -> bool:
    """Paper 000, section 6, and paper 003's gaps, in their own words."""
    after = covered | set(range(begin, end))
    if gap_limit is not None and uncovered_runs(after, length) > gap_limit:
        return False
    if distortion_limit is None:
        return True
    if begin >= last_end and begin - last_end > distortion_limit:
        return False
    if begin < last_end and last_end - begin > distortion_limit + 1:
        return False
    left = [position for position in range(length) if position not in after]
    if not left:
        return True
    back = end - left[0]
    return back <= distortion_limit + 1 if back > 0 else -back <= distortion_limit


def derivations(
    model: SlowModel,
    words: Phrase,
    distortion_limit: int | None = None,
    gap_limit: int | None = None,
    max_length: int = 7,
) -> Iterator[list[Step]]:
    def extend(covered: frozenset[int], last_end: int, steps: list[Step]) -> Iterator[list[Step]]:
        if len(covered) == len(words):
            yield steps
            return
        for begin in range(len(words)):
            for end in range(begin + 1, min(len(words), begin + max_length) + 1):
                if any(position in covered for position in range(begin, end)):
                    break
                if not allowed(
                    covered, last_end, begin, end, len(words), distortion_limit, gap_limit
                ):
                    continue
                for option in model.options(words, begin, end):
                    yield from extend(
                        covered | set(range(begin, end)), end, [*steps, Step(begin, end, option)]
                    )

    yield from extend(frozenset(), 0, [])


def target_of(steps: list[Step]) -> str:
    return " ".join(word for step in steps for word in step.option.target)


def orientation(last: tuple[int, int], following: tuple[int, int]) -> int:
    if following[0] == last[1]:
        return 0
    return 1 if following[1] == last[0] else 2


def features_of(model: SlowModel, words: Phrase, steps: list[Step]) -> dict[str, float]:
    values = {
        column: sum(step.option.scores[index] for step in steps)
        for index, column in enumerate(model.columns)
    }
    for name, log_prob in model.language_models.items():
        values[name] = log_prob(target_of(steps))
    values["words"] = sum(len(step.option.target) for step in steps)
    values["phrases"] = len(steps)
    values["unknown"] = sum(step.option.unknown for step in steps)
    place, jumps = 0, 0
    for step in steps:
        jumps += abs(step.begin - place)
        place = step.end
    values["distortion"] = -(jumps + abs(len(words) - place))
    for index, kind in enumerate(model.reorderings):
        values |= _reordering(index, kind, len(words), steps)
    if model.context is not None:
        values |= _context(model.context(words), steps)
    return values


def _context(log_probs: list[dict[str, float]], steps: list[Step]) -> dict[str, float]:
    """Of each source word, the mean over what it is linked to; a word of which the lexicon knows
    nothing does not count, and a translation that it has not seen counts as much as any can."""
    words = none = 0.0
    for step in steps:
        if not step.option.in_table:
            continue
        for place in range(step.begin, step.end):
            found = log_probs[place]
            linked = [
                found.get(step.option.target[target], -10.0) if found else 0.0
                for source, target in step.option.links
                if source == place - step.begin
            ]
            if linked:
                words += sum(linked) / len(linked)
            elif found:
                none += found.get("", -10.0)
    return {"context.words": words, "context.none": none}


def _reordering(index: int, kind: str, length: int, steps: list[Step]) -> dict[str, float]:
    names = [
        f"reorder.{kind}.{direction}.{way}"
        for direction in ("backward", "forward")
        for way in ("monotone", "swap", "discontinuous")
    ]
    values = dict.fromkeys(names, 0.0)
    covered: set[int] = set()
    last = (0, 0)
    for number in range(len(steps) + 1):
        ending = number == len(steps)
        here = (length, length) if ending else (steps[number].begin, steps[number].end)
        if kind == "hierarchical":
            low, high = last
            while low - 1 in covered:
                low -= 1
            while high in covered:
                high += 1
            backward = orientation((low, high), here)
            if here[0] >= last[1]:
                free = last[1] < length and last[1] not in covered
                forward = 0 if here[0] == last[1] or free else 2
            else:
                free = last[0] > 0 and last[0] - 1 not in covered
                forward = 1 if here[1] == last[0] or free else 2
        else:
            backward = forward = orientation(last, here)
        if number > 0 and steps[number - 1].option.in_table:
            name = names[3 + forward]
            values[name] += steps[number - 1].option.reordering[index][3 + forward]
        if not ending:
            if steps[number].option.in_table:
                values[names[backward]] += steps[number].option.reordering[index][backward]
            covered |= set(range(*here))
            last = here
    return values


def score_of(values: dict[str, float], weights: dict[str, float]) -> float:
    return sum(weights[name] * value for name, value in values.items())
