"""Models that are not as their libraries saved them: after the steps of a pipeline, and trained with objectives of one's own."""
import importlib
import os
import tempfile
import unittest
import warnings

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, StandardScaler

import facet_robust as facet
from kinds import boosted, numbers, words

BOOSTED = {
    "xgboost": boosted("xgboost", "XGBClassifier", n_estimators=10, max_depth=4),
    "lightgbm": boosted("lightgbm", "LGBMClassifier", n_estimators=10, verbose=-1),
    "lightgbm of zeros that are missing": boosted("lightgbm", "LGBMClassifier", n_estimators=10, zero_as_missing=True, verbose=-1),
    "catboost": boosted("catboost", "CatBoostClassifier", iterations=10, depth=4, verbose=0, allow_writing_files=False),
}


def zeros():
    """Rows many of whose numbers are zero or missing, and labels."""
    rng, count = np.random.default_rng(3), 600
    X = pd.DataFrame({
        "debts": rng.integers(-3, 4, count).astype(float), "rooms": rng.integers(0, 3, count) * 1.5, "ratio": rng.normal(size=count).round(1),
        "colour": rng.choice(list("abcd"), count), "floor": rng.choice([1, 2, 7], count)})
    y = ((X.debts == 0) ^ (X.rooms > 1) ^ (X.colour == "b") | (X.ratio > 1)).astype(int)
    for name in ("debts", "rooms", "ratio"):
        X.loc[rng.random(count) < 0.15, name] = np.nan
    return X, y


class TestPipelines(unittest.TestCase):
    def test_zeros(self):
        """Of a sparse matrix libraries take zeros for missing values, or tiny numbers for zeros: what they predict of these is what the
        pipeline does, also where a scaler makes the zeros, and so are examples at them."""
        X, y = zeros()
        rows = X.copy()
        rows.loc[:49, "colour"], rows.loc[50:99, "floor"] = "new", 5
        tiny = np.random.default_rng(0).choice([0, -0.0, 1e-40, -1e-40, 5e-324, -float(np.float32(1e-35))], size=(50, 3))
        rows.loc[100:149, ["debts", "rooms", "ratio"]] = tiny
        for name, fit in BOOSTED.items():
            for sparse in (0, 1):
                for steps in ("passthrough", StandardScaler(), make_pipeline(SimpleImputer(strategy="constant", fill_value=0.0), MinMaxScaler((-1, 1)))):
                    with self.subTest((name, sparse, steps)), warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        encoded = make_column_transformer((steps, ["debts", "rooms", "ratio"]), (OneHotEncoder(handle_unknown="ignore"), ["colour", "floor"]), sparse_threshold=sparse)
                        model = make_pipeline(encoded, fit()).fit(X, y)
                        self.assertEqual(encoded.sparse_output_, sparse == 1)
                        self.assertEqual(list(facet.attack(model, rows, timeout=1e-9).predicted), list(np.ravel(model.predict(rows))))
                        found = facet.attack(model, X[:10]).dropna(subset="adversarial_label")
                        near = found.filter(like="adv_").rename(columns=lambda c: c[4:])
                        self.assertEqual(list(np.ravel(model.predict(near))), list(found.adversarial_label))

    def test_regressor(self):
        """The outputs of a pipeline, and their range."""
        from xgboost import XGBRegressor

        X = numbers()
        model = make_pipeline(StandardScaler(), XGBRegressor(n_estimators=5, max_depth=3)).fit(X, X.age * 2 + X.debt)
        box = facet.output_range(model, {name: (X[name].min(), X[name].max()) for name in X})
        low, high = (box.filter(regex=f"^{end}_(?!bound)").rename(columns=lambda c: c[4:]) for end in ("min", "max"))
        np.testing.assert_allclose([model.predict(low)[0], model.predict(high)[0]], [box["min"].iloc[0], box["max"].iloc[0]], rtol=1e-6)
        self.assertTrue(box["min"].iloc[0] <= model.predict(X).min() and model.predict(X).max() <= box["max"].iloc[0])

    def test_words_of_lightgbm(self):
        """A list of words that may be that of another column is not taken for the words of one: data frames say which, other rows have codes."""
        import lightgbm

        rng = np.random.default_rng(7)
        rows = pd.DataFrame({
            "size": pd.Categorical(rng.choice(["S", "L"], 400), categories=["S", "L"], ordered=True),
            "code": rng.integers(0, 2, 400), "x": rng.normal(size=400)})
        y = rows["size"].cat.codes + 2 * rows.code + rows.x
        booster = lightgbm.train({"verbose": -1}, lightgbm.Dataset(rows, y, categorical_feature=["code"]), 5)
        codes = rows.assign(size=rows["size"].cat.codes)
        for given in (rows, codes):
            ways = facet.counterfactuals(booster, given[:20], above=2)
            changed = ways[ways.feature == "code"]
            self.assertTrue(len(changed) > 0 and set(changed["from"]) | set(changed["to"]) <= {0, 1}, ways)

    def test_codes_where_words_are_known(self):
        """Codes in the place of words are one sentence: libraries refuse them, too."""
        import lightgbm

        rng = np.random.default_rng(1)
        rows = pd.DataFrame({"colour": pd.Categorical(rng.choice(["red", "green", "blue"], 300)), "x": rng.normal(size=300)})
        codes = rows.assign(colour=rows.colour.cat.codes)
        booster = lightgbm.train({"verbose": -1}, lightgbm.Dataset(rows, codes.colour + rows.x), 5)
        with self.assertRaisesRegex(facet.FacetError, "'colour' of X holds numbers.*'blue', 'green', 'red'"):
            facet.counterfactuals(booster, codes[:3], above=1.5)

    def test_proofs(self):
        """Proofs are about the pipeline, and hold of no other one."""
        X = numbers()
        one, other = (make_pipeline(StandardScaler(), BOOSTED["lightgbm"]()).fit(X[at:], words(X)[at:]) for at in (0, 50))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "proofs")
            facet.attack(one, X[:5], proofs=path)
            self.assertIn("5", facet.check(path, one))
            with self.assertRaises(facet.FacetError):
                facet.check(path, other)


class TestVotes(unittest.TestCase):
    def test_own_objective(self):
        """vote says what the sums of a model mean that was trained with an objective of one's own."""
        lightgbm = importlib.import_module("lightgbm")
        X = numbers()
        y = (words(X) == "yes").astype(float)

        def objective(sums, rows):
            share = 1 / (1 + np.exp(-sums))
            return share - y, share * (1 - share)

        try:
            model = lightgbm.train({"objective": objective, "verbose": -1}, lightgbm.Dataset(X, y), 10)
        except TypeError:  # before version 4
            model = lightgbm.train({"verbose": -1}, lightgbm.Dataset(X, y), 10, fobj=objective)
        with self.assertRaisesRegex(facet.FacetError, "objective: none"):
            facet.attack(model, X[:5])
        rows = X[:5]
        answer = facet.attack(model, rows, vote="logistic")
        self.assertEqual(list(answer.predicted), list((model.predict(rows, raw_score=True) > 0).astype(int)))
        near = answer.filter(like="adv_").rename(columns=lambda c: c[4:])
        self.assertEqual(list(answer.adversarial_label), list((model.predict(near, raw_score=True) > 0).astype(int)))
        certified = facet.certify(model, rows, answer.predicted, radius=float(answer.distance.min()) / 2, vote="logistic")
        self.assertEqual(certified.curve.certified.iloc[0], 1)
        self.assertEqual(list(facet.explain(model, rows, vote="logistic").predicted), list(answer.predicted))
        self.assertEqual(len(facet.verify(model, ignores=list(X)[:1], vote="logistic")), 1)
        self.assertTrue(facet.counterfactuals(model, rows, vote="logistic").label.isin([0, 1]).all())
        self.assertIn("<html", facet.report(model, rows, vote="logistic").html)
        with self.assertRaisesRegex(facet.FacetError, "neither logistic nor softmax"):
            facet.attack(model, rows, vote="hard")
        with self.assertRaisesRegex(facet.FacetError, "says itself how its trees vote"):
            facet.attack(BOOSTED["lightgbm"]().fit(X, y), rows, vote="logistic")


if __name__ == "__main__":
    unittest.main()
