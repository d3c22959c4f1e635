#!/usr/bin/env python3
"""Asks facet about the refused rows of tables.py, judges every answer, and prints the table of docs/use/costs.md.

    python3 tools/costs/tables.py work/packages work/tables
    python3 tools/costs/measure.py work/tables

Each line is `facet attack --costs` on one core, as people run it. The judge shares nothing with facet: it reads the file of rules and the file of
the model itself, and asks of each answer whether it keeps every rule, costs what facet says, and is predicted the wanted label. --boosted asks about models
of XGBoost instead of forests, which trains them and confirms the answers; else only Python's standard library and Go are needed.
"""
import argparse
import csv
import json
import math
import os
import struct
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from statistics import mean, median

import tables

ROOT = Path(__file__).resolve().parent.parent.parent
FACET = "facet-under-test"


class Judge:
    """Knows the rules of a file."""

    def __init__(self, path, names):
        rules = json.loads(path.read_text())
        self.names, self.features = names, rules["features"]
        self.groups = [(g, [names.index(m) for m in g["members"]]) for g in rules["groups"]]
        members = {j for _, group in self.groups for j in group}
        self.single = [j for j in range(len(names)) if j not in members]

    def moves(self, x, z, norm):
        """Returns the cost of each change, and which rules are broken."""
        costs, broken = [], []
        for j in self.single:
            if z[j] != x[j]:
                rule = self.features.get(self.names[j], {})
                price = float(rule.get("up" if z[j] > x[j] else "down", 1))
                costs.append(price if norm == "0" else price * abs(z[j] - x[j]))
                broken += [f"{self.names[j]}: {why}" for why in faults(rule, x[j], z[j], price)]
        for g, members in self.groups:
            here, there = [x[j] for j in members], [z[j] for j in members]
            if here != there:
                hot = self.names[members[there.index(1)]] if sorted(there) == [0] * (len(there) - 1) + [1] else None
                price = float(self.features.get(hot, {}).get("up", g.get("cost", 1)))
                costs.append(price)
                if hot is None or g.get("frozen") or math.isinf(price):
                    broken.append(g["name"])
        return costs, broken


def faults(rule, x, z, price):
    """Names the fault of a number that moves."""
    if rule.get("frozen"):
        yield "frozen"
    if math.isinf(price):
        yield "direction"
    if rule.get("integer") and (z - rule.get("origin", 0)) % rule.get("step", 1) != 0:
        yield "not whole"
    if not rule.get("min", -math.inf) <= z <= rule.get("max", math.inf):
        yield "limit"
    for key, far in (("max_increase", z - x), ("max_decrease", x - z)):
        most = rule.get(key, math.inf)
        if far > (float(most[:-1]) / 100 * abs(x) if isinstance(most, str) else most):
            yield key


def total(costs, norm):
    if norm == "inf":
        return max(costs, default=0)
    return math.hypot(*costs) if norm == "2" else math.fsum(costs)


def forest(path):
    """Returns the function that a file of `facet train --save` describes: its soft votes, added up exactly."""
    model = json.loads(path.read_text())
    assert model["comparison"] == "float32(x) <= t" and model["vote"] == "soft"

    def predict(z):
        z = [struct.unpack("f", struct.pack("f", v))[0] for v in z]
        sums = [Fraction(0)] * len(model["class_names"])
        for t in model["trees"]:
            at = 0
            while t["left"][at] >= 0:
                at = t["left" if z[t["feature"][at]] <= t["threshold"][at] else "right"][at]
            sums = [a + Fraction(v) for a, v in zip(sums, t["value"][at])]
        return model["class_names"][sums.index(max(sums))]
    return predict


def boosted(path, train, trees, depth):
    """Trains a model of XGBoost, and returns its predictions."""
    import numpy as np
    import xgboost
    with open(train, newline="", encoding="utf-8") as f:
        _, *rows = csv.reader(f)
    labels = sorted({r[-1] for r in rows})
    x, y = np.array([r[:-1] for r in rows], dtype=float), [labels.index(r[-1]) for r in rows]
    model = xgboost.XGBClassifier(n_estimators=trees, max_depth=depth, learning_rate=0.1, n_jobs=1, random_state=0).fit(x, y)
    model.save_model(path)
    return lambda z: labels[int(model.predict(np.array([z]))[0])], labels


# A child that begins as a copy of this process would count its memory as well; this small one does not.
WATCH = "import resource, subprocess, sys; s = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(s)"


def run(*command):
    """Runs a program on one core, and returns its peak of memory in MiB."""
    done = subprocess.run([sys.executable, "-c", WATCH, *map(str, command)], cwd=ROOT, env=os.environ | {"GOMAXPROCS": "1"}, stdout=subprocess.PIPE)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}")
    return int(done.stdout) / (1 << (20 if sys.platform == "darwin" else 10))


def attack(args, name, model, norm, labels=None):
    """Runs the command and returns its rows, the processor's milliseconds a row and MiB."""
    out, summary = args.folder / "answers.jsonl", args.folder / "summary.json"
    command = [args.folder / FACET, "attack", "--model", model, "--test", tested(args, name), "--costs", args.folder / f"{name}.json", "--norm", norm,
               "--target", tables.TABLES[name]["wanted"], "--include-misclassified", "--points", args.points, "--workers", 1, "--timeout", args.timeout,
               "--out", out, "--summary", summary]
    if labels:
        command += ["--classes", ",".join(labels)]
    peak = run(*command)
    rows = [r for r in map(json.loads, out.read_text().splitlines()) if r["status"] in ("optimal", "none", "limit")]
    return rows, 1000 * json.loads(summary.read_text())["processor_seconds"] / len(rows), peak


def tested(args, name):
    """Returns the rows in question: all of German credit, whose refused test rows are few."""
    return args.folder / f"{name}-{'all' if name == 'german' else 'test'}.csv"


def judged(judge, predict, test, rows, norm, wanted):
    """Returns how many answers there are, and complains of those that are wrong."""
    found = 0
    for r in rows:
        if r["adversarial"] is None:
            continue
        found += 1
        costs, broken = judge.moves(test[r["row"]], r["adversarial"], norm)
        if abs(total(costs, norm) - r["distance"]) > 1e-9 * max(1, r["distance"]):
            broken.append(f"costs {total(costs, norm)}")
        if (label := predict(r["adversarial"])) != wanted:
            broken.append(f"is {label}")
        if broken:
            sys.exit(f"row {r['row']}: {r['adversarial']}: {', '.join(broken)}")
    return found


def measure(args, name, trees, depth):
    """Prints the line of a model."""
    model, labels = args.folder / f"{name}-{trees}-{depth}.json", None
    if args.boosted:
        predict, labels = boosted(model, args.folder / f"{name}-train.csv", trees, depth)
    else:
        run(args.folder / FACET, "train", "--train", args.folder / f"{name}-train.csv", "--model", "forest", "--trees", trees, "--depth", depth, "--save", model)
        predict = forest(model)
    with open(tested(args, name), newline="", encoding="utf-8") as f:
        (*names, _), *test = csv.reader(f)
    test = [list(map(float, row[:-1])) for row in test]
    judge = Judge(args.folder / f"{name}.json", names)
    answers, proven, gaps, times, processor, most = 0, 0, [], [], [], 0
    for norm in args.norms.split(","):
        rows, cpu, peak = attack(args, name, model, norm, labels)
        answers += judged(judge, predict, test, rows, norm, tables.TABLES[name]["wanted"])
        proven += sum(r["optimal"] for r in rows)
        gaps += [1 - (r["bound"] or 0) / r["distance"] for r in rows if not r["optimal"] and r["distance"]]
        ms = [1000 * r["seconds"] for r in rows]
        times.append(" / ".join(f"{v:.2g}" if v < 100 else f"{v:.0f}" for v in (median(ms), mean(ms), max(ms))))
        processor.append(f"{cpu:.2g}")
        most = max(most, peak)
    asked = len(rows) * len(times)
    cells = [f"{name}, {len(names)} columns", trees, depth or "no limit", f"{asked}", answers, proven, f"{100 * mean(gaps):.0f} %" if gaps else "–", *times, ", ".join(processor), f"{most:.0f}"]
    print("|", " | ".join(map(str, cells)), "|", flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folder", type=Path, help="the folder that tables.py wrote")
    p.add_argument("--tables", default="german,adult,compas")
    p.add_argument("--trees", default="100,200,500")
    p.add_argument("--depth", type=int, default=8, help="of the trees; 0: no limit")
    p.add_argument("--norms", default="1,inf,2,0")
    p.add_argument("--points", type=int, default=200)
    p.add_argument("--timeout", default="10s", help="of a row")
    p.add_argument("--boosted", action="store_true", help="ask about models of XGBoost")
    args = p.parse_args()
    args.folder = args.folder.resolve()
    run("go", "build", "-o", args.folder / FACET, "./examples/facet")
    head = ["table", "trees", "depth", "asked", "answers", "proven", "gap of the rest", *(f"norm {n}: median / mean / worst ms" for n in args.norms.split(",")), "of the processor, means", "MiB"]
    print("|", " | ".join(head), "|")
    print("|" + "---|" * len(head))
    for name in args.tables.split(","):
        for trees in args.trees.split(","):
            measure(args, name, int(trees), args.depth)


if __name__ == "__main__":
    main()
