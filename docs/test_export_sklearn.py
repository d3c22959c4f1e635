"""Tests export_sklearn.py with the scikit-learn that is installed: python docs/test_export_sklearn.py"""
import json
import os
import tempfile
import unittest

import numpy as np
from scipy.sparse import csr_matrix
from sklearn import ensemble
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.decomposition import PCA
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, IsolationForest, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, RobustScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import export_sklearn

X, Y = load_breast_cancer(return_X_y=True)
WORDS = load_breast_cancer().target_names[Y]
GRID = {"max_depth": [2]}


def forest():
    return RandomForestClassifier(3, random_state=0)


def sums(file, row):
    """What the trees of a file in facet's format add up to for class 1."""
    total = file["base"][1]
    for t in file["trees"]:
        n = 0
        while t["left"][n] >= 0:
            v = row[t["feature"][n]]
            n = t["left" if v <= t["threshold"][n] or v != v and t["missing_left"][n] or t.get("infinite") and t["infinite"][n] > 0 and v == v else "right"][n]
        total += t["value"][n][1]
    return total


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

    def test_scaled(self):
        """A threshold is the last number that the steps before the model send left."""
        for scaler in StandardScaler(), MinMaxScaler((-3, 5), clip=True), RobustScaler():
            pipeline = make_pipeline(scaler, DecisionTreeClassifier(random_state=0)).fit(X, Y)
            tree, = export_sklearn.export(pipeline)["trees"]
            inner = pipeline[-1].tree_
            for f, at, before, cut in zip(tree["feature"], range(10**6), tree["threshold"], inner.threshold):
                if f >= 0:
                    rows = np.repeat(X[:1], 2, axis=0)
                    rows[:, f] = before, np.nextafter(before, np.inf)
                    below, above = scaler.transform(rows)[:, f].astype(np.float32).astype(float) <= cut
                    self.assertTrue(below and not above, (scaler, f, at))

    def test_neighbours(self):
        file = export_sklearn.export(KNeighborsClassifier(3, weights="distance").fit(X[:9], WORDS[:9]))
        self.assertEqual((file["kind"], file["k"], file["rows"], file["class_names"]), ("weighted-knn", 3, X[:9].tolist(), ["malignant"]))
        self.assertEqual(file["labels"], [0] * 9)

    def test_categories(self):
        """Codes are numbers of categories, or the categories themselves if these are whole numbers."""
        for categories, codes in ([10, 30, 20], 31), (["a", "c", "b"], 3), ([0.5, 1, 2], 3):
            if codes == 3 and export_sklearn.VERSION < (1, 4):
                continue
            x = np.array([[c] for c in categories * 60], dtype=object if "a" in categories else float)
            file = export_sklearn.export(HistGradientBoostingClassifier(categorical_features=[0], max_iter=2).fit(x, [0, 1, 0] * 60))
            self.assertEqual(file["categories"], [codes])
            self.assertEqual(file.get("category_names"), None if codes == 31 else [sorted(str(c if c == 0.5 or "a" in categories else float(c)) for c in categories)])

    def test_odd_categories(self):
        """Numbers that are no category go where scikit-learn sends them: before 1.4 a fraction is cut off, since then it is unknown."""
        rng = np.random.default_rng(0)
        x = rng.choice([0, 1, 2, 5, 9, 200], size=(300, 3)).astype(float)
        y = np.isin(x[:, 0], [1, 5]) ^ (x[:, 1] > 4) ^ np.isin(x[:, 2], [0, 9])
        x[rng.random(x.shape) < 0.1] = np.nan
        model = HistGradientBoostingClassifier(categorical_features=[0, 2], max_iter=9).fit(x, y)
        odd = [v + d for v in (0, 1, 2, 3, 5, 9, 10, 200, 201, 255) for d in (0, 0.5, -0.5, 1e-9, -1e-9)] + [-0.0, -5e-324, 5e-324, -1e300, -1.0, np.nan]
        rows = rng.choice(odd, size=(3000, 3))
        file = export_sklearn.export(model)
        self.assertEqual([sums(file, row) for row in rows.tolist()], model.decision_function(rows).tolist())

    def test_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path, model = os.path.join(folder, "model.json"), forest().fit(X, Y)
            export_sklearn.write(model, path)
            self.assertEqual(json.load(open(path)), export_sklearn.export(model))
            self.assertEqual(os.listdir(folder), ["model.json"])

    def test_refused(self):
        diabetes = load_diabetes(return_X_y=True)
        self.refused(make_pipeline(PCA(3), forest()).fit(X, Y), "PCA", "pipeline[-1]", "transform")
        self.refused(make_pipeline(StandardScaler(), KNeighborsClassifier()).fit(X, Y), "StandardScaler", "pipeline[-1]", "transform")
        self.refused(make_pipeline(SimpleImputer(add_indicator=True), forest()).fit(np.where(X > X.mean(), np.nan, X), Y), "SimpleImputer")
        self.refused(GridSearchCV(forest(), GRID), "GridSearchCV has no best_estimator_")
        self.refused(GridSearchCV(forest(), GRID, refit=False).fit(X, Y), "refit")
        self.refused(forest(), "RandomForestClassifier is not fitted")
        self.refused(GradientBoostingClassifier(), "not fitted")
        self.refused(HistGradientBoostingClassifier(), "not fitted")
        self.refused(RandomForestClassifier, "is a class")
        self.refused("model.joblib", "joblib.load('model.joblib')")
        self.refused(IsolationForest().fit(X), "IsolationForest", "no labels")
        self.refused(ensemble.AdaBoostRegressor(n_estimators=2).fit(*diabetes), "AdaBoostRegressor", "median")
        self.refused(ensemble.VotingRegressor([("a", DecisionTreeRegressor())]).fit(*diabetes), "VotingRegressor")
        self.refused(ensemble.StackingClassifier([("a", forest())]).fit(X, Y), "StackingClassifier", "estimators_")
        self.refused(ensemble.BaggingClassifier(KNeighborsClassifier(), 2).fit(X, Y), "BaggingClassifier of KNeighborsClassifier")
        self.refused(ensemble.VotingClassifier([("a", forest())]).fit(X, Y), "VotingClassifier of RandomForestClassifier")
        self.refused(KNeighborsClassifier(p=1).fit(X, Y), "manhattan")
        self.refused(KNeighborsClassifier(metric="chebyshev").fit(X, Y), "chebyshev")
        self.refused(KNeighborsClassifier(metric_params={"w": [1] * 30}).fit(X, Y), "no weights")
        self.refused(KNeighborsClassifier(weights=np.exp).fit(X, Y), "weights of neighbours")
        self.refused(KNeighborsClassifier().fit(csr_matrix(X), Y), "sparse")
        self.refused(KNeighborsClassifier().fit(X, [[y, y] for y in Y]), "2 labels a row")
        self.refused(DecisionTreeClassifier().fit(X, [[y, y] for y in Y]), "2 labels a row")
        self.refused(DecisionTreeRegressor().fit(X, [[y, y] for y in Y]), "2 numbers a row")
        self.refused(GradientBoostingClassifier(n_estimators=2, init=KNeighborsClassifier()).fit(X, Y), "looks at the row")
        self.refused(None, "NoneType")


if __name__ == "__main__":
    unittest.main()
