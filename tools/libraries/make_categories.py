#!/usr/bin/env python3
"""Makes models over categories of many codes with XGBoost, LightGBM and CatBoost, and says what
these predict.

    python make_categories.py make FOLDER [SEED]     100 trees of depth 6, 10 of depth 4 for a SEED below 100
    python make_categories.py predict FOLDER         their predictions

The last reads rows from standard input, {"model": [[0.5, 7], …], …}, and prints
{"model": {"Labels": [0, …], "Margins": [[-0.3], …]}, …}. rows.json of the folder has 50 rows a model.
"""
import json
import os

import catboost
import lightgbm
import numpy as np
import xgboost

import recording

TABLES = {"two": (200, 200), "four": (1000, 200, 50, 7)}
NUMBERS = 4


def data(rng, codes, count):
    """Every category has an effect of its own, and the first one bends that of a number."""
    x, score = np.empty((count, len(codes) + NUMBERS)), np.zeros(count)
    for f, n in enumerate(codes):
        x[:, f] = rng.integers(0, n, count)
        score += rng.normal(size=n)[x[:, f].astype(int)]
    z = rng.normal(size=(count, NUMBERS))
    x[:, len(codes):] = z
    score += z @ [1, -0.7, 0.5, 0.3] + 0.5 * z[:, 0] * np.sin(x[:, 0])
    return x, (score + 0.5 * rng.normal(size=count) > 0).astype(int)


def with_codes(x, count):
    table = x.astype(object)
    table[:, :count] = x[:, :count].astype(int)
    return table


def categories(x):
    """How many of the columns are categories: the others are numbers."""
    return x.shape[1] - NUMBERS


def matrix(x, y=None):
    kinds = ["c"] * categories(x) + ["q"] * NUMBERS
    return xgboost.DMatrix(x, y, feature_types=kinds, enable_categorical=True)


def make(folder, seed):
    trees, depth, count = (100, 6, 10000) if seed >= 100 else (10, 4, 3000)
    rng, rows = np.random.default_rng(seed), {}
    for name, codes in TABLES.items():
        x, y = data(rng, codes, count)
        first = os.path.join(folder, name)
        params = {"objective": "binary:logistic", "max_depth": depth, "max_cat_to_onehot": 1, "nthread": 1}
        xgboost.train(params, matrix(x, y), trees).save_model(first + "_xgboost.ubj")
        bins = {"max_bin": 1100, "num_threads": 1, "verbose": -1}
        params = {"objective": "binary", "max_depth": depth, "num_leaves": 2**depth - 1, "max_cat_threshold": 64, "min_data_per_group": 5, "cat_smooth": 1, **bins}
        table = lightgbm.Dataset(x, y, categorical_feature=list(range(len(codes))), params=bins)
        lightgbm.train(params, table, trees).save_model(first + "_lightgbm.txt")
        model = catboost.CatBoostClassifier(
            iterations=trees, depth=depth, one_hot_max_size=1100, cat_features=list(range(len(codes))),
            verbose=0, thread_count=1, allow_writing_files=False)
        model.fit(with_codes(x, len(codes)), y)
        model.save_model(first + "_catboost.json", format="json")
        model.save_model(first + "_catboost.cbm")
        rows[name] = x[:50].tolist()
    json.dump(rows, open(os.path.join(folder, "rows.json"), "w"))


def predict(name, path, x):
    x = np.array(x)
    if "xgboost" in name:
        margins = xgboost.Booster(model_file=path + ".ubj").predict(matrix(x), output_margin=True)
    elif "lightgbm" in name:
        margins = lightgbm.Booster(model_file=path + ".txt").predict(x, raw_score=True)
    else:
        model = catboost.CatBoostClassifier().load_model(path + ".cbm")
        margins = model.predict(with_codes(x, categories(x)), prediction_type="RawFormulaVal", thread_count=1)
    return (margins > 0).astype(int), margins


if __name__ == "__main__":
    recording.main(None, make, predict)
