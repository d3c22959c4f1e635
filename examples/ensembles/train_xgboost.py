#!/usr/bin/python3
"""Trains an XGBoost model on the rows that the program beside this file writes.

    go run ./examples/ensembles -dump out/mnist17
    python3 examples/ensembles/train_xgboost.py out/mnist17 out/xgboost.json
    go run ./examples/ensembles -model out/xgboost.json

200 trees of depth at most 6, other parameters as XGBoost sets them, one thread and
seed 0: the same rows give the same model. Needs numpy and xgboost (1.7 was tried).
"""
import argparse
import os
import sys

import numpy as np
import xgboost


def load(folder, part):
    x = np.load(os.path.join(folder, part + "_x.npy"))
    y = np.load(os.path.join(folder, part + "_y.npy"))
    return xgboost.DMatrix(x, label=y, nthread=1), y


def train(folder, model, trees, depth):
    rows, _ = load(folder, "train")
    parameters = {
        "objective": "binary:logistic", "max_depth": depth,
        "tree_method": "exact", "seed": 0, "nthread": 1,
    }
    booster = xgboost.train(parameters, rows, num_boost_round=trees)
    booster.save_model(model)
    test, y = load(folder, "test")
    accuracy = np.mean((booster.predict(test) > 0.5) == y)
    print(f"{trees} trees of depth at most {depth} written to {model}, test accuracy {accuracy:.4g}")


def main():
    parser = argparse.ArgumentParser(description="Trains an XGBoost model on the rows that ensembles -dump wrote.")
    parser.add_argument("rows", help="the folder of -dump")
    parser.add_argument("model", help="file to write, its name ending in .json")
    parser.add_argument("--trees", type=int, default=200)
    parser.add_argument("--depth", type=int, default=6)
    flags = parser.parse_args()
    if not flags.model.endswith(".json"):
        parser.error(f"{flags.model}: the name must end in .json, which is the format to write")
    try:
        train(flags.rows, flags.model, flags.trees, flags.depth)
    except (OSError, ValueError, xgboost.core.XGBoostError) as err:
        sys.exit(f"train_xgboost: {err}")


if __name__ == "__main__":
    main()
