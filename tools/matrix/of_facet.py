"""Kinds that facet trains itself, and oblique trees of files: numpy computes their predictions."""
import json
import os

import numpy as np

from . import evaluate, tables
from .command import facet
from .given import Given, matrix
from .kinds import add, data


def trained(name, *flags, classes=2, draw=tables.numbers, short=False):
    """Adds a kind that facet train makes."""
    def make(folder, seed):
        x, y, rows = data(draw, classes, seed)
        np.savetxt(os.path.join(folder, "train.csv"), np.column_stack([x, y]), fmt="%.17g", delimiter=",")
        facet("train", "--train=train.csv", "--save=model.json", *flags, folder=folder)
        return given(os.path.join(folder, "model.json"), classes, x, rows)
    add("facet", name, make, short)


def given(path, classes, x, rows):
    with open(path) as f:
        file = json.load(f)
    near = "rows" in file
    if near:
        votes = evaluate.neighbours(np.array(file["rows"]), np.array(file["labels"]), file["k"], classes, file["kind"] == "weighted-knn")
    else:
        votes = evaluate.trees(file)
    shares = (lambda z: votes(z) / file["k"]) if near else votes
    probable = not near or file["kind"] == "knn"
    vote = (lambda z: np.eye(classes)[votes(z).argmax(1)]) if file["kind"] == "tree" else None  # questions about all inputs are of a tree's vote
    return Given(
        path, classes, x, rows, matrix, lambda z: votes(z).argmax(1), None if near else votes, shares if probable else None, exact=1e-12, apart=1e-12,
        sums=vote)


def oblique(name, vote, classes=2, short=False):
    """Adds a kind of oblique trees at random, in the format that docs/use/models.md describes."""
    def make(folder, seed):
        x, _, rows = data(tables.anywhere, classes, seed)
        rng = np.random.default_rng(seed)
        trees = [at_random(rng, x, classes, vote) for _ in range(1 if classes == 10 else 3)]
        file = {"format": "oblique-tree-ensemble", "version": 1, "n_features": x.shape[1], "classes": list(range(classes)), "vote": vote, "trees": trees}
        path = os.path.join(folder, "model.json")
        with open(path, "w") as f:
            json.dump(file, f)
        votes = evaluate.trees(file)
        shares = {"soft": votes, "hard": votes, "sum": None}.get(vote, lambda z: evaluate.softmax(votes(z)))
        return Given(path, classes, x, rows, matrix, lambda z: votes(z).argmax(1), votes, shares, exact=1e-12, apart=1e-12)
    add("facet", name, make, short)


def at_random(rng, x, classes, vote, depth=3):
    """Returns a full tree whose tests halve the rows."""
    inner = 2**depth - 1
    weights = rng.integers(-4, 5, (inner, x.shape[1])) / 2.0
    value = rng.integers(1, 9, (2 * inner + 1, classes)).astype(float)
    value = value / value.sum(1, keepdims=True) if vote in ("soft", "hard") else value - 4
    if vote == "logistic":
        value[:, 0] = 0
    leaf = range(inner + 1)
    return {
        "weights": weights.tolist() + [None for _ in leaf],
        "threshold": [float(np.round(np.median(x @ w), 2)) for w in weights] + [0.0 for _ in leaf],
        "left": [2 * i + 1 for i in range(inner)] + [-1 for _ in leaf],
        "right": [2 * i + 2 for i in range(inner)] + [-1 for _ in leaf], "value": value.tolist()}


trained("tree", "--model=tree", short=True)
trained("forest, 3", "--model=forest", "--trees=8", "--depth=4", classes=3)
trained("robust forest", "--model=forest", "--trees=8", "--depth=4", "--robust=0.5")
trained("1-NN", draw=tables.lattice, short=True)
trained("2-NN", "--k=2", draw=tables.lattice, short=True)
trained("3-NN, 3", "--k=3", draw=tables.lattice, classes=3)
trained("5-NN", "--k=5", draw=tables.lattice)
trained("3-NN of reals", "--k=3", draw=tables.anywhere)
trained("3-NN, weighted", "--k=3", "--weights=distance", draw=tables.anywhere)
trained("1-NN, pruned", "--prune=0.6", draw=tables.lattice)
trained("oblique tree", "--model=oblique", "--trees=1", "--depth=4", draw=tables.anywhere)
trained("oblique forest", "--model=oblique", "--trees=4", "--depth=3", draw=tables.anywhere, short=True)
for vote in "soft", "hard", "sum", "softmax":
    oblique(f"oblique, {vote}, 3", vote, 3, short=vote == "soft")
oblique("oblique, logistic", "logistic")
