"""Writes a scikit-learn tree, forest or gradient boosting as the JSON that facet reads."""
import json

import numpy as np
import sklearn
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import ExtraTreesClassifier, GradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

# Version 1.4 began to store class frequencies in trees, and boosting to decide by sums.
OLD = tuple(int(n) for n in sklearn.__version__.split(".")[:2]) < (1, 4)


def write(model, path):
    with open(path, "w") as f:
        json.dump(export(model), f)


def export(model):
    boosted, forest = isinstance(model, GradientBoostingClassifier), isinstance(model, (RandomForestClassifier, ExtraTreesClassifier))
    if not (boosted or forest or isinstance(model, DecisionTreeClassifier)):
        raise TypeError(f"{type(model).__name__} is no tree, forest or gradient boosting for classification")
    if getattr(model, "n_outputs_", 1) > 1:
        raise ValueError("a model of several outputs")
    trees = []
    for estimator in np.ravel(model.estimators_ if boosted or forest else [model]):
        t = estimator.tree_
        value = t.value[:, 0, :]
        if forest and OLD:  # a single tree compares the counts themselves
            value = value / value.sum(axis=1, keepdims=True)
        trees.append({
            "feature": t.feature.tolist(), "threshold": t.threshold.tolist(),
            "left": t.children_left.tolist(), "right": t.children_right.tolist(), "value": value.tolist(),
        })
    file = {
        "format": "sklearn-tree-ensemble", "version": 1,
        "n_features": int(model.n_features_in_), "classes": [float(c) for c in model.classes_],
    }
    if boosted:
        file["boosting"] = boosting(model)
    return {**file, "trees": trees}


def boosting(model):
    strategy = model.init_.strategy if isinstance(model.init_, DummyClassifier) else model.init_
    if strategy not in ("zero", "prior", "most_frequent", "constant"):
        raise ValueError(f"init is {model.init_}, which does not predict the same for all rows")
    init = model._raw_predict_init(np.zeros((1, model.n_features_in_)))[0].tolist()
    stages, groups = model.estimators_.shape
    return {
        "init": init if groups > 1 else [0.0] + init, "learning_rate": float(model.learning_rate),
        "class": (list(range(groups)) if groups > 1 else [1]) * stages,
        "decision": "probability" if OLD and model.loss != "exponential" else "sum",
    }
