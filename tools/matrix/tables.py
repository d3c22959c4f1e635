"""Rows to train on and to ask about. Features lie on grids where ties are, and between them; labels are such that one class
does not depend on all that the others do."""
import numpy as np

ONE_HOT = (4, 5)  # of numbers
CODES = {1: 6, 2: 3}  # of categories


def labels(classes, first, second):
    """Returns labels by two scores of 0 to 9: the label 0 by the first alone. None for a number."""
    if not classes:
        return first / 3 + np.where(second > 4, 1.5, 0) + 0.125 * second
    if classes == 2:
        return ((first > 5) | (second > 6) & (first > 1)).astype(int)
    rest = np.minimum(np.floor(second * (classes - 1) / 10), classes - 2).astype(int)
    return np.where(first < 4, 0, 1 + rest)


def numbers(rng, classes, count, holes=0.0):
    """Six features: of quarters, two of whole numbers, one of reals, two that are one-hot."""
    x = np.empty((count, 6))
    x[:, 0] = np.round(rng.normal(size=count) * 8) / 4
    x[:, 1], x[:, 3] = rng.integers(0, 10, (2, count))
    x[:, 2] = rng.normal(size=count)
    x[:, 4] = rng.integers(0, 2, count)
    x[:, 5] = 1 - x[:, 4]
    y = labels(classes, np.clip(x[:, 1] + np.round(x[:, 0]) + x[:, 4], 0, 9), np.clip(x[:, 3] - (x[:, 2] > 1), 0, 9))
    x[:, :4][rng.random((count, 4)) < holes] = np.nan
    return x, y


def mixed(rng, classes, count, holes=0.0):
    """Four features: two numbers, and between them categories of six codes and of three."""
    x = np.empty((count, 4))
    x[:, 0] = rng.integers(0, 10, count)
    x[:, 3] = np.round(rng.normal(size=count) * 4) / 2
    for at, codes in CODES.items():
        x[:, at] = rng.integers(0, codes, count)
    odd = np.isin(x[:, 1], [1, 2, 5])
    y = labels(classes, np.clip(x[:, 0] + 3 * odd - 2, 0, 9), np.clip(np.floor(x[:, 3] + 3) + 3 * (x[:, 2] == 1), 0, 9))
    x[rng.random(x.shape) < holes] = np.nan
    return x, y


def lattice(rng, classes, count, holes=0.0):
    """Three features of few whole numbers, for neighbours: ties are everywhere."""
    x = rng.integers(0, 10, (count, 3)).astype(float)
    return x, labels(classes, x[:, 0], x[:, 1]) ^ (rng.random(count) < 0.1) if classes == 2 else labels(classes, x[:, 0], x[:, 1])


def anywhere(rng, classes, count, holes=0.0):
    """Three features of reals, for neighbours without ties."""
    x = rng.normal(size=(count, 3)) * 2 + 5
    return x, labels(classes, x[:, 0], x[:, 1])
