#!/usr/bin/env python3
"""Compares the exact attack with Veritas (Devos, Meert, Davis, ICML 2021), the fastest published verifier of
tree ensembles that pip installs, on the same forest and the same points, one thread, in l-infinity.

    python3 -m venv venv && venv/bin/pip install dtai-veritas scikit-learn
    venv/bin/python tools/compare_veritas.py diabetes --points 20

Each set's rows and points come from facet (go run ./examples/datasets --prepare), and so do its own times; the forest
is trained by scikit-learn and read by both. Veritas halves the interval of the radius (its VeritasRobustnessSearch,
start 1.0, until the interval is 1e-6 of it) and has --timeout seconds a point. Times are milliseconds of processor time
of Veritas' search (construction included) and wall-clock milliseconds of facet on one worker, each the least of --rounds
in turn. Veritas compares with thresholds rounded to float32, so that its last example is asked of scikit-learn: where
that predicts what it predicts of the row, the example is counted as refused. A contradiction, printed with its row, is a
confirmed example nearer than facet's bound, or a radius said to be safe beyond facet's distance.

With --checks both are asked for a yes or no instead, at parts of the distance that facet attack found: facet certify, and
one check of that search within the radius. Veritas counts a tie as another label, so that answers may differ.
"""
import argparse
import atexit
import functools
import importlib.metadata
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import sklearn
from sklearn.ensemble import RandomForestClassifier
from veritas import VeritasRobustnessSearch, get_addtree

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "python", "facet_robust"))
import export_sklearn

HALVINGS = 40
PARTS = .5, .99, 1.01, 2


@functools.cache
def built(package):
    """Builds a program of facet, and returns its file."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    file = os.path.join(folder, os.path.basename(package))
    subprocess.run(["go", "build", "-o", file, package], cwd=root, check=True)
    return file


def facet(package, *args):
    """Runs a program of facet."""
    subprocess.run([built(package), *args], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def bracket(trees, x, label, seconds):
    """Returns the bounds between which Veritas has the radius, its nearest example and the milliseconds that it took."""
    began = time.process_time()
    source, target = (trees, None) if label == 1 else (None, trees)
    search = VeritasRobustnessSearch(x, 1.0, source, target, num_steps=HALVINGS, max_time=seconds, silent=True,
                                     stop_condition=lambda low, high: high - low <= 1e-6 * high)
    _, low, high = search.search()
    ms = 1000 * (time.process_time() - began)
    return low, high, min(search.generated_examples, key=lambda z: max(abs(z - x)), default=None), ms


def check(trees, x, label, radius, seconds):
    """Returns whether Veritas finds that a radius may hold another label, and the milliseconds of one check."""
    began = time.process_time()
    source, target = (trees, None) if label == 1 else (None, trees)
    search = VeritasRobustnessSearch(x, radius, source, target, silent=True)
    most, _ = search.get_max_output_difference(radius, seconds)
    return most >= 0, 1000 * (time.process_time() - began)


def compare_checks(name, options, points, trees, row, at):
    """Prints a line of times for each of PARTS of the distances of points."""
    for part in PARTS:
        ours, theirs, differ = [], [], 0
        for point in points:
            x, radius = row(point), part * point["distance"]
            np.save(at("row.npy"), np.repeat([x], options.rounds, axis=0))
            facet("./examples/facet", "certify", "--model", at("model.json"), "--test", at("row.npy"), "--label", "none",
                  "--radius", repr(radius), "--workers", "1", "--overwrite", "--out", at("row.jsonl"))
            with open(at("row.jsonl")) as file:
                lines = [json.loads(line) for line in file]
            answers = [check(trees, x, point["predicted"], radius, options.timeout) for _ in range(options.rounds)]
            ours.append(min(1000 * line["seconds"] for line in lines))
            theirs.append(min(ms for _, ms in answers))
            differ += answers[0][0] != (lines[0]["robust"] == ["no"])
        print(f"| {name} | {part} | {len(points)} | {statistics.median(ours):.3f} | {statistics.median(theirs):.2f} "
              f"| {np.median(np.array(theirs) / ours):.1f} | {differ} |", flush=True)


def compare(name, options):
    with tempfile.TemporaryDirectory() as folder:
        at = lambda file: os.path.join(folder, file)
        facet("./examples/datasets", "--prepare", name, "--to", folder)
        x, y, test = (np.load(os.path.join(folder, part + ".npy")) for part in ("train_x", "train_y", "test_x"))
        model = RandomForestClassifier(options.trees, criterion="entropy", max_depth=options.depth or None, random_state=0).fit(x, y)
        export_sklearn.write(model, at("model.json"))
        facet("./examples/datasets", "--prepare", name, "--to", folder, "--model", at("model.json"))
        with open(at("rows.txt")) as file:
            rows = file.readlines()[:options.points]
        with open(at("rows.txt"), "w") as file:
            file.writelines(rows)
        trees = get_addtree(model, silent=True)  # a sum that is positive for class 1
        row = lambda point: test[point["row"]].astype(np.float32).astype(float)
        ours, theirs = [], []
        for _ in range(1 if options.checks else options.rounds):
            facet("./examples/facet", "attack", "--model", at("model.json"), "--test", at("test_x.npy"), "--test-labels",
                  at("test_y.npy"), "--rows", at("rows.txt"), "--timeout", f"{options.timeout}s", "--workers", "1",
                  "--overwrite", "--out", at("rows.jsonl"))
            with open(at("rows.jsonl")) as file:
                points = [json.loads(line) for line in file]
            if options.checks:
                return compare_checks(name, options, points, trees, row, at)
            ours.append([1000 * point["seconds"] for point in points])
            brackets = [bracket(trees, row(point), point["predicted"], options.timeout) for point in points]
            theirs.append([ms for _, _, _, ms in brackets])
    ours, theirs = np.min(ours, axis=0), np.min(theirs, axis=0)
    proven, refused, wrong = 0, 0, 0
    for point, (low, high, example, _) in zip(points, brackets):
        proven += high - low <= 1e-5 * high
        flips = example is not None and model.predict([example])[0] != point["predicted"]
        refused += example is not None and not flips
        near, far = point["bound"], float("inf") if point["distance"] is None else point["distance"]
        if flips and (low > far * (1 + 1e-6) + 1e-7 or max(abs(example - row(point))) < near * (1 - 1e-6) - 1e-7):
            wrong += 1
            print(f"{name} row {point['row']}: facet [{near}, {far}], Veritas [{low}, {high}]")
    optimal = sum(point["status"] == "optimal" for point in points)
    print(f"| {name} | {len(points)} | {optimal} | {statistics.median(ours):.2f} | {statistics.mean(ours):.2f} "
          f"| {proven} | {statistics.median(theirs):.1f} | {statistics.mean(theirs):.1f} | {np.median(theirs / ours):.0f} "
          f"| {refused} | {wrong} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="+", help="sets of the paper, such as diabetes")
    parser.add_argument("--points", type=int, default=20, help="points of each set (20)")
    parser.add_argument("--trees", type=int, default=100, help="trees of the forest (100)")
    parser.add_argument("--depth", type=int, default=5, help="depth of the trees, 0: no limit (5)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds, of which the least time of each point counts (5)")
    parser.add_argument("--timeout", type=int, default=10, help="seconds a point (10)")
    parser.add_argument("--checks", action="store_true", help="ask for a yes or no at parts of each distance")
    options = parser.parse_args()
    print(f"Veritas {importlib.metadata.version('dtai-veritas')}, scikit-learn {sklearn.__version__}, Python {sys.version.split()[0]}; "
          f"{options.trees} trees of depth {options.depth}")
    if options.checks:
        print("| set | part of the distance | points | facet, median ms | Veritas, median ms | median ratio | answers that differ |")
        print("|---|---|---|---|---|---|---|")
    else:
        print("| set | points | facet proves | median ms | mean ms | Veritas brackets | median ms | mean ms | median ratio | examples refused | contradictions |")
        print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name in options.sets:
        compare(name, options)


if __name__ == "__main__":
    main()
