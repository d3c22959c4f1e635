"""Writes a scikit-learn tree, forest or gradient boosting as the JSON that facet reads.

    python export_sklearn.py model.joblib model.json

or, where the model is:

    import export_sklearn
    export_sklearn.write(model, "model.json")

scikit-learn 1.2 and later. A model that cannot be exported is an ExportError, which says what to do.
"""
import json
import os
import sys

import numpy as np
import sklearn
from sklearn.base import is_regressor
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import ExtraTreesClassifier, GradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted

# Version 1.4 began to store class frequencies in trees, and boosting to decide by sums.
OLD = tuple(int(n) for n in sklearn.__version__.split(".")[:2]) < (1, 4)
FORESTS = (RandomForestClassifier, ExtraTreesClassifier)

# What to do about models that are not for this exporter, by a part of their name.
ADVICE = {
    "XGB": 'XGBoost writes what facet reads: model.save_model("model.json")',
    "LGBM": 'LightGBM writes what facet reads: model.booster_.save_model("model.txt")',
    "KNeighbors": "facet trains it itself: facet attack --model knn --k K --train rows.csv",
    "Hist": "GradientBoostingClassifier can be exported, its histogram variant cannot",
}


class ExportError(ValueError):
    """Says why a model cannot be exported, and what to do."""


def write(model, path):
    """Writes the file, which is replaced only when the new one is complete."""
    text = json.dumps(export(model), allow_nan=False)
    if os.path.exists(path) and not os.path.isfile(path):  # a device or a pipe
        with open(path, "w") as f:
            f.write(text)
        return
    unfinished = f"{path}.{os.getpid()}.part"
    try:
        with open(unfinished, "w") as f:
            f.write(text)
        os.replace(unfinished, path)
    finally:
        if os.path.exists(unfinished):
            os.remove(unfinished)


def export(model):
    """Returns what the file is to hold."""
    model = inner(model)
    check(model)
    boosted, forest = isinstance(model, GradientBoostingClassifier), isinstance(model, FORESTS)
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
    file = {"format": "sklearn-tree-ensemble", "version": 1, "n_features": int(model.n_features_in_), **classes(model)}
    if hasattr(model, "feature_names_in_"):  # of a data frame
        file["feature_names"] = model.feature_names_in_.tolist()
    if boosted:
        file["boosting"] = boosting(model)
    return {**file, "trees": trees}


def inner(model):
    """Returns the classifier that a search found best, or the only step of a pipeline."""
    if isinstance(model, (GridSearchCV, RandomizedSearchCV)) or hasattr(model, "best_estimator_"):
        if not hasattr(model, "best_estimator_"):
            raise ExportError(f"the {type(model).__name__} has no best_estimator_: call fit(X, y) first, and leave refit as it is")
        return inner(model.best_estimator_)
    if isinstance(model, Pipeline):
        steps = [step for _, step in model.steps if step is not None and step != "passthrough"]
        if len(steps) > 1:
            before = ", ".join(type(step).__name__ for step in steps[:-1])
            raise ExportError(
                f"a Pipeline that changes the features first ({before}): export its last step, export_sklearn.write(pipeline[-1], path), "
                "and give facet the rows as that step sees them, pipeline[:-1].transform(X); distances are then between such rows")
        return inner(steps[-1])
    return model


def check(model):
    """Refuses what is no fitted classifier of one output that is made of trees."""
    name = type(model).__name__
    if isinstance(model, (str, os.PathLike)):
        raise ExportError(f"{str(model)!r} is the name of a file: export joblib.load({str(model)!r})")
    if isinstance(model, type):
        raise ExportError(f"{model.__name__} is a class: export a fitted model, {model.__name__}().fit(X, y)")
    if hasattr(model, "fit") and is_regressor(model):
        raise ExportError(f"the {name} predicts numbers, and facet attacks classifiers: train a classifier, of whether y exceeds a limit say")
    if not isinstance(model, (*FORESTS, GradientBoostingClassifier, DecisionTreeClassifier)):
        advice = next((advice for part, advice in ADVICE.items() if part in name), "")
        known = "DecisionTree-, RandomForest-, ExtraTrees- and GradientBoostingClassifier"
        raise ExportError(f"{name} is none of what can be exported, {known}" + (f"; {advice}" if advice else ""))
    try:
        check_is_fitted(model)
    except NotFittedError:
        raise ExportError(f"the {name} is not fitted: call fit(X, y) first") from None
    if getattr(model, "n_outputs_", 1) > 1:
        raise ExportError(f"the {name} predicts {model.n_outputs_} labels a row: fit one model for each")


def classes(model):
    """Returns the labels: numbers, or, if they are words, their names and 0, 1, … for them."""
    labels = model.classes_.tolist()
    if all(isinstance(c, (int, float)) and not isinstance(c, bool) for c in labels):
        return {"classes": [float(c) for c in labels]}
    return {"classes": list(range(len(labels))), "class_names": [str(c) for c in labels]}


def boosting(model):
    """Returns what a boosted model has besides its trees."""
    strategy = model.init_.strategy if isinstance(model.init_, DummyClassifier) else model.init_
    if strategy not in ("zero", "prior", "most_frequent", "constant"):
        raise ExportError(f"init is {model.init_}, which looks at the row: leave it out, or use a DummyClassifier that does not draw")
    init = model._raw_predict_init(np.zeros((1, model.n_features_in_)))[0].tolist()
    stages, groups = model.estimators_.shape
    return {
        "init": init if groups > 1 else [0.0] + init, "learning_rate": float(model.learning_rate),
        "class": (list(range(groups)) if groups > 1 else [1]) * stages,
        "decision": "probability" if OLD and model.loss != "exponential" else "sum",
    }


def main(arguments):
    if len(arguments) != 2:
        sys.exit("usage: python export_sklearn.py model.joblib model.json")
    import joblib

    try:
        write(joblib.load(arguments[0]), arguments[1])
    except (ExportError, OSError) as e:
        sys.exit(f"export_sklearn.py: {e}")


if __name__ == "__main__":
    main(sys.argv[1:])
