#!/usr/bin/env python3
"""Makes the tables of docs/performance.md anew, on this machine.

    export FACET_DATA=/path/to/the/data/sets
    python3 docs/tools/measure.py forests neighbours      # prints these tables
    python3 docs/tools/measure.py --write all             # writes all of them into the page; about half an hour

Only Python's standard library and Go are needed. Each table stands in the page between <!-- NAME --> and <!-- end -->.
Times are wall-clock milliseconds of one worker on one core; leave the machine alone while it runs.
"""
import argparse
import csv
import os
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "docs", "performance.md")
SETS = ["australian", "cancer", "diabetes", "fourclass", "halfmoon"]
NORMS = {"inf": "ℓ∞", "1": "ℓ1", "2": "ℓ2"}


def go(*command):
    """Runs a command of Go from the root, with one core, and returns what it prints."""
    done = subprocess.run(["go", *command], cwd=ROOT, env=os.environ | {"CGO_ENABLED": "0"}, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"go {' '.join(command)}: {done.stderr or done.stdout}")
    return done.stdout


def measure(program, *flags):
    """Runs examples/ensembles or examples/neighbors with flags, and returns the table it prints and its points."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "points.tsv")
        text = go("run", "./examples/" + program, *flags, "--out", file)
        with open(file, newline="") as points:
            return text, list(csv.DictReader(points, delimiter="\t"))


def short(x):
    """Returns a number of milliseconds with two or three digits."""
    return f"{x:.2f}" if x < 1 else f"{x:.1f}" if x < 20 else f"{x:,.0f}"


def table(head, lines):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head)] + ["| " + " | ".join(map(str, line)) + " |" for line in lines]) + "\n"


def numbers(points, column):
    return [float(point[column]) for point in points]


def forests():
    lines = []
    for norm in NORMS:
        for name in SETS:
            _, points = measure("ensembles", "--data", name, "--trees", "100", "--depth", "5", "--points", "100", "--norm", norm, "--workers", "1", "--timeout", "0")
            ms, nodes = numbers(points, "ms"), sorted(numbers(points, "nodes"))
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


def cells(text, first):
    """Returns the cells of the printed table's lines, which begin with a number of the column first."""
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.split()[:1] == [first])
    return [re.split(r"\s{2,}", line.strip()) for line in lines[at + 1:] if re.match(r"\s*\d", line)]


def digits():
    lines = []
    for norm, k in ("inf", "1,3,5,7"), ("2", "3"):
        text, _ = measure("neighbors", "--data", "mnist17", "--k", k, "--points", "50", "--norm", norm, "--workers", "1")
        for c in cells(text, "k"):
            lines.append([c[0], NORMS[norm], c[3], c[7], c[8], c[9], c[10], c[11], c[12] + " MiB"])
    return table(["k", "norm", "proven", "median ms", "mean ms", "worst ms", "nodes", "programs", "peak memory"], lines)


def votes():
    lines = []
    for name in SETS + ["mnist17"]:
        text, _ = measure("neighbors", "--data", name, "--k", "11,15", "--points", "10")
        line = [name]
        for c in cells(text, "k"):
            line += [c[3], c[6], c[7], c[12]]
        lines.append(line)
    return table(["set", "k = 11", "gap", "median ms", "MiB", "k = 15", "gap", "median ms", "MiB"], lines)


def growth():
    text = go("run", "./examples/neighbors", "--growth", "--out", os.path.join(ROOT, "docs", "knn-growth.png"))
    return "```\n" + text.rstrip() + "\n```\n"


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
        text, _ = measure("ensembles", "--data", "mnist17", "--trees", trees, "--depth", depth, "--points", "20", "--workers", "1")
        values = dict(re.split(r"\s{2,}", line.strip(), maxsplit=1) for line in text.splitlines() if "  " in line.strip())
        lines.append([values["model"], values["proven"] + " of " + values["points"], values["mean distance"], values["mean lower bound"],
                      values["mean relative gap of the rest"], values["ms a point"], values["nodes a point"], values["peak memory"].split(" while")[0]])
    return table(["model", "proven", "mean distance", "mean bound", "gap of the rest", "ms a point", "nodes a point", "peak memory"], lines)


TABLES = {"forests": forests, "neighbours": neighbours, "nearest": nearest, "digits": digits, "votes": votes, "growth": growth, "questions": questions, "large": large}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="+", choices=[*TABLES, "all"])
    parser.add_argument("--write", action="store_true", help="write the tables into docs/performance.md")
    options = parser.parse_args()
    for name in TABLES if "all" in options.tables else options.tables:
        text = TABLES[name]()
        print(f"{name}\n{text}", flush=True)
        if options.write:
            with open(PAGE, encoding="utf-8") as file:
                page = file.read()
            page, n = re.subn(rf"(<!-- {name} -->\n).*?(<!-- end -->)", lambda m: m[1] + text + m[2], page, count=1, flags=re.S)
            if n == 0:
                sys.exit(f"{PAGE} has no table {name}")
            with open(PAGE, "w", encoding="utf-8") as file:
                file.write(page)


if __name__ == "__main__":
    main()
