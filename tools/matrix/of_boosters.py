"""Kinds of XGBoost, LightGBM and CatBoost."""
import json
import os

import numpy as np

from . import tables
from .evaluate import softmax
from .given import Given, column, matrix, table
from .kinds import add, data

SETS = {"draw": tables.mixed, "codes": tables.CODES}


def two(shares):
    """Returns the probabilities of two classes by that of label 1."""
    return np.stack([1 - shares, shares], 1) if shares.ndim == 1 else shares


def labels_of(shares):
    return lambda z: two(shares(z)).argmax(1)


def xgboost(name, classes=2, draw=tables.numbers, holes=0.0, codes=None, short=False, file="model.json", evaluated=False, **how):
    """Adds a kind of XGBoost's wrappers."""
    def make(folder, seed):
        import xgboost as xgb

        x, y, rows = data(draw, classes, seed, holes)
        shape = table(codes) if codes else matrix
        if codes:
            how.update(enable_categorical=True, tree_method="hist")
        model = (xgb.XGBClassifier if classes else xgb.XGBRegressor)(**{"n_estimators": 6, "max_depth": 3, "n_jobs": 1, "random_state": 0, **how})
        more = {"eval_set": [(shape(x[:99]), y[:99][::-1])], "verbose": False} if evaluated else {}
        model.fit(shape(x), y, **more)
        path = os.path.join(folder, file)
        model.save_model(path)
        return Given(
            path, classes, x, rows, shape, model.predict, lambda z: column(model.predict(z, output_margin=bool(classes))),
            model.predict_proba if classes else None, model, codes or {}, sums=lambda z: column(model.predict(z, output_margin=True)))
    add("XGBoost", name, make, short)


def booster(name, objective, classes=2, short=False, **how):
    """Adds a kind of XGBoost's boosters. One that predicts labels has the probabilities of its sums."""
    def make(folder, seed):
        import xgboost as xgb

        x, y, rows = data(tables.numbers, classes, seed)
        more = {"num_class": classes} if classes > 2 else {}
        model = xgb.train({"objective": objective, "max_depth": 3, "nthread": 1, "seed": 0, **more, **how}, xgb.DMatrix(x, y), 6)
        path = os.path.join(folder, "model.json")
        model.save_model(path)
        found, sums = (lambda z, margin=margin: model.predict(xgb.DMatrix(z), output_margin=margin) for margin in (False, True))
        labels = objective == "multi:softmax"
        return Given(
            path, classes, x, rows, matrix, (lambda z: found(z).astype(int)) if labels else labels_of(found),
            lambda z: column(sums(z)), lambda z: softmax(sums(z)) if labels else two(found(z)), model)
    add("XGBoost", name, make, short)


xgboost("2", short=True)
xgboost("3", 3, gamma=0.5, short=True)
xgboost("10", 10)
xgboost("3, one round", 3, gamma=0.5, n_estimators=1, short=True)
booster("booster", "binary:logistic")
booster("booster, softmax", "multi:softmax", 3)
booster("booster, dart", "binary:logistic", booster="dart", rate_drop=0.4)
xgboost("hinge", objective="binary:hinge", short=True)
xgboost("logitraw", objective="binary:logitraw")
xgboost("base score", base_score=0.3)
xgboost("UBJSON", 3, file="model.ubj")
xgboost("early stopping", early_stopping_rounds=2, evaluated=True)
xgboost("dart", booster="dart", rate_drop=0.4, n_estimators=8, short=True)
xgboost("dart, 3", 3, booster="dart", rate_drop=0.4)
xgboost("rate_drop", rate_drop=0.4, n_estimators=8)
xgboost("forest", n_estimators=1, num_parallel_tree=8, subsample=0.7, learning_rate=1)
xgboost("forest, 3", 3, n_estimators=1, num_parallel_tree=5, subsample=0.7, learning_rate=1)
xgboost("sets", **SETS, short=True)
xgboost("sets, 3", 3, **SETS, max_cat_to_onehot=1)
xgboost("sets, missing", **SETS, holes=0.1, max_cat_to_onehot=1)
xgboost("missing", holes=0.1)
xgboost("missing, 3", 3, holes=0.1)
xgboost("regressor", 0, short=True)
xgboost("regressor, Poisson", 0, objective="count:poisson")
xgboost("regressor, sets", 0, **SETS)
xgboost("regressor, missing", 0, holes=0.1)
xgboost("gblinear", booster="gblinear")


def lightgbm(name, classes=2, draw=tables.numbers, holes=0.0, codes=None, short=False, dump=False, **how):
    """Adds a kind of LightGBM."""
    def make(folder, seed):
        import lightgbm as lgb

        x, y, rows = data(draw, classes, seed, holes)
        shape = table(codes, cut=float) if codes else matrix
        kind = lgb.LGBMClassifier if classes else lgb.LGBMRegressor
        model = kind(**{"n_estimators": 6, "num_leaves": 7, "min_child_samples": 5, "min_data_per_group": 5, "cat_smooth": 1, "n_jobs": 1, "verbose": -1, "random_state": 0, **how})
        model.fit(shape(x), y)
        path = os.path.join(folder, "model.json" if dump else "model.txt")
        if dump:
            with open(path, "w") as f:
                json.dump(model.booster_.dump_model(), f)
        else:
            model.booster_.save_model(path)
        return Given(
            path, classes, x, rows, shape, model.predict, lambda z: column(model.predict(z, raw_score=bool(classes))),
            model.predict_proba if classes else None, model, codes or {}, apart=1e-12,
            sums=(lambda z: np.log(column(model.predict(z)))) if "poisson" in how.values() else None)
    add("LightGBM", name, make, short)


RF = {"boosting_type": "rf", "bagging_freq": 1, "bagging_fraction": 0.7}
lightgbm("2", short=True)
lightgbm("3", 3, short=True)
lightgbm("10", 10)
lightgbm("dump", 3, dump=True)
lightgbm("GOSS", data_sample_strategy="goss")
lightgbm("dart", boosting_type="dart", drop_rate=0.4)
lightgbm("dart, 3", 3, boosting_type="dart", drop_rate=0.4)
lightgbm("forest", **RF, short=True)
lightgbm("forest, 3", 3, **RF)
lightgbm("sigmoid 0.5", sigmoid=0.5)
lightgbm("one against all", 3, objective="multiclassova")
lightgbm("linear leaves", linear_tree=True)
lightgbm("sets", **SETS, short=True)
lightgbm("sets, 3", 3, **SETS)
lightgbm("sets, missing", **SETS, holes=0.1)
lightgbm("missing", holes=0.1)
lightgbm("zeros missing", zero_as_missing=True)
lightgbm("regressor", 0, short=True)
lightgbm("regressor, Poisson", 0, objective="poisson")
lightgbm("regressor, forest", 0, **RF)
lightgbm("regressor, sets", 0, **SETS)


def whole(code):
    """Returns a category of CatBoost, which are whole numbers: any other is one that it does not know."""
    return int(code) if code == int(code) else 99999


def catboost(name, classes=2, draw=tables.numbers, holes=0.0, codes=None, short=False, words=False, most=10, **how):
    """Adds a kind of CatBoost. most: how many categories a one-hot feature may have."""
    def make(folder, seed):
        import catboost as cat

        x, y, rows = data(draw, classes, seed, holes)
        shape = table(codes, "code {}".format if words else whole) if codes else matrix
        if codes:
            how.update(cat_features=list(codes), one_hot_max_size=most, max_ctr_complexity=1)
        kind = cat.CatBoostClassifier if classes else cat.CatBoostRegressor
        model = kind(**{"iterations": 6, "depth": 3, "learning_rate": 0.4, "random_seed": 0, "verbose": 0, "thread_count": 1, "allow_writing_files": False, **how})
        model.fit(shape(x), y)
        path = os.path.join(folder, "model.json")
        model.save_model(path, format="json")
        return Given(
            path, classes, x, rows, shape, lambda z: np.ravel(model.predict(z)).astype(int),
            lambda z: column(model.predict(z, prediction_type="RawFormulaVal", thread_count=1)), model.predict_proba if classes else None,
            model, codes or {}, apart=1e-12)
    add("CatBoost", name, make, short)


catboost("2", short=True)
catboost("3", 3, short=True)
catboost("10", 10)
catboost("one against all", 3, loss_function="MultiClassOneVsAll")
catboost("depthwise", grow_policy="Depthwise")
catboost("lossguide", grow_policy="Lossguide", max_leaves=6)
catboost("cross entropy", loss_function="CrossEntropy")
catboost("focal", loss_function="Focal:focal_alpha=0.5;focal_gamma=0.5")
catboost("sets", **SETS, short=True)
catboost("sets, 3", 3, **SETS)
catboost("words", **SETS, words=True)
catboost("statistics", **SETS, most=1, short=True)
catboost("statistics, 3", 3, **SETS, most=1)
catboost("missing", holes=0.1)
catboost("missing, 3", 3, holes=0.1, nan_mode="Max")
catboost("regressor", 0, short=True)
catboost("regressor, sets", 0, **SETS)
catboost("regressor, statistics", 0, **SETS, most=1)
catboost("regressor, Poisson", 0, loss_function="Poisson")
