#!/usr/bin/env python3
"""Times scipy on the problems of prune's BenchmarkFewConflicts: the same points in the plane, on
one thread, in processor time, the median of several runs.

    python3 -m venv venv && venv/bin/pip install numpy scipy
    venv/bin/python tools/compare_pruning.py [repetitions]
    go test -run '^$' -bench FewConflicts ./prune

Scipy builds a k-d tree of each label, lists the pairs of both within 2R in the maximum norm and
finds a largest matching of them: what is kept is all rows but as many as are matched. It does
not say which. Facet's time is that of Prune: input checks, the kept rows and the proof of them.
"""
import statistics
import sys
import time

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching
from scipy.spatial import cKDTree


def square(n):
    return np.random.RandomState(0).random_sample((n, 2)), np.arange(n) % 2


def moons(n, noise=0.25):
    """The rows of scikit-learn's make_moons(n, noise=noise, random_state=0), scaled to [0, 1]."""
    rng = np.random.RandomState(0)
    upper, lower = np.linspace(0, np.pi, n // 2), np.linspace(0, np.pi, n - n // 2)
    x = np.concatenate([np.column_stack([np.cos(upper), np.sin(upper)]), np.column_stack([1 - np.cos(lower), 1 - np.sin(lower) - 0.5])])
    y = np.repeat([0, 1], [n // 2, n - n // 2])
    order = rng.permutation(n)
    x = x[order] + rng.normal(scale=noise, size=(n, 2))
    low, high = x.min(axis=0), x.max(axis=0)
    return (x - low) / (high - low), y[order]


def prune(x, y, radius):
    """Returns the number of conflicts and of rows kept."""
    left, right = x[y == 0], x[y == 1]
    pairs = cKDTree(left).sparse_distance_matrix(cKDTree(right), 2 * radius, p=np.inf, output_type="ndarray")
    shape = len(left), len(right)
    graph = csr_matrix((np.ones(len(pairs), dtype=bool), (pairs["i"], pairs["j"])), shape=shape)
    matched = maximum_bipartite_matching(graph, perm_type="column")
    return len(pairs), len(x) - np.count_nonzero(matched >= 0)


def main():
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print("set, rows, conflicts a row: conflicts, rows kept, milliseconds")
    for n in 2000, 20_000, 200_000, 1_000_000:
        sets = {"square": square(n), "moons": moons(n)}
        for conflicts in 0.2, 1, 4:
            radius = np.sqrt(conflicts / (2 * n)) / 2
            for name, (x, y) in sets.items():
                times = []
                for _ in range(repetitions):
                    start = time.process_time()
                    edges, kept = prune(x, y, radius)
                    times.append(time.process_time() - start)
                print(f"{name}/n={n}/conflicts={conflicts:g}: {edges} {kept} {1000 * statistics.median(times):.1f}", flush=True)


if __name__ == "__main__":
    main()
