"""What is still wrong: search or model, how good the lists are, and which kinds of errors.

    python bench/errors.py MODEL SOURCE REFERENCE [--sentences 500] [--threads 1]

SOURCE and REFERENCE are tokens. Four questions about MODEL, asked alone:

Search errors: how often a much wider search (stacks of 1,000, pops 2,000) finds a translation with
a higher model score, and what BLEU it has. The rest of the errors are the model's.
Reachability (phrase models): how many references the model can produce at all by forced decoding,
and how often the reference then has a higher model score than what was found (a search error
that costs quality).
Oracle: BLEU of the best translation in the lists of 1, 10, 100 and 1,000 different ones, the best
of each sentence taken by what it adds to that of all; and, for phrase models, of the best
translation in the whole lattice of a search (`dragoman.reestimate`'s oracles, with 200 partial
translations at each node).
Kinds of errors, counted as Hjerson does (Popovic 2011) from the words that the minimal edit
script does not match: unknown (copied and not in the reference), order (in both, elsewhere),
form (a word that begins alike is in the other sentence), missing and extra words (the rest on a
side, as far as there is no partner), and wrong words (the rest, in pairs). Of all words of the
reference; of missing words, those that are frequent (function words) apart.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np

from dragoman import Translator
from dragoman.evaluation.metrics import make_metric
from dragoman.learning.reestimation.config import DeriveConfig
from dragoman.learning.reestimation.derivations import Pairs, derive
from dragoman.search.options import ChartOptions, SearchOptions
from dragoman.translation.result import Found, Wants

SIZES = (1, 10, 100, 1000)
LATTICE_BEAM = 200
STEM = 4  # letters that forms of a word share at least
FREQUENT = 50  # the words of the references that count as function words


def score(texts: Sequence[str], references: Sequence[str]) -> float:
    metric = make_metric("bleu", tokenize="none")
    return metric.score(metric.rows(list(texts), [list(references)]).sum(axis=0))


def target_of(found: Found) -> str:
    return found.result.best.target if found.result.found else ""


def search_errors(translator: Translator, lines: list[str], references: list[str]) -> list[Found]:
    sources = [translator.source_of(line) for line in lines]
    usual = translator.find(sources)
    options = translator.options
    if isinstance(options, SearchOptions):
        wide: SearchOptions | ChartOptions = replace(
            options, search="cube", beam_limit=1000, pop_limit=2000, ttable_limit=100
        )
    else:
        wide = replace(options, pop_limit=2000, ttable_limit=100)
    best = translator.find(sources, wants=Wants(wide))
    pairs = list(zip(usual, best, strict=True))
    higher = sum(b.result.best.score > u.result.best.score + 1e-6 for u, b in pairs)
    gain = sum(b.result.best.score - u.result.best.score for u, b in pairs) / len(pairs)
    print(
        f"search: BLEU {score(map_targets(usual), references):.2f}; a wide search "
        f"{score(map_targets(best), references):.2f}, with a higher model score in "
        f"{higher / len(pairs):.1%} of the sentences (mean {gain:+.4f})"
    )
    return usual


def map_targets(found: Sequence[Found]) -> list[str]:
    return [target_of(one) for one in found]


def reachability(translator: Translator, lines: list[str], references: list[str]) -> None:
    if not isinstance(translator.options, SearchOptions):
        return
    prepared = [translator.prepare(translator.source_of(line)) for line in lines]
    options = replace(translator.options, distortion_limit=None, ttable_limit=0)
    forced = translator.search(prepared, Wants(options), references=references)
    free = translator.search(prepared)
    reached = [(f, r) for f, r in zip(forced, free, strict=True) if f.found]
    better = sum(f.best.score > r.best.score + 1e-6 for f, r in reached)
    print(
        f"references: {len(reached) / len(lines):.1%} can be reached; of these the reference has "
        f"a higher model score than what was found in {better / max(1, len(reached)):.1%}"
    )


def oracles(translator: Translator, lines: list[str], references: list[str]) -> None:
    """Sentences are chosen by what they add to the corpus score, a mean sentence beside them."""
    metric = make_metric("bleu", tokenize="none")
    count = metric.counter([references])
    sources = [translator.source_of(line) for line in lines]
    lists: list[list[str]] = []
    for begin in range(0, len(sources), 50):
        wants = Wants(nbest=max(SIZES), distinct=True)
        found = translator.find(sources[begin : begin + 50], wants=wants)
        lists += [[entry.target for entry in one.result.nbest] or [""] for one in found]
    places = np.arange(len(lists))
    background = count([entries[0] for entries in lists], places).mean(axis=0)
    told = []
    for size in SIZES:
        chosen = []
        for place, entries in enumerate(lists):
            rows = count(entries[:size], np.full(len(entries[:size]), place))
            chosen.append(entries[int(np.argmax(metric.scores(rows + background)))])
        told.append(f"{score(chosen, references):.2f} of {size:,}")
    print(f"oracle BLEU of lists: {', '.join(told)}")


def lattice_oracle(translator: Translator, lines: list[str], references: list[str]) -> None:
    options = translator.options
    if not isinstance(options, SearchOptions):
        return
    config = DeriveConfig(mu=0, beam=LATTICE_BEAM, leave_one_out=False)
    found = derive(translator.bundle, Pairs(lines, references), config, options=options)
    print(f"oracle BLEU of the lattice: {found.corpus_bleu()[1]:.2f}")


def kinds_of_errors(usual: Sequence[Found], references: list[str]) -> None:
    frequency = Counter(word for line in references for word in line.split())
    frequent = {word for word, _ in frequency.most_common(FREQUENT)}
    counts: Counter[str] = Counter()
    for found, line in zip(usual, references, strict=True):
        counts.update(errors_of(found, line.split(), frequent))
    words = sum(len(line.split()) for line in references)
    print(f"errors in a hundred words of the reference ({words:,} words):")
    for kind, number in counts.most_common():
        print(f"  {kind:24} {100 * number / words:5.1f}   ({number:,})")


def errors_of(found: Found, reference: list[str], frequent: set[str]) -> Counter[str]:
    words = target_of(found).split()
    copied = {
        place
        for step in (found.result.best.steps if found.result.found else [])
        if step.unknown
        for place in range(*step.target_span)
    }
    matcher = SequenceMatcher(None, words, reference, autojunk=False)
    matched = matcher.get_matching_blocks()
    ours = set(range(len(words))) - {b.a + k for b in matched for k in range(b.size)}
    theirs = set(range(len(reference))) - {b.b + k for b in matched for k in range(b.size)}
    counts: Counter[str] = Counter()
    for place in sorted(ours & copied):
        ours.remove(place)
        counts["unknown word copied"] += 1
    for kind, alike in (("order", same_word), ("form", same_stem)):
        for place in sorted(ours):
            partner = next((t for t in sorted(theirs) if alike(words[place], reference[t])), None)
            if partner is not None:
                ours.remove(place)
                theirs.remove(partner)
                counts[kind] += 1
    pairs = min(len(ours), len(theirs))
    counts["wrong word"] += pairs
    counts["extra word"] += len(ours) - pairs
    # Which of them has no partner cannot be said; those that are frequent go first.
    left = sorted(reference[t] not in frequent for t in theirs)[: len(theirs) - pairs]
    counts["missing function word"] += left.count(False)
    counts["missing content word"] += left.count(True)
    return counts


def same_word(one: str, other: str) -> bool:
    return one == other


def same_stem(one: str, other: str) -> bool:
    return len(one) >= STEM and one[:STEM] == other[:STEM]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("source", type=Path)
    parser.add_argument("reference", type=Path)
    parser.add_argument("--sentences", type=int, default=500)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    lines, references = (
        path.read_text("utf-8").splitlines()[: arguments.sentences]
        for path in (arguments.source, arguments.reference)
    )
    translator = Translator.open(
        arguments.model, tokenised=True, alone=True, threads=arguments.threads
    )
    usual = search_errors(translator, lines, references)
    reachability(translator, lines, references)
    oracles(translator, lines, references)
    lattice_oracle(translator, lines, references)
    kinds_of_errors(usual, references)


if __name__ == "__main__":
    main()
