"""The averaged perceptron."""

import numpy as np

from dragoman.tuning.perceptron import AveragedPerceptron


def test_it_separates_what_can_be_separated():
    random = np.random.default_rng(3)
    truth = np.array([1.0, -2.0, 0.5, 0.0])
    # Differences between something good and something bad, by a margin.
    differences = random.normal(size=(400, 4))
    differences *= np.sign(differences @ truth)[:, None]
    differences = differences[differences @ truth > 0.2]
    perceptron = AveragedPerceptron(np.zeros(4))
    for _ in range(100):
        mistakes = 0
        for difference in differences:
            wrong = difference @ perceptron.weights <= 0
            mistakes += wrong
            perceptron.move(difference * wrong)
        if not mistakes:
            break
    assert mistakes == 0
    assert (differences @ perceptron.weights > 0).all()
    assert (differences @ perceptron.average > 0).mean() > 0.98


def test_average_rate_and_fixed_weights():
    fixed = np.array([False, True])
    perceptron = AveragedPerceptron(np.array([1.0, 7.0]), rate=0.5, fixed=fixed)
    assert perceptron.average.tolist() == [1.0, 7.0]
    perceptron.move(np.array([2.0, 2.0]))
    perceptron.move(np.array([0.0, 0.0]))
    perceptron.move(np.array([4.0, 0.0]))
    assert perceptron.weights.tolist() == [4.0, 7.0]
    assert perceptron.average.tolist() == [8 / 3, 7.0]


def test_no_weight_falls_below_its_bound():
    perceptron = AveragedPerceptron(np.array([1.0, 1.0]), lowest=np.array([0.0, -np.inf]))
    perceptron.move(np.array([-3.0, -3.0]))
    assert perceptron.weights.tolist() == [0.0, -2.0]
    perceptron.move(np.array([2.0, 0.0]))  # from the bound, not from below it
    assert perceptron.weights.tolist() == [2.0, -2.0]
    assert perceptron.average.tolist() == [1.0, -2.0]
