"""CatBoost with cat_features as people train it: words, and statistics of them, by its own labels, outputs and probabilities."""
import json
import os
import tempfile
import unittest

import catboost
import numpy as np
import pandas as pd

import facet_robust as facet
from facet_robust import command

ROWS = int(os.environ.get("FACET_ROWS", 20))
MANY = 2000 if ROWS >= 500 else 200  # inputs that are drawn within each bound
CATEGORIES = ["colour", "city", "flag"]


def draw(count, seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({
        "age": rng.normal(size=count), "colour": rng.choice(["red", "green", "blue", "black", "white", "Größe, 1", 'x "y" in more than sixteen bytes'], count),
        "city": rng.integers(0, 20, count), "flag": rng.choice(["yes", "no"], count), "width": rng.normal(size=count)})
    return X, X.age + (X.colour.str.len() % 3) * 0.8 - (X.city % 3 == 0) + (X.flag == "yes") * 0.5


def fit(kind=catboost.CatBoostClassifier, labels=lambda s: (s > 0.7).astype(int), **how):
    X, score = draw(500, 0)
    return kind(**{
        "iterations": 8, "depth": 4, "verbose": 0, "cat_features": CATEGORIES, "max_ctr_complexity": 1, "allow_writing_files": False, "random_seed": 0, **how,
    }).fit(X, labels(score))


def three(s):
    return np.digitize(s, [0.2, 1.2])


MODELS = {
    "statistics": fit, "one-hot up to 8": lambda: fit(one_hot_max_size=8), "nested": lambda: fit(grow_policy="Lossguide"), "three": lambda: fit(labels=three),
    "buckets": lambda: fit(simple_ctr=["Buckets", "Counter"]), "buckets, three": lambda: fit(labels=three, simple_ctr=["Buckets"]),
    "means": lambda: fit(simple_ctr=["BinarizedTargetMeanValue", "Counter"]),
    "words for labels": lambda: fit(labels=lambda s: np.where(s > 0.7, "high", "low")),
    "ordered": lambda: fit(boosting_type="Ordered", counter_calc_method="Full"),
}
REGRESSORS = {
    "regressor": lambda: fit(catboost.CatBoostRegressor, lambda s: s), "regressor, borders": lambda: fit(catboost.CatBoostRegressor, lambda s: s, simple_ctr=["Borders:TargetBorderCount=3"]),
    "regressor, means": lambda: fit(catboost.CatBoostRegressor, lambda s: s, simple_ctr=["BinarizedTargetMeanValue:TargetBorderCount=4"]),
}


class TestCatBoost(unittest.TestCase):
    def near(self, answer, X):
        return answer.filter(like="adv_").set_axis(list(X), axis=1)

    def test_labels(self):
        """Labels of rows with words, examples in words, and inputs within the bounds."""
        for name, model in MODELS.items():
            with self.subTest(name):
                model, (X, _) = model(), draw(max(200, ROWS), 1)
                X.loc[:9, "colour"] = "never seen"
                X.loc[5:15, "city"] = 77
                labels = facet.certify(model, X, radius=1e-12).rows.predicted
                self.assertEqual(list(labels), list(np.ravel(model.predict(X))))
                rows = X[:ROWS]
                for norm in ("inf", 1):
                    answer = facet.attack(model, rows, norm=norm)
                    found = answer.adversarial_label.notna()
                    near = self.near(answer[found], X)
                    self.assertTrue(found.sum() > 9)
                    self.assertEqual(list(np.ravel(model.predict(near))), list(answer.adversarial_label[found]))
                    for column in ("colour", "flag"):
                        self.assertTrue(set(near[column]) <= set(X[column]))
                    self.within(model, rows, answer, norm)

    def test_proofs(self):
        """Proofs are about a model that has the words of the rows. It is made anew, with the words of the one beside them."""
        X, _ = draw(5, 2)
        X.loc[3, "colour"] = "never seen"
        questions = [(name, model, {}) for name, model in MODELS.items()] + [(name, model, {"above": 0.5}) for name, model in REGRESSORS.items()]
        with tempfile.TemporaryDirectory() as folder:
            for i, (name, model, above) in enumerate(questions):
                with self.subTest(name):
                    model, path = model(), os.path.join(folder, f"{i}.proofs.gz")
                    facet.attack(model, X, proofs=path, **above)
                    self.assertRegex(facet.check(path, model, **above), "5, all true")
                    with self.assertRaisesRegex(facet.FacetError, "about another model"):
                        facet.check(path, fit(iterations=3))

    def within(self, model, rows, answer, norm):
        rng, inside = np.random.default_rng(2), []
        for at in range(min(20, len(rows))):
            bound, many = min(answer.bound.iloc[at], 9), rows.iloc[[at] * MANY].reset_index(drop=True)
            left = np.full(MANY, bound)
            for column in CATEGORIES:
                moved = (rng.random(MANY) < 0.4) & (left > 1)
                many[column] = np.where(moved, rng.choice(rows[column].to_numpy(object), MANY), many[column].to_numpy(object))
                left -= (moved & (norm == 1))
            many["city"] = many.city.astype(int)
            share = rng.random(MANY) if norm == 1 else 1
            many["age"] += left * share * rng.uniform(-0.999, 0.999, MANY)
            many["width"] += left * (1 - share if norm == 1 else 1) * rng.uniform(-0.999, 0.999, MANY)
            inside.append(many)
        self.assertEqual(list(np.ravel(model.predict(pd.concat(inside)))), list(answer.predicted.iloc[:len(inside)].repeat(MANY)))

    def test_outputs(self):
        for name, model in REGRESSORS.items():
            with self.subTest(name):
                model, (X, _) = model(), draw(60, 1)
                answer = facet.attack(model, X, above=0.7)
                np.testing.assert_allclose(answer.output, model.predict(X), rtol=1e-15)
                np.testing.assert_allclose(answer.adversarial_output, model.predict(self.near(answer, X)), rtol=1e-15)

    def test_other_questions(self):
        model, (X, _) = fit(), draw(30, 1)
        words = set(X.colour)
        ways = facet.counterfactuals(model, X[:9])
        self.assertTrue({*ways[ways.feature == "colour"].to} <= words and (ways.feature == "colour").any())
        self.assertEqual(set(facet.explain(model, X[:9]).predicted), set(model.predict(X[:9])))
        held = facet.verify(model, ignores="colour", near=X).iloc[0]
        self.assertTrue(held.x["colour"] in words and held.other["colour"] in words and not held.holds)
        pair = pd.DataFrame([held.x, held.other])[list(X)].astype(X.dtypes)
        self.assertEqual(list(model.predict(pair)), list(held.labels))
        self.assertEqual(len(facet.gate(model, X, model.predict(X), {"accuracy": {"at_least": 1}})), 1)
        frozen = facet.attack(model, X, costs={name: {"frozen": True} for name in CATEGORIES})
        self.assertTrue((self.near(frozen, X).colour.dropna() == X.colour[frozen.adversarial_label.notna()]).all())

    def test_files(self):
        """A file that was saved with a pool has words; one without has hashes, which are those of whole numbers or are refused."""
        model, (X, _) = fit(), draw(30, 1)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.json")
            model.save_model(path, format="json")
            with self.assertRaisesRegex(facet.FacetError, 'has a category that is no whole number .*, and the file has nothing but its hash: save_model'):
                command.run(["info", "model.json"], folder)
            model.save_model(path, format="json", pool=catboost.Pool(X, cat_features=CATEGORIES))
            X.to_csv(os.path.join(folder, "rows.csv"), index=False)
            lines = command.run(["predict", "--model=model.json", "--test=rows.csv", "--label=none", "--out=-"], folder)
            self.assertEqual([int(json.loads(line)["predicted"]) for line in lines], list(model.predict(X)))
        numbers = X.assign(colour=X.colour.map({w: i for i, w in enumerate(sorted(set(X.colour)))}), flag=(X.flag == "yes").astype(int))
        coded = catboost.CatBoostClassifier(iterations=8, cat_features=CATEGORIES, max_ctr_complexity=1, verbose=0, allow_writing_files=False).fit(numbers, X.age > 0)
        answer = facet.attack(coded, numbers)
        self.assertEqual(list(answer.predicted), list(coded.predict(numbers)))

    def test_words_of_other_columns(self):
        """Answers of the command about a file never have a word of another column: what no one-hot test knows is any other word."""
        for model in (fit(one_hot_max_size=8), fit(one_hot_max_size=8, grow_policy="Lossguide", labels=three)):
            X, _ = draw(max(60, ROWS), 3)
            with tempfile.TemporaryDirectory() as folder:
                model.save_model(os.path.join(folder, "model.json"), format="json", pool=catboost.Pool(X, cat_features=CATEGORIES))
                X.to_csv(os.path.join(folder, "rows.csv"), index=False)
                with open(os.path.join(folder, "costs.json"), "w") as f:
                    json.dump({"features": {column: {"frozen": True} for column in ("age", "width", "city")}}, f)
                lines = [json.loads(line) for line in command.run(["explain", "--model=model.json", "--test=rows.csv", "--label=none", "--norm=1", "--costs=costs.json", "--out=-"], folder)]
            self.assertEqual([str(line["predicted"]) for line in lines], [str(label) for label in np.ravel(model.predict(X))])
            near = X.astype(object)
            for at, line in enumerate(lines):
                for column, word in (line["change"] or {}).items():
                    near.iloc[at, list(X).index(column)] = "never seen" if word == "any other" else word
            for column in ("colour", "flag"):
                self.assertTrue(set(near[column]) <= {*X[column], "never seen"})
            self.assertTrue((near.colour != X.colour).any() or (near.flag != X.flag).any())
            changed = np.array([bool(line["change"]) for line in lines])
            self.assertTrue(changed.sum() > 20 and (np.ravel(model.predict(near.astype(X.dtypes)))[changed] != np.ravel(model.predict(X))[changed]).all())

    def test_combinations(self):
        """Statistics of several columns are refused by their names."""
        X, score = draw(500, 0)
        pairs = catboost.CatBoostClassifier(
            iterations=30, cat_features=CATEGORIES, max_ctr_complexity=2, verbose=0, allow_writing_files=False, random_seed=0,
        ).fit(X, (X.colour.str.len() + X.city) % 2)
        with self.assertRaisesRegex(facet.FacetError, 'statistics of several columns together .*"colour" with .*: train with max_ctr_complexity=1'):
            facet.attack(pairs, X[:3])


if __name__ == "__main__":
    unittest.main()
