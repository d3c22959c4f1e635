"""Answers about models of all kinds, confirmed by the live models: FACET_ROWS=200 python -m unittest for more rows."""
import os
import unittest
import warnings

import numpy as np
import pandas as pd

import facet_robust as facet
from kinds import KINDS, Numbered, boosted, labels, mixed, words

ROWS = int(os.environ.get("FACET_ROWS", 12))


def examples(answer):
    """The rows of an answer that have an example, and these examples as rows of the model."""
    found = answer[np.isfinite(answer.distance)]
    return found, found[[c for c in found if c.startswith("adv_")]].rename(columns=lambda c: c.removeprefix("adv_"))


class TestKinds(unittest.TestCase):
    def test_all(self):
        for name, fit in KINDS.items():
            with self.subTest(name), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model, X = fit()
                rows = X.sample(ROWS, random_state=0)
                self.confirmed(model, rows)

    def test_missing_categories(self):
        """Categories that are whole numbers or truth values may be missing."""
        X = mixed(missing=True)
        y, truth = words(X), pd.Categorical(X.owner)
        gone = np.random.default_rng(2).random((len(X), 2)) < 0.1
        X["rooms"] = X.rooms.mask(gone[:, 0])
        trees = Numbered(enable_categorical=True, tree_method="hist")
        grown = boosted("lightgbm", "LGBMClassifier", n_estimators=10, verbose=-1)()
        for model, rows in ((trees, X), (grown, X.assign(owner=pd.Series(truth, X.index).mask(gone[:, 1])))):
            with self.subTest(type(model).__name__), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.confirmed(model.fit(rows, y), rows[gone.any(axis=1)][:ROWS])

    def confirmed(self, model, rows):
        answer = facet.attack(model, rows)
        self.assertEqual(list(answer.index), list(rows.index))
        self.assertEqual(list(labels(model, rows)), list(answer.predicted))
        found, near = examples(answer)
        self.assertGreater(len(found), 0)
        self.assertEqual(list(labels(model, near)), list(found.adversarial_label))
        self.assertTrue((found.predicted.to_numpy() != found.adversarial_label.to_numpy()).all())
        self.assertTrue((answer.bound <= answer.distance).all())
        self.kept(rows, near)
        self.farther(model, rows, found, near)
        if not hasattr(model, "kneighbors"):
            self.ways(model, rows.iloc[:4])

    def kept(self, rows, near):
        """Columns come back as they were, and in other columns than numbers only values that they may have."""
        for name in rows:
            before, after = rows[name], near[name]
            if before.dtype == bool:
                self.assertTrue(after.isin([True, False]).all(), name)
            elif isinstance(before.dtype, pd.CategoricalDtype):
                self.assertTrue(set(after.dropna()) <= set(before.cat.categories), (name, set(after)))
            else:
                self.assertEqual(after.dtype, float)
            self.assertTrue((before.reindex(after.index).isna() == after.isna()).all(), name)

    def farther(self, model, rows, found, near):
        """Half the way to an example no label has changed: examples are the nearest. Of a row on a threshold there is no half."""
        found = found[found.distance > 1e-9]
        near = near.loc[found.index]
        plain = [c for c in rows if rows[c].dtype == float]
        half = near.copy()
        begin = rows.loc[found.index]
        half[plain] = (near[plain] + begin[plain]) / 2
        for name in set(rows) - set(plain):
            half[name] = begin[name]
        self.assertEqual(list(labels(model, half)), list(found.predicted))

    def ways(self, model, rows):
        changes = facet.counterfactuals(model, rows, n=2)
        self.assertGreater(len(changes), 0)
        inputs, found = [], []
        for (row, _), way in changes.groupby(["row", "rank"]):
            changed = rows.loc[[row]].copy()
            for feature, to in zip(way.feature, way["to"]):
                changed[feature] = changed[feature].astype(object)
                changed.loc[row, feature] = to
                changed[feature] = changed[feature].astype(rows[feature].dtype)
            inputs.append(changed)
            found.append(way.label.iloc[0])
        self.assertEqual(list(labels(model, pd.concat(inputs))), found)


if __name__ == "__main__":
    unittest.main()
