"""The exporter of scikit-learn's models, with the scikit-learn that is installed."""
import contextlib
import io
import json
import os
import tempfile
import unittest

import numpy as np
from scipy.sparse import csr_matrix
from sklearn import ensemble
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.decomposition import PCA
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, HistGradientBoostingRegressor, IsolationForest, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, OrdinalEncoder, RobustScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from facet_robust import export_sklearn

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


def leaf(tree, row, single):
    """The leaf that a row reaches in a tree of any file."""
    n = 0
    while tree["left"][n] >= 0:
        v, cut = row[tree["feature"][n]], tree["threshold"][n]
        v = float(np.float32(v)) if single else v
        if tree.get("infinite") and tree["infinite"][n]:
            cut = tree["infinite"][n] * np.inf
        n = tree["left" if (v <= cut if v == v else tree["missing_left"][n]) else "right"][n]
    return n


def output(file, row):
    """What the trees of a file add up to or average, for each class, and the label of these if there are any."""
    values = [np.array(t["value"][leaf(t, row, file.get("comparison") != "x <= t")]) for t in file["trees"]]
    total = np.sum(values, axis=0)
    if file.get("vote", "soft") == "soft":
        return total / file.get("divisor", len(values))
    return total + np.array(file.get("base", 0))


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

    def same(self, model, rows, numbers=None):
        """The outputs of a file, for rows as numbers, are the model's for these rows, and so are labels that are no ties."""
        file = export_sklearn.export(model)
        for row, got in zip(rows if numbers is None else numbers, model.predict_proba(rows) if hasattr(model, "predict_proba") else model.predict(rows)):
            want = output(file, list(row))
            if isinstance(model[-1] if hasattr(model, "steps") else model, DecisionTreeClassifier):
                want = want / want.sum()  # before version 1.4 these are counts
            if "link" in file or file.get("vote") in ("logistic", "sum") and hasattr(model, "predict_proba") and not file.get("any_order"):
                want = 1 / (1 + np.exp(-want[1]))
                got = got[1]
            np.testing.assert_allclose(want, got, rtol=1e-12, atol=1e-12)
        return file

    def test_mixtures(self):
        """Averages of averages are sums over trees, in an order that is not that of the trees."""
        rng = np.random.default_rng(0)
        y = np.digitize(X[:, 0], [12, 15])
        diabetes, numbers = load_diabetes(return_X_y=True)
        extra, bagged = ensemble.ExtraTreesClassifier(4, max_depth=4, random_state=1), ensemble.BaggingClassifier(forest(), 3, max_features=20, max_samples=9, random_state=0)
        members = [("a", forest()), ("b", DecisionTreeClassifier(max_depth=3, random_state=0)), ("c", make_pipeline(StandardScaler(), extra)), ("d", bagged)]
        boosted = [("a", ensemble.GradientBoostingRegressor(n_estimators=4)), ("b", ensemble.RandomForestRegressor(3, max_depth=4)), ("c", HistGradientBoostingRegressor(max_iter=4)), ("d", DecisionTreeRegressor(max_depth=3))]
        for model, x, outputs in (
            (bagged, X, y),
            (ensemble.VotingClassifier(members, voting="soft"), X, y),
            (ensemble.VotingClassifier(members, voting="soft", weights=[1, 2, 0.3, 4]), X, Y),
            (ensemble.BaggingRegressor(ensemble.GradientBoostingRegressor(n_estimators=3), 3, max_features=6), diabetes, numbers),
            (ensemble.VotingRegressor(boosted), diabetes, numbers),
            (ensemble.VotingRegressor(boosted, weights=[1, 2, 3, 0.5]), diabetes, numbers),
        ):
            file = self.same(model.fit(x, outputs), x[rng.choice(len(x), 100)])
            self.assertTrue(file["any_order"] and file["vote"] == "sum")

    def test_columns_encoded(self):
        """Tests of one-hot and ordinal columns become sets of codes; other columns keep their numbers, scaled or not."""
        rng = np.random.default_rng(1)
        n = 400
        words, codes = np.array(["blue", "green", "red", "white"], dtype=object), np.array([2, 5, 9])
        numbers = np.column_stack([rng.normal(size=n), rng.integers(0, 4, n), rng.choice(codes, n), rng.normal(size=n) * 9, rng.integers(0, 3, n)])
        y = (numbers[:, 0] + np.isin(numbers[:, 1], [0, 2]) + (numbers[:, 2] == 5) * 2 + numbers[:, 3] / 9 + (numbers[:, 4] == 1) > 2).astype(int)
        x = numbers.astype(object)
        x[:, 1] = words[numbers[:, 1].astype(int)]
        for encoder in (
            OneHotEncoder(handle_unknown="ignore"), OneHotEncoder(drop="first", handle_unknown="ignore", min_frequency=20),
            OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")),
        ):
            for model in forest().set_params(max_depth=8), GradientBoostingClassifier(n_estimators=5), HistGradientBoostingClassifier(max_iter=5), DecisionTreeClassifier():
                columns = ColumnTransformer([("c", encoder, [1, 4]), ("n", StandardScaler(), [3, 0]), ("d", "drop", [])], remainder=OneHotEncoder(handle_unknown="ignore"), sparse_threshold=0)
                model = make_pipeline(columns, model).fit(x, y)
                asked, row = x.copy(), numbers.copy()
                asked[:40, 1], row[:40, 1] = "mauve", 4
                asked[40:80, 2] = row[40:80, 2] = 7.0
                asked[80:120, 4] = row[80:120, 4] = 3.0
                if isinstance(encoder, OneHotEncoder) and encoder.drop is None:
                    asked[120:160, 1] = row[120:160, 1] = np.nan
                file = self.same(model, asked, row)
                self.assertEqual(file["n_features"], 5)
                self.assertEqual((file["categories"], file["category_names"][1]), ([0, 4, 10, 0, 3], sorted(words)))

    def test_encoded_alone(self):
        """An encoder of all columns, and a ColumnTransformer that leaves numbers as they are."""
        rng = np.random.default_rng(2)
        x = np.column_stack([rng.integers(0, 5, 300), rng.integers(0, 2, 300)]).astype(float)
        y = np.isin(x[:, 0], [1, 3]) ^ (x[:, 1] > 0)
        encoder = OneHotEncoder(handle_unknown="ignore")
        file = self.same(make_pipeline(encoder, DecisionTreeClassifier()).fit(x, y), x)
        self.assertEqual((file["categories"], "category_names" in file), ([5, 2], False))
        half = ColumnTransformer([("c", OneHotEncoder(), [0])], remainder="passthrough")
        self.assertEqual(self.same(make_pipeline(half, forest()).fit(x, y), x)["categories"], [5, 0])

    def test_large_labels(self):
        """Labels that a float64 does not hold are words."""
        for first, names in (2**53 + 1, [str(2**53 + 1), str(2**53 + 3)]), (2**53, None):
            file = export_sklearn.export(DecisionTreeClassifier().fit(X, np.where(Y == 1, first + 2, first)))
            self.assertEqual(file.get("class_names"), names)

    def test_sentences(self):
        """What goes wrong is a sentence, and no traceback."""
        import joblib

        broken = forest().fit(X, Y)
        del broken.estimators_[0].tree_
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.joblib")
            for content, says in (
                (b"no model", "is no model that joblib loads here"), (b"", "is no model that joblib loads here"),
                (b"cnowhere\nModel\n.", "needs the package nowhere: install it"), (None, "No such file"), (broken, "cannot be exported"), (forest(), "is not fitted"),
            ):
                if isinstance(content, bytes):
                    with open(path, "wb") as f:
                        f.write(content)
                elif content is None:
                    os.remove(path)
                else:
                    joblib.dump(content, path)
                with self.assertRaises(SystemExit) as raised:
                    export_sklearn.main([path, path + ".json"])
                self.assertIn(says, raised.exception.code)
                self.assertNotIn("\n", raised.exception.code)
                self.assertFalse(os.path.exists(path + ".json"))

    def test_default_file(self):
        """Without a second name the file lies beside the first: arrays if they can say the model."""
        import joblib

        with tempfile.TemporaryDirectory() as folder:
            for model, made in ((forest().fit(X, Y), "model.facet"), (KNeighborsClassifier(1).fit(X, Y), "model.json")):
                path = os.path.join(folder, "model.joblib")
                joblib.dump(model, path)
                with contextlib.redirect_stdout(io.StringIO()) as said:
                    export_sklearn.main([path])
                self.assertEqual(said.getvalue(), f"the model goes to {os.path.join(folder, made)}\n")
                with open(os.path.join(folder, made), "rb") as f:
                    self.assertEqual(f.read(), export_sklearn.contents(export_sklearn.export(model), made))
            with self.assertRaisesRegex(SystemExit, "usage"):
                export_sklearn.main([])

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

    def test_isolation_forests(self):
        draw = np.random.default_rng(5)
        for how in {}, {"contamination": 0.1}, {"max_features": 0.5, "contamination": 0.3}, {"max_samples": 1}, {"n_estimators": 1, "max_samples": 2}:
            model = IsolationForest(**{"n_estimators": 20, "random_state": 1, **how}).fit(X)
            file = export_sklearn.export(model)
            cuts = [(f, t) for tree in file["trees"] for f, t in zip(tree["feature"], tree["threshold"]) if f >= 0]
            rows = X[draw.integers(0, len(X), 2000)] + draw.normal(0, 0.3, (2000, X.shape[1]))
            for row, (f, t) in zip(rows, draw.permutation(cuts)[:500] if cuts else []):
                row[int(f)] = t  # which goes left, as a float32
            depths = np.array([sums(file, row) for row in rows.astype(np.float32).astype(float)])
            self.assertEqual(np.where(depths > file["base"][0], 1, -1).tolist(), model.predict(rows).tolist())
            if how.get("max_samples") != 1:
                scale = export_sklearn.export(model, scores=True)["scale"]
                self.assertLess(np.abs(-2 ** (-depths * scale) - model.score_samples(rows)).max(), 1e-15)
        self.refused(IsolationForest(), "not fitted")
        with self.assertRaisesRegex(export_sklearn.ExportError, "no score_samples"):
            export_sklearn.export(forest().fit(X, Y), scores=True)

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
        self.refused(ensemble.AdaBoostRegressor(n_estimators=2).fit(*diabetes), "AdaBoostRegressor", "median")
        self.refused(ensemble.StackingClassifier([("a", forest())]).fit(X, Y), "StackingClassifier", "estimators_")
        self.refused(ensemble.BaggingClassifier(KNeighborsClassifier(), 2).fit(X, Y), "BaggingClassifier of KNeighborsClassifier")
        boosted = GradientBoostingClassifier(n_estimators=2)
        self.refused(ensemble.VotingClassifier([("a", boosted)], voting="soft").fit(X, Y), "VotingClassifier of GradientBoostingClassifier", "no sum over trees")
        self.refused(ensemble.BaggingClassifier(boosted, 2).fit(X, Y), "BaggingClassifier of GradientBoostingClassifier", "no sum over trees", "estimator=DecisionTreeClassifier()")
        ada = ensemble.AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=3)  # whose probabilities are a softmax
        self.refused(ensemble.BaggingClassifier(ada, 2).fit(X, Y), "BaggingClassifier of AdaBoostClassifier", "no sum over trees")
        self.refused(ensemble.VotingClassifier([("a", ada), ("b", forest())], voting="soft").fit(X, Y), "of AdaBoostClassifier", "average trees or forests")
        self.refused(ensemble.VotingClassifier([("a", forest())]).fit(X, Y), "vote for labels", 'voting="soft"')
        self.refused(ensemble.AdaBoostClassifier(forest(), n_estimators=2).fit(X, Y), "AdaBoostClassifier of other models")
        poisson = HistGradientBoostingRegressor(loss="poisson", max_iter=2)
        self.refused(ensemble.VotingRegressor([("a", poisson)]).fit(*diabetes), "VotingRegressor of HistGradientBoostingRegressor")
        self.refused(KNeighborsClassifier(p=1).fit(X, Y), "manhattan")
        self.refused(KNeighborsClassifier(metric="chebyshev").fit(X, Y), "chebyshev")
        self.refused(KNeighborsClassifier(metric_params={"w": [1] * 30}).fit(X, Y), "no weights")
        self.refused(KNeighborsClassifier(metric="sqeuclidean", weights="distance").fit(X, Y), "whose weights are uniform")
        self.refused(KNeighborsClassifier(weights=np.exp).fit(X, Y), "weights of neighbours")
        self.refused(KNeighborsClassifier().fit(csr_matrix(X), Y), "sparse")
        self.refused(KNeighborsClassifier().fit(X, [[y, y] for y in Y]), "2 labels a row")
        self.refused(DecisionTreeClassifier().fit(X, [[y, y] for y in Y]), "2 labels a row")
        self.refused(DecisionTreeRegressor().fit(X, [[y, y] for y in Y]), "2 numbers a row")
        self.refused(GradientBoostingClassifier(n_estimators=2, init=KNeighborsClassifier()).fit(X, Y), "looks at the row")
        self.refused(None, "NoneType")
        twice = ColumnTransformer([("a", OneHotEncoder(), [0]), ("b", "passthrough", [0])])
        self.refused(make_pipeline(twice, forest()).fit(np.round(X), Y), "takes a column of categories twice")
        self.refused(make_pipeline(ColumnTransformer([("a", PCA(2), [0, 1, 2])]), forest()).fit(X, Y), "a ColumnTransformer with a PCA")
        self.refused(make_pipeline(StandardScaler(), ColumnTransformer([("a", "passthrough", [0])]), forest()).fit(X, Y), "put them into one ColumnTransformer")

    def test_square_distances(self):
        """The same rows are nearest by squares of distances."""
        file = export_sklearn.export(KNeighborsClassifier(3, metric="sqeuclidean").fit(X, Y))
        self.assertEqual(file, export_sklearn.export(KNeighborsClassifier(3).fit(X, Y)))

    def test_samplers(self):
        """Steps of imbalanced-learn that draw rows do so to train alone."""
        sampler = type("Sampler", (), {"fit_resample": lambda self, x, y: (x, y)})()
        scaled = make_pipeline(StandardScaler(), forest()).fit(X, Y)
        drawn = make_pipeline(StandardScaler(), forest())
        drawn.steps = [("first", sampler), scaled.steps[0], ("second", sampler), scaled.steps[1]]
        self.assertEqual(export_sklearn.export(drawn), export_sklearn.export(scaled))

    def test_arrays(self):
        """A file of arrays has the nodes that JSON has."""
        models = [RandomForestClassifier(3, random_state=0, max_depth=3).fit(X, WORDS), DecisionTreeRegressor(max_depth=2).fit(X, Y)]
        models += [HistGradientBoostingClassifier(max_iter=3, max_leaf_nodes=4).fit(np.where(np.arange(X.size).reshape(X.shape) % 7 == 0, np.nan, X), Y)]
        models += [make_pipeline(StandardScaler(), GradientBoostingClassifier(n_estimators=2)).fit(X, Y)]
        for model in models:
            with tempfile.TemporaryDirectory() as folder:
                export_sklearn.write(model, os.path.join(folder, "model.facet"))
                with open(os.path.join(folder, "model.facet"), "rb") as f:
                    line, data = json.loads(f.readline()), f.read()
            file = export_sklearn.export(model)
            if file["format"] != "facet-model":
                file = export_sklearn.as_facet(file)
            n, at = sum(line["nodes"]), 0
            for key, kind, size in ("threshold", "<f8", 1), ("value", "<f8", line["outputs"]), ("feature", "<i4", 1), ("left", "<i4", 1), ("right", "<i4", 1), ("missing_left", "u1", 1):
                array = np.frombuffer(data, kind, n * size, at)
                at += array.nbytes
                want = np.concatenate([np.ravel(t.get(key, np.zeros(len(t["left"])))) for t in file["trees"]])
                if key == "threshold":
                    infinite = np.concatenate([t.get("infinite", np.zeros(len(t["left"]))) for t in file["trees"]])
                    want = np.where(infinite == 0, want, infinite * np.inf) if infinite.any() else want
                self.assertEqual(array.tolist(), want.tolist(), key)
            self.assertEqual(at, len(data))
            self.assertEqual(line, {**{k: v for k, v in file.items() if k != "trees"}, "format": "facet-arrays", "nodes": [len(t["left"]) for t in file["trees"]], "outputs": line["outputs"]})

    def test_arrays_refused(self):
        """Neighbours and sets of categories are for JSON, which a sentence says."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.facet")
            with self.assertRaisesRegex(export_sklearn.ExportError, "name the file model.json"):
                export_sklearn.write(KNeighborsClassifier().fit(X, Y), path)
            with self.assertRaisesRegex(export_sklearn.ExportError, "name the file model.json"):
                export_sklearn.arrays({"trees": [{"threshold": [0], "thresholds": [[1, 2]]}]})
            self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    unittest.main()
