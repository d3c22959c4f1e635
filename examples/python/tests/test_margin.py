"""Examples of neighbours that the model itself denies, for which the nearest ones lie where neighbours are equally far."""
import unittest

import numpy as np
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import facet_robust as facet

X, Y = load_iris(return_X_y=True)
LENGTHS = {"inf": lambda d: np.abs(d).max(axis=1), 1: lambda d: np.abs(d).sum(axis=1), 2: lambda d: np.sqrt((d ** 2).sum(axis=1))}


def near(answer):
    return answer.filter(regex=r"^adv_").to_numpy()


class TestMargin(unittest.TestCase):
    def test_denied(self):
        """With a margin the model has the answer's label of nearly all examples; only denied ones move, by as much as their distance says."""
        denied = moved = 0
        for k in (1, 3, 5):
            model, rows = KNeighborsClassifier(k, algorithm="brute").fit(X, Y), X[::4]
            for norm, length in LENGTHS.items():
                plain, far = (facet.attack(model, rows, norm=norm, margin=margin) for margin in (0, 1e-6))
                for answer in (plain, far):
                    np.testing.assert_allclose(length(near(answer) - rows), answer.distance, rtol=1e-9)
                np.testing.assert_array_equal(plain.bound, far.bound)
                before, after = (model.predict(near(answer)) != answer.adversarial_label for answer in (plain, far))
                self.assertFalse((after & ~before).any())
                stays = (near(plain) == near(far)).all(axis=1)
                np.testing.assert_array_equal(stays, ~before | after)
                np.testing.assert_allclose(far.distance / plain.distance, np.where(stays, 1, 1 + 1e-6), rtol=1e-12)
                denied, moved = denied + before.sum(), moved + (before & ~after).sum()
        self.assertGreater(denied, 20)
        self.assertGreater(moved, 0.8 * denied)

    def test_trees(self):
        """Trees deny no example, and none moves."""
        model = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, Y)
        np.testing.assert_array_equal(near(facet.attack(model, X[::10], margin=0.1)), near(facet.attack(model, X[::10])))

    def test_refused(self):
        model = KNeighborsClassifier(3).fit(X, Y)
        for said, given in {
            "margin is -1: it is a finite number from 0": {"margin": -1},
            "domain may not let them go": {"margin": 1e-6, "domain": (0, 8)},
            "costs may not let them go": {"margin": 1e-6, "costs": {0: {"frozen": True}}},
        }.items():
            with self.assertRaisesRegex(facet.FacetError, said):
                facet.attack(model, X[:3], **given)


if __name__ == "__main__":
    unittest.main()
