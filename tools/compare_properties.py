#!/usr/bin/env python3
"""Asks how much the output of a regressor of XGBoost can change with one feature: facet verify beside Veritas
(Devos, Meert, Davis, ICML 2021), which maximizes the model less a copy of it whose features are the same but for that one.

    python3 -m venv venv && venv/bin/pip install dtai-veritas xgboost scikit-learn
    go build -o facet ./examples/facet && venv/bin/python tools/compare_properties.py ./facet --trees 50 --depth 5

The data are made up as those of measure_properties.py. Both have one thread and --timeout seconds a feature, and inputs
within the ranges of the data. The table has, of each, the features that are proven, the largest difference found and the
bound on all as a ratio, median and most over the features, and the median of seconds.
"""
import argparse
import importlib.metadata
import json
import os
import statistics
import subprocess
import tempfile
import time

import veritas
import xgboost

import measure_properties

FEATURES = measure_properties.FEATURES


def renamed(node, feature, to):
    """A tree of JSON whose tests of a feature are tests of another one."""
    if isinstance(node, list):
        return [renamed(value, feature, to) for value in node]
    if not isinstance(node, dict):
        return node
    return {key: to if key == "feat_id" and value == feature else renamed(value, feature, to)
            for key, value in node.items()}


def two_copies(trees, box, feature, seconds):
    """The findings of Veritas: the largest difference, the bound on all, and seconds of a processor."""
    began = time.process_time()
    copy = veritas.AddTree.from_json(json.dumps(renamed(json.loads(trees.to_json()), feature, FEATURES)))
    config = veritas.Config(veritas.HeuristicType.MAX_OUTPUT)
    config.stop_when_optimal = True
    search = config.get_search(trees.concat_negated(copy), {**box, FEATURES: box[feature]})
    paused = veritas.StopReason.NONE, veritas.StopReason.OUT_OF_TIME  # out of the time of one call
    while search.step_for(0.5, 50) in paused and time.process_time() - began < seconds:
        pass
    found = search.get_solution(0).output if search.num_solutions() else 0.0
    bound = max(found, search.current_bounds().top_of_open)
    return search.is_optimal(), found, bound, time.process_time() - began


def facet(binary, path, feature, seconds):
    """The same of facet verify."""
    out = path + ".jsonl"
    subprocess.run([binary, "verify", path, "--domain", path + ".csv", "--ignores", str(feature), "--timeout", f"{seconds}s",
                    "--workers", "1", "--out", out, "--overwrite"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   env=dict(os.environ, GOMAXPROCS="1"))
    with open(out) as lines:
        line = json.loads(lines.readline())
    return line["status"] in ("optimal", "none"), line["difference"] or 0.0, line["bound"], line["seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("facet", help="the program")
    parser.add_argument("--trees", type=int, default=100, help="trees (100)")
    parser.add_argument("--depth", type=int, default=5, help="depth of the trees (5)")
    parser.add_argument("--features", type=int, default=FEATURES, help="how many features are asked about (20)")
    parser.add_argument("--timeout", type=int, default=30, help="seconds a feature (30)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/model.json"
        measure_properties.model(path, options.trees, options.depth, xgboost.XGBRegressor)
        measure_properties.domain(path)
        model = xgboost.XGBRegressor()
        model.load_model(path)
        trees = veritas.get_addtree(model, silent=True)
        box = {j: veritas.Interval(*measure_properties.side(j)) for j in range(FEATURES)}
        rows = [(facet(options.facet, path, j, options.timeout), two_copies(trees, box, j, options.timeout))
                for j in range(options.features)]
    print(f"Veritas {importlib.metadata.version('dtai-veritas')}; {options.trees} trees of depth {options.depth}, "
          f"{options.features} features, {options.timeout} s each")
    print("| | proven | bound / found, median | most | seconds, median |\n|---|---|---|---|---|")
    for name, results in zip(("facet", "Veritas"), zip(*rows)):
        ratios = [bound / found if found > 0 else float("inf") for _, found, bound, _ in results]
        print(f"| {name} | {sum(proven for proven, _, _, _ in results)} | {statistics.median(ratios):.3g} "
              f"| {max(ratios):.3g} | {statistics.median(seconds for _, _, _, seconds in results):.3g} |")


if __name__ == "__main__":
    main()
