#!/usr/bin/env python3
"""Makes models of XGBoost, and prints XGBoost's predictions. Needs xgboost, scikit-learn and numpy.

    python make_xgboost.py record xgboost3          internal/modelfile/testdata/xgboost3 anew, which version 3.2 wrote
    python make_xgboost.py record xgboost34 dart,drop  and xgboost34 of version 3.4, which writes models with these names otherwise
    python make_xgboost.py make FOLDER [SEED]       the same kinds of models, from other data, as JSON and as UBJSON
    python make_xgboost.py predict FOLDER           rows from standard input, by name of a model; labels and margins to standard output

Rows are lists of numbers, null for a missing value. Categories are codes 0, 1, 2, …
"""
import json
import os
import sys

import numpy as np
import xgboost as xgb

import recording


def data(rng, classes=2, missing=0.0, codes=()):
    x, y = recording.data(rng, classes, 240, codes, [1, 2, 5, 8])
    x[rng.random(x.shape) < missing] = np.nan
    return x, y


def models(seed):
    """Models by name."""
    rng = np.random.default_rng(seed)

    def train(name, classes=2, missing=0.0, codes=(), rounds=8, weighted=False, **params):
        x, y = data(rng, classes, missing=missing, codes=codes)
        objective = "reg:squarederror" if not classes else "binary:logistic" if classes == 2 else "multi:softprob"
        params = {"objective": objective, "max_depth": 3, "eta": 0.5, "seed": seed, "nthread": 1, "tree_method": "hist", **params}
        if classes > 2:
            params["num_class"] = classes
        types = ["c"] * len(codes) + ["q"] * (x.shape[1] - len(codes))
        weights = rng.random(len(y)) * 3 if weighted else None
        return name, xgb.train(params, xgb.DMatrix(x, y, weight=weights, feature_types=types, enable_categorical=True), rounds)

    sets, one_hot = {"codes": (12, 5), "max_cat_to_onehot": 1}, {"codes": (12, 5), "max_cat_to_onehot": 100}
    yield train("depth3")
    yield train("exact_depth5", max_depth=5, tree_method="exact", gamma=0.5)
    yield train("base_score", base_score=0.77)
    yield train("weights", weighted=True)
    yield train("missing", missing=0.2)
    yield train("hinge", objective="binary:hinge")
    yield train("three", classes=3, rounds=4)
    yield train("four_softmax_missing", classes=4, missing=0.1, rounds=4, objective="multi:softmax")
    yield train("forest", rounds=1, num_parallel_tree=7, subsample=0.6, colsample_bynode=0.6, eta=1.0)
    yield train("forest_three", classes=3, rounds=2, num_parallel_tree=3, subsample=0.6)
    yield train("dart", booster="dart", rate_drop=0.3, rounds=12)
    yield train("dart_three", classes=3, booster="dart", rate_drop=0.3, normalize_type="forest")
    yield train("sets", **sets)
    yield train("sets_missing", missing=0.2, **sets)
    yield train("sets_three", classes=3, rounds=4, **sets)
    yield train("one_hot", **one_hot)
    yield train("one_hot_missing", missing=0.2, **one_hot)
    yield train("dart_sets", booster="dart", rate_drop=0.3, **sets)
    yield train("regressor", classes=0)
    x, y = data(rng)
    early = xgb.XGBClassifier(n_estimators=60, learning_rate=0.7, max_depth=3, early_stopping_rounds=3, n_jobs=1)
    yield "early", early.fit(x[:160], y[:160], eval_set=[(x[160:], y[160:])], verbose=False)
    yield train("regressor_sets", classes=0, **sets)
    yield train("certain", base_score=1e-9, min_child_weight=0, max_delta_step=2, rounds=16)
    for classes in 2, 3:  # a wrapper predicts dart with another rounding than a booster
        x, y = data(rng, classes)
        yield f"wrapped_dart_{classes}", xgb.XGBClassifier(n_estimators=12, max_depth=3, booster="dart", rate_drop=0.3, n_jobs=1).fit(x, y)
    yield train("dropout", rate_drop=0.3, rounds=12)  # which needs no dart since version 3.3


def predict(name, path, x):
    """Labels, None for a regressor, and margins."""
    if name.startswith(("early", "wrapped")):
        classifier = xgb.XGBClassifier()
        classifier.load_model(path)
        return classifier.predict(x), classifier.predict(x, output_margin=True)
    booster = xgb.Booster(model_file=path)
    rows = xgb.DMatrix(x, feature_types=booster.feature_types, enable_categorical=True)
    margins, out = booster.predict(rows, output_margin=True), booster.predict(rows)
    if "regressor" in name:
        return None, out
    if "softmax" in name:
        return out.astype(int), margins
    return np.argmax(out, axis=1) if out.ndim > 1 else (out > 0.5).astype(int), margins


def cuts(document):
    """The thresholds of each feature, and how many codes it has at least."""
    learner = document["learner"]
    thresholds = [[] for _ in range(int(learner["learner_model_param"]["num_feature"]))]
    codes = [0] * len(thresholds)
    booster = learner["gradient_booster"]
    for t in booster.get("gbtree", booster)["model"]["trees"]:
        for left, f, cut, kind in zip(t["left_children"], t["split_indices"], t["split_conditions"], t["split_type"]):
            if left >= 0 and kind == 0:
                thresholds[f].append(float(np.float32(cut)))
        for node, begin, size in zip(t["categories_nodes"], t["categories_segments"], t["categories_sizes"]):
            f = t["split_indices"][node]
            codes[f] = max([codes[f]] + [c + 1 for c in t["categories"][begin : begin + size]])
    return thresholds, codes if any(codes) else None


def record():
    folder, records = os.path.join(recording.TESTDATA, sys.argv[2]), []
    parts = sys.argv[3].split(",") if len(sys.argv) > 3 else [""]
    os.makedirs(folder, exist_ok=True)
    for number, (name, model) in enumerate((name, model) for name, model in models(1) if any(part in name for part in parts)):
        path = os.path.join(folder, name + ".json")
        model.save_model(path)
        thresholds, codes = cuts(json.load(open(path)))
        file = path
        if number % 2 or codes:  # half of the numbers, and all sets, are of UBJSON
            file = path[: -len("json")] + "ubj"
            model.save_model(file)
        special = [np.nan] if "missing" in name else []
        records.append(recording.record(name, os.path.basename(file) + ".gz", thresholds, lambda x: predict(name, file, x), special, codes))
        recording.zipped(file, open(file, "rb").read())
        for made in {path, file}:
            os.remove(made)
    recording.save(sys.argv[2], records)


def make(folder, seed):
    for name, model in models(seed):
        for ending in ".json", ".ubj":
            model.save_model(os.path.join(folder, name + ending))


if __name__ == "__main__":
    recording.main(record, make, lambda name, path, x: predict(name, path + ".ubj", x))
