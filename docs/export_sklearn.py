"""Writes a scikit-learn decision tree or forest as the JSON that facet reads."""
import json


def write(model, path):
    trees = []
    for estimator in getattr(model, "estimators_", [model]):
        t = estimator.tree_
        value = t.value[:, 0, :]
        trees.append({
            "feature": t.feature.tolist(), "threshold": t.threshold.tolist(),
            "left": t.children_left.tolist(), "right": t.children_right.tolist(),
            "value": (value / value.sum(axis=1, keepdims=True)).tolist(),
        })
    with open(path, "w") as f:
        json.dump({
            "format": "sklearn-tree-ensemble", "version": 1,
            "n_features": int(model.n_features_in_), "classes": model.classes_.tolist(), "trees": trees,
        }, f)
