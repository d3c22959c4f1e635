#!/usr/bin/env python3
"""Makes the tables of docs/inside/performance.md and figures.md anew, on this machine.

    export FACET_DATA=/path/to/the/data/sets
    python3 tools/measure.py forests neighbours      # prints these tables
    python3 tools/measure.py --write all             # writes all of them into the page; about half an hour

Only Python's standard library and Go are needed. Each table stands in the page between <!-- NAME --> and <!-- end -->.
Times are wall-clock milliseconds of one worker on one core; leave the machine alone while it runs.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGES = [os.path.join(ROOT, "docs", "inside", name) for name in ("performance.md", "figures.md")]
SETS = ["australian", "cancer", "diabetes", "fourclass", "halfmoon"]
NORMS = {"inf": "ℓ∞", "1": "ℓ1", "2": "ℓ2"}


def go(*command):
    """Runs a command of Go from the root, with one core, and returns its output."""
    done = subprocess.run(["go", *command], cwd=ROOT, env=os.environ | {"CGO_ENABLED": "0"}, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"go {' '.join(command)}: {done.stderr or done.stdout}")
    return done.stdout


def measure(name, points, training, *flags):
    """Trains a model on a set of the paper, attacks the first of the points that the paper attacks of it, and returns the
    summary of facet attack, its rows, and the output of facet info about the model."""
    with tempfile.TemporaryDirectory() as folder:
        at = lambda file: os.path.join(folder, file)
        prepare = ["run", "./examples/datasets", "--prepare", name, "--to", folder]
        go(*prepare)
        go("run", "./examples/facet", "train", "--train", at("train_x.npy"), "--train-labels", at("train_y.npy"), *training, "--save", at("model.json"))
        go(*prepare, "--model", at("model.json"))
        with open(at("rows.txt")) as file:
            rows = file.readlines()[:points]
        with open(at("rows.txt"), "w") as file:
            file.writelines(rows)
        go("run", "./examples/facet", "attack", "--model", at("model.json"), "--test", at("test_x.npy"), "--test-labels", at("test_y.npy"),
           "--rows", at("rows.txt"), *flags, "--summary", at("summary.json"), "--out", at("rows.jsonl"))
        with open(at("summary.json")) as file, open(at("rows.jsonl")) as lines:
            return json.load(file), [json.loads(line) for line in lines], go("run", "./examples/facet", "info", at("model.json"))


def short(x):
    """Returns a number of milliseconds with two or three digits."""
    return f"{x:.2f}" if x < 1 else f"{x:.1f}" if x < 20 else f"{x:,.0f}"


def table(head, lines):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head)] + ["| " + " | ".join(map(str, line)) + " |" for line in lines]) + "\n"


def milliseconds(rows):
    return [1000 * row["seconds"] for row in rows]


def proven(summary):
    return f"{summary['optimal'] + summary['none']} of {summary['points']}"


def gap(summary):
    return "–" if summary["mean_gap"] is None else f"{100 * summary['mean_gap']:.2f} %"


def forests():
    lines = []
    for norm in NORMS:
        for name in SETS:
            _, rows, _ = measure(name, 100, ["--model", "forest"], "--norm", norm, "--workers", "1")
            ms, nodes = milliseconds(rows), sorted(row["nodes"] for row in rows)
            lines.append([name, NORMS[norm], short(statistics.median(ms)), short(statistics.mean(ms)), short(max(ms)),
                          f"{nodes[len(nodes) // 2]:.0f}", f"{statistics.mean(nodes):.0f}", f"{nodes[-1]:.0f}"])
    return table(["set", "norm", "median ms", "mean ms", "worst ms", "median nodes", "mean nodes", "most nodes"], lines)


def benchmark(name):
    """Returns the figures of each case of a benchmark of package attack, by its name and their units."""
    text = go("test", "-run", "^$", "-bench", name, "-cpu", "1", "./attack")
    return {line.split()[0].split("/", 1)[1]: {unit: float(value) for value, unit in re.findall(r"([\d.e+-]+) (\S+)", line)}
            for line in text.splitlines() if line.startswith("Benchmark") and "/" in line.split()[0]}


def neighbours():
    cases = benchmark("ExactMoreNeighbors")
    lines = []
    for name in SETS:
        line = [name]
        for k in 3, 5, 7:
            c = next(c for case, c in cases.items() if name in case and f"k={k}" in case and "norm=inf" in case)
            line += [short(c["median-ms"]), f"{c['nodes/point']:.0f} / {c['LPs/point']:.0f}"]
        lines.append(line)
    return table(["set", "k = 3", "nodes / programs", "k = 5", "nodes / programs", "k = 7", "nodes / programs"], lines)


def nearest():
    lines = [[case, f"{c['points/s']:,.0f}", f"{c['median-scans']:.1f}", f"{c['LPs/point']:.1f}"] for case, c in benchmark("^BenchmarkExactNeighbors$").items()]
    return table(["training set", "points a second", "scans a point", "programs a point"], lines)


def digits():
    lines = []
    for norm, k in ("inf", 1), ("inf", 3), ("inf", 5), ("inf", 7), ("2", 3):
        s, rows, _ = measure("mnist17", 50, ["--k", str(k)], "--norm", norm, "--workers", "1", "--timeout", "10s")
        ms = milliseconds(rows)
        lines.append([k, NORMS[norm], proven(s), short(statistics.median(ms)), short(statistics.mean(ms)), short(max(ms)),
                      f"{s['nodes'] / len(rows):.4g}", f"{s['solves'] / len(rows):.4g}", f"{s['peak_bytes'] >> 20} MiB"])
    return table(["k", "norm", "proven", "median ms", "mean ms", "worst ms", "nodes", "programs", "peak memory"], lines)


def votes():
    lines = []
    for name in SETS + ["mnist17"]:
        line = [name]
        for k in "11", "15":
            s, rows, _ = measure(name, 10, ["--k", k], "--timeout", "10s")
            line += [proven(s), gap(s), short(statistics.median(milliseconds(rows))), s["peak_bytes"] >> 20]
        lines.append(line)
    return table(["set", "k = 11", "gap", "median ms", "MiB", "k = 15", "gap", "median ms", "MiB"], lines)


def growth():
    text = go("run", "./examples/neighbors", "--out", os.path.join(ROOT, "docs", "inside", "knn-growth.png"))
    lines = [line for line in text.splitlines() if not line.startswith("picture written")]
    return "```\n" + "\n".join(lines) + "\n```\n"


def questions():
    """RobustAt at shares of the exact radius beside the radius itself."""
    text = go("test", "-run", "^$", "-bench", "RobustAt", "-cpu", "1", "./attack")
    found = {}
    for line in text.splitlines():
        if m := re.match(r"BenchmarkRobustAt/(\w+)/(\w+)/(\S+)\s.*?([\d.e-]+) median-ms", line):
            found[m.groups()[:3]] = f"{float(m[4]):.2g}"
        elif m := re.match(r"BenchmarkRobustAtDigits/k=(\d)/(\S+)\s.*?([\d.e-]+) median-ms", line):
            found["mnist17", m[1] + "nn", m[2]] = f"{float(m[3]):.2g}"
    shares = ["r=0.5", "r=0.99", "r=1.01", "r=2", "exact"]
    models = {"1nn": "1-NN", "3nn": "3-NN", "dt": "tree", "rf": "forest"}
    lines = [[name, title] + [found.get((name, model, share), "–") for share in shares]
             for name in SETS + ["mnist17"] for model, title in models.items() if (name, model, "r=0.5") in found]
    return table(["set", "classifier", ".5 of the radius", ".99", "1.01", "2", "the radius itself"], lines)


def large():
    lines = []
    for trees, depth in ("200", "8"), ("500", "10"):
        s, rows, about = measure("mnist17", 20, ["--model", "forest", "--trees", trees, "--depth", depth], "--workers", "1", "--timeout", "10s")
        ms, leaves = milliseconds(rows), re.search(r"(\d+) leaves", about)[1]
        lines.append([f"random forest, {trees} trees of depth ≤ {depth} with {leaves} leaves", proven(s), f"{s['empirical_robustness']:.6g}", f"{s['mean_bound']:.6g}",
                      gap(s), f"median {statistics.median(ms):.4g}, mean {statistics.mean(ms):.4g}, max {short(max(ms))}", f"{s['nodes'] / len(rows):.4g}", f"{s['peak_bytes'] >> 20} MiB"])
    return table(["model", "proven", "mean distance", "mean bound", "gap of the rest", "ms a point", "nodes a point", "peak memory"], lines)


TABLES = {"forests": forests, "neighbours": neighbours, "nearest": nearest, "digits": digits, "votes": votes, "growth": growth, "questions": questions, "large": large}


def write(name, text):
    """Writes a table into the page that has one of that name."""
    for path in PAGES:
        with open(path, encoding="utf-8") as file:
            page = file.read()
        page, n = re.subn(rf"(<!-- {name} -->\n).*?(<!-- end -->)", lambda m: m[1] + text + m[2], page, count=1, flags=re.S)
        if n > 0:
            with open(path, "w", encoding="utf-8") as file:
                file.write(page)
            return
    sys.exit(f"no page has a table {name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="+", choices=[*TABLES, "all"])
    parser.add_argument("--write", action="store_true", help="write the tables into the pages")
    options = parser.parse_args()
    for name in TABLES if "all" in options.tables else options.tables:
        text = TABLES[name]()
        print(f"{name}\n{text}", flush=True)
        if options.write:
            write(name, text)


if __name__ == "__main__":
    main()
