#!/usr/bin/python3
"""Trains the trees that TestTrainTreeAgainstScikitLearn compares with.

    /usr/bin/python3 generate.py        (scikit-learn 1.2.1, numpy 1.24)

Writes one JSON file per data set beside itself: the rows x and labels y, and
under "models" the parameters and the tree of each training, in the export
format that classifier.ReadTree reads.
"""
import json
import os

import numpy as np
from sklearn.datasets import make_moons
from sklearn.tree import DecisionTreeClassifier


def export(model, x):
    t = model.tree_
    v = t.value[:, 0, :]
    return {
        "format": "sklearn-tree-ensemble", "version": 1, "n_features": x.shape[1],
        "classes": [int(c) for c in model.classes_],
        "trees": [{
            "feature": t.feature.tolist(), "threshold": t.threshold.tolist(),
            "left": t.children_left.tolist(), "right": t.children_right.tolist(),
            "value": (v / v.sum(axis=1, keepdims=True)).tolist(),
        }],
    }


def write(name, x, y, settings):
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y)
    models = []
    for s in settings:
        s = dict({"criterion": "entropy", "max_depth": None, "min_samples_split": 2, "min_samples_leaf": 1, "random_state": 0}, **s)
        model = DecisionTreeClassifier(**s).fit(x, y)
        models.append({
            "criterion": s["criterion"], "depth": s["max_depth"] or 0, "split": s["min_samples_split"],
            "leaf": s["min_samples_leaf"], "seed": s["random_state"],
            "tree": export(model, x),
        })
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".json")
    with open(path, "w") as f:
        json.dump({"x": x.tolist(), "y": y.tolist(), "models": models}, f, separators=(",", ":"))
        f.write("\n")


rs = np.random.RandomState(42)

# Two noisy half circles, continuous features.
x, y = make_moons(150, noise=0.3, random_state=7)
write("moons", np.round(x, 4), y, [
    {"max_depth": 4, "random_state": 1},
    {"criterion": "gini", "max_depth": 6, "random_state": 2},
    {"min_samples_leaf": 7, "random_state": 3},
    {"criterion": "gini", "min_samples_split": 20, "min_samples_leaf": 3, "random_state": 4},
])

# Three classes on a coarse grid: many equal values, rows and equally good splits.
x = rs.randint(0, 4, (160, 4))
y = (x[:, 0] + x[:, 1] * (x[:, 2] > 1) + rs.randint(0, 2, 160)) % 3
write("grid", x, y, [
    {"max_depth": 5, "random_state": 0},
    {"max_depth": 5, "random_state": 5},
    {"criterion": "gini", "random_state": 6},
    {"min_samples_split": 15, "random_state": 4294967295},
])

# Constant features, copies of a feature, and features constant within one class.
x = np.zeros((120, 6))
x[:, 1] = np.round(rs.normal(size=120), 2)
x[:, 2] = 7.5
x[:, 3] = x[:, 1]
x[:, 5] = rs.randint(0, 2, 120)
y = np.where(x[:, 1] > 0.3, 1, 0) ^ (rs.rand(120) < 0.15) ^ (x[:, 5] == 1)
x[y == 1, 4] = 1.25
x[:7, 4] = 0.5
write("constant", x, y.astype(int), [
    {"max_depth": 3, "random_state": 8},
    {"criterion": "gini", "random_state": 9},
    {"min_samples_leaf": 10, "random_state": 10},
])

# Exclusive or: the first split removes no impurity. Values that agree to within 1e-7, and float32 neighbours.
x = np.array([[i % 2, i // 2 % 2, 1 + (i % 5) * 4e-8, np.float32(0.1) if i % 3 else np.nextafter(np.float32(0.1), np.float32(1))] for i in range(24)])
write("xor", x, [(i % 2) ^ (i // 2 % 2) for i in range(24)], [
    {"random_state": 11},
    {"criterion": "gini", "random_state": 12},
])

# Four classes, one of them rare, skewed features of very different sizes.
x = np.round(np.exp(rs.normal(size=(140, 3))), 3) * np.array([1e-3, 1.0, 1e4])
y = np.digitize(x[:, 1] + x[:, 2] / 1e4, [0.8, 2, 8])
write("skewed", x, y, [
    {"random_state": 13},
    {"criterion": "gini", "max_depth": 3, "random_state": 14},
    {"max_depth": 8, "min_samples_leaf": 2, "min_samples_split": 9, "random_state": 15},
])
