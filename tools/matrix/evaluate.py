"""Predictions of models that no library has trained, by numpy alone: neighbours, trees and oblique trees from their files."""
import numpy as np


def neighbours(rows, labels, k, classes, weighted=False):
    """Returns the vote of the k nearest rows: equally near ones in their order, equal votes to the smaller label."""
    def votes(z):
        squared = ((z[:, None] - rows) ** 2).sum(-1)
        near = np.argsort(squared, axis=1, kind="stable")[:, :k]
        far = np.sqrt(np.take_along_axis(squared, near, 1))
        with np.errstate(divide="ignore"):
            weights = 1 / far if weighted else np.ones_like(far)
        at = np.isinf(weights).any(1)
        weights[at] = np.isinf(weights[at])
        sums = np.zeros((len(z), classes))
        for i in range(k):  # nearest first, as floats are added up
            sums[np.arange(len(z)), labels[near[:, i]]] += weights[:, i]
        return sums
    return votes


def leaves(tree, z, left):
    """Returns the values of the leaves that rows reach: left says which go left at a node."""
    at = np.zeros(len(z), int)
    children = np.array([tree["left"], tree["right"]])
    while True:
        inner = children[0][at] >= 0
        if not inner.any():
            return np.array(tree["value"], float)[at]
        for node in np.unique(at[inner]):
            here = np.flatnonzero(at == node)
            at[here] = np.where(left(tree, node, z[here]), children[0][node], children[1][node])


def one_feature(single, below):
    """Returns which rows go left at a test of one feature: in single precision or not, below a threshold or at most it."""
    def left(tree, node, z):
        x, threshold = z[:, tree["feature"][node]], tree["threshold"][node]
        x = x.astype(np.float32).astype(float) if single else x  # a threshold keeps its digits
        return x < threshold if below else x <= threshold
    return left


def oblique(tree, node, z):
    total = np.zeros(len(z))
    for feature, weight in enumerate(tree["weights"][node]):
        total += weight * z[:, feature]
    return total <= tree["threshold"][node]


def trees(file):
    """Returns the sums of votes of a file of facet's own, or of oblique trees, for each class."""
    soft = file.get("vote", "soft")
    compares = file.get("comparison", "")
    left = oblique if "weights" in file["trees"][0] else one_feature(compares.startswith("float32"), compares.endswith("< t"))

    def votes(z):
        sums = 0.0
        for tree in file["trees"]:
            value = leaves(tree, z, left)
            if soft == "hard":
                value = np.eye(value.shape[1])[value.argmax(1)]
            sums = sums + value
        sums = sums + np.array(file.get("base") or 0.0)
        return sums / len(file["trees"]) if soft in ("soft", "hard") else sums
    return votes


def softmax(sums):
    """Returns the probabilities of sums."""
    grown = np.exp(sums - sums.max(1, keepdims=True))
    return grown / grown.sum(1, keepdims=True)
