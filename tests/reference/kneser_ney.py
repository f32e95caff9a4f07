"""Modified Kneser-Ney smoothing and back-off scoring from their definitions, slowly.

Sentences are lists of words; models are dictionaries from n-grams (tuples) to a probability and
a back-off weight, both linear.
"""

from collections import Counter, defaultdict
from math import inf, log

BEGIN, END, UNKNOWN = "<s>", "</s>", "<unk>"
FALLBACK = (0.5, 1.0, 1.5)


def estimate(sentences, order, prune=None, fallback=FALLBACK):
    """The model and, by order, the discounts."""
    prune = prune or [0] * order
    seen = _count(sentences, order)
    longest = max(len(ngram) for ngram in seen)
    adjusted = {n: _adjust(seen, n, longest) for n in range(1, longest + 1)}
    adjusted[1] |= {(UNKNOWN,): 0, (BEGIN,): 0}
    last = _last_ngrams(sentences, seen, longest)
    discounts = {n: _discounts(_tally(adjusted[n], seen, last.get(n)), fallback) for n in adjusted}
    words = [word for (word,) in adjusted[1]]

    def discount(n, count):
        return (0.0, *discounts[n])[min(count, 3)]

    def pruned(ngram):
        return len(ngram) > 1 and seen[ngram] <= prune[len(ngram) - 1]

    totals = defaultdict(int)
    freed = defaultdict(float)
    for n, counts in adjusted.items():
        for ngram, count in counts.items():
            totals[ngram[:-1]] += count
            freed[ngram[:-1]] += count if pruned(ngram) else discount(n, count)

    def backoff(context):
        # A discount of zero frees nothing; models have 10^-99 for it, as ARPA files do.
        return max(freed[context] / totals[context], 1e-99) if context in totals else 1.0

    probabilities = {}
    for n, counts in adjusted.items():
        for ngram, count in counts.items():
            if pruned(ngram):
                continue
            lower = probabilities[ngram[1:]] if n > 1 else 1 / (len(words) - 1)
            own = (count - discount(n, count)) / totals[ngram[:-1]]
            probabilities[ngram] = own + backoff(ngram[:-1]) * lower
    probabilities[(BEGIN,)] = 1.0
    return {ngram: (p, backoff(ngram)) for ngram, p in probabilities.items()}, discounts


def _count(sentences, order):
    seen = Counter()
    for sentence in sentences:
        words = [BEGIN, *sentence, END]
        for end in range(2, len(words) + 1):
            for length in range(1, min(order, end) + 1):
                seen[tuple(words[end - length : end])] += 1
    return seen


def _adjust(seen, n, longest):
    """Counts of the longest n-grams and those behind <s>; of others, how many words precede."""
    if n == longest:
        return {ngram: count for ngram, count in seen.items() if len(ngram) == n}
    preceding = Counter(ngram[1:] for ngram in seen if len(ngram) == n + 1)
    return {
        ngram: count if ngram[0] == BEGIN else preceding[ngram]
        for ngram, count in seen.items()
        if len(ngram) == n
    }


def _last_ngrams(sentences, seen, longest):
    """The n-gram of each lower order that lmplz tallies by how often it was seen: the suffixes
    of the last of all n-grams, in the order of the words' first appearance."""
    number = {BEGIN: 1, END: 2}
    for sentence in sentences:
        for word in sentence:
            number.setdefault(word, len(number) + 1)
    key = {ngram: tuple(number[word] for word in reversed(ngram)) for ngram in seen}
    full = [ngram for ngram in seen if len(ngram) == longest or ngram[0] == BEGIN]
    top = max(full, key=key.__getitem__)
    return {n: top[-n:] for n in range(1, min(len(top), longest - 1) + 1)}


def _tally(counts, seen, last):
    tally = Counter(counts.values())
    if last is not None:
        tally[counts[last]] -= 1
        tally[seen[last]] += 1
    return tally


def _discounts(tally, fallback):
    if not (tally[1] and tally[2] and tally[3]):
        return fallback
    y = tally[1] / (tally[1] + 2 * tally[2])
    values = tuple(k - (k + 1) * y * tally[k + 1] / tally[k] for k in (1, 2, 3))
    return values if all(0 <= d <= k for k, d in enumerate(values, 1)) else fallback


def score(model, context, word):
    """log p(word | context) by the longest n-gram, backing off as often as needed."""
    if (word,) not in model:
        word = UNKNOWN
    context = tuple(w if (w,) in model else UNKNOWN for w in context)
    total = 0.0
    while context and (*context, word) not in model:
        total += _log(model.get(context, (0, 1.0))[1])
        context = context[1:]
    return total + _log(model[(*context, word)][0])


def score_sentence(model, order, sentence, begin=True, end=True):
    """log-probabilities of the words of a sentence."""
    history = [BEGIN] if begin else []
    scores = []
    for word in [*sentence, *([END] if end else [])]:
        scores.append(score(model, tuple(history[max(0, len(history) - order + 1) :]), word))
        history.append(word)
    return scores


def read_arpa(text):
    """A small ARPA file as a model."""
    model = {}
    section = 0
    for line in text.splitlines():
        if line.endswith("-grams:"):
            section = int(line[1:].split("-")[0])
        elif section and line and not line.startswith("\\"):
            fields = line.split()
            weight = float(fields[section + 1]) if len(fields) > section + 1 else 0.0
            model[tuple(fields[1 : section + 1])] = (10 ** float(fields[0]), 10**weight)
    return model


def _log(value):
    return log(value) if value > 0 else -inf
