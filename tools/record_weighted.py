#!/usr/bin/python3
"""Makes internal/neighbors/weighted/testdata/recorded.json: training rows, queries, and the labels
that scikit-learn's KNeighborsClassifier(weights="distance") predicts for them.

    /usr/bin/python3 tools/record_weighted.py        (scikit-learn 1.2.1, numpy 1.24)

Coordinates are small multiples of 1/64, so that JSON holds them exactly. Some rows are equal,
with equal labels or not, and some queries are rows. A query whose k-th and next neighbour are
equally near is left out: scikit-learn does not say which of them votes.
"""
import json
import os

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "internal", "neighbors", "weighted", "testdata", "recorded.json")


def case(rng, rows, dim, classes, k):
    x = rng.randint(-256, 256, (rows, dim)) / 64
    for i in rng.randint(1, rows, rows // 4):
        x[i] = x[rng.randint(i)]
    y = rng.randint(classes, size=rows)
    y[0] = classes - 1
    queries = np.concatenate([rng.randint(-300, 300, (40, dim)) / 64, x[rng.randint(rows, size=20)]])
    distances = np.sort(np.sqrt(((queries[:, None] - x[None]) ** 2).sum(axis=2)), axis=1)
    if k < rows:
        queries = queries[distances[:, k - 1] < distances[:, k]]
    model = KNeighborsClassifier(k, weights="distance", algorithm="kd_tree").fit(x, y)
    return {"k": k, "x": x.tolist(), "y": y.tolist(), "queries": queries.tolist(), "labels": model.predict(queries).tolist()}


if __name__ == "__main__":
    rng = np.random.RandomState(0)
    sizes = [(12, 1, 2, 3), (25, 2, 2, 5), (40, 3, 3, 4), (30, 9, 4, 7), (9, 2, 3, 9), (20, 2, 2, 1)]
    os.makedirs(os.path.dirname(OUT), exist_ok=True)
    with open(OUT, "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(case(rng, *s), separators=(",", ":")) for s in sizes) + "\n]\n")
