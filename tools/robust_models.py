#!/usr/bin/env python3
"""Makes boosted trees that were trained to be robust, and rows to ask them about (BenchmarkLargeRobust of attack/large_bench_test.go).

    python3 -m venv venv && venv/bin/pip install scikit-learn xgboost
    venv/bin/python tools/robust_models.py work/large        (some ten minutes on one core; --only NAME makes one)
    FACET_LARGE=$PWD/work/large go test -run '^$' -bench LargeRobust -benchtime 1x -cpu 1 ./attack

Rows have 250 features, of which a tenth is not zero. Each training row comes with copies to which noise within a radius was added, so that
thresholds lie far from all rows: robust training as most libraries allow it. The models called easy have none.

With --data FOLDER, that of the data sets, it makes pixels1000 alone: 1000 trees on all pixels of digits, odd or even
(BenchmarkLargePixels; some twelve minutes on one core).
"""
import argparse
import gzip
from pathlib import Path

import numpy as np
from xgboost import XGBClassifier

FEATURES, ROWS, ASKED, COPIES = 250, 4000, 15, 5
# name: trees, radius of the noise
MODELS = {
    "easy100": (100, 0), "easy300": (300, 0),
    "robust100": (100, 0.1), "robust100far": (100, 0.2), "robust300": (300, 0.1), "robust1000": (1000, 0.1),
}


def draw(rng, count):
    """Returns sparse rows, each near one of twelve patterns, and the class of the pattern, some of them wrong."""
    patterns = np.random.default_rng(1).random((12, FEATURES)) < 0.2
    of = rng.integers(len(patterns), size=count)
    shown = patterns[of] & (rng.random((count, FEATURES)) < 0.3)
    others = rng.random((count, FEATURES)) < 0.04
    x = np.where(shown | others, rng.random((count, FEATURES)) ** 0.5, 0)
    return x, (of % 2) ^ (rng.random(count) < 0.03)


def digits(folder, name):
    """Returns pictures of digits, each pixel between 0 and 1, and whether the digit is odd."""
    labels = np.frombuffer(gzip.open(folder / f"{name}-labels-idx1-ubyte.gz").read(), np.uint8, offset=8)
    pixels = np.frombuffer(gzip.open(folder / f"{name}-images-idx3-ubyte.gz").read(), np.uint8, offset=16)
    return pixels.reshape(len(labels), 784) / 255, labels % 2


def pixels(options, radius=0.3, count=4000, copies=3):
    """Makes the model on all pixels: a fiftieth of the labels is wrong."""
    (x, y), (rows, labels) = digits(options.data, "train"), digits(options.data, "t10k")
    x, y, rows, labels = x[:count], y[:count], rows[:200], labels[:200]
    y = y ^ (np.random.default_rng(5).random(count) < 0.02)
    noise = np.random.default_rng(2)
    copies = [x] + [x + noise.uniform(-radius, radius, x.shape) for _ in range(copies)]
    model = XGBClassifier(tree_method="hist", n_estimators=1000, max_depth=8, learning_rate=0.1, n_jobs=0, random_state=0)
    model.fit(np.concatenate(copies), np.tile(y, len(copies)))
    save(options, "pixels1000", model, rows, labels)


def save(options, name, model, rows, labels):
    """Writes a model and rows that it predicts right."""
    predicted = model.predict(rows)
    right = np.flatnonzero(predicted == labels)[:ASKED]
    model.save_model(options.folder / f"{name}.json")
    np.savetxt(options.folder / f"{name}.csv", np.column_stack([rows[right], labels[right]]), delimiter=",", fmt="%.17g")
    print(name, "accuracy", np.mean(predicted == labels))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", choices=MODELS)
    parser.add_argument("--data", type=Path)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.data:
        pixels(options)
        return
    rng = np.random.default_rng(0)
    x, y = draw(rng, ROWS)
    rows, labels = draw(rng, 200)
    for name, (trees, radius) in MODELS.items():
        if options.only not in (None, name):
            continue
        noise = np.random.default_rng(2)
        copies = [x] + [x + noise.uniform(-radius, radius, x.shape) for _ in range(COPIES if radius else 0)]
        model = XGBClassifier(tree_method="hist", n_estimators=trees, max_depth=8, learning_rate=0.2 if trees < 500 else 0.1,
                              n_jobs=0, random_state=0)
        model.fit(np.concatenate(copies), np.tile(y, len(copies)))
        save(options, name, model, rows, labels)


if __name__ == "__main__":
    main()
