"""Compares facet range with Veritas (Devos, Meert and Davis, ICML 2021): both ends of an XGBoost regressor's output around rows.

    pip install dtai-veritas xgboost numpy
    go build -o facet ./examples/facet
    python3 tools/compare_ranges.py ./facet --trees 100 --depth 6 --radius 0.1

Both get the same model, boxes and one core. The ends that both prove must agree; the script fails if they do not. Seconds
are those of the processor; facet's include reading the model. Veritas gives up after --timeout seconds an end, or with 1 GiB.
"""
import argparse
import contextlib
import io
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
import veritas
import xgboost


def districts(count):
    """Made-up districts like those of the data set of California's houses, scaled to [0, 1]."""
    rng = np.random.default_rng(7)
    income, age = rng.gamma(4.2, 0.92, count), rng.integers(1, 53, count)
    rooms, beds = rng.lognormal(1.65, 0.35, count), rng.lognormal(0.08, 0.2, count)
    people, households = rng.lognormal(7.0, 0.75, count), rng.lognormal(1.05, 0.3, count)
    latitude = rng.choice([34.0, 37.7], count, p=[0.6, 0.4]) + rng.normal(0, 0.8, count)
    longitude = -119.6 - 0.85 * (latitude - 35.6) + rng.normal(0, 0.6, count)
    coast = np.exp(-((latitude - 34) ** 2 + (longitude + 118.3) ** 2) / 0.5)
    coast += 1.3 * np.exp(-((latitude - 37.75) ** 2 + (longitude + 122.4) ** 2) / 0.4)
    value = 0.42 * income + 0.9 * coast + 0.008 * age - 0.25 * np.log(households) + 0.15 * np.log(rooms / beds)
    value += 0.15 * rng.normal(size=count) * np.sqrt(income)
    x = np.stack([income, age, rooms, beds, people, households, latitude, longitude], 1)
    low, high = x.min(0), x.max(0)
    return ((x - low) / (high - low)).astype(np.float32), np.clip(value, 0.15, 5.0)


def facet_ranges(o, folder, rows):
    with open(folder + "/rows.csv", "w") as file:
        print(*(f"x{j}" for j in range(rows.shape[1])), sep=",", file=file)
        for row in rows:
            print(*(f"{v:.9g}" for v in row), sep=",", file=file)
    command = [o.facet, "range", "--model", folder + "/model.json", "--test", folder + "/rows.csv", "--radius", str(o.radius),
               "--workers", "1", "--out", folder + "/ranges.jsonl"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"GOMAXPROCS": "1"})
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(folder + "/ranges.jsonl") as file:
        return [json.loads(line) for line in file], (used.ru_utime + used.ru_stime) / len(rows)


def veritas_end(trees, box, heuristic, timeout):
    config = veritas.Config(heuristic)
    config.stop_when_optimal = True
    config.max_memory = 1 << 30
    search = config.get_search(trees, box)
    begun, stop = time.process_time(), veritas.StopReason.NONE
    while stop in (veritas.StopReason.NONE, veritas.StopReason.OUT_OF_TIME) and time.process_time() - begun < timeout:
        stop = search.step_for(min(1, timeout), 1000)
    return search.get_solution(0).output if search.num_solutions() else None, stop == veritas.StopReason.OPTIMAL


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("facet")
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--eta", type=float, default=0.1)
    parser.add_argument("--radius", type=float, default=0.1)
    parser.add_argument("--rows", type=int, default=20)
    parser.add_argument("--timeout", type=float, default=5)
    o = parser.parse_args()
    x, y = districts(20640)
    rows = x[:o.rows]
    with tempfile.TemporaryDirectory() as folder:
        train = xgboost.DMatrix(x[200:], y[200:])
        model = xgboost.train({"objective": "reg:squarederror", "max_depth": o.depth, "eta": o.eta}, train, o.trees)
        model.save_model(folder + "/model.json")
        ours, mean = facet_ranges(o, folder, rows)
    with contextlib.redirect_stdout(io.StringIO()):
        trees = veritas.get_addtree(model)
    seconds, proven = [], 0
    for row, line in zip(rows, ours):
        # Half-open intervals of float32: the next number is the first that is out.
        low, high = row.astype(float) - o.radius, row.astype(float) + o.radius
        box = [veritas.Interval(float(a), float(np.nextafter(np.float32(b), np.float32(9)))) for a, b in zip(low, high)]
        begun = time.process_time()
        ends = [veritas_end(trees, box, h, o.timeout) for h in (veritas.HeuristicType.MIN_OUTPUT, veritas.HeuristicType.MAX_OUTPUT)]
        seconds.append(time.process_time() - begun)
        proven += ends[0][1] and ends[1][1]
        for (value, optimal), end in zip(ends, (line["min"], line["max"])):
            if optimal and line["status"] == "proven" and abs(value - end) > 1e-4:
                sys.exit(f"row {line['row']}: Veritas {value}, facet {end}")
    nodes = np.mean([line["nodes"] for line in ours])
    done = sum(line["status"] == "proven" for line in ours)
    print(f"| {o.trees} × {o.depth} | {o.radius:g} | {1000 * mean:.3g} ms | {nodes:.0f} | {done} of {len(rows)} | "
          f"{1000 * np.mean(seconds):.3g} ms | {proven} of {len(rows)} |")


if __name__ == "__main__":
    main()
