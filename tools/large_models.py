#!/usr/bin/env python3
"""Makes the models and rows that the benchmarks of large ensembles use (attack/large_bench_test.go).

    python3 -m venv venv && venv/bin/pip install scikit-learn xgboost
    venv/bin/python tools/large_models.py --data "$FACET_DATA" work/large       (some minutes)
    FACET_LARGE=$PWD/work/large go test -run '^$' -bench Large -benchtime 1x -cpu 1 ./attack

classification.csv is 5,020 rows of make_classification, of which the last 20 are attacked. softmax2.json to softmax20.json are XGBoost with
2, 5, 10 and 20 classes, 60 rounds, and rows of the same kind. digits.json is XGBoost on MNIST, 10 classes
and 2,000 trees; oneseven.json is 1,000 trees on the digits 1 and 7; their rows are the first test images. pixels.csv is 2,020 images of 1 and 7,
of which the last 20 are attacked. Labels are the last column; pixels are k/255.
"""
import argparse
import gzip
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification
from xgboost import XGBClassifier

HEADS = {"images": 16, "labels": 8}  # bytes before the first image, the first label


def mnist(folder, part):
    """Returns images, as rows of k/255, and labels."""
    def body(kind, dim):
        with gzip.open(folder / f"{part}-{kind}-idx{dim}-ubyte.gz") as file:
            return np.frombuffer(file.read(), dtype=np.uint8, offset=HEADS[kind])
    return body("images", 3).reshape(-1, 784) / 255, body("labels", 1).astype(int)


def write(file, x, y):
    np.savetxt(file, np.column_stack([x, y]), delimiter=",", fmt="%.17g")


def train(file, x, y, **options):
    XGBClassifier(tree_method="hist", n_jobs=0, random_state=0, **options).fit(x, y).save_model(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--data", type=Path, required=True, help="the folder of MNIST's four files")
    options = parser.parse_args()
    out = options.folder
    out.mkdir(parents=True, exist_ok=True)

    x, y = make_classification(5020, 20, n_informative=10, random_state=0)
    write(out / "classification.csv", x, y)

    for classes in 2, 5, 10, 20:
        x, y = make_classification(4020, 20, n_informative=12, n_classes=classes, n_clusters_per_class=1, class_sep=1.5, random_state=0)
        train(out / f"softmax{classes}.json", x[:4000], y[:4000], n_estimators=60, max_depth=5, learning_rate=0.2,
              objective="multi:softprob", num_class=classes)
        write(out / f"softmax{classes}.csv", x[4000:], y[4000:])

    x, y = mnist(options.data, "train")
    test, labels = mnist(options.data, "t10k")
    train(out / "digits.json", x, y, n_estimators=200, max_depth=6)
    write(out / "digits.csv", test[:20], labels[:20])

    pair, asked = np.isin(y, [1, 7]), np.isin(labels, [1, 7])
    train(out / "oneseven.json", x[pair], (y[pair] == 7).astype(int), n_estimators=1000, max_depth=4, learning_rate=0.1)
    write(out / "oneseven.csv", test[asked][:50], labels[asked][:50] == 7)
    write(out / "pixels.csv", x[pair][:2020], y[pair][:2020])


if __name__ == "__main__":
    main()
