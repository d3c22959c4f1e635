"""Answers beside examples: certificates, proofs, pages, outputs, pruning."""
import os
import tempfile
import unittest
import warnings

import numpy as np
import pandas as pd
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier, RandomForestRegressor
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import check_estimator

import facet_robust as facet
from kinds import KINDS, forest, mixed, numbers, words

X = numbers()
Y = words(X, ("no", 'a "b", c', "yes"))
FOREST = forest().fit(X, Y)
REGRESSOR = RandomForestRegressor(5, max_depth=4, random_state=0).fit(X, X.age * 2 + X.debt)


class TestAnswers(unittest.TestCase):
    def test_certify(self):
        """Rows are robust just below their distance and not above, and the curve counts them."""
        rows = X[:20]
        near = facet.attack(FOREST, rows, norm=1)
        radii = [float(near.distance.median()), float(near.distance.max() * 2), 0.01]
        certified = facet.certify(FOREST, rows, Y[:20], radius=radii, norm=1)
        right = FOREST.predict(rows) == Y[:20]
        self.assertAlmostEqual(certified.accuracy, right.mean())
        self.assertEqual(list(certified.rows.index), list(rows.index))
        self.assertEqual(list(certified.rows.predicted), list(FOREST.predict(rows)))
        for r in radii:
            robust = certified.rows[f"robust at {r}"]
            self.assertEqual(list(robust[right].astype(bool)), list(near.bound[right] > r))
            self.assertTrue(robust[~right].isna().all())
            self.assertAlmostEqual(certified.curve.certified[r], (near.bound[right] > r).sum() / 20)
        self.assertEqual(list(certified.curve.index), sorted(radii))
        self.assertEqual(facet.certify(FOREST, rows, radius=0.01).accuracy, 1)
        self.assertIn("certified", certified._repr_html_())

    def test_limits(self):
        """A row at its limit has a bound and, if none was found, an infinite distance."""
        rng = np.random.default_rng(0)
        x = rng.random((600, 30))
        hard = RandomForestClassifier(150, random_state=0).fit(x, rng.random(600) < 0.5)
        answer = facet.attack(hard, x[:2], norm=2, timeout=1e-9)  # over before it begins, on any machine
        self.assertTrue((answer.bound <= answer.distance).all())
        self.assertEqual(set(answer.status), {"limit"})

    def test_target_domain_scale_costs(self):
        rows = X[:8]
        answer = facet.attack(FOREST, rows, target="yes", domain={"age": (-9, 9), "score": (-1e4, 1e4)})
        self.assertTrue((answer.status == "reached").equals(answer.predicted == "yes"))
        self.assertTrue(answer.distance[answer.status == "reached"].isna().all())
        self.assertEqual(set(answer.adversarial_label.dropna()), {"yes"})
        span = X.max() - X.min()
        scaled = facet.attack(FOREST, rows, scale=X)
        moved = (scaled.filter(like="adv_").rename(columns=lambda c: c[4:]) - rows).abs() / span
        np.testing.assert_allclose(moved.max(axis=1), scaled.distance, rtol=1e-6)
        frozen = facet.attack(FOREST, rows, costs={"score": {"frozen": True}, "age": {"up": 3, "down": np.inf}}, norm=1)
        self.assertTrue((frozen.adv_score.isna() | (frozen.adv_score == rows.score)).all())
        self.assertFalse((frozen.adv_age < rows.age).any())
        none = facet.attack(FOREST, rows, domain=(50, 51))
        self.assertTrue(np.isinf(none.distance[none.status == "none"]).all())

    def test_whole_numbers(self):
        """Columns of whole numbers stay so, in their dtype, unless the question says otherwise; proofs are about real numbers."""
        rng = np.random.default_rng(0)
        rows = pd.DataFrame({
            "a": rng.integers(0, 60, 300), "b": rng.random(300), "c": rng.integers(0, 256, 300).astype(np.uint8), "d": pd.array(rng.integers(0, 9, 300), dtype="Int64")})
        y = (rows.a + rows.c / 4 + rows.b * 9 + rows.d.astype(int)) > 70
        model = RandomForestClassifier(9, max_depth=6, random_state=0).fit(rows.astype(float), y)
        asked = rows[:20]
        for how in ({}, {"norm": 0}, {"norm": 1, "costs": {"a": {"frozen": True}}}, {"scale": rows}, {"norm": 2, "n_jobs": -2}):
            answer = facet.attack(model, asked, **how)
            found = answer.adversarial_label.notna()
            near = answer[found].filter(like="adv_").set_axis(list(rows), axis=1)
            self.assertTrue(found.sum() > 9)
            self.assertEqual([dtype.kind for dtype in near.dtypes], list("ifui" if found.all() else "ifii"))
            self.assertEqual(list(model.predict(near.astype(float))), list(answer.adversarial_label[found]))
            if not how:
                moved = (near.astype(float) - asked.astype(float)).abs().max(axis=1)
                np.testing.assert_allclose(moved, answer.distance)
                whole = answer
        free = facet.attack(model, asked, costs={name: {"integer": False} for name in "acd"})
        self.assertTrue((free.distance <= whole.distance).all() and (free.adv_a % 1 != 0).any())
        self.assertTrue((facet.counterfactuals(model, asked).query("feature == 'a'").to % 1 == 0).all())
        robust = facet.certify(model, asked, radius=[0.5]).rows["robust at 0.5"]
        self.assertEqual(list(robust), list(whole.bound > 0.5))
        with tempfile.TemporaryDirectory() as folder:
            proven = facet.attack(model, asked, proofs=os.path.join(folder, "proofs"))
            np.testing.assert_allclose(proven.distance, free.distance)
        near = facet.attack(KNeighborsClassifier(1).fit(rows.astype(float), y), asked)
        self.assertEqual(near.adv_a.dtype.kind, "f")

    def test_also(self):
        """Answers are accepted by all models, are no nearer than those of one, and the nearest of those that are."""
        import xgboost

        loan = (X.age + X.debt > X.age.median() + X.debt.median()).to_numpy()
        some = [np.random.default_rng(i).integers(0, len(X), 200) for i in range(3)]
        first, *more = (RandomForestClassifier(5, max_depth=3, random_state=0).fit(X.iloc[at], loan[at]) for at in some)
        boosted = xgboost.XGBClassifier(n_estimators=5, max_depth=2).fit(X, loan.astype(int))
        rows = X[~first.predict(X)][:12]
        alone, answer = (facet.attack(first, rows, target=True, norm=1, also=also) for also in (None, [*more, (boosted, 1), (REGRESSOR, 0.1)]))
        found = np.isfinite(answer.distance)
        self.assertTrue(found.sum() > 3 and set(answer.status) <= {"optimal", "none"})
        near = answer[found].filter(like="adv_").set_axis(list(X), axis=1)
        for model in (first, *more, boosted):
            self.assertTrue(model.predict(near).all())
        self.assertTrue((REGRESSOR.predict(near) >= 0.1).all())
        self.assertTrue((answer.distance >= alone.distance).all())
        either = facet.attack(first, rows, target=True, norm=1, also=[(1, [more[0], (boosted, 1)])])
        each = [facet.attack(first, rows, target=True, norm=1, also=also).distance for also in ([more[0]], [(boosted, 1)])]
        np.testing.assert_allclose(either.distance, np.minimum(*each), rtol=1e-9)
        with tempfile.TemporaryDirectory() as folder:
            proofs = os.path.join(folder, "proofs")
            also = [(1, [more[0], (boosted, 1)]), more[1]]
            facet.attack(first, rows, target=True, norm=1, also=also, proofs=proofs)
            self.assertIn("all true", facet.check(proofs, first, also=also))
            with self.assertRaises(facet.FacetError):
                facet.check(proofs, first, also=also[::-1][:1])
        ways = facet.counterfactuals(first, rows, n=1, target=True, also=more[0])
        nearest = ways.groupby("row").distance.first()
        np.testing.assert_allclose(nearest, facet.attack(first, rows, target=True, norm=1, also=more[:1]).distance[nearest.index], rtol=1e-6)
        for also, says in (([more[0]], "also has a RandomForestClassifier without the label"), ([(more[0], "maybe")], "also is 'maybe', which is none of the labels of the RandomForest"), ([(3, more)], "also asks that at least 3 of 2 models accept"), ([(1, [(more[0], "a, b")])], "also is 'a, b'")):
            with self.assertRaises(facet.FacetError) as raised:
                facet.attack(first, rows, also=also)
            self.assertIn(says, str(raised.exception))

    def test_regressors(self):
        rows = X[:6]
        answer = facet.attack(REGRESSOR, rows, above=0.5)
        self.assertEqual(list(answer.predicted), list(np.where(REGRESSOR.predict(rows) >= 0.5, "above", "below")))
        np.testing.assert_allclose(answer.output, REGRESSOR.predict(rows))
        near = answer.filter(like="adv_").rename(columns=lambda c: c[4:])
        np.testing.assert_allclose(answer.adversarial_output, REGRESSOR.predict(near))
        changed = facet.attack(REGRESSOR, rows, change=0.25)
        self.assertTrue(((changed.adversarial_output - changed.output).abs() > 0.25).all())
        certified = facet.certify(REGRESSOR, rows, REGRESSOR.predict(rows), radius=0.1, above=0.5)
        self.assertEqual(certified.accuracy, 1)
        box = facet.output_range(REGRESSOR, {"age": (0, 1), "debt": (-1, 0)})
        low, high = (box.filter(regex=f"^{end}_(?!bound)").rename(columns=lambda c: c[4:]) for end in ("min", "max"))
        np.testing.assert_allclose([REGRESSOR.predict(low)[0], REGRESSOR.predict(high)[0]], [box["min"].iloc[0], box["max"].iloc[0]])
        inside = X.assign(age=X.age.clip(0, 1), debt=X.debt.clip(-1, 0))
        self.assertTrue(REGRESSOR.predict(inside).min() >= box["min"].iloc[0] and REGRESSOR.predict(inside).max() <= box["max"].iloc[0])
        around = facet.output_range(REGRESSOR, X=rows, radius=0.5)
        self.assertEqual(list(around.index), list(rows.index))
        np.testing.assert_allclose(around.output, REGRESSOR.predict(rows))
        self.assertTrue((around["min"] <= around.output).all() and (around.output <= around["max"]).all())

    def test_words(self):
        """The command says categories in words where the file has them; they come back as the library has them."""
        import lightgbm
        import xgboost

        rng, said = np.random.default_rng(5), ['a]b', 'x "y"', "New York, NY", "missing", "7"]
        rows = pd.DataFrame({"age": rng.normal(size=300), "colour": pd.Categorical(rng.choice(said, 300)), "rooms": pd.Categorical(rng.choice([2, 5, 9], 300))})
        y = rows.age + rows.colour.cat.codes % 2 + (rows.rooms.cat.codes == 1)
        odd = rows.assign(colour=rows.colour.cat.rename_categories({"7": "Größe"}))
        models = [
            lightgbm.LGBMRegressor(n_estimators=8, min_child_samples=5, min_data_per_group=5, verbose=-1).fit(rows, y),
            xgboost.XGBRegressor(n_estimators=8, max_depth=3, tree_method="hist", enable_categorical=True).fit(rows, y)]
        beyond = xgboost.XGBRegressor(n_estimators=8, max_depth=3, tree_method="hist", enable_categorical=True).fit(odd, y)
        ways = facet.counterfactuals(beyond, odd[:9], above=1)
        changed = ways[ways.feature == "colour"]
        self.assertIn("Größe", [*changed["from"], *changed["to"]])
        for model in models:
            around = facet.output_range(model, X=rows[:9], radius=0.25)
            self.assertTrue({*around.min_colour, *around.max_colour} <= set(said), around)
            ways = facet.counterfactuals(model, rows[:4], above=1)
            changed = ways[ways.feature == "colour"]
            self.assertTrue(set(changed["from"]) | set(changed["to"]) <= set(said), changed)
            change = facet.explain(model, rows[:20], above=1).change
            self.assertTrue({c["rooms"] for c in change if "rooms" in c} <= {2, 5, 9}, change)
            self.assertTrue({c["colour"] for c in change if "colour" in c} <= set(said), change)

    def test_proofs(self):
        """Proofs hold of their model alone; that of CatBoost is written in facet's own format, and made anew to check."""
        import catboost

        boosted = catboost.CatBoostClassifier(iterations=5, depth=3, verbose=0, allow_writing_files=False).fit(X, Y)
        with tempfile.TemporaryDirectory() as folder:
            for i, model in enumerate((FOREST, boosted)):
                path = os.path.join(folder, f"{i}.proofs.gz")
                facet.attack(model, X[:5], proofs=path)
                self.assertIn("5", facet.check(path, model))
                with self.assertRaises(facet.FacetError):
                    facet.check(path, KINDS["tree"]()[0])
            other = catboost.CatBoostClassifier(iterations=6, depth=3, verbose=0, allow_writing_files=False).fit(X, Y)
            with self.assertRaises(facet.FacetError):
                facet.check(path, other)
            path = os.path.join(folder, "above.proofs.gz")
            facet.attack(REGRESSOR, X[:5], above=0.5, proofs=path)
            with self.assertRaisesRegex(facet.FacetError, "is there already: name another file, or remove that one"):
                facet.attack(REGRESSOR, X[:5], above=0.5, proofs=path)
            self.assertIn("5", facet.check(path, REGRESSOR, above=0.5))
            with self.assertRaisesRegex(facet.FacetError, "say above=t"):
                facet.check(path, REGRESSOR)
            with self.assertRaisesRegex(facet.FacetError, "there is no file"):
                facet.check(os.path.join(folder, "none"), FOREST)

    def test_report(self):
        page = facet.report(FOREST, X[:10], Y[:10], target='a "b", c', counterfactuals=2)
        self.assertIn("&quot;b&quot;, c" if "&quot;b&quot;, c" in page.html else "&#34;b&#34;, c", page.html)
        self.assertIn("monthly income", page.html)
        self.assertTrue(page._repr_html_().startswith("<iframe srcdoc="))
        with tempfile.TemporaryDirectory() as folder:
            page.save(os.path.join(folder, "page.html"))
            self.assertEqual(os.listdir(folder), ["page.html"])
        self.assertIn("<html", facet.report(KINDS["one-hot columns"]()[0], mixed()[:5]).html)

    def test_explain(self):
        """No input that shares the values of a reason has another label, as far as random ones tell; no feature is there in vain."""
        rows, rng = X[:5], np.random.default_rng(0)
        why = facet.explain(FOREST, rows, box=True, reasons=2)
        self.assertEqual(list(why.index), list(rows.index))
        for (row, answer), predicted in zip(why.iterrows(), FOREST.predict(rows)):
            self.assertEqual(answer.predicted, predicted)
            self.assertTrue(answer.minimal and set(answer.reason) <= set(X))
            others = pd.DataFrame(rng.normal(size=(300, 5)) * 3, columns=X.columns)
            others["score"] *= 1000
            others[answer.reason] = rows.loc[row, answer.reason].to_numpy()
            self.assertEqual(set(FOREST.predict(others)), {predicted})
            changed = rows.loc[[row]].assign(**answer.change)
            self.assertNotEqual(FOREST.predict(changed)[0], predicted)

    def test_explain_booleans_scale_costs(self):
        """Booleans stay such in changes, distances are in parts of ranges as in attack, and what is frozen is in no reason."""
        rows = X.assign(owner=X.age > X.debt)
        model = forest().fit(rows, words(rows.drop(columns="owner")))
        why, near = facet.explain(model, rows[:8], scale=rows, norm=1), facet.attack(model, rows[:8], scale=rows, norm=1)
        np.testing.assert_allclose(why.distance, near.distance, rtol=1e-9)
        for (row, answer), predicted in zip(why.iterrows(), model.predict(rows[:8])):
            self.assertIs(type(answer.change.get("owner", True)), bool)
            self.assertNotEqual(model.predict(rows.loc[[row]].assign(**answer.change))[0], predicted)
        frozen = facet.explain(model, rows[:8], costs={"age": {"frozen": True}})
        self.assertFalse(any("age" in reason for reason in frozen.reason))
        self.assertFalse(any("age" in change for change in frozen.change))

    def test_verify_near(self):
        """Inputs near to rows are so in parts of ranges, and booleans of the rows are booleans."""
        rows = X.assign(owner=X.age > X.debt)
        model = GradientBoostingClassifier(n_estimators=8, random_state=0).fit(rows, words(rows.drop(columns="owner")))
        said = facet.verify(model, ignores=["debt"], near=rows[:5], within=0.01, scale=rows)
        span = rows.max().astype(float) - rows.min().astype(float)
        for found in (said.x[0], said.other[0]):
            self.assertIs(type(found["owner"]), bool)
            apart = (rows[:5].astype(float) - pd.Series(found).astype(float)).abs() / span
            self.assertLessEqual(apart.drop(columns="debt").max(axis=1).min(), 0.01 + 1e-9)

    def test_verify_tolerances(self):
        """Pairs differ in each feature by no more than its own tolerance, and inputs near to rows lie within one of each feature."""
        model = GradientBoostingClassifier(n_estimators=8, random_state=0).fit(X, words(X))
        said = facet.verify(model, ignores=["debt", "age"], apart={"debt": 0.25}, near=X[:5], within={"score": 10})
        pair = pd.DataFrame([said.x[0], said.other[0]])
        self.assertLessEqual(abs(pair.debt[1] - pair.debt[0]), 0.25)
        self.assertEqual(set(pair.columns[pair.nunique() > 1]) - {"debt", "age"}, set())
        off = (X[:5] - pair.iloc[0]).abs().drop(columns=["debt", "age"])
        self.assertTrue(((off.score <= 10) & (off.drop(columns="score") == 0).all(axis=1)).any())
        free = facet.verify(model, ignores=["debt", "age"], near=X[:5], within={"score": 10})
        same = facet.verify(model, ignores=["debt", "age"], apart={"debt": 0.25, "age": np.inf}, near=X[:5], within={"score": 10})
        self.assertLessEqual(said.bound[0], free.bound[0])
        self.assertEqual(said.bound[0], same.bound[0])
        self.assertTrue(facet.verify(model, ignores=["debt", "age"], apart=0).holds[0])

    def test_verify(self):
        """Pairs of inputs that break a property break it in the live model."""
        boosted = GradientBoostingClassifier(n_estimators=8, random_state=0).fit(X, words(X))
        said = facet.verify(boosted, ignores=["debt"], monotone={"age": "up"}, timeout=20)
        self.assertEqual(list(said.property), ["ignores debt", "monotone age:up"])
        pair = pd.DataFrame([said.x[0], said.other[0]])
        self.assertFalse(said.holds[0])
        self.assertEqual(list(pair.columns[pair.nunique() > 1]), ["debt"])
        self.assertEqual(list(boosted.predict(pair)), said.labels[0])
        constant = forest().fit(X.assign(debt=0.0), Y)
        self.assertTrue(facet.verify(constant, ignores="debt").holds[0])
        self.assertTrue(facet.verify(boosted, same_as=boosted).holds[0])
        most = facet.verify(REGRESSOR, output_at_most=100).bound[0]
        self.assertGreaterEqual(most + 1e-9, REGRESSOR.predict(X).max())
        for wrong, sentence in (({}, "say what is to be proven"), ({"ignores": ["sex"]}, "ignores names 'sex', which is no column")):
            with self.assertRaisesRegex(facet.FacetError, sentence):
                facet.verify(boosted, **wrong)

    def test_verify_three_classes(self):
        """Labels of several classes are not the outputs of one, and pairs that are shown have theirs in the live model."""
        y = np.select([X.debt > X.debt.median(), X.age > X.age.median()], ["high", "old"], "low")
        model = GradientBoostingClassifier(n_estimators=3, max_depth=2, random_state=0).fit(X, y)
        for label in (None, *model.classes_):
            said = facet.verify(model, ignores=list(X.columns), same_as=model, label=label, timeout=20)
            self.assertEqual(list(said.holds), [False, True])
            self.assertIn(said["class"][0], [label] if label is not None else model.classes_)
            pairs = [said.iloc[0], *([said.changing[0]] if said.changing[0] else [])]
            self.assertTrue(any(pair["labels"][0] != pair["labels"][1] for pair in pairs))
            for pair in pairs:
                rows = pd.DataFrame([pair["x"], pair["other"]])[X.columns]
                self.assertEqual(list(model.predict(rows)), pair["labels"])
        with self.assertRaisesRegex(facet.FacetError, "label is 'sex', which is none of the labels"):
            facet.verify(model, ignores="debt", label="sex")

    def test_prune(self):
        rows, y = X[["age", "debt"]], words(X, ("no", "yes"))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "certificate")
            pruned = facet.prune(rows, y, separation=0.2, certificate=path)
            self.assertTrue(pruned.optimal and 0 < len(pruned.keep) < len(rows))
            kept, labels = rows.to_numpy()[pruned.keep], y[pruned.keep]
            apart = np.abs(kept[labels == "no"][:, None] - kept[labels == "yes"]).max(axis=2)
            self.assertGreater(apart.min(), 0.2)
            self.assertIn("kept", facet.check(path, X=rows, y=y, separation=0.2))
            with self.assertRaises(facet.FacetError):
                facet.check(path, X=rows, y=y[::-1], separation=0.2)

    def test_prune_locally(self):
        """Rows conflict at the sum of their radii, which are less where labels meet."""
        rows = X[["age", "debt"]].to_numpy()
        distances = np.abs(rows[:, None] - rows).max(axis=2)
        other = Y[:, None] != Y
        radii = np.minimum(0.1, 0.7 * np.where(other, distances, np.inf).min(axis=1))
        conflict = other & (distances <= radii[:, None] + radii)
        pruned = facet.prune(rows, Y, separation=0.2, local=0.7)
        self.assertTrue(pruned.optimal)
        self.assertGreater(len(pruned.keep), len(facet.prune(rows, Y, separation=0.2).keep))
        self.assertFalse(conflict[np.ix_(pruned.keep, pruned.keep)].any())
        gone = np.setdiff1d(np.arange(len(rows)), pruned.keep)
        self.assertTrue(conflict[np.ix_(gone, pruned.keep)].any(axis=1).all())
        self.assertEqual(list(facet.PrunedKNN(separation=0.2, local=0.7).fit(rows, Y).kept_), list(pruned.keep))

    def test_estimator(self):
        """PrunedKNN is an estimator, of rows that are far apart, and a model like others."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check_estimator(facet.PrunedKNN(separation=0.01))
        model = facet.PrunedKNN(separation=0.3).fit(X[["age", "debt"]], Y)
        plain = KNeighborsClassifier(1).fit(X[["age", "debt"]].iloc[model.kept_], Y[model.kept_])
        rows = X[["age", "debt"]][:10]
        self.assertEqual(list(model.predict(rows)), list(plain.predict(rows)))
        pd.testing.assert_frame_equal(facet.attack(model, rows), facet.attack(plain, rows))
        self.assertGreater(model.score(X[["age", "debt"]], Y), 0.5)


if __name__ == "__main__":
    unittest.main()
