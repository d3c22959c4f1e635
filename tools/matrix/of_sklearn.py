"""Kinds of scikit-learn."""
import json
import os

import numpy as np
import sklearn
from imblearn.ensemble import BalancedBaggingClassifier, EasyEnsembleClassifier
from sklearn import compose, ensemble, feature_selection, model_selection, neighbors, preprocessing, tree
from sklearn.calibration import CalibratedClassifierCV
from sklearn.pipeline import make_pipeline

from . import tables
from .given import Given, column, matrix, table
from .kinds import add, data

SAMME = {"algorithm": "SAMME"} if tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 6) else {}


def kind(name, new, classes=2, draw=tables.numbers, holes=0.0, outputs="proba", codes=None, short=False):
    """Adds a kind: new makes a model, outputs defines its sums: of "less" the difference of
    two, of which questions about all inputs are."""
    def make(folder, seed):
        from facet_robust import export_sklearn

        x, y, rows = data(draw, classes, seed, holes)
        shape = table(codes, cut=float) if codes else matrix
        model = new().fit(shape(x), y)
        path = os.path.join(folder, "model.json")
        export_sklearn.write(model, path)
        if outputs == "within":
            return Given(
                path, classes, x, rows, shape, lambda z: np.searchsorted(model.classes_, model.predict(z)), lambda z: within(model, z, path), model.predict_proba,
                live=model, exact=1e-12, sums=lambda z: column(np.diff(within(model, z, path))))
        return Given(
            path, classes, x, rows, shape, labels=lambda z: np.searchsorted(model.classes_, model.predict(z)) if hasattr(model, "classes_") else model.predict(z),
            outputs=None if outputs == "none" else lambda z: sums(model, z, outputs if classes else "predict"),
            probabilities=None if not classes or not hasattr(model, "predict_proba") else model.predict_proba if outputs != "votes" else lambda z: sums(model, z, outputs), live=model, codes=codes or {}, exact=1e-12,
            sums={"log": lambda z: np.log(column(model.predict(z))), "less": lambda z: column(np.diff(model.predict_proba(z))),
                  "depths": lambda z: sums(model, z, outputs) - export_sklearn.export(model)["base"][0]}.get(outputs))
    add("scikit-learn", name, make, short)


def sums(model, z, what):
    """Returns the sums of a model's trees, by its own methods."""
    if what == "predict":
        return column(model.predict(z))
    if what == "depths":
        from facet_robust import export_sklearn

        return column(-np.log2(-model.score_samples(z)) / export_sklearn.export(model, scores=True)["scale"])
    if what == "decision":
        return column(model.decision_function(z))
    if what == "adaboost":  # of two classes one number, by whose sign alone their sums differ
        found = column(model.decision_function(z))
        return np.concatenate([-found, found], 1) / 2 if found.shape[1] == 1 else found
    if what == "votes":
        members = [m.predict(z).astype(int) for m in model.estimators_]
        return np.stack([np.mean([m == c for m in members], 0) for c in range(len(model.classes_))], 1)
    return model.predict_proba(z)


def within(model, z, path):
    """Returns the threshold of the file of a wrapper, and the sum of the model in it."""
    base = model.calibrated_classifiers_[0].estimator if hasattr(model, "calibrated_classifiers_") else model.estimator_
    total = base.decision_function(z) if hasattr(base, "decision_function") else base.predict_proba(z)[:, 1] * len(base.estimators_)
    with open(path) as f:
        return np.stack([np.full(len(total), json.load(f)["base"][0]), total], axis=1)


def stump(depth=5, **how):
    return tree.DecisionTreeClassifier(max_depth=depth, random_state=0, **how)


def forest(trees=8, depth=4, **how):
    return ensemble.RandomForestClassifier(trees, max_depth=depth, random_state=0, **how)


def boosting(**how):
    return ensemble.GradientBoostingClassifier(n_estimators=8, max_depth=3, random_state=0, **how)


def histograms(kind=ensemble.HistGradientBoostingClassifier, **how):
    return kind(max_iter=8, max_leaf_nodes=8, min_samples_leaf=5, random_state=0, **how)


def encoded(encoder):
    return compose.make_column_transformer((encoder, list(tables.CODES)), remainder=preprocessing.StandardScaler())


kind("tree", stump, short=True)
kind("tree, 3", stump, 3)
kind("tree, 10", lambda: stump(7), 10)
kind("tree, missing", stump, 3, holes=0.1)
kind("forest", forest)
kind("forest, 3", forest, 3, short=True)
kind("forest, 10", lambda: forest(8, 6), 10, short=True)
kind("forest, missing", forest, holes=0.1)
kind("extra trees", lambda: ensemble.ExtraTreesClassifier(8, max_depth=5, random_state=0), 3)
kind("bagging", lambda: ensemble.BaggingClassifier(stump(), 6, max_features=4, random_state=0), 3)
kind("bagging of forests", lambda: ensemble.BaggingClassifier(forest(4), 3, random_state=0), 3)
kind("AdaBoost", lambda: ensemble.AdaBoostClassifier(stump(2), n_estimators=8, random_state=0, **SAMME), outputs="adaboost", short=True)
kind("AdaBoost, 3", lambda: ensemble.AdaBoostClassifier(stump(2), n_estimators=8, random_state=0, **SAMME), 3, outputs="adaboost")
kind("hard vote", lambda: ensemble.VotingClassifier([(str(d), stump(d)) for d in (2, 4, 6)]), 3, outputs="votes", short=True)
kind("soft vote", lambda: ensemble.VotingClassifier([(str(d), stump(d)) for d in (2, 4, 6)], voting="soft", weights=[1, 2, 3]), 3)
kind("soft vote of forests", lambda: ensemble.VotingClassifier([("a", forest(4)), ("b", stump(4))], voting="soft"), outputs="less")
kind("gradient boosting", boosting, outputs="decision", short=True)
kind("gradient boosting, 3", boosting, 3, outputs="decision")
kind("gradient boosting, exponential", lambda: boosting(loss="exponential"), outputs="decision")
kind("histograms", histograms, outputs="decision")
kind("histograms, 3", histograms, 3, outputs="decision")
kind("histograms, 10", histograms, 10, outputs="decision")
kind("histograms, missing", histograms, holes=0.1, outputs="decision")
kind("histograms, sets", lambda: histograms(categorical_features=list(tables.CODES)), draw=tables.mixed, outputs="decision", codes=tables.CODES, short=True)
kind("histograms, sets, 3, missing", lambda: histograms(categorical_features=list(tables.CODES)), 3, tables.mixed, 0.1, outputs="decision", codes=tables.CODES)
kind("scaled forest", lambda: make_pipeline(preprocessing.StandardScaler(), forest()))
kind("one-hot columns", lambda: make_pipeline(encoded(preprocessing.OneHotEncoder(handle_unknown="ignore")), forest()), 3, tables.mixed, codes=tables.CODES)
kind("ordinal columns", lambda: make_pipeline(encoded(preprocessing.OrdinalEncoder()), boosting()), draw=tables.mixed, outputs="decision", codes=tables.CODES)
kind("isolation forest", lambda: ensemble.IsolationForest(n_estimators=8, max_samples=64, contamination=0.2, random_state=0), outputs="depths")
kind("calibrated forest", lambda: CalibratedClassifierCV(forest(), ensemble=False, cv=3), outputs="within", short=True)
kind("calibrated trees, 3", lambda: CalibratedClassifierCV(stump(), method="isotonic", cv=3), 3)
kind("threshold of a forest", lambda: model_selection.FixedThresholdClassifier(forest(), threshold=0.3), outputs="within")
kind("tuned gradient boosting", lambda: model_selection.TunedThresholdClassifierCV(boosting(), cv=3), outputs="within")
kind("balanced bagging", lambda: BalancedBaggingClassifier(stump(), n_estimators=6, random_state=0), 3)
kind("calibrated gradient boosting", lambda: CalibratedClassifierCV(boosting(), method="isotonic", ensemble=False, cv=3), outputs="within")
kind("calibrated forests, averaged", lambda: CalibratedClassifierCV(forest(), cv=3))
kind("easy ensemble of AdaBoost", lambda: EasyEnsembleClassifier(3, random_state=0))
kind("chosen features", lambda: make_pipeline(feature_selection.SelectKBest(k=4), preprocessing.StandardScaler(), forest()))
kind("quantiles", lambda: make_pipeline(preprocessing.QuantileTransformer(n_quantiles=50), histograms()), outputs="decision")
kind("powers", lambda: make_pipeline(preprocessing.PowerTransformer(), boosting()), outputs="decision")
kind("bins", lambda: make_pipeline(preprocessing.KBinsDiscretizer(5), forest()), short=True)
kind("search", lambda: model_selection.GridSearchCV(forest(), {"max_depth": [3, 5]}, cv=2))
kind("tree, regressor", lambda: tree.DecisionTreeRegressor(max_depth=5, random_state=0), 0)
kind("forest, regressor", lambda: ensemble.RandomForestRegressor(8, max_depth=4, random_state=0), 0, short=True)
kind("gradient boosting, regressor", lambda: ensemble.GradientBoostingRegressor(n_estimators=8, random_state=0), 0)
kind("histograms, Poisson", lambda: histograms(ensemble.HistGradientBoostingRegressor, loss="poisson"), 0, outputs="log")
kind("histograms, sets, regressor", lambda: histograms(ensemble.HistGradientBoostingRegressor, categorical_features=list(tables.CODES)), 0, tables.mixed, codes=tables.CODES)
kind("bagging, regressor", lambda: ensemble.BaggingRegressor(tree.DecisionTreeRegressor(max_depth=4), 6, random_state=0), 0)
kind("vote, regressor", lambda: ensemble.VotingRegressor([("a", ensemble.RandomForestRegressor(4, max_depth=4)), ("b", ensemble.GradientBoostingRegressor(n_estimators=6))]), 0)
for k in 1, 3, 5:
    kind(f"{k}-NN", lambda k=k: neighbors.KNeighborsClassifier(k, algorithm="kd_tree"), 2 + (k > 1), tables.anywhere, outputs="none", short=k == 3)
kind("3-NN, weighted", lambda: neighbors.KNeighborsClassifier(3, weights="distance", algorithm="kd_tree"), 2, tables.anywhere, outputs="none")
kind("3-NN, Manhattan", lambda: neighbors.KNeighborsClassifier(3, metric="manhattan"), 2, tables.anywhere, outputs="none")
kind("stacking", lambda: ensemble.StackingClassifier([("a", forest())]))
kind("vote of boosted", lambda: ensemble.VotingClassifier([("a", boosting()), ("b", forest())], voting="soft"))
kind("AdaBoost, regressor", lambda: ensemble.AdaBoostRegressor(n_estimators=5), 0)
