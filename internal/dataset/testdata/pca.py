#!/usr/bin/python3
"""Writes pca.json, scikit-learn's answers that TestFitPCA compares with.

    /usr/bin/python3 pca.py        (scikit-learn 1.2.1, numpy 1.24)

The rows are left out: both sides make them of whole numbers, A·B with A and B
drawn by RandomState(1). A falling factor gives the directions different weights.
"""
import json

import numpy as np
from sklearn.decomposition import PCA


def rows(n, d, rank):
    rs = np.random.RandomState(1)
    a, b = rs.randint(-100, 100, (n, rank)), rs.randint(-100, 100, (rank, d))
    return (a * np.arange(rank, 0, -1) @ b).astype(float)


cases = []
for n, d, rank, k, seed in [
    (30, 8, 8, 3, 0),        # few rows: exact
    (9, 20, 9, 4, 0),        # exact, more features than rows
    (600, 10, 10, 9, 0),     # exact, for nearly all directions are wanted
    (600, 40, 40, 2, 0),     # sampled, 7 rounds
    (600, 40, 40, 6, 7),     # sampled, 4 rounds
    (45, 510, 45, 2, 3),     # sampled, more features than rows
    (501, 12, 12, 5, 0),     # sampled, but the sample is the whole range
]:
    x = rows(n, d, rank)
    pca = PCA(k, random_state=seed)
    coordinates = pca.fit_transform(x)
    cases.append({
        "rows": n, "dim": d, "rank": rank, "k": k, "seed": seed, "solver": pca._fit_svd_solver,
        "coordinates": coordinates[:8].ravel().tolist(),
    })
with open("pca.json", "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
