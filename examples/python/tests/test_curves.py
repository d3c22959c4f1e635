"""Certified accuracy as scikit-learn takes it: a score, and a picture."""
import importlib.util
import unittest

import facet_robust as facet
import numpy as np
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.tree import DecisionTreeClassifier

X, Y = load_iris(return_X_y=True)


class TestCurves(unittest.TestCase):
    def test_scorer(self):
        """The score is the certified share, and a search goes by it."""
        tree = DecisionTreeClassifier(max_depth=3, random_state=0)
        score = facet.scorer(radius=0.1)
        self.assertEqual(score(tree.fit(X, Y), X, Y), facet.certify(tree, X, Y, radius=0.1).curve.certified.iloc[0])
        self.assertTrue((cross_val_score(tree, X, Y, scoring=facet.scorer(radius=0.3), cv=3) <= cross_val_score(tree, X, Y, cv=3)).all())
        search = GridSearchCV(tree, {"max_depth": [1, 3]}, scoring=facet.scorer(radius=0.2, norm=1), cv=3).fit(X, Y)
        self.assertEqual(search.best_params_, {"max_depth": [1, 3][int(np.argmax(search.cv_results_["mean_test_score"]))]})
        with self.assertRaisesRegex(facet.FacetError, "of one radius"):
            facet.scorer(radius=[0.1, 0.2])

    def test_curve(self):
        """The picture has the name of the model, or it is said what it needs."""
        tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, Y)
        if importlib.util.find_spec("matplotlib") is None:
            with self.assertRaisesRegex(facet.FacetError, "plot needs matplotlib"):
                facet.CertifiedCurve.from_estimator(tree, X, Y, radius=[0.1, 0.3])
            return
        import matplotlib

        matplotlib.use("Agg")
        shown = facet.CertifiedCurve.from_estimator(tree, X, Y, radius=[0.1, 0.3])
        self.assertEqual(shown.ax_.get_lines()[-1].get_label(), "DecisionTreeClassifier: certified")
        self.assertEqual(list(shown.ax_.get_lines()[-1].get_ydata()[1:]), list(shown.certified.curve.certified))

    def test_lazy(self):
        """What is not computed yet is refused with the call that computes it."""
        for module, name, call in (("polars.lazyframe.frame", "LazyFrame", "collect"), ("dask.dataframe.core", "DataFrame", "compute")):
            lazy = type(name, (), {"__module__": module, call: lambda self: X})()
            with self.assertRaisesRegex(facet.FacetError, rf"X is not computed yet: pass X\.{call}\(\)"):
                facet.attack(DecisionTreeClassifier().fit(X, Y), lazy)


if __name__ == "__main__":
    unittest.main()
