"""Pairwise ranked optimisation (Hopkins & May 2011), one pair at a time."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize


def sentence_bleu(row):
    """BLEU, of 1, of words, reference words, matches and n-grams; one more from bigrams on."""
    words, reference = row[0], row[1]
    orders = (len(row) - 2) // 2
    matches, totals = row[2 : 2 + orders], row[2 + orders :]
    logs = []
    for order in range(orders):
        plus = 0 if order == 0 else 1
        if matches[order] + plus == 0:  # without any right word; the others have one at least
            logs.append(np.log(1 / (2 * totals[order])))
            continue
        logs.append(np.log((matches[order] + plus) / (totals[order] + plus)))
    brevity = 1.0 if words >= reference else np.exp(1 - reference / words)
    return float(brevity * np.exp(sum(logs) / orders))


def sampled(features, scores, random, drawn, kept, threshold):
    """Better minus worse of the pairs that differ most, of equals those drawn first."""
    pairs = []
    for one, other in random.integers(len(scores), size=(drawn, 2)):
        if abs(scores[one] - scores[other]) > threshold:
            better, worse = (one, other) if scores[one] > scores[other] else (other, one)
            pairs.append((scores[better] - scores[worse], better, worse))
    pairs.sort(key=lambda pair: -pair[0])
    return [features[better] - features[worse] for _, better, worse in pairs[:kept]]


def learnt(differences):
    """Weights that rank the pairs, of length 1: logistic regression with C = 100."""
    examples = np.array(differences)
    scale = np.array([max(abs(column)) or 1.0 for column in examples.T])
    examples = examples / scale

    def loss(weights):
        # Each pair counts both ways round, which says the same twice.
        return 0.5 * weights @ weights + 2 * 100.0 * np.logaddexp(0, -examples @ weights).sum()

    found = minimize(loss, np.zeros(examples.shape[1]), method="BFGS", tol=1e-8).x / scale
    return found / abs(found).sum()
