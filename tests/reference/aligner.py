"""The aligner of docs/reference/alignment.md as plainly as possible: slow, and obviously right.

Counts are rounded as in the native code (it adds integers), everything else is in double
precision; so results agree closely, not to the last bit.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict

FRACTION = 2.0**-15
NULL_PRIOR = 1000
REACH = 100
UNIFORM_SHARE = 0.001
FERTILITY_PRIOR = 5

Matrix = list[list[float]]


def model1_table(given, words, iterations):
    """IBM Model 1: p(word | given word), None standing for the null word."""
    vocabulary = {word for sentence in words for word in sentence}
    table = defaultdict(lambda: 1 / (max(vocabulary) + 1))
    for _ in range(iterations):
        counts, totals = Counter(), Counter()
        for left, right in zip(given, words, strict=True):
            if not left:
                continue
            for word in right:
                choices = [None, *left]
                mass = sum(table[choice, word] for choice in choices)
                for choice in choices:
                    share = table[choice, word] / mass
                    counts[choice, word] += share
                    totals[choice] += share
        table = {pair: count / totals[pair[0]] for pair, count in counts.items()}
    return table


class Reference:
    """Trains as AlignTrainer does, on lists of lists of ids.

    Examples are the sets of sure and of possible links of the first pairs.
    """

    def __init__(self, source, target, prior=0.001, null=0.1, examples=(), weight=1):
        self.examples, self.weight = examples, weight
        self.source, self.target, self.prior, self.null = source, target, prior, null
        self.sizes = [
            max((w for s in side for w in s), default=-1) + 1 for side in (source, target)
        ]
        self.counts: Counter = Counter()
        self.totals = [Counter(), Counter()]
        self.agreed = [[[0.0] * len(t) for _ in s] for s, t in zip(source, target, strict=True)]
        self.null_counts = [Counter(), Counter()]
        self.jumps = [
            {d: math.exp(-0.3 * abs(d - 1)) + 1e-3 for d in range(-REACH, REACH + 1)}
            for _ in range(2)
        ]
        self.gains = None

    def sweep(self, stage):
        counts, nulls = Counter(), [Counter(), Counter()]
        jumps, links = [Counter(), Counter()], [defaultdict(lambda: [0.0] * 4) for _ in range(2)]
        agreed = []
        for n, (s, t) in enumerate(zip(self.source, self.target, strict=True)):
            forward, forward_null, backward, backward_null = self.posteriors(stage, n, jumps)
            known, times = n < len(self.examples), 1
            if known:
                times = self.weight
            cells = []
            for i in range(len(s)):
                row = []
                for j in range(len(t)):
                    both = forward[j][i] * backward[i][j]
                    both = math.sqrt(both) if stage == "model1" else both
                    if known and (i, j) in self.examples[n][0]:
                        both = 1.0
                    row.append(both)
                    counts[s[i], t[j]] += times * math.floor(both / FRACTION + 0.5) * FRACTION
                cells.append(row)
            if s and t:
                for i, word in enumerate(s):
                    nulls[0][word] += times * backward_null[i]
                    _add(links[0][word], _distribution(cells[i]), times)
                for j, word in enumerate(t):
                    nulls[1][word] += times * forward_null[j]
                    _add(links[1][word], _distribution([row[j] for row in cells]), times)
            agreed.append([[math.floor(x / FRACTION + 0.5) * FRACTION for x in r] for r in cells])
        self.counts, self.null_counts, self.agreed = counts, nulls, agreed
        self.totals = [Counter(), Counter()]
        for (a, b), count in counts.items():
            self.totals[0][a] += count
            self.totals[1][b] += count
        if stage == "hmm":
            self.jumps = [_normalised(j, old) for j, old in zip(jumps, self.jumps, strict=True)]
            self.gains = [_gains(side) for side in links]

    def posteriors(self, stage, n, jumps=None):
        """Forward posteriors [j][i], their null, backward posteriors [i][j], their null."""
        s, t = self.source[n], self.target[n]
        if not s or not t:
            return [], [], [], []
        own = self.agreed[n]
        weight = [
            [max(self.counts[a, b] - own[i][j], 0) + self.prior for j, b in enumerate(t)]
            for i, a in enumerate(s)
        ]
        of_source = [
            self.totals[0][a] - sum(own[i]) + self.prior * self.sizes[1] for i, a in enumerate(s)
        ]
        of_target = [
            self.totals[1][b] - sum(row[j] for row in own) + self.prior * self.sizes[0]
            for j, b in enumerate(t)
        ]
        forward = [[weight[i][j] / of_source[i] for i in range(len(s))] for j in range(len(t))]
        backward = [[weight[i][j] / of_target[j] for j in range(len(t))] for i in range(len(s))]
        if self.gains is not None:
            for i, a in enumerate(s):
                for j, b in enumerate(t):
                    column = [row[j] for row in own]
                    forward[j][i] *= _expected_gain(own[i], j, self.gains[0](a))
                    backward[i][j] *= _expected_gain(column, i, self.gains[1](b))
        nulls = [self.null_emissions(0, s), self.null_emissions(1, t)]
        if n < len(self.examples):
            sure, possible = self.examples[n]
            for i in range(len(s)):
                for j in range(len(t)):
                    if (i, j) in sure:
                        nulls[0][i] = nulls[1][j] = 0
                    elif (i, j) not in possible:
                        forward[j][i] = backward[i][j] = 0
        return (
            *self.direction(stage, forward, nulls[1], 0, jumps),
            *self.direction(stage, backward, nulls[0], 1, jumps),
        )

    def null_emissions(self, side, sentence):
        corpus = (self.source, self.target)[side]
        frequency = Counter(word for other in corpus for word in other)
        total, counts = sum(frequency.values()), self.null_counts[side]
        return [
            (counts[word] + NULL_PRIOR * frequency[word] / total)
            / (sum(counts.values()) + NULL_PRIOR)
            for word in sentence
        ]

    def direction(self, stage, emission: Matrix, null_emission, which, jumps):
        states = len(emission[0])
        if stage == "model1":
            share = (1 - self.null) / states
            totals = [
                sum(row) * share + self.null * empty
                for row, empty in zip(emission, null_emission, strict=True)
            ]
            return (
                [[x * share / z for x in row] for row, z in zip(emission, totals, strict=True)],
                [self.null * e / z for e, z in zip(null_emission, totals, strict=True)],
            )
        return self.hmm(
            emission, null_emission, self.jumps[which], jumps[which] if jumps else None
        )

    def hmm(self, emission, null_emission, weights, counts):
        """States are (position, is null); position -1 is before the sentence."""
        states, times = len(emission[0]), len(emission)
        positions = range(-1, states)

        def jump(d):
            return weights[max(-REACH, min(REACH, d))]

        def step(p, i):
            leave = sum(jump(k - p) for k in range(states))
            return (1 - self.null) * jump(i - p) / leave

        alpha = [{(-1, True): 1.0}]
        for time in range(times):
            mass = defaultdict(float)
            for (p, empty), before in alpha[-1].items():
                del empty
                mass[p, True] += before * self.null * null_emission[time]
                for i in range(states):
                    mass[i, False] += before * step(p, i) * emission[time][i]
            alpha.append(dict(mass))
        beta = [{} for _ in range(times + 1)]
        beta[times] = {p: jump(states - p) for p in positions}
        for time in range(times - 1, -1, -1):
            beta[time] = {
                p: self.null * null_emission[time] * beta[time + 1][p]
                + sum(step(p, i) * emission[time][i] * beta[time + 1][i] for i in range(states))
                for p in positions
            }
        total = beta[0][-1]
        posterior = [[0.0] * states for _ in range(times)]
        null_posterior = [0.0] * times
        for time in range(times):
            for (p, empty), mass in alpha[time + 1].items():
                share = mass * beta[time + 1][p] / total
                if empty:
                    null_posterior[time] += share
                else:
                    posterior[time][p] += share
        if counts is not None:
            for time in range(times):
                for (p, _), mass in alpha[time].items():
                    for i in range(states):
                        counts[max(-REACH, min(REACH, i - p))] += (
                            mass * step(p, i) * emission[time][i] * beta[time + 1][i] / total
                        )
            for (p, _), mass in alpha[times].items():
                counts[max(-REACH, min(REACH, states - p))] += mass * jump(states - p) / total
        return posterior, null_posterior


def _distribution(links):
    """Probabilities of 0, 1, 2, and 3 or more of independent events."""
    result = [1.0, 0.0, 0.0, 0.0]
    for p in links:
        none, one, two, more = result
        result = [
            none * (1 - p),
            one * (1 - p) + none * p,
            two * (1 - p) + one * p,
            more + two * p,
        ]
    return result


def _expected_gain(links, besides, gains):
    others = _distribution(links[:besides] + links[besides + 1 :])
    return sum(p * gain for p, gain in zip(others, gains, strict=True))


def _gains(counts):
    overall = [sum(row[k] for row in counts.values()) for k in range(4)]
    total = sum(overall)
    shares = [count / total + 0.01 for count in overall]

    def gains(word):
        seen = counts.get(word, [0.0] * 4)
        weight = [FERTILITY_PRIOR * shares[k] + seen[k] for k in range(4)]
        last = weight[3] / weight[2] / 2
        return [weight[1] / weight[0], weight[2] / weight[1], last, last]

    return gains


def _normalised(counts, old):
    total = sum(counts.values())
    if not total:
        return old
    size = 2 * REACH + 1
    return {
        d: (1 - UNIFORM_SHARE) * counts[d] / total + UNIFORM_SHARE / size
        for d in range(-REACH, REACH + 1)
    }


def _add(sums, values, times):
    for k, value in enumerate(values):
        sums[k] += times * value
