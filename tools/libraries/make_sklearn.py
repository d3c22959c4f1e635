#!/usr/bin/env python3
"""Makes models of scikit-learn, and prints its predictions. Needs scikit-learn 1.2 or later and numpy.

    python make_sklearn.py record                  internal/modelfile/testdata/sklearn-VERSION anew
    python make_sklearn.py make FOLDER [SEED]      the same kinds of models, from other data
    python make_sklearn.py neighbours FOLDER SEED  models of nearest neighbours
    python make_sklearn.py predict FOLDER          rows of each model from standard input, labels and margins to standard output

Rows are lists of numbers, null for a missing value. Labels are numbers of classes. Margins are what
predict_proba or decision_function returns, or predict of a regressor; hard votes have none.
"""
import gzip
import json
import os
import sys
import warnings

import joblib
import numpy as np
from sklearn import compose, ensemble, model_selection, preprocessing
from sklearn.impute import SimpleImputer
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "python", "facet_robust"))
import export_sklearn
import recording

WORDS = ["blue", "green", "red", "white"]


def data(rng, classes=2, missing=0.0, codes=(), rows=240, features=4):
    """Rows and labels; the first columns are categories, of so many codes."""
    x = np.round(rng.normal(size=(rows, features)), 2)
    for f, n in enumerate(codes):
        x[:, f] = rng.integers(0, n, size=rows)
    score = sum(np.where(np.isin(x[:, f], [1, 2, 5]), 1.0, -0.5) if f < len(codes) else x[:, f] * (1 + f % 2) for f in range(features))
    score = score + rng.normal(size=rows) * 0.5
    if missing:
        x[rng.random(x.shape) < missing] = np.nan
    if not classes:
        return x, np.round(score, 1)
    return x, np.searchsorted(np.quantile(score, np.arange(1, classes) / classes), score)


def models(seed):
    """Models by name. Those whose name has "missing" take missing values."""
    rng = np.random.default_rng(seed)
    version = export_sklearn.VERSION

    def fit(model, classes=2, words=False, **kind):
        x, y = data(rng, classes, **kind)
        weight = {"sample_weight": rng.integers(1, 4, size=len(y))} if kind.get("weighted") else {}
        return model.fit(x, np.array(["no", "perhaps", "yes"])[y] if words else y, **weight)

    def tree(**more):
        return DecisionTreeClassifier(max_depth=4, random_state=seed, **more)

    def rounds(n, **more):
        return {"n_estimators": n, "random_state": seed, **more}

    def votes(voting, weights=None, classes=2):
        members = [tree(max_features=2), ExtraTreeClassifier(max_depth=5, random_state=seed), tree(min_samples_leaf=12), tree(criterion="entropy", max_features=1)]
        return fit(ensemble.VotingClassifier([(str(i), m) for i, m in enumerate(members)], voting=voting, weights=weights), classes)

    yield "tree", fit(tree(class_weight="balanced"), 3)
    yield "forest_words", fit(ensemble.RandomForestClassifier(max_depth=4, class_weight={"no": 1, "yes": 3, "perhaps": 2}, **rounds(9)), 3, words=True)
    yield "extra_trees", fit(ensemble.ExtraTreesClassifier(max_depth=5, **rounds(9)), 4)
    yield "boosting", fit(ensemble.GradientBoostingClassifier(**rounds(12)))
    yield "boosting_three", fit(ensemble.GradientBoostingClassifier(max_depth=2, **rounds(6)), 3)
    histogram = ensemble.HistGradientBoostingClassifier
    small = {"max_iter": 12, "max_leaf_nodes": 9, "min_samples_leaf": 8, "random_state": seed, "early_stopping": False}
    yield "histogram_missing", fit(histogram(**small), missing=0.15)
    yield "histogram_three_missing", fit(histogram(**small), 3, missing=0.1)
    yield "histogram_weighted_missing", fit(histogram(class_weight={0: 1.0, 1: 2.5}, **small), missing=0.1)
    yield "histogram_monotonic_missing", fit(histogram(monotonic_cst=[0, 0, 1, -1], **small))
    yield "histogram_categories_missing", fit(histogram(categorical_features=[0, 1], **small), codes=(8, 4), missing=0.1)
    yield "histogram_categories_three_missing", fit(histogram(categorical_features=[0, 1], **small), 3, codes=(6, 3))
    yield "bagging", fit(ensemble.BaggingClassifier(tree(), max_features=3, max_samples=0.5, **rounds(8)), 3)
    yield "bagging_few", fit(ensemble.BaggingClassifier(tree(), max_samples=8, **rounds(10)), 4)
    yield "bagging_scaled", fit(ensemble.BaggingClassifier(make_pipeline(preprocessing.StandardScaler(), tree()), **rounds(5)))
    yield "adaboost", fit(ensemble.AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), **rounds(12), **samme()))
    yield "adaboost_three", fit(ensemble.AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), **rounds(12), **samme()), 3)
    if version < (1, 6):
        real = {"algorithm": "SAMME.R"}
        yield "adaboost_real", fit(ensemble.AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), **rounds(8), **real))
        yield "adaboost_real_three", fit(ensemble.AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), **rounds(8), **real), 3)
    yield "voting_soft", votes("soft", classes=3)
    yield "voting_soft_weights", votes("soft", [0.1, 0.2, 0.3, 0.7], 3)
    yield "voting_soft_integers", votes("soft", [2, 1, 1, 3])
    yield "voting_hard", votes("hard", classes=3)
    yield "voting_hard_weights", votes("hard", [0.1, 0.2, 0.3, 0.4])
    yield "standard_forest", fit(make_pipeline(preprocessing.StandardScaler(), ensemble.RandomForestClassifier(max_depth=4, **rounds(7))))
    yield "minmax_boosting", fit(make_pipeline(preprocessing.MinMaxScaler((-1, 2), clip=True), ensemble.GradientBoostingClassifier(max_depth=2, **rounds(9))), 3)
    yield "robust_histogram_missing", fit(make_pipeline(preprocessing.MaxAbsScaler(), preprocessing.RobustScaler(), histogram(**small)), missing=0.1)
    yield "imputed_forest_missing", fit(make_pipeline(SimpleImputer(), preprocessing.StandardScaler(), ensemble.ExtraTreesClassifier(max_depth=4, **rounds(7))), missing=0.1)
    yield "searched", fit(model_selection.GridSearchCV(make_pipeline(preprocessing.MinMaxScaler(), ensemble.RandomForestClassifier(**rounds(3))), {"randomforestclassifier__max_depth": [4]}))
    if version >= (1, 3):
        yield "tree_missing", fit(tree(), 3, missing=0.2)
    if version >= (1, 4):
        yield "forest_missing", fit(ensemble.RandomForestClassifier(max_depth=4, **rounds(7)), missing=0.2)
        x, y = data(rng, codes=(4, 4), missing=0.1)
        x = in_words(x, [WORDS, [30, 10, 20, 40]])
        yield "histogram_words_missing", histogram(categorical_features=[0, 1], **small).fit(x, y)
    if version >= (1, 6):
        yield "extra_trees_missing", fit(ensemble.ExtraTreesClassifier(max_depth=4, **rounds(7)), missing=0.2)
    yield "tree_regressor", fit(DecisionTreeRegressor(max_depth=5, random_state=seed), 0)
    yield "forest_regressor", fit(ensemble.RandomForestRegressor(max_depth=4, **rounds(7)), 0)
    yield "boosting_regressor", fit(ensemble.GradientBoostingRegressor(**rounds(9)), 0)
    yield "quantile_regressor", fit(ensemble.GradientBoostingRegressor(loss="quantile", alpha=0.8, **rounds(9)), 0)
    yield "histogram_regressor_missing", fit(ensemble.HistGradientBoostingRegressor(categorical_features=[0], **small), 0, codes=(6,), missing=0.1)
    yield "bagging_regressor", fit(ensemble.BaggingRegressor(DecisionTreeRegressor(max_depth=4), max_features=3, **rounds(6)), 0)
    yield "standard_regressor", fit(make_pipeline(preprocessing.StandardScaler(), ensemble.ExtraTreesRegressor(max_depth=4, **rounds(6))), 0)
    forests = [("a", ensemble.RandomForestClassifier(max_depth=4, **rounds(5))), ("b", ensemble.ExtraTreesClassifier(max_depth=4, **rounds(5))), ("c", tree())]
    yield "mixed_bagging", fit(ensemble.BaggingClassifier(forests[0][1], max_features=3, **rounds(3)), 3)
    yield "mixed_voting", fit(ensemble.VotingClassifier(forests, voting="soft", weights=[1, 2, 0.3]), 3)
    boosted = [("a", ensemble.GradientBoostingRegressor(**rounds(9))), ("b", ensemble.HistGradientBoostingRegressor(**small)), ("c", ensemble.RandomForestRegressor(max_depth=4, **rounds(5)))]
    yield "mixed_regressor", fit(ensemble.VotingRegressor(boosted, weights=[3, 2, 1]), 0)
    for name, last in ("forest", ensemble.RandomForestClassifier(max_depth=6, **rounds(9))), ("boosting", ensemble.GradientBoostingClassifier(**rounds(9))):
        encoders = [("words", preprocessing.OneHotEncoder(handle_unknown="ignore"), [1]), ("numbers", preprocessing.StandardScaler(), [3, 2])]
        columns = compose.ColumnTransformer(encoders, remainder=preprocessing.OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1))
        yield f"columns_{name}", fit(make_pipeline(columns, last), codes=(7, 4))
    for loss in ["poisson", "gamma"][:1 + (version >= (1, 3))]:
        x, y = data(rng, 0)
        yield f"histogram_{loss}_regressor", ensemble.HistGradientBoostingRegressor(loss=loss, **small).fit(x, np.exp(y / 4))


def neighbours(seed):
    """Nearest neighbours by name. Rows lie anywhere, since which of two equally far ones counts is the library's secret."""
    rng = np.random.default_rng(seed)
    for k in 1, 3, 5:
        for weights in ["uniform", "distance"][:1 + (k == 3)]:
            for algorithm in "kd_tree", "ball_tree", "brute":
                x = rng.normal(size=(60, 2))
                y = np.array(["a", "b", "c"])[1 * (x[:, 0] > 0) + (x[:, 1] + rng.normal(size=60) > 0.7)]
                yield f"{weights}_{k}_{algorithm}", KNeighborsClassifier(k, weights=weights, algorithm=algorithm).fit(x, y)


def samme():
    return {"algorithm": "SAMME"} if export_sklearn.VERSION < (1, 6) else {}


def in_words(x, names):
    """Rows whose first columns are the names of their codes."""
    table = x.astype(object)
    for f, all in enumerate(names):
        for row, v in zip(table, x[:, f]):
            row[f] = np.nan if v != v else all[int(v)] if 0 <= v < len(all) and v == int(v) else "none" if isinstance(all[0], str) else -1.0
    return table


def predict(name, model, x):
    x = np.array([[np.nan if v is None else v for v in row] for row in x])
    if "words_missing" in name:  # the second column's codes are its numbers already
        x = in_words(x, [WORDS])
        x[:, 1:] = x[:, 1:].astype(float)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if "regressor" in name:
            return None, model.predict(x)
        labels = np.searchsorted(model.classes_, model.predict(x))
        if hasattr(model, "decision_function"):
            return labels, model.decision_function(x)
        if isinstance(model, DecisionTreeClassifier):
            return labels, model.tree_.predict(x.astype(np.float32))
        if getattr(model, "voting", "soft") == "hard":
            return labels, np.zeros((len(x), 0))
        return labels, model.predict_proba(x)


def cuts(document):
    """The thresholds of each column."""
    found = [[] for _ in range(document["n_features"])]
    for tree in document["trees"]:
        for f, cut in zip(tree["feature"], tree["threshold"]):
            if f >= 0:
                found[f].append(cut)
    return found


def record():
    version, records = "sklearn-%d.%d" % export_sklearn.VERSION, []
    folder = os.path.join(recording.TESTDATA, version)
    os.makedirs(folder, exist_ok=True)
    for name, model in models(1):
        if "poisson" in name or "gamma" in name or "mixed" in name:  # numpy rounds exponentials as the processor has it, mixtures in another order
            continue
        document = export_sklearn.export(model)
        special = [np.nan] if "missing" in name else []
        records.append(recording.record(name, name + ".json.gz", cuts(document), lambda x: predict(name, model, x), special, document.get("categories")))
        with gzip.GzipFile(os.path.join(folder, name + ".json.gz"), "wb", mtime=0) as f:
            f.write(json.dumps(document, separators=(",", ":")).encode())
    recording.save(version, records)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1] == "record":
        record()
    elif sys.argv[1] in ("make", "neighbours"):
        for name, model in {"make": models, "neighbours": neighbours}[sys.argv[1]](int(sys.argv[3]) if len(sys.argv) > 3 else 2):
            path = os.path.join(sys.argv[2], name)
            export_sklearn.write(model, path + ".json")
            joblib.dump(model, path + ".joblib")
    else:
        answers = {}
        for name, rows in json.load(sys.stdin).items():
            if rows:
                labels, margins = predict(name, joblib.load(os.path.join(sys.argv[2], name + ".joblib")), rows)
                answers[name] = {"Labels": [] if labels is None else labels.tolist(), "Margins": margins.reshape(len(rows), -1).tolist()}
        json.dump(answers, sys.stdout)
