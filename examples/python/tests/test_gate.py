"""A gate for live models: what passes, what raises, and what is refused."""
import tempfile
import unittest
from pathlib import Path

import facet_robust as facet
from sklearn.datasets import load_iris
from sklearn.ensemble import GradientBoostingRegressor, RandomForestClassifier

X, Y = load_iris(return_X_y=True, as_frame=True)
WORDS = Y.map({0: "setosa", 1: "versicolor", 2: "virginica"})


def forest(**how):
    return RandomForestClassifier(n_estimators=5, max_depth=3, random_state=0, **how).fit(X, WORDS)


class TestGate(unittest.TestCase):
    def test_passes(self):
        checks = facet.gate(forest(), X, WORDS, {
            "accuracy": {"at_least": 0.9}, "classes": {"setosa": {"recall": {"at_least": 1}}},
            "certified": [{"radius": 0.05, "at_least": 0.5}, {"radius": "1%", "norm": 1, "costs": {"features": {0: {"frozen": True}}}, "at_least": 0.5}],
            "same_as": {"model": forest(), "differs_at_most": 0, "everywhere": True}})
        self.assertEqual(list(checks.status), ["pass"] * 6)
        certified = facet.certify(forest(), X, WORDS, radius=0.05)
        self.assertEqual(checks.low[2], certified.curve.certified.iloc[0])

    def test_fails(self):
        """It raises what a test shows: the verdict, and the worst cases."""
        with self.assertRaises(facet.GateFailed) as raised:
            facet.gate(forest(), X, WORDS, {"accuracy": {"at_least": 0.9}, "ignores": ["petal length (cm)"]})
        self.assertIn("RandomForestClassifier fails: of 2 checks 1 pass, 1 fail, 0 are open", str(raised.exception))
        self.assertIn("Two inputs that differ in petal length (cm) alone get different labels: ", str(raised.exception))
        self.assertEqual(list(raised.exception.checks.status), ["pass", "fail"])
        self.assertIsInstance(raised.exception, AssertionError)

    def test_open(self):
        """Shares are at most 1, but for the rounding of their sum, which is what stays open."""
        with self.assertRaises(facet.GateFailed) as raised:
            facet.gate(forest(), policy={"output": {"at_most": 1}})
        self.assertEqual(list(raised.exception.checks.status), ["open"])
        self.assertEqual(list(facet.gate(forest(), policy={"output": {"at_most": 1}}, allow_open=True).status), ["open"])
        self.assertEqual(list(facet.gate(forest(), policy={"output": {"at_most": 1.01}}, timeout=60).status), ["pass"])

    def test_baseline(self):
        with self.assertRaises(facet.GateFailed) as raised:
            facet.gate(forest(max_features=1), X, WORDS, {"no_worse_than_baseline": {"accuracy": 0}}, baseline=RandomForestClassifier(random_state=0).fit(X, WORDS))
        self.assertIn("in service 1", str(raised.exception))

    def test_file(self):
        with tempfile.TemporaryDirectory() as folder:
            policy = Path(folder) / "policy.yaml"
            policy.write_text("output: {at_least: -1, at_most: 4}\n")
            model = GradientBoostingRegressor(n_estimators=5).fit(X, Y)
            self.assertEqual(list(facet.gate(model, policy=policy).status), ["pass", "pass"])

    def test_refused(self):
        for policy, says in (
            ({"accurracy": {"at_least": 1}}, 'Is "accuracy" meant?'), ({}, "no check"), ("gone.yaml", "it is a dict, or the file of one"),
            ({"ignores": ["sepal"]}, "sepal"), ({"no_worse_than_baseline": {"accuracy": 0}}, "baseline"),
        ):
            with self.assertRaises(facet.FacetError) as raised:
                facet.gate(forest(), X, WORDS, policy)
            self.assertIn(says, str(raised.exception))
            self.assertNotIn("--", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
