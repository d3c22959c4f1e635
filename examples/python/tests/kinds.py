"""Models of all kinds on generated rows: a dict of functions, each of which fits one and returns it with rows."""
import importlib

import numpy as np
import pandas as pd
from sklearn import ensemble, neighbors, tree
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, OrdinalEncoder, StandardScaler

N = 400


def numbers(missing=False):
    """A data frame of numbers whose index is of strings."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(N, 5)), columns=["age", "monthly income", "debt", "ratio", "score"])
    X["score"] *= 1000
    if missing:
        X = X.mask(rng.random(X.shape) < 0.1)
    X.index = [f"customer {i}" for i in range(N)]
    return X


def mixed(missing=False):
    """A data frame of numbers, a boolean, and categories that are words and whole numbers."""
    rng = np.random.default_rng(1)
    X = numbers(missing)[["age", "score"]]
    X["owner"] = rng.random(N) < 0.5
    X["colour"] = pd.Categorical(rng.choice(["red", "green", "blue", "white"], N), categories=["red", "green", "blue", "white", "black"])
    X["rooms"] = pd.Categorical(rng.choice([2, 5, 9], N))
    return X


def words(X, labels=("no", "yes")):
    """Labels that depend on all features."""
    total = sum(column.cat.codes % 2 if isinstance(column.dtype, pd.CategoricalDtype) else (column.astype(float).fillna(0.3) / column.astype(float).std()) for _, column in X.items())
    return np.array(labels)[np.digitize(total, np.quantile(total, np.linspace(0, 1, len(labels) + 1)[1:-1]))]


THREE = ("high", "low", "middle")
KINDS = {}


def kind(name, rows=numbers, labels=("no", "yes"), needs="sklearn", **how):
    """Adds a kind of models that a function of no arguments makes."""
    def add(make):
        def fit():
            importlib.import_module(needs)
            X = rows(**how)
            return make().fit(X, words(X, labels)), X
        KINDS[name] = fit
        return make
    return add


def forest(**how):
    return ensemble.RandomForestClassifier(10, max_depth=6, random_state=0, **how)


def columns(encoder, **how):
    return make_column_transformer((StandardScaler(), ["age", "score"]), (encoder, ["colour", "rooms"]), ("passthrough", ["owner"]), **how)


kind("tree")(lambda: tree.DecisionTreeClassifier(max_depth=6, random_state=0))
kind("tree of numbers for labels", labels=(-1, 5, 7))(lambda: tree.DecisionTreeClassifier(max_depth=6, random_state=0))
kind("tree of booleans for labels", labels=(False, True))(lambda: tree.DecisionTreeClassifier(max_depth=6, random_state=0))
kind("forest", labels=THREE)(forest)
kind("forest of booleans", rows=lambda: numbers().assign(owner=lambda X: X.age > X.debt))(forest)
kind("extra trees")(lambda: ensemble.ExtraTreesClassifier(10, max_depth=6, random_state=0))
kind("gradient boosting")(lambda: ensemble.GradientBoostingClassifier(n_estimators=15, random_state=0))
kind("gradient boosting of three", labels=THREE)(lambda: ensemble.GradientBoostingClassifier(n_estimators=8, random_state=0))
kind("histograms", labels=THREE)(lambda: ensemble.HistGradientBoostingClassifier(max_iter=8))
kind("histograms with missing values", missing=True)(lambda: ensemble.HistGradientBoostingClassifier(max_iter=15))
kind("bagging")(lambda: ensemble.BaggingClassifier(tree.DecisionTreeClassifier(max_depth=5), 8, random_state=0))
kind("bagging of forests")(lambda: ensemble.BaggingClassifier(ensemble.RandomForestClassifier(4, max_depth=5), 3, random_state=0))
kind("adaboost")(lambda: ensemble.AdaBoostClassifier(tree.DecisionTreeClassifier(max_depth=2), n_estimators=8, random_state=0))
kind("soft voting")(lambda: ensemble.VotingClassifier([("a", forest()), ("b", tree.DecisionTreeClassifier(max_depth=4))], voting="soft"))
kind("hard voting")(lambda: ensemble.VotingClassifier([(str(d), tree.DecisionTreeClassifier(max_depth=d)) for d in (2, 4, 6)]))
kind("nearest neighbour")(lambda: neighbors.KNeighborsClassifier(1, algorithm="kd_tree"))
kind("neighbours", labels=THREE)(lambda: neighbors.KNeighborsClassifier(3, algorithm="kd_tree"))
kind("scaled tree")(lambda: make_pipeline(StandardScaler(), tree.DecisionTreeClassifier(max_depth=6, random_state=0)))
kind("scaled forest")(lambda: make_pipeline(MinMaxScaler(), forest()))
kind("search")(lambda: GridSearchCV(forest(), {"max_depth": [3, 5]}, cv=2))
kind("one-hot columns", rows=mixed)(lambda: make_pipeline(columns(OneHotEncoder()), forest()))
kind("ordinal columns", rows=mixed)(lambda: make_pipeline(columns(OrdinalEncoder()), forest()))
kind("one-hot columns of three", rows=mixed, labels=THREE)(lambda: make_pipeline(columns(OneHotEncoder(handle_unknown="ignore")), ensemble.GradientBoostingClassifier(n_estimators=6)))


def boosted(library, name, **how):
    return lambda: getattr(importlib.import_module(library), name)(**how)


class Numbered:
    """A classifier of XGBoost, whose labels are 0, 1, …, perhaps after steps of a pipeline."""

    def __init__(self, *steps, **how):
        self.steps, self.how = steps, how

    def fit(self, X, y):
        model = importlib.import_module("xgboost").XGBClassifier(n_estimators=10, max_depth=4, **self.how)
        return (make_pipeline(*self.steps, model) if self.steps else model).fit(X, np.unique(y, return_inverse=True)[1])


class Made:
    """What is made of a fitted model: a booster, or the same model in another format."""

    def __init__(self, make, of):
        self.make, self.of = make, of

    def fit(self, X, y):
        return self.make(self.of().fit(X, y), X)


def to_onnx(model, X):
    return importlib.import_module("skl2onnx").to_onnx(model, X[:1].to_numpy(np.float32), options={"zipmap": False})


def labels(model, rows):
    """Returns what a model predicts, by its own library."""
    made, name = type(model).__module__.split(".")[0], type(model).__name__
    if name == "ModelProto":
        session = importlib.import_module("onnxruntime").InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        return session.run(None, {session.get_inputs()[0].name: rows.to_numpy(np.float32)})[0]
    if name == "CatBoost":
        return np.ravel(model.predict(rows, prediction_type="Class"))
    if name == "Booster":
        shares = model.predict(importlib.import_module("xgboost").DMatrix(rows, enable_categorical=True) if made == "xgboost" else rows)
        return shares.argmax(axis=1) if shares.ndim > 1 else (shares > 0.5).astype(int)
    return np.ravel(model.predict(rows))


def sampled(*steps):
    """A pipeline of imbalanced-learn, which draws rows to train with."""
    draw = importlib.import_module("imblearn.under_sampling").RandomUnderSampler(random_state=0)
    return importlib.import_module("imblearn.pipeline").make_pipeline(draw, *steps)


class Sampled:
    """XGBoost, which takes labels 0, 1, … alone, in such a pipeline."""

    def fit(self, X, y):
        return sampled(importlib.import_module("xgboost").XGBClassifier(n_estimators=10, max_depth=4)).fit(X, np.unique(y, return_inverse=True)[1])


kind("imblearn, a forest", needs="imblearn")(lambda: sampled(StandardScaler(), forest()))
kind("imblearn, balanced trees", needs="imblearn")(
    lambda: importlib.import_module("imblearn.ensemble").BalancedBaggingClassifier(n_estimators=5, random_state=0))
kind("imblearn, xgboost", needs="imblearn")(Sampled)
kind("xgboost", needs="xgboost")(lambda: Numbered())
kind("xgboost of three", labels=THREE, needs="xgboost")(lambda: Numbered())
kind("xgboost with missing values", needs="xgboost", missing=True)(lambda: Numbered())
kind("xgboost, dart", needs="xgboost")(lambda: Numbered(booster="dart", rate_drop=0.3))
kind("xgboost with categories", rows=mixed, needs="xgboost")(lambda: Numbered(enable_categorical=True, tree_method="hist"))
kind("xgboost, scaled", needs="xgboost", missing=True)(lambda: Numbered(StandardScaler(), MinMaxScaler()))
kind("xgboost, scaled rows without gaps", needs="xgboost", missing=True)(lambda: Numbered(SimpleImputer(), StandardScaler()))
kind("xgboost of one-hot columns", rows=mixed, needs="xgboost")(lambda: Numbered(columns(OneHotEncoder(handle_unknown="ignore"))))
kind("xgboost of a sparse matrix", rows=mixed, needs="xgboost")(lambda: Numbered(columns(OneHotEncoder(), sparse_threshold=1)))
kind("xgboost, a booster", needs="xgboost")(lambda: Made(lambda model, X: model.get_booster(), Numbered))
kind("xgboost with categories, a booster", rows=mixed, needs="xgboost")(
    lambda: Made(lambda model, X: model.get_booster(), lambda: Numbered(enable_categorical=True, tree_method="hist")))
kind("lightgbm", needs="lightgbm")(boosted("lightgbm", "LGBMClassifier", n_estimators=10, verbose=-1))
kind("lightgbm of three", labels=THREE, needs="lightgbm")(boosted("lightgbm", "LGBMClassifier", n_estimators=6, verbose=-1))
kind("lightgbm with categories", rows=mixed, needs="lightgbm", missing=True)(boosted("lightgbm", "LGBMClassifier", n_estimators=10, verbose=-1, min_data_per_group=5))
kind("lightgbm, a forest", needs="lightgbm")(boosted("lightgbm", "LGBMClassifier", n_estimators=8, boosting_type="rf", bagging_freq=1, bagging_fraction=0.7, verbose=-1))
kind("lightgbm of one-hot columns", rows=mixed, labels=THREE, needs="lightgbm")(
    lambda: make_pipeline(columns(OneHotEncoder(), sparse_threshold=1), boosted("lightgbm", "LGBMClassifier", n_estimators=6, verbose=-1)()))
kind("lightgbm, scaled", needs="lightgbm", missing=True)(
    lambda: make_pipeline(StandardScaler(), boosted("lightgbm", "LGBMClassifier", n_estimators=10, zero_as_missing=True, verbose=-1)()))
kind("lightgbm, a booster", labels=THREE, needs="lightgbm")(
    lambda: Made(lambda model, X: model.booster_, boosted("lightgbm", "LGBMClassifier", n_estimators=6, verbose=-1)))
kind("catboost, a base class", needs="catboost")(
    boosted("catboost", "CatBoost", params=dict(loss_function="Logloss", iterations=10, depth=4, verbose=0, allow_writing_files=False)))
kind("catboost of one-hot columns", rows=mixed, needs="catboost")(
    lambda: make_pipeline(columns(OneHotEncoder()), boosted("catboost", "CatBoostClassifier", iterations=10, depth=4, verbose=0, allow_writing_files=False)()))
kind("onnx of a forest", labels=THREE, needs="skl2onnx")(lambda: Made(to_onnx, forest))
kind("onnx of boosted trees", needs="skl2onnx")(lambda: Made(to_onnx, lambda: ensemble.GradientBoostingClassifier(n_estimators=15, random_state=0)))
kind("catboost", needs="catboost")(boosted("catboost", "CatBoostClassifier", iterations=10, depth=4, verbose=0, allow_writing_files=False))
kind("catboost of three", labels=THREE, needs="catboost")(boosted("catboost", "CatBoostClassifier", iterations=6, depth=4, verbose=0, allow_writing_files=False))
kind("catboost, lossguide", needs="catboost", missing=True)(
    boosted("catboost", "CatBoostClassifier", iterations=8, grow_policy="Lossguide", verbose=0, allow_writing_files=False))
