"""Neighbours after scalers: distances, prices, limits and answers are in the units before them."""
import unittest

import numpy as np
import pandas as pd
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, PowerTransformer, RobustScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import facet_robust as facet

RNG = np.random.default_rng(0)
X = pd.DataFrame({"age": RNG.normal(40, 12, 250), "income": RNG.lognormal(10, 0.6, 250), "share": RNG.random(250)})
Y = np.where(X.age / 12 + np.log(X.income) * 1.5 + X.share > 19.2, "yes", "no")
UNITS = X.max() - X.min()


def pipelines():
    for scalers in ([StandardScaler()], [MinMaxScaler()], [RobustScaler()], [MaxAbsScaler(), StandardScaler(with_mean=False)], [StandardScaler(with_std=False), MinMaxScaler((-1, 3))]):
        for k, weights in ((1, "uniform"), (3, "uniform"), (3, "distance")):
            yield make_pipeline(*scalers, KNeighborsClassifier(k, weights=weights, algorithm="kd_tree")).fit(X, Y)


def near(answer):
    return answer.filter(like="adv_").set_axis(list(X), axis=1)


class TestScaledNeighbours(unittest.TestCase):
    def test_attack(self):
        """The pipeline gives examples their labels at their distances, and no input nearer than the bounds another."""
        rows = X[:20] + RNG.normal(0, 0.01, (20, 3)) * UNITS.to_numpy()
        for model in pipelines():
            for norm, length in (("inf", lambda d: np.abs(d).max(axis=1)), (1, lambda d: np.abs(d).sum(axis=1)), (2, lambda d: np.sqrt((d ** 2).sum(axis=1)))):
                for scale, units in ((None, 1.0), (X, UNITS.to_numpy())):
                    if model[-1].weights == "distance" and (norm != "inf" or scale is not None):
                        continue
                    with self.subTest(model=model, norm=norm, scale=scale is not None):
                        answer = facet.attack(model, rows, norm=norm, scale=scale, timeout=5)
                        self.assertEqual(list(answer.predicted), list(model.predict(rows)))
                        found = np.isfinite(answer.distance)
                        self.assertEqual(list(model.predict(near(answer)[found])), list(answer.adversarial_label[found]))
                        np.testing.assert_allclose(length((near(answer)[found] - rows[found]).to_numpy() / units), answer.distance[found], rtol=1e-7)
                        around, bounds = rows.to_numpy().repeat(200, axis=0), answer.bound.to_numpy().repeat(200)[:, None]
                        way = RNG.normal(size=around.shape)
                        inside = around + units * bounds * way / length(way)[:, None] * RNG.random(bounds.shape) ** 0.2 * (1 - 1e-9)
                        self.assertEqual(list(model.predict(pd.DataFrame(inside, columns=list(X)))), list(answer.predicted.repeat(200)))

    def test_units(self):
        """Without scalers that matter the same question has the same answer."""
        same = make_pipeline(MinMaxScaler((0, 1)), KNeighborsClassifier(3, algorithm="kd_tree")).fit(X, Y)
        plain, units = same[-1], {name: float(same[0].scale_[at]) for at, name in enumerate(X)}
        scaled = pd.DataFrame(same[0].transform(X[:10]), columns=list(X))
        ours, theirs = facet.attack(same, X[:10], norm=1, scale=X), facet.attack(plain, scaled.to_numpy(), norm=1)
        np.testing.assert_allclose(ours.distance, theirs.distance, rtol=1e-6)
        robust = facet.certify(same, X[:10], radius=[float(ours.distance.median()) * 0.999], norm=1, scale=X).rows.iloc[:, -1]
        self.assertEqual(list(robust), list(ours.bound > ours.distance.median() * 0.999))
        priced = facet.attack(same, X[:10], norm=1, costs={name: {"up": unit, "down": unit} for name, unit in units.items()})
        np.testing.assert_allclose(priced.distance, ours.distance, rtol=1e-6)

    def test_limits(self):
        model = next(pipelines())
        answer = facet.attack(model, X[:12], norm=1, costs={"income": {"frozen": True}, "share": {"min": 0.25, "max": 0.75}}, domain={"age": (30, 60)})
        found = np.isfinite(answer.distance)
        self.assertTrue(found.any())
        self.assertTrue((near(answer).income[found] == X[:12].income[found]).all())
        self.assertTrue(near(answer).age[found].between(30, 60).all())
        moved = near(answer).share[found][near(answer).share[found] != X[:12].share[found]]
        self.assertTrue(moved.between(0.25 - 1e-9, 0.75 + 1e-9).all())
        cube = facet.attack(model, X[:5] * 0 + 0.5, domain=(0, 1))
        self.assertEqual(set(cube.status), {"none"})
        ways = facet.counterfactuals(model, X[:5], n=2)
        first = ways[ways["rank"] == 1]
        self.assertTrue(((first.to - first["from"]).abs() >= first.cost * (1 - 1e-9)).all())  # rounded outwards
        for row, change in first.groupby("row"):
            changed = X.loc[[row]].assign(**dict(zip(change.feature, change.to)))
            self.assertEqual(list(model.predict(changed)), list(change.label[:1]))
        self.assertTrue((first["from"].to_numpy() == [X.loc[row, feature] for row, feature in zip(first.row, first.feature)]).all())
        why = facet.explain(model, X[:3], box=True)
        for x, box in zip(X[:3].to_dict("records"), why.box):
            self.assertTrue(all(low <= x[name] <= high for name, (low, high) in box.items()))

    def test_refused(self):
        model = next(pipelines())
        power = make_pipeline(PowerTransformer(), KNeighborsClassifier()).fit(X, Y)
        for says, asked in (
            ("neighbours are nearest after a PowerTransformer", lambda: facet.attack(power, X[:2])),
            ("a page of a Pipeline that scales rows before neighbours", lambda: facet.report(model, X[:2])),
            ("a gate of a Pipeline that scales rows before neighbours", lambda: facet.gate(model, X[:2], Y[:2], {"accuracy": {"at_least": 1}})),
            ("rules between features, or groups", lambda: facet.attack(model, X[:2], costs={"features": {}, "linear": ["age <= income"]})),
        ):
            with self.assertRaises(facet.FacetError) as raised:
                asked()
            self.assertIn(says, str(raised.exception))
        self.assertEqual(len(facet.attack(make_pipeline(StandardScaler(), DecisionTreeClassifier()).fit(X, Y), X[:2])), 2)


if __name__ == "__main__":
    unittest.main()
