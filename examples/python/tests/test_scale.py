"""Distances in parts of ranges, of models with categories: codes are never scaled, and another category costs what the rules say."""
import importlib
import os
import unittest
import warnings

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeRegressor

import facet_robust as facet
from kinds import KINDS, labels, mixed

ROWS = int(os.environ.get("FACET_ROWS", 6))
RNG = np.random.default_rng(5)


def coded(missing=False):
    """Rows of numbers, some of which are codes of categories that have no words: sector has 9, of which the largest are rare."""
    rng = np.random.default_rng(7)
    X = pd.DataFrame({
        "income": 1e4 * rng.random(400), "same": np.full(400, 3.5), "sector": rng.integers(0, 9, 400) % 7 + rng.integers(0, 3, 400), "region": rng.integers(0, 4, 400)})
    if missing:
        X.loc[rng.random(400) < 0.1, "income"] = np.nan
    return X, ((X.income.fillna(5e3) / 1e4 + (X.sector % 3 == 0) + (X.region == 2)) > 1.2).astype(int).to_numpy()


class Coded:
    """A model of such rows, whose library wants its codes as they were."""

    def __init__(self, model, fit=None, missing=False, **how):
        X, y = coded(missing)
        self.rows, self.model = X, model.fit(X if fit is None else fit(X), y, **how)
        self.of = fit or (lambda X: X)

    def predict(self, X):
        return np.ravel(self.model.predict(self.of(X)))


def whole(X):
    return X.astype({"sector": int, "region": int})


def models_of_codes():
    """Models that know codes without words, by name."""
    xgboost, lightgbm, catboost = (importlib.import_module(name) for name in ("xgboost", "lightgbm", "catboost"))
    at = [2, 3]
    yield "scikit-learn", Coded(HistGradientBoostingClassifier(max_iter=10, categorical_features=at), missing=True)
    yield "xgboost", Coded(xgboost.XGBClassifier(n_estimators=10, max_depth=4, feature_types=["q", "q", "c", "c"], enable_categorical=True, tree_method="hist", max_cat_to_onehot=1),
                           lambda X: X.to_numpy(float), missing=True)
    yield "lightgbm", Coded(lightgbm.LGBMClassifier(n_estimators=10, verbose=-1, min_data_per_group=5), missing=True, categorical_feature=at)
    yield "catboost", Coded(catboost.CatBoostClassifier(iterations=10, depth=4, verbose=0, cat_features=at, one_hot_max_size=64, allow_writing_files=False), whole)


class TestScale(unittest.TestCase):
    def every(self):
        """All models with categories: a name, the model to ask, what predicts, rows, and the names of categories."""
        for name, fit in KINDS.items():
            if "categories" in name or "columns" in name or "sparse" in name:
                model, X = fit()
                # beside a column of booleans LightGBM 3.3 rounds numbers to float32
                yield name, model, lambda X, model=model: labels(model, X.assign(owner=X.owner.astype(float)) if name.startswith("lightgbm with") else X), X, ["colour", "rooms"]
        for name, model in models_of_codes():
            yield name, model.model, model.predict, model.rows, ["sector", "region"]

    def test_all(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name, model, predict, X, categories in self.every():
                with self.subTest(name):
                    rows = X.sample(ROWS, random_state=1)
                    for how in ({}, {"costs": {categories[0]: {"up": 0.07}}}, {"norm": 1, "costs": {categories[1]: {"up": 0.05}}}):
                        self.confirmed(model, predict, X, rows, categories, how)
                    self.also(model, predict, X, rows, categories)

    def confirmed(self, model, predict, X, rows, categories, how):
        """Distances are what the rule says, examples have their labels, and no input drawn below the bound has another."""
        answer = facet.attack(model, rows, scale=X, **how)
        self.assertEqual(set(answer.status) - {"optimal", "none"}, set())
        near = answer.filter(like="adv_").rename(columns=lambda c: c.removeprefix("adv_"))[list(X)]
        found = np.isfinite(answer.distance)
        self.assertTrue(found.any())
        self.assertEqual(list(predict(near[found])), list(answer.adversarial_label[found]))
        costs = [self.cost(rows, near, X, name, categories, how) for name in X]
        total = (np.sum if how.get("norm") == 1 else np.max)(costs, axis=0)
        np.testing.assert_allclose(total[found], answer.distance[found], rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(answer.bound[found], answer.distance[found], rtol=1e-8, atol=1e-9)
        self.below(predict, X, rows, categories, how, answer)

    def cost(self, rows, near, X, name, categories, how):
        """What each row pays for a feature."""
        before, after = rows[name], near[name]
        if name in categories or before.dtype == bool:
            price = how.get("costs", {}).get(name, {}).get("up", 1)
            return price * (before.astype(object) != after.astype(object)).to_numpy(float)
        span = X[name].max() - X[name].min()
        return (np.abs(after - before) / (span or 1)).fillna(0).to_numpy()

    def below(self, predict, X, rows, categories, how, answer):
        """Draws inputs that cost less than the bound."""
        many = rows.loc[rows.index.repeat(200)].copy()
        bounds = np.repeat(np.minimum(answer.bound.to_numpy(), 2), 200)
        for name in X:
            price = how.get("costs", {}).get(name, {}).get("up", 1)
            if name in categories or X[name].dtype == bool:
                moved = (price < bounds) & (how.get("norm") != 1) & (RNG.random(len(many)) < 0.5) & many[name].notna().to_numpy()
                drawn = many[name].to_numpy(object)
                drawn[moved] = RNG.choice(X[name].dropna().to_numpy(object), moved.sum())
                many[name] = pd.Series(drawn, many.index).astype(X[name].dtype)
            elif how.get("norm") != 1 or name == list(X)[0]:
                span = (X[name].max() - X[name].min()) or 1
                many[name] = many[name] + span * bounds * RNG.uniform(-0.999, 0.999, len(many))
        self.assertEqual(list(predict(many)), list(np.repeat(answer.predicted.to_numpy(), 200)))

    def also(self, model, predict, X, rows, categories):
        """The other questions go by the same distances."""
        answer = facet.attack(model, rows, scale=X)
        radius = float(np.median(answer.distance[np.isfinite(answer.distance)]))
        robust = facet.certify(model, rows, radius=[radius * 0.99], scale=X).rows.iloc[:, -1]
        self.assertEqual(list(robust), list(answer.bound > radius * 0.99))
        why = facet.explain(model, rows, scale=X)
        np.testing.assert_allclose(why.distance, answer.distance)
        ways = facet.counterfactuals(model, rows, n=2, norm="inf", scale=X)
        first = ways[ways["rank"] == 1].groupby("row", sort=False).distance.first()
        np.testing.assert_allclose(first, answer.distance[first.index])
        changed = ways[ways.feature.isin(categories)]
        self.assertTrue((changed.cost == 1).all())
        page = facet.report(model, rows, scale=X).html
        self.assertTrue("Another category has one price" in page and "parts of the range" in page)
        held = facet.verify(model, ignores=categories[0], near=rows[:2], within=0.001, scale=X)
        for x, other in zip(held.x, held.other):
            if x is not None:
                pair = pd.DataFrame([list(x.values()), list(other.values())], columns=list(X)).astype(X.dtypes)
                self.assertEqual(list(predict(pair)), list(held.labels[0]))
                self.assertEqual([c for c in X if pair[c][0] != pair[c][1] and pair[c].notna().any()], [categories[0]])

    def test_radii(self):
        """A radius of 1 reaches all categories, one below none."""
        X, y = coded()
        X = X.assign(income=0.0)
        model = HistGradientBoostingClassifier(max_iter=10, categorical_features=[2, 3]).fit(X, y)
        certified = facet.certify(model, X[:20], radius=[0.99, 1], scale=X)
        self.assertTrue(certified.rows["robust at 0.99"].all())
        self.assertFalse(certified.rows["robust at 1.0"].all())

    def test_gaps(self):
        """A feature that is always missing, or the same, keeps its unit."""
        X, y = coded()
        model = HistGradientBoostingClassifier(max_iter=10, categorical_features=[2, 3]).fit(X, y)
        plain = facet.attack(model, X[:6])
        for odd in (np.nan, 7.0):
            pd.testing.assert_frame_equal(facet.attack(model, X[:6], scale=X.assign(income=odd)), plain)

    def test_categories_that_were_missing(self):
        """Whole numbers that are categories come back as they are, also where the training rows lacked some and made floats of them."""
        rng = np.random.default_rng(5)
        codes, values = rng.integers(0, 4, 300), rng.normal(size=300)
        X = pd.DataFrame({"code": pd.Series(codes).astype("category").mask(rng.random(300) < 0.1), "value": values})
        model = HistGradientBoostingClassifier(max_iter=5, categorical_features=[0]).fit(X, (codes == 2) | (values > 1))
        answer = facet.attack(model, X[:20])
        near = answer[["adv_code", "adv_value"]].set_axis(X.columns, axis=1).astype(X.dtypes)
        self.assertTrue(near.code.notna().sum() > 9)
        self.assertEqual(list(model.predict(near)), list(answer.adversarial_label))
        ways = facet.counterfactuals(model, X[:20])
        self.assertTrue(set(ways[ways.feature == "code"].to.dropna()) <= set(range(4)))
        worst = facet.verify(model, ignores="code").iloc[0]
        self.assertTrue(worst.x["code"] in range(4) or pd.isna(worst.x["code"]))

    def test_limits_of_categories(self):
        """What has no order has no limits, and may be told to stay."""
        model, X = KINDS["ordinal columns"]()
        rows = X[:5].assign(rooms=5)
        for how, says in (
            ({"domain": {"rooms": (2, 5)}}, "domain says (2, 5) of 'rooms', a category, which knows no order: (2, 2) is one of 2, 5, 9"),
            ({"domain": {"colour": ("pink", "pink")}}, "domain says ('pink', 'pink') of 'colour', a category"),
            ({"domain": (0, 1)}, "'colour' is a category, which lies between no numbers"),
            ({"costs": {"rooms": {"max": 5}}}, "costs says 'max' of 'rooms', a category, which knows no order"),
            ({"costs": {"colour": {"integer": True}}}, "costs says 'integer' of 'colour', a category"),
        ):
            with self.assertRaises(facet.FacetError) as raised:
                facet.attack(model, X[:5], **how)
            self.assertIn(says, str(raised.exception).replace('"', "'"))
        stays = facet.attack(model, rows.assign(rooms=pd.Categorical(rows.rooms, [2, 5, 9])), domain={"rooms": (5, 5)}, scale=X)
        self.assertEqual(set(stays.adv_rooms.dropna()), {5})
        loan = DecisionTreeRegressor(max_depth=3).fit(X[["age"]], X.score)
        self.assertEqual(len(facet.output_range(loan, (0, 1))), 1)

    def test_numbers_that_look_like_categories(self):
        """What the model takes for a number is one, whatever its dtype."""
        X = mixed()[["age", "rooms"]]
        model = RandomForestClassifier(5, max_depth=4, random_state=0).fit(X, (X.age + X.rooms.astype(int) > 5))
        answer = facet.attack(model, X[:8], scale=X.astype(float))
        moved = np.abs(answer.adv_rooms.astype(float) - X.rooms[:8].astype(float)) / 7
        np.testing.assert_allclose(np.maximum(moved, np.abs(answer.adv_age - X.age[:8]) / np.ptp(X.age)), answer.distance, rtol=1e-9)


if __name__ == "__main__":
    unittest.main()
