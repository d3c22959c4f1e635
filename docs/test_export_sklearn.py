"""Tests export_sklearn.py with the scikit-learn that is installed: python docs/test_export_sklearn.py"""
import json
import os
import tempfile
import unittest

from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier, RandomForestRegressor
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import export_sklearn

X, Y = load_breast_cancer(return_X_y=True)
WORDS = load_breast_cancer().target_names[Y]
GRID = {"max_depth": [2]}


def forest():
    return RandomForestClassifier(3, random_state=0)


class TestExport(unittest.TestCase):
    def refused(self, model, *says):
        """A model that is refused leaves the file as it was, and nothing beside it."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.json")
            with open(path, "w") as f:
                f.write("kept")
            with self.assertRaises(export_sklearn.ExportError) as raised:
                export_sklearn.write(model, path)
            for text in says:
                self.assertIn(text, str(raised.exception))
            self.assertEqual(open(path).read(), "kept")
            self.assertEqual(os.listdir(folder), ["model.json"])

    def test_labels(self):
        for labels, want in (
            (Y, {"classes": [0.0, 1.0]}),
            (WORDS, {"classes": [0, 1], "class_names": ["benign", "malignant"]}),
            (Y == 1, {"classes": [0, 1], "class_names": ["False", "True"]}),
        ):
            file = export_sklearn.export(DecisionTreeClassifier().fit(X, labels))
            self.assertEqual({key: file[key] for key in ("classes", "class_names") if key in file}, want)

    def test_columns(self):
        frame = load_breast_cancer(as_frame=True).data
        self.assertEqual(export_sklearn.export(forest().fit(frame, Y))["feature_names"], frame.columns.tolist())
        self.assertNotIn("feature_names", export_sklearn.export(forest().fit(X, Y)))

    def test_wrapped(self):
        """A search stands for what it found, a pipeline of one step for that."""
        plain = export_sklearn.export(forest().set_params(max_depth=2).fit(X, Y))
        self.assertEqual(export_sklearn.export(GridSearchCV(forest(), GRID).fit(X, Y)), plain)
        self.assertEqual(export_sklearn.export(make_pipeline(forest().set_params(max_depth=2)).fit(X, Y)), plain)

    def test_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path, model = os.path.join(folder, "model.json"), forest().fit(X, Y)
            export_sklearn.write(model, path)
            self.assertEqual(json.load(open(path)), export_sklearn.export(model))
            self.assertEqual(os.listdir(folder), ["model.json"])

    def test_refused(self):
        diabetes = load_diabetes(return_X_y=True)
        self.refused(make_pipeline(StandardScaler(), forest()).fit(X, Y), "StandardScaler", "pipeline[-1]", "transform")
        self.refused(GridSearchCV(forest(), GRID), "GridSearchCV has no best_estimator_")
        self.refused(GridSearchCV(forest(), GRID, refit=False).fit(X, Y), "refit")
        self.refused(forest(), "RandomForestClassifier is not fitted")
        self.refused(GradientBoostingClassifier(), "not fitted")
        self.refused(RandomForestClassifier, "is a class")
        self.refused("model.joblib", "joblib.load('model.joblib')")
        self.refused(RandomForestRegressor(3).fit(*diabetes), "predicts numbers")
        self.refused(KNeighborsClassifier(), "facet trains it itself")
        self.refused(HistGradientBoostingClassifier(), "histogram")
        self.refused(DecisionTreeClassifier().fit(X, [[y, y] for y in Y]), "2 labels a row")
        self.refused(GradientBoostingClassifier(n_estimators=2, init=KNeighborsClassifier()).fit(X, Y), "looks at the row")
        self.refused(None, "NoneType")


if __name__ == "__main__":
    unittest.main()
