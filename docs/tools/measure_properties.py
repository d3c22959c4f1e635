"""How fast facet verify is: every feature of an XGBoost model of 800 trees of depth 6 over 20 made-up features, free
and, where it is a number, monotone. Prints a table: what is proven, and the seconds of one core.

    python3 docs/tools/measure_properties.py bin/facet
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile

import numpy as np
import xgboost

FEATURES = 20


def model(path, trees, depth, kind=xgboost.XGBClassifier):
    """Saves a model of made-up data. A classifier's label is whether a noisy score is above its median; a regressor's
    output is that score."""
    rng = np.random.default_rng(8)
    x = rng.random((1000, FEATURES))
    x[:, ::2] = np.floor(x[:, ::2] * rng.integers(2, 12, FEATURES // 2))  # every other one is a code
    score = x @ rng.normal(size=FEATURES) + np.sin(6 * x[:, 1] * x[:, 3]) + rng.logistic(size=1000)
    y = score if kind is xgboost.XGBRegressor else score > np.median(score)
    kind(n_estimators=trees, max_depth=depth, learning_rate=0.1, n_jobs=1).fit(x, y).save_model(path)


def side(j):
    """The values that a feature may have."""
    return (0, 11) if j % 2 == 0 else (0, 1)


def domain(path):
    with open(path + ".csv", "w") as file:
        for j in range(FEATURES):
            print("%d,%d" % side(j), file=file)


def verify(facet, path, flag, features, suffix=""):
    out = path + ".jsonl"
    command = [facet, "verify", path, "--domain", path + ".csv", "--timeout", "30s", "--workers", "1",
               "--out", out, "--overwrite"]
    for j in features:
        command += [flag, f"{j}{suffix}"]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   env=dict(os.environ, GOMAXPROCS="1"))
    with open(out) as lines:
        return [json.loads(line) for line in lines]


def main():
    facet = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/model.json"
        model(path, 800, 6)
        domain(path)
        for name, flag, features, suffix in [("ignores", "--ignores", range(FEATURES), ""),
                                             ("monotone", "--monotone", range(1, FEATURES, 2), ":up")]:
            lines = verify(facet, path, flag, features, suffix)
            seconds = [line["seconds"] for line in lines]
            proven = sum(line["status"] in ("optimal", "none") for line in lines)
            print(f"{name}: {proven} of {len(lines)} proven, {statistics.median(seconds):.3g} s median, "
                  f"{max(seconds):.3g} s most, {sum(line['nodes'] for line in lines)} nodes")


if __name__ == "__main__":
    main()
