#!/usr/bin/env python3
"""Makes models of LightGBM, and prints LightGBM's predictions. Needs lightgbm and numpy.

    python make_lightgbm.py record                  internal/modelfile/testdata/lightgbm4 anew
    python make_lightgbm.py make FOLDER [SEED]      the same kinds of models, from other data, as text and as dumps
    python make_lightgbm.py predict FOLDER          rows from standard input, by name of a model; labels and sums to standard output

Rows are lists of numbers, null for a missing value. Categories are codes 0, 1, 2, …
"""
import json
import os

import lightgbm as lgb
import numpy as np

import recording

ZERO = float(np.float32(1e-35))  # up to which an input counts as 0
AROUND_ZERO = [0.0, 1e-36, -1e-36] + [s * float(v) for v in (ZERO, np.nextafter(ZERO, 1), np.nextafter(ZERO, 0)) for s in (1, -1)]


def data(rng, classes, missing, codes):
    x, y = recording.data(rng, classes, 300, codes, [1, 2, 5, 33], digits=1, zeros=0.25)
    x[rng.random(x.shape) < missing] = np.nan
    return x, y


def models(seed):
    """Models by name."""
    rng = np.random.default_rng(seed)

    def train(name, classes=2, missing=0.0, codes=(), rounds=8, weighted=False, **params):
        x, y = data(rng, classes, missing, codes)
        params = {
            "objective": "regression" if not classes else "binary" if classes == 2 else "multiclass", "num_leaves": 7, "learning_rate": 0.4,
            "min_data_in_leaf": 3, "min_data_per_group": 3, "cat_smooth": 1, "cat_l2": 1, "seed": seed, "num_threads": 1, "verbose": -1, "deterministic": True, **params,
        }
        if classes > 2:
            params["num_class"] = classes
        weights = rng.random(len(y)) * 3 if weighted else None
        rows = lgb.Dataset(x, y, weight=weights, categorical_feature=list(range(len(codes))) or "auto", params=params)
        valid = {}
        if name == "early":
            valid = {"valid_sets": [lgb.Dataset(x[:90] + 0.2, y[:90], reference=rows)], "callbacks": [lgb.early_stopping(2, verbose=False)]}
        return name, lgb.train(params, rows, 60 if valid else rounds, **valid)

    sets, one_hot = {"codes": (40, 5), "max_cat_to_onehot": 1}, {"codes": (12, 5), "max_cat_to_onehot": 64}
    forest = {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.7}
    yield train("leaves7")
    yield train("leaves20", num_leaves=20, rounds=4)
    yield train("weights", weighted=True)
    yield train("sigmoid", sigmoid=0.7)
    yield train("missing", missing=0.2)
    yield train("unused_missing", missing=0.2, use_missing=False)
    yield train("three", classes=3, rounds=4)
    yield train("four_missing", classes=4, missing=0.1, rounds=4)
    yield train("forest", **forest)
    yield train("forest_sigmoid", sigmoid=2.5, **forest)
    yield train("dart", boosting="dart", drop_rate=0.4, rounds=12)
    yield train("goss", boosting="goss")
    yield train("zero_missing", missing=0.1, zero_as_missing=True)
    yield train("zero_three_missing", classes=3, missing=0.1, rounds=4, zero_as_missing=True)
    yield train("sets", **sets)
    yield train("sets_missing", missing=0.2, **sets)
    yield train("sets_three", classes=3, rounds=4, **sets)
    yield train("one_hot", **one_hot)
    yield train("zero_sets_missing", missing=0.1, zero_as_missing=True, **sets)
    yield train("forest_sets", **forest, **sets)
    yield train("regressor", classes=0)
    yield train("early")
    yield train("regressor_sets", classes=0, **sets)
    yield train("custom_logistic", objective=own)
    yield train("custom_softmax_three", classes=3, rounds=4, objective=own)


def own(sums, rows):
    """An objective that LightGBM does not know: of squares, so that it is quickly computed."""
    labels = rows.get_label()
    wanted = np.eye(sums.shape[1])[labels.astype(int)] if sums.ndim > 1 else labels
    return sums - 2 * wanted + 1, np.ones_like(sums)


def predict(name, path, x):
    """Labels, None for a regressor, and sums."""
    booster = lgb.Booster(model_file=path)
    sums, out = booster.predict(x, raw_score=True), booster.predict(x)
    if "regressor" in name:
        return None, out
    if "custom" in name:  # predicts its sums
        return np.argmax(sums, axis=1) if out.ndim > 1 else (sums > 0).astype(int), sums
    return np.argmax(out, axis=1) if out.ndim > 1 else (out > 1 - out).astype(int), sums


def cuts(document):
    """The thresholds of each feature, and how many codes it has at least."""
    thresholds = [[] for _ in document["feature_names"]]
    codes = [1 + max([-1] + document["feature_infos"].get(name, {"values": []})["values"]) for name in document["feature_names"]]

    def add(node):
        if "split_feature" in node:
            if node["decision_type"] == "<=" and node["threshold"] < 1e300:
                thresholds[node["split_feature"]].append(node["threshold"])
            add(node["left_child"])
            add(node["right_child"])

    for tree in document["tree_info"]:
        add(tree["tree_structure"])
    return thresholds, codes if any(codes) else None


def record():
    folder, records = os.path.join(recording.TESTDATA, "lightgbm4"), []
    os.makedirs(folder, exist_ok=True)
    for number, (name, model) in enumerate(models(1)):
        if "custom" in name:  # which is read by a vote that the file does not have
            continue
        path, document = os.path.join(folder, name + ".txt"), model.dump_model()
        model.save_model(path)
        thresholds, codes = cuts(document)
        special = AROUND_ZERO + ([np.nan] if "missing" in name else [])
        file = name + (".json" if number % 3 == 2 else ".txt")  # a third are dumps
        records.append(recording.record(name, file + ".gz", thresholds, lambda x: predict(name, path, x), special, codes))
        text = json.dumps(document) if number % 3 == 2 else open(path).read()
        recording.zipped(os.path.join(folder, file), text.encode())
        os.remove(path)
    recording.save("lightgbm4", records)


def make(folder, seed):
    for name, model in models(seed):
        model.save_model(os.path.join(folder, name + ".txt"))
        json.dump(model.dump_model(), open(os.path.join(folder, name + ".json"), "w"))


if __name__ == "__main__":
    recording.main(record, make, lambda name, path, x: predict(name, path + ".txt", x))
