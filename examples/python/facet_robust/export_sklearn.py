"""Writes a model of scikit-learn as facet reads it.

    python export_sklearn.py model.joblib

writes model.facet, or model.json of neighbours and of trees that test sets of categories; a second name is that of the file, and
its ending says which of both it is. Arrays (.facet) are shorter and read sooner, JSON is what checkers of proofs read. Where the model is:

    import export_sklearn
    export_sklearn.write(model, "model.facet")

Trees, forests, boosting, bagging and voting of these, AdaBoost of trees, isolation forests, nearest neighbours, and pipelines
that scale the features or encode categories first. The file of an isolation forest has the labels 1 and -1 of its predict;
with --scores, or write(model, path, scores=True), it is a regressor whose output is its score_samples. scikit-learn 1.2 and later. A model that cannot be exported is an ExportError, which says what to do.
"""
import copy
import json
import math
import os
import sys
import warnings

import numpy as np
import sklearn
from sklearn import ensemble, preprocessing
from sklearn.base import BaseEstimator, ClassifierMixin, is_regressor
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.exceptions import NotFittedError
from sklearn.impute import SimpleImputer
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.validation import check_is_fitted

VERSION = tuple(int(n) for n in sklearn.__version__.split(".")[:2])
COUNTS = VERSION < (1, 4)  # trees hold class counts, and boosting compares probabilities instead of sums
TREES = (DecisionTreeClassifier, DecisionTreeRegressor)
FORESTS = (ensemble.RandomForestClassifier, ensemble.ExtraTreesClassifier, ensemble.RandomForestRegressor, ensemble.ExtraTreesRegressor)
BOOSTED = (ensemble.GradientBoostingClassifier, ensemble.GradientBoostingRegressor)
HISTOGRAM = (ensemble.HistGradientBoostingClassifier, ensemble.HistGradientBoostingRegressor)
BAGGING = (ensemble.BaggingClassifier, ensemble.BaggingRegressor)
VOTING = (ensemble.VotingClassifier, ensemble.VotingRegressor)
OTHERS = (ensemble.AdaBoostClassifier, ensemble.IsolationForest, CalibratedClassifierCV, KNeighborsClassifier)
THRESHOLDS = ("FixedThresholdClassifier", "TunedThresholdClassifierCV")  # since 1.5
SLOPES = (preprocessing.StandardScaler, preprocessing.MinMaxScaler, preprocessing.MaxAbsScaler, preprocessing.RobustScaler)
CURVES = (preprocessing.QuantileTransformer, preprocessing.PowerTransformer)
STEPWISE = (preprocessing.KBinsDiscretizer, preprocessing.Binarizer)
SCALERS = (preprocessing.StandardScaler, preprocessing.MinMaxScaler, preprocessing.MaxAbsScaler, preprocessing.RobustScaler, SimpleImputer, *CURVES, *STEPWISE)
ENCODERS = (preprocessing.OneHotEncoder, preprocessing.OrdinalEncoder)
TINY = float(np.float32(1e-35))  # the thresholds of LightGBM beside zero
NEAR = 64  # float64 beside a threshold, which are asked one by one where a curve is rounded
MOST_VALUES = 1 << 21  # that sets of categories may take, one a node and class

# Advice about models that are not for this exporter, by a part of their name.
ADVICE = {
    "XGB": 'XGBoost writes what facet reads: model.save_model("model.json")',
    "LGBM": 'LightGBM writes what facet reads: model.booster_.save_model("model.txt")',
    "CatBoost": 'CatBoost writes what facet reads: model.save_model("model.json", format="json")',
    "AdaBoostRegressor": "its output is a weighted median, which is no sum over trees",
    "KNeighborsRegressor": "facet attacks KNeighborsClassifier",
    "Stacking": "one model decides about the outputs of others: export one of model.estimators_",
    "OneVs": "it is several models: export one of model.estimators_",
    "MultiOutput": "it predicts several labels a row: export one of model.estimators_",
}


class ExportError(ValueError):
    """Says why a model cannot be exported, and the way out."""


def write(model, path, scores=False):
    """Writes the file, which is replaced only when the new one is complete: JSON, or arrays if its name ends in .facet. With scores an
    isolation forest is a regressor of its score_samples."""
    put_file(export(model, scores=scores), path)


def put_file(file, path):
    """Writes the result of export."""
    text = contents(file, path)
    if os.path.exists(path) and not os.path.isfile(path):  # a device or a pipe
        with open(path, "wb") as f:
            f.write(text)
        return
    unfinished = f"{path}.{os.getpid()}.part"
    try:
        with open(unfinished, "wb") as f:
            f.write(text)
        os.replace(unfinished, path)
    finally:
        if os.path.exists(unfinished):
            os.remove(unfinished)


def contents(file, path):
    """Returns the bytes of a file of this name."""
    return arrays(file) if os.fspath(path).endswith(".facet") else json.dumps(file, allow_nan=False).encode()


def fits_arrays(file):
    """Reports whether a file is of trees without tests of sets of categories."""
    return "trees" in file and not any("thresholds" in tree for tree in file["trees"])


def export(model, places=False, scores=False):
    """Returns the content of the file. Categories that are whole numbers from 0 on are their own codes, or with places
    numbered as others are, by their places in category_names."""
    steps, model, wrapper = opened(model)
    check(model)
    if scores and not isinstance(model, ensemble.IsolationForest):
        raise ExportError(f"a {type(model).__name__} has no score_samples: only an IsolationForest has")
    if isinstance(model, KNeighborsClassifier):
        if wrapper is not None:
            raise ExportError(f"a {type(wrapper).__name__} of neighbours, which is exported of trees alone")
        return neighbors(model, steps)
    file = trees_of(steps, model, places, scores)
    if wrapper is not None:
        file = decided(as_facet(file) if file["format"] != "facet-model" else file, wrapper, model)
    for tree in file["trees"]:
        set_limits_apart(tree)
    return file


def arrays(file):
    """Returns the bytes of a file of trees as a line of JSON and arrays of the fields of their nodes."""
    if not fits_arrays(file):
        raise ExportError("a model of neighbours, or with tests of sets of categories, is written as JSON: name the file model.json")
    if file["format"] == "sklearn-tree-ensemble":
        file = as_facet(file)
    sizes, outputs = [len(tree["threshold"]) for tree in file["trees"]], len(file["trees"][0]["value"][0])
    line = {**file, "format": "facet-arrays", "nodes": sizes, "outputs": outputs}
    del line["trees"]

    def joined(key, kind):
        return np.concatenate([np.ravel(np.asarray(tree.get(key, np.zeros(n)), dtype=kind)) for tree, n in zip(file["trees"], sizes)])

    infinite = joined("infinite", "<f8")
    threshold = np.where(infinite == 0, joined("threshold", "<f8"), np.copysign(np.inf, infinite))
    parts = [threshold.astype("<f8"), joined("value", "<f8")] + [joined(key, "<i4") for key in ("feature", "left", "right")] + [joined("missing_left", "u1")]
    return (json.dumps(line, allow_nan=False) + "\n").encode() + b"".join(part.tobytes() for part in parts)


def trees_of(steps, model, places=False, scores=False):
    """Returns the file of a model of trees, whose thresholds may be infinite."""
    if isinstance(model, (DecisionTreeClassifier, *FORESTS[:2], BOOSTED[0])):
        file = as_facet(classic(model)) if steps else classic(model)
    elif isinstance(model, HISTOGRAM):
        file = {**head("facet-model", model), **histogram(model, places)}
    elif isinstance(model, ensemble.IsolationForest):
        file = {**head("facet-model", model), **isolation(model, scores)}
    else:
        votes = regression if isinstance(model, (DecisionTreeRegressor, *FORESTS, *BOOSTED)) else committee
        file = {**head("facet-model", model), **votes(model)}
    if any(isinstance(step, (ColumnTransformer, *ENCODERS)) for step in steps):
        return in_units_of_columns(steps, file, places)
    return in_units_of(steps, file) if steps else file


def inner(model):
    """Returns the steps of a pipeline before its model, and the model: that which a search found best."""
    steps, last, wrapper = opened(model)
    if wrapper is not None:
        raise ExportError(f"a {type(wrapper).__name__} within another model, which makes more of it than its labels: only one by itself is exported")
    return steps, last


def opened(model):
    """Returns the steps of a pipeline before its model, the model, and what decides about its response: a copy of the wrappers around it
    with the model's place open, which Response.fills; None if the model decides itself."""
    name = type(model).__name__
    if name in THRESHOLDS:
        fitted(model, hasattr(model, "estimator_") or hasattr(model.estimator, "classes_"))
        steps, last, wrapper = opened(getattr(model, "estimator_", model.estimator))
        around = copy.copy(model)
        around.estimator_ = wrapper
        return steps, last, around
    if isinstance(model, CalibratedClassifierCV):
        fitted(model, hasattr(model, "calibrated_classifiers_"))
        steps, last, wrapper = opened(model.calibrated_classifiers_[0].estimator)
        if len(model.calibrated_classifiers_) > 1 or wrapper is None and isinstance(last, TREES):
            return [], model, None
        if len(model.classes_) != 2:
            raise ExportError(
                f"a CalibratedClassifierCV of {len(model.classes_)} labels, which calibrates each by itself and so changes their order: "
                "only two labels, or single trees, are exported")
        around = copy.copy(model)
        around.calibrated_classifiers_ = [copy.copy(model.calibrated_classifiers_[0])]
        around.calibrated_classifiers_[0].estimator = wrapper
        return steps, last, around
    if hasattr(model, "best_estimator_"):
        return opened(model.best_estimator_)
    if hasattr(model, "param_grid") or hasattr(model, "param_distributions"):
        raise ExportError(f"the {name} has no best_estimator_: call fit(X, y) first, and leave refit as it is")
    if isinstance(model, Pipeline):
        # Those of imbalanced-learn that draw rows do so to train: predictions pass over them.
        steps = [step for _, step in model.steps if step is not None and step != "passthrough" and not hasattr(step, "fit_resample")]
        more, last, wrapper = opened(steps[-1])
        return steps[:-1] + more, last, wrapper
    return [], model, None


def fitted(model, is_fitted):
    if not is_fitted:
        raise ExportError(f"the {type(model).__name__} is not fitted: call fit(X, y) first")


class Response(ClassifierMixin, BaseEstimator):
    """Stands for a model, and takes what its trees come to for rows: has the probabilities that the model makes of it. column: the class
    whose sums these are. single: they are float32."""

    def __init__(self, model, probability, single=False, column=1, divisor=1.0):
        self.model, self.probability, self.single, self.column = model, probability, single, column
        self.divisor, self.scale = divisor, 1.0  # its answer is scale * (sum / divisor), if it is a sum
        self.classes_ = np.asarray(model.classes_)

    def fit(self, *_):
        """It is fitted: this is asked for by name."""
        return self

    def __sklearn_is_fitted__(self):
        return True

    def predict_proba(self, X):
        return self.probability(X)

    @classmethod
    def of(cls, model, file, first):
        """Returns that of a model of scikit-learn, of which a file was made: of means, the sums of the first class or of the second."""
        if isinstance(model, (BOOSTED[0], HISTOGRAM[0])):
            def probability(S):
                fake = copy.copy(model)
                fake._raw_predict = lambda *_, **__: S
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    return fake.predict_proba(np.zeros((len(S), model.n_features_in_)))
            return Decision(model, probability)
        if isinstance(model, ensemble.AdaBoostClassifier):
            if VERSION < (1, 3) or getattr(model, "algorithm", "SAMME") != "SAMME":
                raise ExportError("an AdaBoostClassifier within another model, of scikit-learn before 1.3 or of SAMME.R: train it with a newer one")
            response = Decision(model, lambda S: model._compute_proba_from_decision(2 * (S[:, 0] / file["divisor"]), 2), lambda S: 2 * (S / file["divisor"]))
            response.divisor, response.scale = file["divisor"], 2.0
            return response
        if file["vote"] not in ("soft", "sum") or file.get("probability") == "none":
            raise ExportError(f"a {type(model).__name__} that votes for labels, within another model that asks for its probabilities")
        divisor = file.get("divisor", len(file["trees"])) if file["vote"] == "soft" else 1.0
        return cls(model, lambda S: np.hstack([S / divisor, 1 - S / divisor][::1 if first else -1]), column=0 if first else 1, divisor=divisor)

    def fills(self, wrapper):
        """Returns wrappers with this in the place that they left open."""
        wrapper = copy.copy(wrapper)
        if hasattr(wrapper, "calibrated_classifiers_"):
            fold = copy.copy(wrapper.calibrated_classifiers_[0])
            fold.estimator = self if fold.estimator is None else self.fills(fold.estimator)
            wrapper.calibrated_classifiers_ = [fold]
        else:
            wrapper.estimator_ = self if wrapper.estimator_ is None else self.fills(wrapper.estimator_)
        return wrapper


class Decision(Response):
    """Has decisions, too, which wrappers may prefer to probabilities."""

    def __init__(self, model, probability, decision=lambda S: S):
        super().__init__(model, probability)
        self.decision = decision

    def decision_function(self, X):
        return np.ravel(self.decision(X))


def decided(file, wrapper, model, response=None):
    """Returns the file of a model of two classes whose labels wrappers choose by its response: those of class 1 where the sum of the
    trees for it is above a threshold, or up to one. It is the last sum that the library itself gives the one label."""
    response = response or Response.of(model, file, of_first(wrapper, model))
    column = response.column
    file = {**file, "base": list(file.get("base", [0.0, 0.0]))}
    around = response.fills(wrapper)

    def says(S):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.asarray(around.predict(S.reshape(-1, 1)) == response.classes_[1])

    kind = np.float32 if response.single else float
    most = abs(file["base"][column]) + sum(np.abs(np.array(tree["value"])[:, column]).max() for tree in file["trees"])
    last, up = last_of(says, kind, type(wrapper).__name__)
    last = float(np.clip(last, -2 * most - 1, 2 * most + 1))
    at, start = (1, last) if up else (0, float(np.nextafter(kind(last), kind(math.inf))))
    for tree in file["trees"]:
        value = np.array(tree["value"])[:, column]
        tree["value"] = np.stack([value * (at == 0), value * (at == 1)], axis=1).tolist()
    file["base"] = [file["base"][column], start] if at == 0 else [start, file["base"][column]]
    curve = calibration(around, response, most) if at == 1 and not response.single else None
    file = {key: value for key, value in file.items() if key not in ("divisor", "scale")}
    return {**file, "vote": "sum", **({"probability": "none"} if curve is None else {"probability": "calibrated", "curve": curve})}


def calibration(around, response, most):
    """Returns what becomes of the sums of a model for the second class on the way to its probability, if that rises with the sum: None if
    not, or if the library says otherwise of some sums."""
    while type(around).__name__ in THRESHOLDS:  # which choose labels, and leave probabilities as they are
        around = around.estimator_
    answers = {"divisor": float(response.divisor), "scale": float(response.scale)}
    shares = {**answers, "x": [0.0, 1.0], "y": [0.0, 1.0]}
    curves = [shares, {**answers, "slope": -1.0, "intercept": 0.0}, {**answers, "slope": -2.0, "intercept": 0.0}]
    if around is not response:
        if not isinstance(around, CalibratedClassifierCV) or around.calibrated_classifiers_[0].estimator is not response:
            return None
        [calibrator] = around.calibrated_classifiers_[0].calibrators
        if hasattr(calibrator, "a_"):
            curves = [{**answers, "slope": float(calibrator.a_), "intercept": float(calibrator.b_)}] if calibrator.a_ <= 0 else []
        else:
            x, y = (np.asarray(v, dtype=float).tolist() for v in (calibrator.X_thresholds_, calibrator.y_thresholds_))
            curves = [{**answers, "x": x, "y": y}] if calibrator.increasing_ else []
    return next((curve for curve in curves if agrees(curve, around, 0 if curve is shares else -most, most)), None)


def agrees(curve, around, least, most):
    """Whether the library says of sums what a curve makes of them."""
    points = curve["divisor"] / curve["scale"] * np.array(curve.get("x", []))
    S = np.concatenate([np.linspace(least, points[-1] if least == 0 else most, 999), points])
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        answer, said = curve["scale"] * (S / curve["divisor"]), around.predict_proba(S.reshape(-1, 1))[:, 1]
        made = np.interp(answer, curve["x"], curve["y"]) if "x" in curve else 1 / (1 + np.exp(curve["slope"] * answer + curve["intercept"]))
    return np.allclose(made, said, rtol=1e-12, atol=1e-12)


def of_first(wrapper, model):
    """Whether a threshold is one of the probability of the first class."""
    while wrapper is not None and type(wrapper).__name__ in THRESHOLDS:
        label = wrapper._curve_scorer._get_pos_label() if hasattr(wrapper, "_curve_scorer") else wrapper.pos_label
        if wrapper.estimator_ is None:
            return label is not None and label == model.classes_[0]
        wrapper = wrapper.estimator_
    return False


def last_of(says, kind, name):
    """Returns the last number of a kind before what is said of numbers changes, and whether it is true beyond: if nothing changes, an end."""
    whole = np.int32 if kind is np.float32 else np.int64
    low, high = (whole(sign * int(np.array(np.finfo(kind).max).view(whole))) for sign in (-1, 1))

    def at(keys):
        keys = np.asarray(keys, dtype=whole)
        return np.where(keys < 0, kind(-1), kind(1)) * np.abs(keys).view(kind)

    first, up = says(at([low, high])).tolist()
    if first == up:
        return float(at([high if not up else low])[0]), True
    while int(high) - int(low) > 1:
        middle = whole((int(low) + int(high)) // 2)
        low, high = (middle, high) if says(at([middle]))[0] == first else (low, middle)
    far = np.array([1 << k for k in range(8 * whole(0).itemsize - 3)] + list(range(512)), dtype=object)
    ends = np.array([int(low) - far, int(low) + far + 1])
    limit = int(np.array(np.finfo(kind).max).view(whole))
    for side, keys in zip((first, up), np.clip(ends, -limit, limit)):
        if (says(at(keys.astype(whole))) != side).any():
            raise ExportError(f"the {name} gives neighbouring numbers labels to and fro, as far as rounding goes: it has no threshold that could be exported")
    return float(at([low])[0]), up


def check(model):
    """Refuses what is no fitted model of one output that is made of trees or of rows."""
    name = type(model).__name__
    if isinstance(model, (str, os.PathLike)):
        raise ExportError(f"{str(model)!r} is the name of a file: export joblib.load({str(model)!r})")
    if isinstance(model, type):
        raise ExportError(f"{model.__name__} is a class: export a fitted model, {model.__name__}().fit(X, y)")
    if not isinstance(model, (*TREES, *FORESTS, *BOOSTED, *HISTOGRAM, *BAGGING, *VOTING, *OTHERS)):
        advice = next((advice for part, advice in ADVICE.items() if part in name), "")
        known = "trees, forests, GradientBoosting, HistGradientBoosting, Bagging, AdaBoost, Voting, IsolationForest and KNeighbors"
        raise ExportError(f"{name} is none of what can be exported, {known}" + (f"; {advice}" if advice else ""))
    try:
        check_is_fitted(model)
    except NotFittedError:
        raise ExportError(f"the {name} is not fitted: call fit(X, y) first") from None
    if isinstance(model, CalibratedClassifierCV):
        return
    outputs = getattr(model, "n_outputs_", 2 if getattr(model, "outputs_2d_", False) else 1)
    if outputs > 1:
        raise ExportError(f"the {name} predicts {outputs} {'numbers' if is_regressor(model) else 'labels'} a row: fit one model for each")


def head(kind, model):
    """Returns what all files begin with: features, and labels: numbers, or, if they are words, their names and 0, 1, … for them."""
    file = {"format": kind, "version": 1, "n_features": int(model.n_features_in_)}
    if hasattr(model, "classes_"):
        labels = np.asarray(model.classes_).tolist()
        if all(isinstance(c, (int, float)) and not isinstance(c, bool) and float(c) == c for c in labels):  # which a float64 holds
            file["classes"] = [float(c) for c in labels]
        else:
            file["classes"], file["class_names"] = list(range(len(labels))), [str(c) for c in labels]
    if hasattr(model, "feature_names_in_"):  # of a data frame
        file["feature_names"] = model.feature_names_in_.tolist()
    return file


def nodes(estimator, value):
    """Returns the arrays of a tree whose nodes have these values, a row for each node."""
    t = estimator.tree_
    tree = {
        "feature": t.feature.tolist(), "threshold": t.threshold.tolist(),
        "left": t.children_left.tolist(), "right": t.children_right.tolist(), "value": np.asarray(value).tolist(),
    }
    records = t.__getstate__()["nodes"]
    if "missing_go_to_left" in records.dtype.names:  # since 1.3
        tree["missing_left"] = (records["missing_go_to_left"] != 0).tolist()
    return tree


def shares(estimator):
    """Returns the class frequencies of each node, as predict_proba has them."""
    value = estimator.tree_.value[:, 0, :]
    return of_whole(value) if COUNTS else value


def alone(estimator):
    """Returns the class frequencies of each node of a tree that predicts alone: by its counts, where frequencies of two classes may be
    rounded to the same number. Then that of its label is the next larger one."""
    value, rows = shares(estimator).copy(), np.arange(estimator.tree_.node_count)
    label = np.argmax(estimator.tree_.value[:, 0, :], axis=1)
    value[rows, label] = np.where(np.argmax(value, axis=1) == label, value[rows, label], np.nextafter(value[rows, label], 2))
    return value


def of_whole(counts):
    """Returns the share of each class in each row of counts."""
    total = counts.sum(axis=1, keepdims=True)
    return counts / np.where(total == 0, 1, total)


def classic(model):
    """Returns the file of a tree, a forest or gradient boosting, in the format that is only for these."""
    file = head("sklearn-tree-ensemble", model)
    if isinstance(model, BOOSTED):
        file["boosting"] = boosting(model)
        file["trees"] = [nodes(e, e.tree_.value[:, 0, :]) for e in np.ravel(model.estimators_)]
    elif isinstance(model, FORESTS):
        file["trees"] = [nodes(e, shares(e)) for e in model.estimators_]
    else:
        file["trees"] = [nodes(model, alone(model))]
    return file


def boosting(model):
    """Returns what a boosted model has besides its trees."""
    init = start(model)
    stages, groups = model.estimators_.shape
    return {
        "init": init if groups > 1 else [0.0] + init, "learning_rate": float(model.learning_rate),
        "class": (list(range(groups)) if groups > 1 else [1]) * stages,
        "decision": "probability" if COUNTS and model.loss != "exponential" else "sum",
        "scale": 2.0 if model.loss == "exponential" else 1.0,
    }


def start(model):
    """Returns what the sums of gradient boosting start from."""
    strategy = model.init_.strategy if isinstance(model.init_, (DummyClassifier, DummyRegressor)) else model.init_
    if strategy not in ("zero", "prior", "most_frequent", "constant", "mean", "median", "quantile"):
        raise ExportError(f"init is {model.init_}, which looks at the row: leave it out, or use a DummyClassifier that does not draw")
    return model._raw_predict_init(np.zeros((1, model.n_features_in_)))[0].tolist()


def as_facet(file):
    """Returns what is in the format of trees and forests in facet's own."""
    file = {**file, "format": "facet-model", "kind": "ensemble", "comparison": "float32(x) <= t", "vote": "soft"}
    boosted, classes = file.pop("boosting", None), len(file["classes"])
    if boosted:
        file["base"] = boosted["init"]
        for tree, c in zip(file["trees"], boosted["class"]):
            tree["value"] = of_class(boosted["learning_rate"] * np.array(tree["value"])[:, 0], c, classes).tolist()
        file["vote"] = file["probability"] = "logistic" if classes == 2 else "softmax"
        file["scale"] = boosted["scale"]
        if boosted["decision"] == "sum":
            file["vote"] = "sum"
            if classes == 2:
                file["base"][0] = -math.ulp(0)  # class 1 wins a sum of zero
    return file


def of_class(values, c, classes):
    """Returns values of nodes as a row for each with zeros for the other classes."""
    return np.outer(values, np.arange(classes) == c)


def regression(model):
    """Returns the votes of a regression tree, a forest of them or gradient boosting."""
    if isinstance(model, BOOSTED):
        members, vote = np.ravel(model.estimators_), {"vote": "sum", "base": start(model)}
    else:
        members, vote = model.estimators_ if isinstance(model, FORESTS) else [model], {"vote": "soft"}
    rate = float(getattr(model, "learning_rate", 1))
    trees = [nodes(e, rate * e.tree_.value[:, 0, :]) for e in members]
    return {"kind": "regressor", "comparison": "float32(x) <= t", **vote, "trees": trees}


def isolation(model, scores):
    """Returns the depths of an isolation forest, by which its scores rise: what adds up to a score, or two labels."""
    trees, whole = [], len(model.estimators_) * path_lengths([getattr(model, "_max_samples", model.max_samples_)])[0]
    for estimator, features in zip(model.estimators_, model.estimators_features_):
        t = estimator.tree_
        depth = np.ones(t.node_count)
        for i in range(t.node_count):  # children come after their parents
            for child in (t.children_left[i], t.children_right[i]):
                if child >= 0:
                    depth[child] = depth[i] + 1
        tree = nodes(estimator, (depth + path_lengths(t.n_node_samples) - 1.0)[:, None])
        tree["feature"] = [int(features[f]) if f >= 0 else f for f in tree["feature"]]
        trees.append(tree)
    file = {"comparison": "float32(x) <= t", "vote": "sum", "trees": trees}
    if scores:
        if whole == 0:
            raise ExportError("the IsolationForest was fitted to one row, and gives all rows the score -1")
        return {**file, "kind": "regressor", "base": [0.0], "link": "isolation", "scale": float(1 / whole)}
    for tree in trees:
        tree["value"] = of_class(np.array(tree["value"])[:, 0], 1, 2).tolist()
    return {**file, "kind": "ensemble", "classes": [-1.0, 1.0], "base": [last_outlier(model, whole), 0.0], "probability": "none"}


def path_lengths(samples):
    """Returns the mean depths of trees of so many rows each, as scikit-learn computes them."""
    from sklearn.ensemble._iforest import _average_path_length

    return _average_path_length(np.asarray(samples))


def last_outlier(model, whole):
    """Returns the largest sum of depths that is labelled -1, by scikit-learn's own arithmetic: found by bisection, as labels only rise."""
    def outlier(depths):
        depths = np.full(8, depths)
        scores = 2 ** (-np.divide(depths, whole, out=np.ones_like(depths), where=whole != 0))
        return bool((-scores - model.offset_ < 0)[0])

    most = 2.0 * max(1.0, sum(float(e.tree_.max_depth + 1) + path_lengths([e.tree_.n_node_samples[0]])[0] for e in model.estimators_))
    low, high = -int(np.array(1.0).view(np.int64)), int(np.array(most).view(np.int64))
    if not outlier(-1.0):
        return -1.0
    if outlier(most):
        return most
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if outlier(float(number(np.array(middle)))) else (low, middle)
    return float(number(np.array(low)))


def committee(model):
    """Returns the votes of bagging, AdaBoost or voting. Where its members are single trees, perhaps with scalers of their own, sums
    are rounded as scikit-learn rounds them."""
    calibrated = isinstance(model, CalibratedClassifierCV)
    members = [inner(e) for e in ([c.estimator for c in model.calibrated_classifiers_] if calibrated else model.estimators_)]
    single = all(isinstance(tree, TREES) and not any(isinstance(step, (ColumnTransformer, *ENCODERS)) for step in steps) for steps, tree in members)
    if isinstance(model, ensemble.AdaBoostClassifier) and not single:
        raise ExportError("an AdaBoostClassifier of other models than single decision trees, which alone are exported")
    if calibrated and not single:
        raise ExportError(
            f"a CalibratedClassifierCV that averages the probabilities of {len(members)} models, which is no sum over trees but of single trees: "
            "fit it with ensemble=False, which calibrates one model of all rows")
    if not single or isinstance(model, ensemble.VotingRegressor):
        return mixture(model, members)
    trees, file, whole = [tree for _, tree in members], {"kind": "ensemble", "comparison": "float32(x) <= t", "vote": "soft"}, None
    if isinstance(model, ensemble.BaggingRegressor):
        file["kind"], values = "regressor", [t.tree_.value[:, 0, :] for t in trees]
    elif isinstance(model, ensemble.BaggingClassifier):
        values = [in_all_classes(t, shares(t), len(model.classes_)) for t in trees]
    elif calibrated:
        values = [calibrated_shares(c, t) for c, t in zip(model.calibrated_classifiers_, trees)]
    elif isinstance(model, ensemble.AdaBoostClassifier):
        values, whole = adaboost(model, trees)
        file["probability"], file["scale"] = "softmax", 1 / max(1, len(model.classes_) - 1)
    else:
        file["vote"], values, whole = voting(model, trees)
        if model.voting == "hard":
            file["probability"] = "none"
    if whole is not None:  # a power of two brings the divisor near the number of trees, and changes no mean
        scale = 2.0 ** math.floor(math.log2(len(trees) / whole))
        scale *= 2.0 ** ((scale * whole <= len(trees) / 2) - (scale * whole > len(trees)))
        file["divisor"], values = scale * whole, [scale * v for v in values]
    file["trees"] = [nodes(t, v) for t, v in zip(trees, values)]
    if any(steps for steps, _ in members):
        for (steps, t), tree in zip(members, file["trees"]):
            back_through([tree], steps, t.n_features_in_, True)
        file["comparison"] = "x <= t"
    for tree, features in zip(file["trees"], getattr(model, "estimators_features_", [])):
        tree["feature"] = [int(features[f]) if f >= 0 else f for f in tree["feature"]]
    return file


def mixture(model, members):
    """Returns the votes of bagging or voting whose members are forests, boosted regressors or mixtures themselves. Where what they
    average are sums over trees, so is the average, which scikit-learn rounds otherwise than a sum in the order of the trees."""
    name, weights = type(model).__name__, getattr(model, "_weights_not_none", None)
    if getattr(model, "voting", "soft") == "hard":
        raise ExportError(f"a {name} in which forests or boosted trees vote for labels, which is no sum over trees: voting=\"soft\" is exported for forests")
    weights = [1.0] * len(members) if weights is None else [float(w) for w in weights]
    if min(weights) < 0 or sum(weights) <= 0:
        raise ExportError(f"the weights of the {name} are {weights}: they should not be negative")
    classes, trees, whole = len(getattr(model, "classes_", [None])), [], sum(weights)
    base, features = np.zeros(classes), getattr(model, "estimators_features_", [None] * len(members))
    for (steps, member), weight, columns in zip(members, weights, features):
        values = summed(name, steps, member)
        at = list(range(classes)) if is_regressor(model) else np.asarray(member.classes_, dtype=int)
        base[at] += weight / whole * np.array(values["base"])
        for tree in values["trees"]:
            full = np.zeros((len(tree["value"]), classes))
            full[:, at] = weight / whole * np.array(tree["value"])
            tree["value"] = full.tolist()
            if columns is not None:
                tree["feature"] = [int(columns[f]) if f >= 0 else f for f in tree["feature"]]
        trees += values["trees"]
    kind = "regressor" if is_regressor(model) else "ensemble"
    file = {"kind": kind, "comparison": "x <= t", "vote": "sum", "any_order": True, "base": base.tolist(), "trees": trees}
    return file if is_regressor(model) else {**file, "probability": "voted"}


def summed(name, steps, member):
    """Returns what a member of a mixture adds up, its trees and what the sum starts from, in thresholds of the rows themselves."""
    check(member)
    if isinstance(member, KNeighborsClassifier):
        raise ExportError(f"a {name} of KNeighborsClassifier: only one of trees is exported")
    file = trees_of(steps, member)
    file = as_facet(file) if file["format"] != "facet-model" else file
    outputs = len(file["classes"]) if file["kind"] != "regressor" else 1
    if any(file.get("categories", [])):
        raise ExportError(f"a {name} of {type(member).__name__} with categories: only one of numbers is exported")
    averages = file["kind"] == "regressor" or file.get("probability", "voted") == "voted" and (file["vote"] == "soft" or "any_order" in file)
    if not averages or "link" in file:
        raise ExportError(
            f"{'an' if name[0] in 'AEIOU' else 'a'} {name} of {type(member).__name__}, whose probabilities it averages, which is no sum over trees: "
            "train it with estimator=DecisionTreeClassifier() or a forest" if name not in ("VotingClassifier", "VotingRegressor") else
            f"a {name} of {type(member).__name__}, which averages what is no sum over trees: export one of model.estimators_, or average trees or forests")
    if file["vote"] == "soft":
        for tree in file["trees"]:
            tree["value"] = (np.array(tree["value"]) / file.get("divisor", len(file["trees"]))).tolist()
    if file["comparison"] != "x <= t":
        move_thresholds(file["trees"], [], file["n_features"], True)
    return {"trees": file["trees"], "base": file.get("base", [0.0] * outputs)}


def in_all_classes(tree, value, classes):
    """Returns values for all classes of bagging, which a tree whose sample lacks one has no column for."""
    full = np.zeros((len(value), classes))
    full[:, np.asarray(tree.classes_, dtype=int)] = value
    return full


def calibrated_shares(calibrated, tree):
    """Returns the probabilities of each node of a tree once they are calibrated."""
    calibrated = copy.copy(calibrated)
    calibrated.estimator = Response(tree, lambda values: values)
    return calibrated.predict_proba(shares(tree))


def choices(tree, classes):
    """Returns which class each node predicts, as booleans."""
    return np.arange(classes) == np.argmax(tree.tree_.value[:, 0, :], axis=1)[:, None]


def adaboost(model, trees):
    """Returns the values of trees, and what their sum is divided by."""
    classes, whole = len(model.classes_), float(model.estimator_weights_.sum())
    if getattr(model, "algorithm", "SAMME") == "SAMME.R":  # of which each leaf is a constant, too
        from sklearn.ensemble._weight_boosting import _samme_proba

        leaves = [type("Leaves", (), {"predict_proba": staticmethod(lambda _, t=t: shares(t).copy())}) for t in trees]
        return [_samme_proba(leaf, classes, None) for leaf in leaves], whole
    if classes == 1:
        return [np.ones((t.tree_.node_count, 1)) for t in trees], None
    return [
        np.where(choices(t, classes), w, 0.0 if VERSION < (1, 3) else -1 / (classes - 1) * w)
        for t, w in zip(trees, model.estimator_weights_)
    ], whole


def voting(model, trees):
    """Returns the vote, the values of trees and what their sum is divided by, if it is not their number."""
    weights, classes = model._weights_not_none, len(model.classes_)
    if model.voting == "hard":
        if weights is None:
            return "hard", [t.tree_.value[:, 0, :] for t in trees], None
        return "sum", [choices(t, classes) * float(w) for t, w in zip(trees, weights)], None
    if weights is None:
        return "soft", [shares(t) for t in trees], None
    if min(weights) < 0 or sum(weights) <= 0:
        raise ExportError(f"the weights of the VotingClassifier are {weights}: they should not be negative")
    _, whole = np.average(np.zeros((len(trees), 1, classes)), axis=0, weights=weights, returned=True)
    return "soft", [shares(t) * w for t, w in zip(trees, weights)], float(whole[0, 0])


def histogram(model, places):
    """Returns the votes of histogram-based gradient boosting."""
    groups, base = model.n_trees_per_iteration_, np.ravel(model._baseline_prediction).tolist()
    file, classes = {"kind": "ensemble", "comparison": "x <= t", "vote": "sum", "base": base}, 1
    if isinstance(model, HISTOGRAM[1]):
        file["kind"], logarithmic = "regressor", model.loss in ("poisson", "gamma")
        file.update({"link": "exp"} if logarithmic else {})
    else:
        classes = len(model.classes_)
        if classes < 2:
            raise ExportError("a HistGradientBoostingClassifier of a single class")
        file["probability"] = "logistic" if classes == 2 else "softmax"
        if VERSION < (1, 5):  # it compares probabilities
            file["vote"] = file["probability"]
        file["base"] = [0.0] + base if groups == 1 else base
    columns = Columns(model, places)
    if any(columns.codes):
        file["categories"] = columns.codes
    if any(columns.names):
        file["category_names"] = columns.names
    trees = [(p, c) for stage in model._predictors for c, p in enumerate(stage)]
    file["trees"] = [columns.tree(p, classes - 1 if groups == 1 else c, classes) for p, c in trees]
    return file


class Columns:
    """What the features of histogram-based gradient boosting are: numbers, or categories that are numbered."""

    def __init__(self, model, places):
        count, is_category = int(model.n_features_in_), model.is_categorical_
        is_category = np.zeros(count, dtype=bool) if is_category is None else np.asarray(is_category)
        self.codes, self.names, self.order, self.cells, self.grower = [0] * count, [[]] * count, np.arange(count), {}, Grower()
        if not is_category.any():
            return
        encoder = None
        if getattr(model, "_preprocessor", None) is not None:  # since 1.4: which puts categories first, and compares them as they are
            self.order = np.concatenate([np.flatnonzero(is_category), np.flatnonzero(~is_category)])
            encoder = model._preprocessor.named_transformers_["encoder"].categories_
        known, index = model._bin_mapper.make_known_categories_bitsets()
        for i, f in enumerate(np.flatnonzero(is_category)):
            if encoder is None:
                names = [c for c in range(256) if has(known[index[f]], c)]
            else:
                names = [c for c in encoder[i].tolist() if c is not None and c == c]
            codes, self.names[f] = numbered(names, places)
            self.codes[f] = max(codes, default=0) + 1
            self.cells[f] = cut(codes, list(range(len(names))) if encoder is not None else names, encoder is not None)

    def tree(self, predictor, c, classes):
        """Returns the arrays of a tree that adds to class c."""
        source = [dict(zip(predictor.nodes.dtype.names, n)) for n in predictor.nodes.tolist()]
        for n in source:
            n["feature"], n["cuts"], n["missing_left"] = int(self.order[n["feature_idx"]]), [n["num_threshold"]], bool(n["missing_go_to_left"])
            n["value"] = [n["value"] * (k == c) for k in range(classes)]
            if n["is_categorical"] and not n["is_leaf"]:  # the child of each interval; what is between categories is as if it were missing
                left, other = predictor.raw_left_cat_bitsets[n["bitset_idx"]].tolist(), n["left"] if n["missing_go_to_left"] else n["right"]
                n["child"] = [other if bit is None else n["left"] if has(left, bit) else n["right"] for _, bit in self.cells[n["feature"]]]
        return self.grower.tree(source, self.cells)


class Grower:
    """Makes trees of thresholds of trees with sets of categories. A set becomes thresholds between intervals, each with what is below."""

    def __init__(self):
        self.room = MOST_VALUES

    def tree(self, source, cells):
        """Returns the arrays of a tree of nodes, node 0 the root. Those of categories have a child for each cell of their feature."""
        tree = {key: [] for key in ("feature", "threshold", "thresholds", "left", "right", "missing_left", "value")}
        nothing = [0.0] * len(source[0]["value"])

        def add(feature, cuts, missing_left, value=nothing):
            self.room -= len(value)
            if self.room < 0:
                raise ExportError(f"its sets of categories make more than {MOST_VALUES:,} values: train fewer or smaller trees, or fewer categories")
            threshold, thresholds = (cuts[0], []) if len(cuts) == 1 else (0.0, cuts)
            for key, v in zip(tree, (feature, threshold, thresholds, -1, -1, missing_left, value)):
                tree[key].append(v)
            return len(tree["feature"]) - 1

        def grow(n, within):
            if n["is_leaf"]:
                return add(-2, [0.0], False, n["value"])
            f = n["feature"]
            if "child" in n:
                first, last = within.get(f, (0, len(n["child"])))
                starts = [i for i in range(first, last) if i == first or n["child"][i] != n["child"][i - 1]]
                return choose(n, list(zip(starts, starts[1:] + [last])), within)
            at = add(f, n["cuts"], n["missing_left"])
            tree["left"][at], tree["right"][at] = grow(source[n["left"]], within), grow(source[n["right"]], within)
            return at

        def choose(n, intervals, within):
            f = n["feature"]
            if len(intervals) == 1:
                return grow(source[n["child"][intervals[0][0]]], {**within, f: intervals[0]})
            half = len(intervals) // 2
            # The first interval is below all categories, where what is missing goes, too: left.
            at = add(f, [cells[f][intervals[half][0] - 1][0]], True)
            tree["left"][at], tree["right"][at] = choose(n, intervals[:half], within), choose(n, intervals[half:], within)
            return at

        grow(source[0], {})
        return tree if any(tree["thresholds"]) else {key: column for key, column in tree.items() if key != "thresholds"}


def cut(codes, bits, exactly):
    """Returns the intervals of a feature as their last numbers and the bit of their category, None between categories. Before 1.4
    a number from c to c+1 is category c, since then c alone."""
    cells, end = [], -math.inf
    for code, bit in zip(codes, bits):
        before = math.nextafter(code, -math.inf)
        if before > end:
            cells.append((before, None))
        end = float(code) if exactly else math.nextafter(code + 1, -math.inf)
        cells.append((end, bit))
    return cells + [(math.inf, None)]


def numbered(names, places):
    """Returns the codes of categories, and their names: whole numbers from 0 on are their own codes, unless all are to be places."""
    whole = not places and all(isinstance(c, (int, float)) and c == c and c == int(c) and 0 <= c < 1 << 20 for c in names)
    return ([int(c) for c in names], []) if whole else (list(range(len(names))), [str(c) for c in names])


def has(bits, c):
    """Whether a set of 256 bits has number c."""
    return int(bits[c // 32]) >> c % 32 & 1


def set_limits_apart(tree):
    """Moves infinite thresholds, which JSON lacks, into an array of their own."""
    threshold = np.array(tree["threshold"])
    if np.isinf(threshold).any():
        tree["infinite"] = np.where(np.isinf(threshold), np.sign(threshold), 0).astype(int).tolist()
        tree["threshold"] = np.where(np.isinf(threshold), 0, threshold).tolist()


def before(steps, file, missing_zeros=False, tiny_zeros=False):
    """Returns a file in facet's own format, which facet info --save makes of that of another library, as one of rows before the steps of
    a pipeline. missing_zeros: the model takes the zeros of a sparse matrix for missing values, as XGBoost does. tiny_zeros: it takes the
    number TINY below zero for zero, but not in a sparse matrix, as LightGBM does."""
    file = {key: value for key, value in file.items() if key != "feature_names"}
    single, sparse = file["comparison"].startswith("float32"), getattr(steps[-1], "sparse_output_", getattr(steps[-1], "sparse_output", False))
    sparse = sparse or any(isinstance(step, preprocessing.KBinsDiscretizer) and step.encode == "onehot" for step in steps)
    for tree in file["trees"]:
        infinite = np.array(tree.pop("infinite", np.zeros(len(tree["threshold"]))))
        tree["threshold"] = np.where(infinite != 0, np.copysign(math.inf, infinite), tree["threshold"]).tolist()
        if file["comparison"].endswith("< t"):
            tree["threshold"] = last_below(tree["threshold"], single)
            tree["thresholds"] = [last_below(cuts, single) for cuts in tree.get("thresholds", [])]
        if sparse and tiny_zeros:
            tree["threshold"] = [-TINY if cut == math.nextafter(-TINY, -1) else cut for cut in tree["threshold"]]
    file["comparison"] = "float32(x) <= t" if single else "x <= t"
    if any(isinstance(step, (ColumnTransformer, *ENCODERS)) for step in steps):
        file = in_units_of_columns(steps, file, True, sparse and missing_zeros)
    else:
        file = in_units_of(steps, file, sparse and missing_zeros)
    for tree in file["trees"]:
        set_limits_apart(tree)
    return file


def last_below(cuts, single):
    """Returns the last number below each threshold, a float32 if the model rounds to these."""
    cuts, kind = np.array(cuts, dtype=float), np.float32 if single else float
    with np.errstate(over="ignore"):
        rounded = cuts.astype(kind)
    return np.where(rounded < cuts, rounded, np.nextafter(rounded, kind(-math.inf))).astype(float).tolist()


def in_units_of(steps, file, missing_zeros=False):
    """Returns the file of a model that takes rows as they are before steps that change each feature by itself, or choose some of them."""
    if any(file.get("categories", [])):
        raise ExportError("a Pipeline that changes the features of a model with categories: export its last step, and give facet the rows as that step sees them")
    file["n_features"] = back_through(file["trees"], steps, file["n_features"], file["comparison"] != "x <= t", missing_zeros)
    names = getattr(steps[0], "feature_names_in_", None)
    if names is not None:
        file["feature_names"] = names.tolist()
    else:
        file.pop("feature_names", None)
    return {**file, "comparison": "x <= t"}


def back_through(trees, steps, dim, single, missing_zeros=False):
    """Makes trees those of rows before the steps, and returns how many features these have. missing_zeros: the model takes zeros of bins
    for missing values."""
    scalers = []
    for step in reversed(steps):
        binned = isinstance(step, preprocessing.KBinsDiscretizer) and step.encode != "ordinal"
        if not binned and not hasattr(step, "get_support"):
            scalers.insert(0, step)
            continue
        move_thresholds(trees, scalers, dim, single)
        scalers, single, dim = [], False, int(step.n_features_in_)
        if binned:
            ask_bins(trees, step, missing_zeros)
            continue
        chosen = np.flatnonzero(step.get_support())
        for tree in trees:
            tree["feature"] = [int(chosen[f]) if f >= 0 else f for f in tree["feature"]]
    if scalers or single:
        move_thresholds(trees, scalers, dim, single)
    return dim


def ask_bins(trees, step, missing_zeros):
    """Has trees ask whether a number is in a bin where they ask for the column of that bin, which is 0 or 1."""
    ordinal, sizes = copy.copy(step), [int(n) for n in step.n_bins_]
    ordinal.encode = "ordinal"
    last = last_left([ordinal], np.repeat(np.arange(max(sizes), dtype=float)[:, None], len(sizes), axis=1), False)
    columns = [(at, bin) for at, size in enumerate(sizes) for bin in range(size)]
    for tree in trees:
        for i, f in enumerate(tree["feature"]):
            if tree["left"][i] < 0:
                continue
            at, bin = columns[f]
            ends = [last[bin - 1, at] if bin else -math.inf, last[bin, at]]
            cuts = [end for end in ends if math.isfinite(end)]
            within, beyond = (goes_left(v, cuts_of(tree, i), False) for v in (1.0, 0.0))
            beyond = tree["missing_left"][i] if missing_zeros else beyond
            if within == beyond:
                cuts, swaps = [math.inf], not within
            else:
                swaps = within == (ends[0] > -math.inf)  # a number in the bin lies beyond one of two ends, or none of one
            put(tree, i, cuts or [math.inf], swaps)
            tree["feature"][i] = at


def move_thresholds(trees, steps, dim, single):
    """Moves each threshold to the last number that the steps and the model, which may round to float32, send left."""
    for step in steps:
        if not isinstance(step, SCALERS) or step.n_features_in_ != dim or getattr(step, "indicator_", None) is not None:
            raise ExportError(
                f"a Pipeline that changes the features first ({type(step).__name__}): export its last step, export_sklearn.write(pipeline[-1], path), "
                "and give facet the rows as that step sees them, pipeline[:-1].transform(X); distances are then between such rows")
        if getattr(step, "method", "") == "box-cox":
            raise ExportError("a PowerTransformer of the method box-cox, which knows numbers above 0 alone: yeo-johnson knows all")
    moved = Moved(trees, steps, range(dim), single)
    for tree in trees:
        tree.setdefault("missing_left", [False] * len(tree["feature"]))
        for i, f in enumerate(tree["feature"]):
            if tree["left"][i] < 0:
                continue
            cuts, tree["missing_left"][i], swaps = moved.test(f, cuts_of(tree, i), tree["missing_left"][i])
            put(tree, i, cuts or [math.inf], swaps)


def put(tree, i, cuts, swaps):
    """Sets the thresholds of a test, and swaps what is left and right if need be."""
    if len(cuts) > 1 and not tree.get("thresholds"):
        tree["thresholds"] = [[]] * len(tree["feature"])
    if tree.get("thresholds"):
        tree["thresholds"][i] = cuts if len(cuts) > 1 else []
    tree["threshold"][i] = cuts[0] if len(cuts) == 1 else 0.0
    if swaps:
        tree["left"][i], tree["right"][i] = tree["right"][i], tree["left"][i]


def cuts_of(tree, i):
    """Returns the thresholds of a test: a number goes left if it lies beyond an even number of them."""
    return tree.get("thresholds") and tree["thresholds"][i] or [tree["threshold"][i]]


def goes_left(v, cuts, missing_left):
    """Whether a number, or NaN, that is rounded as the model rounds goes left."""
    return sum(v > cut for cut in cuts) % 2 == 0 if v == v else missing_left


class Moved:
    """Thresholds of some columns in the units before steps that change each of these by itself. Steps never order two numbers the
    other way, rounded or not, so that a bisection over all float64 finds them, whatever they compute; curves may, by their rounding, so
    that numbers beside a threshold are asked one by one, and may make more thresholds of one. Zeros after the steps may count
    as missing: where they then part from the numbers around them, a test has thresholds on both sides of them, too."""

    def __init__(self, trees, steps, columns, single, missing_zeros=False):
        self.single, self.columns, self.missing_zeros = single, list(columns), missing_zeros
        asked = {column: set() for column in self.columns}
        for tree in trees:
            for i, f in enumerate(tree["feature"]):
                if f in asked and tree["left"][i] >= 0:
                    asked[f].update(cuts_of(tree, i))
        cuts, width = [sorted(asked[column]) for column in self.columns], len(self.columns)
        table = np.zeros((max([len(c) for c in cuts], default=0), width))
        for at, c in enumerate(cuts):
            table[:len(c), at] = c
        last, self.filled = np.empty_like(table), dict(zip(self.columns, filled(steps, width)))
        height = max(1, (1 << 21) // max(1, width))
        for at in range(0, len(table), height):
            last[at:at + height] = last_left(steps, table[at:at + height], single)
        self.place = {column: {cut: [end] for cut, end in zip(c, last[:, at].tolist())} for at, (column, c) in enumerate(zip(self.columns, cuts))}
        if any(isinstance(step, CURVES) for step in steps):
            for (row, at), ends in to_and_fro(steps, table, last, single).items():
                if row < len(cuts[at]):
                    self.place[self.columns[at]][cuts[at][row]] = ends
        if missing_zeros:
            around = last_left(steps, np.repeat([[-math.ulp(0)], [0.0]], width, axis=1), False)
            self.around = dict(zip(self.columns, around.T.tolist()))

    def test(self, column, cuts, missing_left):
        """Returns the thresholds of a test, whether what is missing goes left, and whether left and right are to be swapped."""
        filled, moved = self.filled[column], [end for cut in cuts for end in self.place[column][cut]]
        if self.missing_zeros and goes_left(0.0, cuts, False) != missing_left:
            moved += self.around[column]
        if filled == filled and not (self.missing_zeros and filled == 0):  # a step fills in what is missing
            missing_left = goes_left(float(np.float32(filled) if self.single else filled), cuts, False)
        moved = sorted(t for t in set(moved) if moved.count(t) % 2)  # two at one place part nothing
        swaps = moved[:1] == [-math.inf]  # all go right, which is said by sending all left
        return [t for t in moved if math.isfinite(t)] or [math.inf], missing_left != swaps, swaps


def filled(steps, width):
    """Returns what steps make of missing values: NaN, too, where they take none."""
    try:
        return passed(steps, np.full((1, width), np.nan))[0] if width else []
    except ValueError as e:
        if isinstance(e, ExportError):
            raise
        return [math.nan] * width


def to_and_fro(steps, cuts, last, single):
    """Returns, by their place, the thresholds beside which the steps send numbers left and right in turn, because they are rounded, and all
    numbers there after which the side changes."""
    most = int(np.array(np.finfo(float).max).view(np.int64))
    finite = np.isfinite(last)
    keys = np.where(finite, np.sign(last), 0).astype(np.int64) * np.abs(np.where(finite, last, 0.0)).view(np.int64)
    offsets = range(-NEAR, NEAR + 1)
    goes = np.array([is_left(steps, number(np.clip(keys + k, -most, most)), cuts, single) for k in offsets])
    straight = np.array([k <= 0 for k in offsets])[:, None, None]
    found = {}
    for row, at in np.argwhere(((goes != straight) & finite).any(axis=0)).tolist():
        turns = np.flatnonzero(goes[1:, row, at] != goes[:-1, row, at])
        if turns[0] < NEAR // 2 or turns[-1] > NEAR + NEAR // 2:
            raise ExportError(f"a {type(steps[-1]).__name__} so flat beside a threshold of the model that rounding decides: scale the features instead")
        found[row, at] = number(keys[row, at] + turns - NEAR).tolist()
    return found


def passed(steps, x):
    """Returns rows after the steps, infinite numbers as the largest."""
    most = np.finfo(float).max
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # that columns have no names
        for step in parts_of(steps):
            after = np.clip(step.transform(x), -most, most)
            if after.shape != x.shape or np.isnan(after[~np.isnan(x)]).any():
                raise ExportError(f"the {type(step).__name__} turns numbers into missing values, or leaves out a column: export the last step")
            x = after
    return x


def parts_of(steps):
    """Yields steps of which each has an answer to all numbers: a PowerTransformer refuses those whose powers it cannot hold."""
    for step in steps:
        if isinstance(step, preprocessing.PowerTransformer) and step.standardize:
            power = copy.copy(step)
            power.standardize = False
            yield from (power, step._scaler)
        else:
            yield step


def is_left(steps, x, cuts, single):
    """Whether numbers go left of the threshold of their column after the steps."""
    x = passed(steps, x)
    with np.errstate(over="ignore"):
        return (x.astype(np.float32).astype(float) if single else x) <= cuts


def last_left(steps, cuts, single):
    """Returns, for each threshold of its column, the last number that goes left: −inf for none, inf for all."""
    def left(x):
        return is_left(steps, x, cuts, single)

    most = np.finfo(float).max
    low, high = (np.full(cuts.shape, key) for key in (-int(np.array(most).view(np.int64)), int(np.array(most).view(np.int64))))
    none, all_of_them = ~left(number(low)), left(number(high))
    for _ in range(65):
        middle = (low >> 1) + (high >> 1) + (low & high & 1)
        goes = left(number(middle))
        low, high = np.where(goes, middle, low), np.where(goes, high, middle)
    return np.where(all_of_them, math.inf, np.where(none, -math.inf, number(low)))


def number(key):
    """Returns the float64 that are numbered in their order, zero by 0."""
    return np.where(key < 0, -1.0, 1.0) * np.abs(key).view(np.float64)


def in_units_of_columns(steps, file, places, missing_zeros=False):
    """Returns the file of a model that takes rows as they are before a ColumnTransformer, or an encoder of all columns."""
    step = steps[-1]
    if len(steps) > 1:
        before = ", ".join(type(step).__name__ for step in steps)
        raise ExportError(f"a Pipeline of several steps before the model ({before}): put them into one ColumnTransformer, with a Pipeline for each kind of column")
    if any(file.get("categories", [])):
        raise ExportError("a Pipeline that changes the features of a model with categories: export its last step, and give facet the rows as that step sees them")
    single, count = file["comparison"] != "x <= t", int(step.n_features_in_)
    sources, codes, names, cells, twice = {}, [0] * count, [[]] * count, {}, False
    for inputs, outputs, scalers, encoder, transform in branches(step):
        if encoder is None:
            moved = Moved(file["trees"], scalers, outputs, single, missing_zeros)
            sources.update({column: (at, moved) for at, column in zip(inputs, outputs)})
            continue
        for at, columns, table, known in encoded(inputs, outputs, encoder, transform):
            numbers, names[at] = numbered(known, places)
            twice, codes[at] = twice or codes[at] > 0, max(numbers, default=0) + 1
            if missing_zeros:
                table = np.where(table == 0, math.nan, table)
            table = table.astype(np.float32).astype(float) if single else table
            cells[at] = [(math.nextafter(0, -math.inf), None)] * (numbers[:1] != [0]) + cut(numbers, range(len(known)), True)
            sources.update({column: (at, table[:, column - columns[0]]) for column in columns})
    if twice or any(codes[at] and isinstance(of, Moved) for at, of in sources.values()):
        raise ExportError("a ColumnTransformer that takes a column of categories twice: give it a copy of the column")
    grower = Grower()
    file = {**file, "n_features": count, "comparison": "x <= t", "trees": [grower.tree(source_of(tree, sources, cells), cells) for tree in file["trees"]]}
    file.pop("feature_names", None)
    if hasattr(step, "feature_names_in_"):
        file["feature_names"] = step.feature_names_in_.tolist()
    if any(codes):
        file["categories"] = codes
    if any(names):
        file["category_names"] = names
    return file


def branches(step):
    """Yields of each part of a ColumnTransformer its columns before and after it, the scalers or the encoder in it, and itself."""
    parts = [("all", step, None)]
    if isinstance(step, ColumnTransformer):
        parts = [part for part in step.transformers_ if not isinstance(part[1], str) or part[1] != "drop"]
    for name, part, _ in parts:
        inputs, outputs = list(range(step.n_features_in_)), None
        if isinstance(step, ColumnTransformer):
            inputs, span = list(step._transformer_to_input_indices[name]), step.output_indices_[name]
            outputs = list(range(span.start, span.stop))
        inner = [s for _, s in part.steps] if isinstance(part, Pipeline) else [part]
        inner = [s for s in inner if not (s is None or isinstance(s, str) or isinstance(s, preprocessing.FunctionTransformer) and s.func is None)]
        encoder = inner.pop() if inner and isinstance(inner[-1], ENCODERS) else None
        if not inputs:
            continue
        bad = [s for s in inner if isinstance(s, preprocessing.KBinsDiscretizer) and s.encode != "ordinal" or getattr(s, "method", "") == "box-cox" or not isinstance(s, SimpleImputer if encoder is not None else SCALERS) or getattr(s, "indicator_", None) is not None]
        if bad or encoder is None and len(inputs) != len(outputs):
            raise ExportError(f"a ColumnTransformer with a {type(bad[0] if bad else part).__name__}: only scalers and SimpleImputer, and OneHotEncoder and OrdinalEncoder perhaps after a SimpleImputer, are exported")
        yield inputs, outputs, inner, encoder, [*inner, encoder]


def encoded(inputs, outputs, encoder, transform):
    """Yields of each column of categories its number, the columns that it becomes, what they hold for each category, for another one and for
    a missing value, a row for each, and the categories."""
    all_known = [list(known) for known in encoder.categories_]
    widths = list(encoder._n_features_outs) if isinstance(encoder, preprocessing.OneHotEncoder) else [1] * len(inputs)
    start = outputs[0] if outputs else 0
    usual = [next((c for c in known if c is not None and c == c), math.nan) for known in all_known]
    kind = float if all(known.dtype.kind in "biuf" for known in encoder.categories_) else object
    for k, (at, known, width) in enumerate(zip(inputs, all_known, widths)):
        named = [c.item() if isinstance(c, np.generic) else c for c in known if c is not None and c == c]
        numbers = all(isinstance(c, (int, float)) for c in named)
        other = max(named, default=0) + 1 if numbers else "no " + "".join(map(str, named))
        rows = []
        for value in [*named, other, math.nan]:
            row = list(usual)
            row[k] = value
            try:
                rows.append(through(transform, np.array([row], dtype=kind))[0, start_of(widths, k):start_of(widths, k) + width])
            except ValueError:
                if value is not other and value == value:
                    raise
                rows.append(rows[-1] if value != value and len(rows) > len(named) else np.zeros(width))  # which scikit-learn refuses
        yield at, list(range(start + start_of(widths, k), start + start_of(widths, k) + width)), np.array(rows, dtype=float), named


def start_of(widths, k):
    """Where column k starts among columns of such widths."""
    return int(sum(widths[:k]))


def through(steps, x):
    """Returns rows after the steps."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that columns have no names, and that a category is unknown
        for step in steps:
            x = step.transform(x)
            x = x.toarray() if hasattr(x, "toarray") else np.asarray(x)
    return x


def source_of(tree, sources, cells):
    """Returns the nodes of a tree for a Grower."""
    source = []
    missing = tree.get("missing_left") or [False] * len(tree["feature"])
    for i, (f, left, right, missing_left, value) in enumerate(zip(tree["feature"], tree["left"], tree["right"], missing, tree["value"])):
        if left < 0:
            source.append({"is_leaf": True, "value": value})
            continue
        at, of = sources[f]
        node = {"is_leaf": False, "value": value, "feature": at, "left": left, "right": right}
        if isinstance(of, Moved):
            node["cuts"], node["missing_left"], swaps = of.test(f, cuts_of(tree, i), missing_left)
            if swaps:
                node["left"], node["right"] = right, left
        else:  # the last rows are those of an unknown category and of a missing value
            cuts = cuts_of(tree, i)
            goes = [left if goes_left(v, cuts, missing_left) else right for v in of.tolist()]
            node["child"] = [goes[-2] if row is None else goes[row] for _, row in cells[at]]
            node["child"][0] = goes[-1]
        source.append(node)
    return source


def neighbors(model, steps):
    """Returns the file of nearest neighbours: their rows."""
    if steps:
        before = ", ".join(type(step).__name__ for step in steps)
        raise ExportError(
            f"a Pipeline whose neighbours are nearest after other steps ({before}): export its last step, export_sklearn.write(pipeline[-1], path), "
            "and give facet the rows as that step sees them, pipeline[:-1].transform(X); a MinMaxScaler is --scale minmax")
    squared = model.effective_metric_ == "sqeuclidean" and model.weights != "distance"  # of which the same rows are nearest
    if model.effective_metric_ != "euclidean" and not squared or (model.effective_metric_params_ or {}).get("w") is not None:
        raise ExportError(
            f"nearest in the metric {model.effective_metric_} {model.metric_params or ''}, p = {model.p}: only Euclidean distances (p = 2, no weights) are "
            "exported, and squares of them (sqeuclidean) for neighbours whose weights are uniform")
    if model.weights not in ("uniform", "distance", None):
        raise ExportError(f"the weights of neighbours are {model.weights}: only uniform and distance are exported")
    if not isinstance(model._fit_X, np.ndarray):
        raise ExportError("the rows are sparse: fit the KNeighborsClassifier to X.toarray()")
    return {
        **head("facet-model", model), "kind": "weighted-knn" if model.weights == "distance" else "knn", "k": int(model.n_neighbors),
        "rows": np.asarray(model._fit_X, dtype=float).tolist(), "labels": np.ravel(model._y).tolist(),
    }


def slopes(steps):
    """Returns how far each feature moves after scalers as it moves by 1 before them, above 0."""
    for step in steps:
        kind = next((kind for kind in SLOPES if isinstance(step, kind)), None)
        if kind is None or getattr(step, "clip", False):
            raise ExportError(
                f"a Pipeline whose neighbours are nearest after a {type(step).__name__}: StandardScaler, MinMaxScaler, MaxAbsScaler and RobustScaler "
                "keep distances along each feature; for others ask pipeline[-1] about the rows as it sees them, pipeline[:-1].transform(X)")
    width = int(steps[0].n_features_in_)
    product = np.ones(width)
    for step in steps:
        factor = step.scale_ if isinstance(step, preprocessing.MinMaxScaler) else None if step.scale_ is None else 1 / step.scale_
        product = product if factor is None else product * factor
    return product


def load(path):
    """Returns the model of a file of joblib or pickle."""
    import joblib

    try:
        return joblib.load(path)
    except OSError:
        raise
    except ModuleNotFoundError as e:
        raise ExportError(f"{path} needs the package {e.name}: install it, or export where the model was trained") from None
    except Exception as e:  # whatever a pickle does
        raise ExportError(f"{path} is no model that joblib loads here ({said(e)}): scikit-learn {sklearn.__version__} and the version that saved it may differ") from None


def beside(path, file):
    """Returns where what was exported from a path is written if nobody says it, and says so."""
    made = os.path.splitext(path)[0] + (".facet" if fits_arrays(file) else ".json")
    print(f"the model goes to {made}")
    return made


def said(e):
    """Returns what an exception says in a line."""
    return ": ".join([type(e).__name__, *str(e).strip().splitlines()[:1]])


def main(arguments):
    scores = "--scores" in arguments
    arguments = [argument for argument in arguments if argument != "--scores"]
    if len(arguments) not in (1, 2):
        sys.exit("usage: python export_sklearn.py [--scores] model.joblib [model.json]")
    try:
        model = load(arguments[0])
        try:
            file = export(model, scores=scores)
            put_file(file, arguments[1] if len(arguments) == 2 else beside(arguments[0], file))
        except (ExportError, OSError):
            raise
        except Exception as e:  # of a model that differs from what scikit-learn makes today
            raise ExportError(
                f"the {type(model).__name__} of {arguments[0]} cannot be exported ({said(e)}): "
                f"it may come from another version than scikit-learn {sklearn.__version__}; export it with the version that trained it") from None
    except (ExportError, OSError) as e:
        sys.exit(f"export_sklearn.py: {e}")


if __name__ == "__main__":
    main(sys.argv[1:])
