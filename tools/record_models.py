#!/usr/bin/python3
"""Makes internal/modelfile/testdata/{xgboost,boosting,lightgbm}: models, and the predictions of their libraries.

    /usr/bin/python3 tools/record_models.py        (XGBoost 1.7.4, scikit-learn 1.2.1, numpy 1.24)

All models are trained on generated data. Each folder gets a recorded.json with, for each
model, a record as tools/libraries/recording.py describes it.

LightGBM is not needed: its models, testdata/lightgbm/*.txt, are written by hand, and
lightgbm_margins follows the rules of LightGBM's documentation.
"""
import json
import os
import sys
import warnings

import numpy as np
import xgboost as xgb
from sklearn.datasets import make_blobs, make_classification, make_moons
from sklearn.ensemble import ExtraTreesClassifier, GradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "python", "facet_robust"))
import export_sklearn
from libraries.recording import TESTDATA, record, save

# Data sets: features on a grid, so that thresholds and rows coincide.

def moons(rows=250, seed=1, step=1 / 16):
    x, y = make_moons(rows, noise=0.3, random_state=seed)
    return np.round(x / step) * step, y


def blobs(classes, rows=240, seed=2, features=3):
    x, y = make_blobs(rows, n_features=features, centers=classes, cluster_std=2.5, random_state=seed, center_box=(-4, 4))
    return np.round(x, 1), y


def mixture(classes, rows=260, seed=3, features=5):
    x, y = make_classification(rows, features, n_informative=4, n_redundant=0, n_classes=classes, n_clusters_per_class=1, flip_y=0.1, random_state=seed)
    return np.round(x, 2), y


# XGBoost

def xgboost_models():
    """Boosters and XGBClassifiers by name."""
    def train(data, rounds, **params):
        x, y = data
        return xgb.train({"seed": 1, "nthread": 1, **params}, xgb.DMatrix(x, y), rounds)

    holes = mixture(2, seed=5)
    holes[0][np.random.RandomState(0).rand(*holes[0].shape) < 0.15] = np.nan
    binary, soft = "binary:logistic", "multi:softprob"
    models = {
        "depth3": train(moons(), 12, objective=binary, max_depth=3),
        "depth6": train(moons(seed=2, step=0.1), 8, objective=binary, max_depth=6, base_score=0.3),
        "missing": train(holes, 10, objective=binary, max_depth=4),
        "softprob3": train(blobs(3), 6, objective=soft, num_class=3, max_depth=3),
        "softmax4": train(mixture(4), 5, objective="multi:softmax", num_class=4, max_depth=4),
        "parallel2": train(mixture(3, seed=7), 3, objective=soft, num_class=3, max_depth=3, num_parallel_tree=2, subsample=0.7, base_score=0.2),
        "pruned": train(moons(seed=4), 6, objective=binary, max_depth=5, tree_method="exact", gamma=1.5),
        "lossguide": train(mixture(2, seed=9), 8, objective=binary, tree_method="hist", grow_policy="lossguide", max_leaves=9, max_depth=0, base_score=0.77),
    }
    x, y = moons(seed=8)
    early = xgb.XGBClassifier(n_estimators=40, max_depth=4, learning_rate=0.6, early_stopping_rounds=4, n_jobs=1, random_state=1)
    models["early"] = early.fit(x[:170], y[:170], eval_set=[(x[170:], y[170:])], verbose=False)
    return models


def xgboost_predict(file, x):
    """The predictions of the library that has read the file."""
    document = json.load(open(file))["learner"]
    if "scikit_learn" in document["attributes"]:
        classifier = xgb.XGBClassifier()
        classifier.load_model(file)
        return classifier.predict(x), classifier.predict(x, output_margin=True)
    booster, data = xgb.Booster(model_file=file), xgb.DMatrix(x)
    margins, out = booster.predict(data, output_margin=True), booster.predict(data)
    objective = document["objective"]["name"]
    if objective == "multi:softprob":
        return np.argmax(out, axis=1), margins
    if objective == "multi:softmax":
        return out, margins
    return out > 0.5, margins


def xgboost_cuts(document):
    learner = document["learner"]
    cuts = [[] for _ in range(int(learner["learner_model_param"]["num_feature"]))]
    for t in learner["gradient_booster"]["model"]["trees"]:
        for left, f, cut in zip(t["left_children"], t["split_indices"], t["split_conditions"]):
            if left >= 0:
                cuts[f].append(float(np.float32(cut)))
    return cuts


def tied(document):
    """Leaves a few roundings from zero, so that probabilities lie at 1/2 and beside it."""
    for i, t in enumerate(document["learner"]["gradient_booster"]["model"]["trees"]):
        for j, left in enumerate(t["left_children"]):
            if left < 0:
                t["split_conditions"][j] = float(np.float32(((i * 5 + j * 3) % 9 - 4) * 2.0**-26 + 1.5 * 2.0**-26))
    return document


def tied_softprob(document):
    """The sums of two classes are 0.3 or the next float32, whose probabilities are the same."""
    document["learner"]["learner_model_param"]["base_score"] = "0E0"
    for i, t in enumerate(document["learner"]["gradient_booster"]["model"]["trees"]):
        for j, left in enumerate(t["left_children"]):
            if left < 0:
                least = 2.0**-25 * (j % 2) if i in (3, 7) else 0.0
                t["split_conditions"][j] = float(np.float32([0.3, 0.3, -0.1 * j][i])) if i < 3 else least
    return document


def record_bases(path):
    """The margins that base scores become: those of a model whose leaves are 0."""
    document = json.load(open(path))
    for t in document["learner"]["gradient_booster"]["model"]["trees"]:
        t["split_conditions"] = [0.0] * len(t["split_conditions"])
    with open(os.path.join(TESTDATA, "xgboost", "base_scores.txt"), "w") as f:
        for p in np.concatenate([np.linspace(0.001, 0.999, 300), [2e-6, 1e-5, 1e-4]]).astype(np.float32):
            document["learner"]["learner_model_param"]["base_score"] = str(p)
            booster = xgb.Booster(model_file=bytearray(json.dumps(document), "utf-8"))
            margin = booster.predict(xgb.DMatrix(np.zeros((1, 2))), output_margin=True)[0]
            f.write(f"{p!s} {margin!s}\n")


def record_xgboost():
    folder, records = os.path.join(TESTDATA, "xgboost"), []
    for name, model in xgboost_models().items():
        model.save_model(os.path.join(folder, name + ".json"))
    for name, source, change in ("tied", "depth3", tied), ("tied_softprob", "softprob3", tied_softprob):
        document = change(json.load(open(os.path.join(folder, source + ".json"))))
        with open(os.path.join(folder, name + ".json"), "w") as f:
            json.dump(document, f, separators=(",", ":"))
    for file in sorted(os.listdir(folder)):
        if file.endswith(".json") and file != "recorded.json":
            path = os.path.join(folder, file)
            special = [np.nan] if file == "missing.json" else []
            records.append(record(file[:-5], file, xgboost_cuts(json.load(open(path))), lambda x: xgboost_predict(path, x), special))
    record_bases(os.path.join(folder, "depth3.json"))
    save("xgboost", records)


# scikit-learn

def sklearn_models():
    """Trees, forests and boosted models by name."""
    def boosting(data, **params):
        return GradientBoostingClassifier(random_state=1, **{"n_estimators": 12, **params}).fit(*data)

    xor = np.array([[i % 2, i // 2 % 2] for i in range(12)], dtype=float)
    return {
        "tree": DecisionTreeClassifier(max_depth=6, class_weight="balanced", random_state=1).fit(*blobs(3)),
        "extra_tree": ExtraTreesClassifier(1, bootstrap=False, max_depth=5, random_state=2).fit(*moons()).estimators_[0],
        "forest": RandomForestClassifier(9, max_depth=5, random_state=3).fit(*mixture(3)),
        "extra_trees": ExtraTreesClassifier(7, max_depth=5, random_state=4).fit(*blobs(4)),
        "binary": boosting(moons()),
        "three": boosting(mixture(3), n_estimators=6),
        "four": boosting(blobs(4), n_estimators=5, subsample=0.7, max_features=2, learning_rate=0.37),
        "exponential": boosting(moons(seed=3), loss="exponential", learning_rate=0.3),
        "zero": boosting(moons(seed=5), init="zero", max_depth=2, learning_rate=1.0),
        # Leaves of zero: sums tie exactly.
        "tied_probability": boosting((xor, np.arange(12) // 4 % 2), max_depth=1, init="zero"),
        "tied_sum": boosting((xor, np.arange(12) // 4 % 2 == 0), max_depth=1, init="zero", loss="exponential"),
        "tied_three": boosting((xor, np.arange(12) // 4), max_depth=1, init="zero"),
        "tied_softmax": tied_softmax(boosting(blobs(3), n_estimators=2, init="zero", learning_rate=1.0)),
    }


def tied_softmax(model):
    """The sums of two classes are 0.1 or the next float64, whose probabilities are the same."""
    for (stage, group), estimator in np.ndenumerate(model.estimators_):
        value = estimator.tree_.value
        for node in range(len(value)):
            value[node] = [0.1, 0.1, -0.1 * node][group] if stage == 0 else 2.0**-56 * (node % 2)
    return model


def sklearn_predict(model, x):
    labels = np.searchsorted(model.classes_, model.predict(x))
    if hasattr(model, "decision_function"):
        return labels, model.decision_function(x)
    if hasattr(model, "estimators_"):
        return labels, model.predict_proba(x)
    return labels, model.tree_.predict(x.astype(np.float32))


def sklearn_cuts(document):
    cuts = [[] for _ in range(document["n_features"])]
    for t in document["trees"]:
        for f, cut in zip(t["feature"], t["threshold"]):
            if f >= 0:
                cuts[f].append(cut)
    return cuts


def record_sklearn():
    folder, records = os.path.join(TESTDATA, "boosting"), []
    for name, model in sklearn_models().items():
        path = os.path.join(folder, name + ".json")
        export_sklearn.write(model, path)
        records.append(record(name, name + ".json", sklearn_cuts(json.load(open(path))), lambda x: sklearn_predict(model, x)))
    save("boosting", records)


# LightGBM, by its documentation

ZERO = float(np.float32(1e-35))


def lightgbm_read(path):
    header, *blocks = open(path).read().split("end of trees")[0].split("Tree=")
    parse = lambda block: dict(line.split("=", 1) for line in block.splitlines() if "=" in line)
    return parse(header), [parse(b) for b in blocks]


def lightgbm_leaf(tree, row):
    numbers = lambda key, kind: [kind(w) for w in tree[key].split()]
    feature, threshold, decision = numbers("split_feature", int), numbers("threshold", float), numbers("decision_type", int)
    left, right, node = numbers("left_child", int), numbers("right_child", int), 0
    if tree["num_leaves"] == "1":
        return numbers("leaf_value", float)[0]
    while node >= 0:
        value, missing = row[feature[node]], decision[node] >> 2 & 3
        if abs(value) <= ZERO or (np.isnan(value) and missing != 2):
            value = 0.0
        if missing == 1 and value == 0 or missing == 2 and np.isnan(value):
            goes_left = decision[node] & 2
        else:
            goes_left = value <= threshold[node]
        node = left[node] if goes_left else right[node]
    return numbers("leaf_value", float)[~node]


def lightgbm_predict(path, x):
    header, trees = lightgbm_read(path)
    groups = int(header["num_class"])
    margins = np.zeros((len(x), groups))
    for row, sums in zip(x, margins):
        for i, tree in enumerate(trees):
            sums[i % groups] += lightgbm_leaf(tree, row)
    if groups > 1:
        return np.argmax(margins, axis=1), margins
    sigmoid = float(header["objective"].split("sigmoid:")[1])
    return 1 / (1 + np.exp(-sigmoid * margins[:, 0])) > 0.5, margins[:, 0]


def lightgbm_cuts(path):
    header, trees = lightgbm_read(path)
    cuts = [[] for _ in range(int(header["max_feature_idx"]) + 1)]
    for tree in trees:
        for f, cut in zip(tree["split_feature"].split(), tree["threshold"].split()):
            cuts[int(f)].append(float(cut))
    return cuts


def record_lightgbm():
    folder, records = os.path.join(TESTDATA, "lightgbm"), []
    special = [np.nan, 0.0, 1e-36, -1e-36] + [float(s * v) for v in (ZERO, np.nextafter(ZERO, 1), np.nextafter(ZERO, 0)) for s in (1, -1)]
    for file in sorted(os.listdir(folder)):
        if file.endswith(".txt"):
            path = os.path.join(folder, file)
            records.append(record(file[:-4], file, lightgbm_cuts(path), lambda x: lightgbm_predict(path, x), special))
    save("lightgbm", records)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    only = sys.argv[1:] or ["xgboost", "boosting", "lightgbm"]
    for folder, make in ("xgboost", record_xgboost), ("boosting", record_sklearn), ("lightgbm", record_lightgbm):
        if folder in only:
            make()
