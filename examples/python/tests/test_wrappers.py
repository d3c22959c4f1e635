"""Models within models, and steps that map each feature by itself: labels, examples and bounds are those of the library."""
import json
import os
import tempfile
import unittest
import warnings

import numpy as np
import sklearn
from sklearn import ensemble, feature_selection, model_selection, preprocessing
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import facet_robust as facet
from facet_robust import command, export_sklearn

ROWS = int(os.environ.get("FACET_ROWS", 20))
MANY = 1000 if ROWS >= 500 else 100  # inputs of a kind that are drawn within each bound
VERSION = tuple(map(int, sklearn.__version__.split(".")[:2]))
SAMME = {"algorithm": "SAMME"} if VERSION < (1, 6) else {}
RNG = np.random.default_rng(0)


def draw(count, dim=5):
    """Rows of which half lie on a grid, where ties are."""
    x = np.random.default_rng(count).random((count, dim))
    x[::2] = np.round(16 * x[::2]) / 16
    return x


X = draw(600)
SCORE = X[:, 0] + X[:, 1] ** 2 - X[:, 2] * X[:, 3] + np.random.default_rng(1).normal(0, 0.15, 600)
Y = (SCORE > 0.6).astype(int)
Y3 = np.digitize(SCORE, [0.4, 0.8])


def tree(depth=4):
    return DecisionTreeClassifier(max_depth=depth, random_state=0)


def forest():
    return ensemble.RandomForestClassifier(7, max_depth=4, random_state=0)


def boosted():
    import lightgbm
    import xgboost

    return [
        ensemble.HistGradientBoostingClassifier(max_iter=8, max_leaf_nodes=8, random_state=0), ensemble.GradientBoostingClassifier(n_estimators=8, random_state=0),
        xgboost.XGBClassifier(n_estimators=8, max_depth=3), lightgbm.LGBMClassifier(n_estimators=8, max_depth=3, verbose=-1)]


def averages():
    return [
        forest(), ensemble.BaggingClassifier(tree(), 6, random_state=0), ensemble.VotingClassifier([("a", tree(3)), ("b", tree(5))], voting="soft", weights=[1, 2]),
        ensemble.VotingClassifier([("a", forest()), ("b", tree(5))], voting="soft"), make_pipeline(preprocessing.StandardScaler(), forest())]


class Confirmed(unittest.TestCase):
    def confirmed(self, model, y=Y, X=X, rows=None):
        """Labels of rows, those of their examples, and of inputs nearer than the bounds, are the library's."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(X, y)
            rows = draw(max(200, ROWS)) if rows is None else rows
            with self.subTest(model):
                with tempfile.TemporaryDirectory() as folder:
                    if not {"xgboost", "lightgbm"} & {type(export_sklearn.opened(model)[1]).__module__.split(".")[0]}:
                        export_sklearn.write(model, os.path.join(folder, "model.json"))
                labels = facet.certify(model, rows, radius=1e-12).rows.predicted
                self.assertEqual(list(labels), list(model.predict(rows)))
                answer = facet.attack(model, rows[:ROWS])
                near = answer.filter(like="adv_").to_numpy()
                found = np.isfinite(near).all(axis=1)
                self.assertTrue(found.any())
                self.assertEqual(list(model.predict(near[found])), list(answer.adversarial_label[found]))
                for x, bound, label in zip(rows[:20], np.minimum(answer.bound, 9), answer.predicted):
                    inside = x + bound * np.concatenate([RNG.uniform(-1, 1, (MANY, len(x))), RNG.choice([-1, 0, 1], (MANY, len(x))) * (1 - 1e-12)])
                    inside = inside[np.abs(inside - x).max(axis=1) < bound]
                    if len(inside):
                        self.assertEqual(set(model.predict(inside)), {label})

    def refused(self, says, model, y=Y):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(X, y)
        with self.assertRaises(facet.FacetError) as raised:
            facet.attack(model, X[:2])
        self.assertIn(says, str(raised.exception))


class TestWrappers(Confirmed):
    """Models around models, which move thresholds."""

    def test_calibrated(self):
        """One model of two labels, calibrated by a map that never falls; single trees however often, and of more labels."""
        for at, base in enumerate([tree(), *averages(), *boosted()]):
            self.confirmed(CalibratedClassifierCV(clone(base), method=("isotonic", "sigmoid")[at % 2], ensemble=False, cv=3))
        for method in ("isotonic", "sigmoid"):
            self.confirmed(CalibratedClassifierCV(tree(), method=method, cv=3))
            self.confirmed(CalibratedClassifierCV(tree(), method=method, cv=3), Y3)
        turned = CalibratedClassifierCV(forest(), method="sigmoid", ensemble=False, cv=3).fit(X, Y)
        turned.calibrated_classifiers_[0].estimator = forest().fit(X, 1 - Y)
        turned.fit = lambda *_: turned
        self.confirmed(turned)

    def test_calibrated_probabilities(self):
        """Those of single trees are means, those of one model what a curve makes of its sums; all are the library's predict_proba, on both
        sides of a limit, and so are the ends of their range."""
        fixed = getattr(model_selection, "FixedThresholdClassifier", None)
        models = [CalibratedClassifierCV(tree(), method="isotonic", cv=3), make_pipeline(preprocessing.StandardScaler(), CalibratedClassifierCV(tree(), cv=3))]
        for base in [*averages(), *boosted()[:2], ensemble.AdaBoostClassifier(n_estimators=8, random_state=0, **SAMME)]:
            if VERSION < (1, 3) and isinstance(base, ensemble.AdaBoostClassifier):
                continue
            for method in ("isotonic", "sigmoid"):
                models.append(CalibratedClassifierCV(clone(base), method=method, ensemble=False, cv=3))
            if fixed:
                models += [fixed(clone(models[-1]), threshold=0.6), fixed(clone(base), threshold=0.3)]
        for model in models:
            with self.subTest(model), tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.probable(model.fit(X, Y), folder)

    def probable(self, model, folder):
        rows = draw(max(200, ROWS))
        export_sklearn.write(model, os.path.join(folder, "model.json"))
        np.savetxt(os.path.join(folder, "rows.csv"), rows, delimiter=",", fmt="%.17g")
        table = ["--model=model.json", "--test=rows.csv", "--label=none", "--header=no", "--out=-"]
        said = [json.loads(line)["probabilities"] for line in command.run(["predict", *table], folder)]
        np.testing.assert_allclose([list(p.values()) for p in said], model.predict_proba(rows), rtol=1e-12, atol=1e-12)
        known = np.unique(model.predict_proba(rows)[:, 1])
        gap = np.argmax(np.diff(known))
        limit = (known[gap] + known[gap + 1]) / 2
        lines = [json.loads(line) for line in command.run(["attack", *table, f"--target=probability:1:{limit}"], folder)]
        above = model.predict_proba(rows)[:, 1] >= limit
        for line in lines[:ROWS]:
            at = line["row"]
            if line["adversarial"] is not None:
                self.assertNotEqual(model.predict_proba([line["adversarial"]])[0, 1] >= limit, above[at])
            inside = rows[at] + (line["bound"] if line["bound"] is not None else 9) * RNG.uniform(-0.999, 0.999, (MANY, 5))
            self.assertEqual(set(model.predict_proba(inside)[:, 1] >= limit), {above[at]})
        [line] = command.run(["verify", "model.json", "--output-at-most=0", "--target=probability", "--out=-"], folder, fine=(0, 1))
        end, most = json.loads(line), model.predict_proba(draw(2000))[:, 1].max()
        np.testing.assert_allclose(model.predict_proba([end["x"]])[0, 1], end["outputs"][0], rtol=1e-12)
        self.assertLessEqual(most, end["bound"] + 1e-12)
        self.assertLessEqual(end["bound"], end["outputs"][0] + 1e-9)

    def test_refused(self):
        folds = "averages the probabilities of 3 models, which is no sum over trees but of single trees: fit it with ensemble=False"
        self.refused(folds, CalibratedClassifierCV(forest(), cv=3))
        self.refused("a CalibratedClassifierCV of 3 labels, which calibrates each by itself", CalibratedClassifierCV(forest(), cv=3, ensemble=False), Y3)
        self.refused("a CalibratedClassifierCV within another model", ensemble.VotingClassifier([("a", CalibratedClassifierCV(forest(), cv=3, ensemble=False))], voting="soft"))
        with self.assertRaisesRegex(facet.FacetError, "the CalibratedClassifierCV is not fitted"):
            facet.attack(CalibratedClassifierCV(tree()), X[:2])
        if VERSION < (1, 3):
            self.refused("an AdaBoostClassifier within another model", CalibratedClassifierCV(ensemble.AdaBoostClassifier(n_estimators=3), cv=3, ensemble=False))

    def test_thresholds(self):
        """A threshold of probabilities or of decisions, of either label, and around calibration."""
        if not hasattr(model_selection, "FixedThresholdClassifier"):
            self.assertLess(VERSION, (1, 5))
            return
        fixed = model_selection.FixedThresholdClassifier
        for at, base in enumerate([tree(), *averages(), *boosted(), ensemble.AdaBoostClassifier(n_estimators=8, random_state=0, **SAMME)]):
            self.confirmed(fixed(clone(base), threshold=0.37, pos_label=0))
            self.confirmed(fixed(clone(base), threshold=0.3) if at % 2 else model_selection.TunedThresholdClassifierCV(clone(base), cv=3))
        for base in boosted()[:2]:
            self.confirmed(fixed(base, threshold=0.2, response_method="decision_function"))
        self.confirmed(fixed(CalibratedClassifierCV(forest(), method="isotonic", ensemble=False, cv=3), threshold=0.6))
        self.confirmed(fixed(CalibratedClassifierCV(tree(), method="isotonic", cv=3), threshold=0.6))
        self.confirmed(make_pipeline(preprocessing.StandardScaler(), fixed(make_pipeline(preprocessing.MinMaxScaler(), forest()), threshold=0.4)))
        always = fixed(forest(), threshold=2).fit(X, Y)
        self.assertEqual(set(facet.attack(always, X[:5]).status), {"none"})

    def test_thresholds_to_and_fro(self):
        """What changes its mind between neighbouring numbers has no threshold."""
        with self.assertRaisesRegex(export_sklearn.ExportError, "to and fro, as far as rounding goes"):
            export_sklearn.last_of(lambda s: (s > 1) & (s != np.nextafter(1, 2) + 2e-16), float, "Model")
        for kind in (float, np.float32):
            for cut in (-3.5, 0.0, 1e-300, 7e30):
                cut = float(kind(cut))
                self.assertEqual(export_sklearn.last_of(lambda s: s > cut, kind, "Model"), (cut, True))
                self.assertEqual(export_sklearn.last_of(lambda s: s <= cut, kind, "Model"), (cut, False))

    def test_imbalanced(self):
        """Samplers do nothing to predict; bagging of balanced samples is bagging."""
        from imblearn import ensemble as balanced
        from imblearn.over_sampling import SMOTE
        from imblearn.pipeline import make_pipeline as imbalanced
        from imblearn.under_sampling import RandomUnderSampler

        rare = (SCORE > 1).astype(int)
        for model in (
            imbalanced(SMOTE(random_state=0), forest()), imbalanced(preprocessing.StandardScaler(), RandomUnderSampler(random_state=0), boosted()[2]),
            balanced.BalancedBaggingClassifier(tree(), n_estimators=6, max_features=3, random_state=0), balanced.BalancedBaggingClassifier(forest(), n_estimators=3),
            balanced.EasyEnsembleClassifier(3, estimator=tree(), random_state=0), balanced.RUSBoostClassifier(tree(), n_estimators=6, random_state=0),
            balanced.BalancedRandomForestClassifier(7, max_depth=4, random_state=0),
            CalibratedClassifierCV(imbalanced(SMOTE(random_state=0), forest()), ensemble=False, cv=3),
        ):
            self.confirmed(model, rare)
        self.refused(
            "an EasyEnsembleClassifier of AdaBoostClassifier, whose probabilities it averages, which is no sum over trees: "
            "train it with estimator=DecisionTreeClassifier() or a forest", balanced.EasyEnsembleClassifier(2), rare)


class TestSteps(Confirmed):
    """Steps that map each feature by itself, or choose some of them."""

    def rows(self, count, seed):
        rng = np.random.default_rng(seed)
        return np.column_stack([
            rng.normal(size=count), rng.lognormal(size=count), rng.lognormal(2, 1.5, count), np.round(rng.normal(size=count) * 4) / 4, rng.random(count) * 3 - 1])

    def after(self, *steps):
        """Models of trees that compare float32, float64 and float32 of sparse matrices after the steps."""
        x, asked = self.rows(600, 3), self.rows(max(200, ROWS), 4)
        y = (x[:, 0] + np.log(x[:, 1]) - x[:, 3] * x[:, 4] > 0.2).astype(int)
        sparse = any(getattr(step, "encode", "") == "onehot" for step in steps)
        for model in (forest(), *(boosted()[2:] if sparse else boosted()[::2])):
            self.confirmed(make_pipeline(*map(clone, steps), model), y, x, asked)

    def test_choice(self):
        best = feature_selection.SelectKBest(k=3)
        for steps in ([best], [feature_selection.VarianceThreshold(0.5)], [preprocessing.StandardScaler(), best, preprocessing.MinMaxScaler()],
                      [feature_selection.SelectFromModel(tree())]):
            self.after(*steps)
        self.confirmed(ensemble.BaggingClassifier(make_pipeline(best, preprocessing.StandardScaler(), tree()), 3, random_state=0))

    def test_curves(self):
        for step in (
            preprocessing.QuantileTransformer(n_quantiles=200), preprocessing.QuantileTransformer(n_quantiles=600, output_distribution="normal"),
            preprocessing.PowerTransformer(), preprocessing.PowerTransformer(standardize=False),
        ):
            self.after(step)
        self.after(preprocessing.StandardScaler(), preprocessing.PowerTransformer(), feature_selection.SelectKBest(k=4))
        self.refused("a PowerTransformer of the method box-cox", make_pipeline(preprocessing.MinMaxScaler((1, 2)), preprocessing.PowerTransformer("box-cox"), tree()))

    def test_bins(self):
        bins = preprocessing.KBinsDiscretizer
        self.after(bins(6, encode="ordinal"))
        self.after(bins(6))
        self.after(preprocessing.StandardScaler(), bins(7, encode="onehot-dense", strategy="uniform"), feature_selection.SelectKBest(k=15), preprocessing.StandardScaler())
        self.after(preprocessing.Binarizer(threshold=0.3))

    def test_curves_to_and_fro(self):
        """A curve that is rounded to and fro beside a threshold makes several of it, or is refused where it is flat."""
        class Rounded(preprocessing.QuantileTransformer):
            turns = (1.5, np.nextafter(1.5, 2), np.nextafter(np.nextafter(1.5, 2), 2))

            def transform(self, X):
                return np.where(np.isin(X, self.turns[1]), 0.0, np.where(X >= self.turns[0], 1.0, 0.0))

        at = Rounded.turns
        found = export_sklearn.Moved([{"feature": [0, -2, -2], "left": [1, -1, -1], "threshold": [0.5, 0, 0]}], [Rounded()], [0], False)
        self.assertEqual(found.test(0, [0.5], False)[0], [np.nextafter(at[0], 1), at[0], at[1]])
        Rounded.turns = (1.5, 1.5 + 40 * np.spacing(1.5))
        with self.assertRaisesRegex(export_sklearn.ExportError, "a Rounded so flat beside a threshold"):
            export_sklearn.Moved([{"feature": [0, -2, -2], "left": [1, -1, -1], "threshold": [0.5, 0, 0]}], [Rounded()], [0], False)


if __name__ == "__main__":
    unittest.main()
