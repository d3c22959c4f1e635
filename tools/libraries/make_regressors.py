"""Trains regressors of XGBoost and LightGBM of every objective that facet reads, and asks the libraries for outputs.

    python3 tools/libraries/make_regressors.py make FOLDER SEED
    python3 tools/libraries/make_regressors.py predict FOLDER < rows.json

The first writes models to a folder, the second answers with what they predict on rows, {"name": [[…], …], …}.
"""
import json
import os
import sys

import lightgbm
import numpy as np
import xgboost

XGBOOST = {
    "reg:squarederror": {}, "reg:squaredlogerror": {}, "reg:pseudohubererror": {}, "reg:absoluteerror": {}, "reg:quantileerror": {"quantile_alpha": 0.3},
    "reg:logistic": {}, "count:poisson": {}, "reg:gamma": {}, "reg:tweedie": {}, "rank:pairwise": {},
}
LIGHTGBM = {
    "regression": {}, "regression_l1": {}, "huber": {}, "fair": {}, "quantile": {"alpha": 0.3}, "mape": {}, "poisson": {}, "gamma": {}, "tweedie": {},
    "cross_entropy": {}, "regression_sqrt": {"reg_sqrt": True}, "regression_rf": {"boosting": "rf", "bagging_fraction": 0.5, "bagging_freq": 1},
}


def data(seed, objective):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(1500, 4)).astype(np.float32)
    y = np.abs(x[:, 0] + x[:, 1] * x[:, 2] + 0.2 * rng.normal(size=len(x))) + 0.1
    if objective in ("reg:logistic", "cross_entropy"):
        y = 1 / (1 + np.exp(1 - y))
    if objective in ("count:poisson", "poisson", "rank:pairwise"):
        y = np.round(y)
    x[rng.random(x.shape) < 0.05] = np.nan
    return x, y


def models(seed):
    """Yields names, models and the ending of their files."""
    for objective, more in XGBOOST.items():
        x, y = data(seed, objective)
        train = xgboost.DMatrix(x, y)
        if objective.startswith("rank"):
            train.set_group([15] * 100)
        parameters = {"objective": objective, "max_depth": 3, "eta": 0.2, "seed": seed, "nthread": 1, **more}
        yield "regressor_missing_xgboost_" + objective.replace(":", "_"), xgboost.train(parameters, train, 20), ".json"
    for name, more in LIGHTGBM.items():
        x, y = data(seed, name)
        parameters = {"objective": "regression" if "regression_" in name and name != "regression_l1" else name, "num_leaves": 7,
                      "seed": seed, "num_threads": 1, "deterministic": True, "verbose": -1, **more}
        yield "regressor_missing_lightgbm_" + name, lightgbm.train(parameters, lightgbm.Dataset(x, y), 20), ".txt"


def predict(path, x):
    if "xgboost" in path:
        return xgboost.Booster(model_file=path + ".json").predict(xgboost.DMatrix(x.astype(np.float32)))
    return lightgbm.Booster(model_file=path + ".txt").predict(x, num_threads=1)


def main():
    folder = sys.argv[2]
    if sys.argv[1] == "make":
        for name, model, ending in models(int(sys.argv[3])):
            model.save_model(os.path.join(folder, name + ending))
        return
    answers = {}
    for name, rows in json.load(sys.stdin).items():
        if rows:
            x = np.array([[np.nan if v is None else v for v in row] for row in rows])
            with np.errstate(over="ignore"):
                answers[name] = {"Margins": predict(os.path.join(folder, name), x).astype(float).reshape(-1, 1).tolist()}
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
